import type {A} from './a'
import { type B, C , } from "./b"
type U = | 'a' | "b" | (C | D)
type I = & A & B
type F = (a : string, b? : number) => void
type M = {readonly [K in keyof T]?:T[K]}; type Cond<T> = T extends (infer U)[] ? U : (never)
type Arr = (A | B)[] ; type Fn = (() => void) | null ; type Tup = [a : string, b? : number, ...rest : C[] ,]
interface Shape<T = {}> extends Base, Other<T> { a : string, readonly b? : number ; c() : void, new (x : string) : Shape<T>
  [key : string] : unknown }
enum Color { Red = 'red', 'Green' = 1, Blue, } declare const enum E2 { A = 1 << 2 }
abstract class Store<T extends object,> implements Shape<T> {
  private readonly items : Map<string, T> = new Map ; static count = 0 ; declare x : number ; y! : string
  constructor (private a : string, public readonly b = 1,) { super() }
  abstract load (id : string) : Promise<T | undefined>
  get size () : number { return this.items.size }
  @log() @other public async find<K extends keyof T> (key : K, value? : T[K]) : Promise<T[]> {
    const found = [...this.items.values()].filter(item => item[key] === value as T[K])
    return (found as T[]).map(x => x!) || fallback as T[]
  }
}
function over (a : string) : void ; function over (a : number) : void ; function over (a : any) { }
const g = <T,>(x : T) => x, h = async <T>(x : T) : Promise<T> => await x as T
let a1 = b || c as T , a2 = <any>d , a3 = e satisfies F , a4 = f! . g , a5 = a === b as T || c
namespace N . M { export const x = 1 ; export function f () { } }
declare module 'mod' { export function x (a : string) : asserts a is string }
declare global { interface Window { a : string } }
export = g ; export as namespace Lib
function isString (x : unknown) : x is string { return typeof x === 'string' }
let opt = a?.b?.[c]?.(d) ?? (e ?? f) , big : bigint = 10n , tmpl : `a${string}` = `a${b}`
export abstract class Q { protected abstract z () : void }
let assertion = (a as unknown as B).c , obj = { a , 'b' : 1 , [c] : 2 , d () { } , async e () { } } as const
