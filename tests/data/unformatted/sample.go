package   sample

import ("os"
"fmt"; "errors"
)

type  Point struct { X,Y int
Name string `json:"name"` }
type Shape interface { Area() float64; Perimeter() float64 }
const ( A = iota; B; C = 0XFF )
var x,y = 1,2.5E3
var list = []Point{ {1,2,"a"}, {X:3,Y:4}, }
var m = map[string]func(int) error{"a": func(i int) error { return nil }, }

func (p *Point) Move(dx,dy int) (err error) {
if (dx > 0) { p.X += dx } else if dy==0 { return errors.New("no") } else { p.Y -= (dy) }
for i:=0;i<10;i++ { fmt.Println(i,p.X+(i*2)) }
for ;p.X>0; { p.X-- }
for { break }
for k,v := range list { _ = k; _ = v }
switch { case p.X>1,p.X<0: fallthrough
case p.Y>1: return nil
default: }
switch t := any(p).(type) { case *Point: _ = t; case nil: }
select { case v := <-ch: fmt.Println(v); case ch <- 1: default: }
defer func() { recover() }()
go p.Move(1,2)
label: for { continue label }
a := list[1:2:3]; b := *p; c := &b
f, err := os.Open("x"); if err != nil { return fmt.Errorf("open: %w",err) }
_,_,_ = a,c,f
return
}
func Max[T int|float64](a,b T) T { if a>b { return a }; return b }
func variadic(args ...int) (n int) { n = len(args)&^1<<2; return }
