using System.Linq; using System;
namespace A.B{
/// <summary>A store.</summary>
[Serializable] public sealed class Store<T>:Base,IStore<T> where T:class,new(){
static public readonly int Limit=10;private int _x=1,_y;public int P{get;private set;}=1;public string this[int i]=>items[i];
public event EventHandler Changed;public delegate void D(int x);
public Store(int a):base(a){for(int i=0,j=1;i<a;i++,j--){if(i==3)continue;else if(i>5)break;else Console.WriteLine($"i: {i,3:N} {{x}}");}}
~Store(){} public static Store<T> operator+(Store<T> a,Store<T> b)=>a;
public async Task<int> M<U>(ref int a,out string b,params string[] c)where U:struct{foreach(var x in c)await F(x);while(a>0)a--;do{a++;}while(a<5);
switch(a){case 1:case 2:G();break;case int n when n>3:H();break;default:return 0;}
try{throw new Exception(@"a\b");}catch(IOException e)when(e.X){}finally{}
using(var r=Open()){lock(this){checked{a++;}}}
var q=from x in c where x.Length>1 orderby x select new{x,y=x.Length,};Func<int,int> f=x=>x+1;int[] z={1,2,3,};var s=a switch{1=>"one",_=>"many",};
return a?.B??(int)(c as object)!.GetHashCode();int L()=>1;}
enum E{A=1,B,} struct S{public int q;} interface I{void M();} record R(int X,string Y);}
}
