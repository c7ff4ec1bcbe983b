use std::{io, fmt, collections::{HashMap,BTreeMap}};
use crate::b;
use crate::a;

/// A point.
#[derive(Debug,Clone)] pub struct Point<T=i32> where T:Copy { pub x:T, y:T, }
pub(crate) struct Unit; struct Tuple(i32,String);
pub enum Shape { Circle{radius:f64}, Square(f64,), Empty }
trait Area { const N:usize=1; type Out; fn area(&self)->f64; fn twice(&self)->f64 { self.area()*2. } }
impl<T> Point<T> where T:Copy+fmt::Debug { pub fn new(x:T,y:T)->Self { Self{x,y} } }
impl Area for Shape { type Out=f64;
fn area(&self)->f64 { match self { Shape::Circle{radius}=>{ radius*radius*3.14 } Shape::Square(a)=>a*a, |Shape::Empty=>0.0 } } }
fn parse(text:&str,map:&mut HashMap<String,Vec<i32>>)->Result<(i32,),Box<dyn std::error::Error>> {
let n=text.trim().parse::<i32>()?; let mut total=0;
for (i,c) in text.chars().enumerate() { if c=='a'&&i>0 { total+=1; } else if c=='b' { continue } else { break } }
while let Some(v)=map.get("x") { if v.is_empty() { return Ok((n,)) } }
let f=|x:i32| { x+1 }; let g=move |x,y| x+y; let h=|| { let a=1; a };
let s=if n>0 { "positive" } else { "negative" }; let arr=[1,2,3,]; let arr2=[0u8;16];
let r=1..=n; let t=(n,total,); let v=vec![1,2,3,]; println!("{} {:?} {}",s,arr,f(n),);
loop { break }; unsafe { *ptr=1; } let x=match n { 0=>"zero", 1|2=>{ "few" }, n if n<0=>{ println!("x"); "neg" } _=>"many" };
let Some(q)=opt else { return Err("none".into()) };
Ok((g(n,total)+h(),))
}
macro_rules! add { ($a:expr,$b:expr)=>{ $a+$b }; }
pub async fn fetch<'a>(url:&'a str)->Option<&'a str> { let r=get(url).await.ok()?; Some(r) }
static S:&str="a"; const K:u32=0xFF; type Map=BTreeMap<String,i32>; extern fn c(){}
#[cfg(test)] mod tests { use super::*; #[test] fn works(){ assert_eq!(1+1,2); } }
