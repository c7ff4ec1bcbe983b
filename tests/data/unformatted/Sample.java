package a.b;
import java.util.*; import java.io.IOException;
import static java.lang.Math.max;
/** A store. */
public   class Sample<T extends Comparable<T>> extends Base implements Runnable,Other<T>{
static public final int LIMIT=10,OTHER=20; private Map<String,List<T>> items=new HashMap<>( );
enum Kind{A,B(1){void q(){}},;int n;Kind(){} Kind(int n){this.n=n;}}
@Override @Deprecated public void run( ){for(int i=0,j=1;i<10;i++,j--){if(i==3)continue;else if(i>5)break;else{System.out.println("i: "+i+", a long text that has to be split somewhere because "+"it does not fit into one line of code");}}
for(T t:list)use(t);while(x>0)x--;do{x++;}while(x<5);
switch(kind){case A:f();break;case B:default:g();}
try(var r=open()){r.read();}catch(IOException|RuntimeException e){throw new IllegalStateException("failed",e);}finally{close();}
Runnable r=()->{run();};Function<Integer,Integer> f=x->x+1;int[] a={1,2,3,};int[][] b=new int[3][];
String s=cond?"yes":(other?"no":"maybe");boolean c=(a.length>0)&&!(b==null)||x instanceof String str;
synchronized(this){assert x>0:"positive";}
label:for(;;){break label;}}
public <R> R map(Function<? super T,? extends R> fn,T... rest)throws IOException{return fn.apply(rest[0]);}
interface Inner{int C=1;void m();default int d(){return(int)(C*2.0f);}}
record Pair(int a,int b){Pair{if(a<b)throw new IllegalArgumentException();}}
}
