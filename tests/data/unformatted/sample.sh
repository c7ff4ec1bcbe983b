#!/bin/bash
# settings
X=1;Y="a  $X b"
f(){ local a=$1;echo "$a" ; }
function g {
  for i in 1 2 3;do f $i;done
 while read -r line;do echo "$line";done <file
}
if [ -f "$X" ]&&[[ $Y == a* ]];then g;elif f;then :;else exit 1;fi
case $X in
a|b) f a ;;
*) g ; f b;;
esac
cat <<EOF
  text $X
	more
EOF
out=`f x | g` ; arr=( 1 2   3 )
f a \
  b c >out 2>&1
g|f&
