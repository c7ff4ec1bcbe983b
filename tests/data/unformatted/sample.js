'use strict'
import a, {b as c, d,} from 'a'
import * as everything from 'b'
const x = 1., y = .50, z = 0XAB, e = 1E+5
var obj = {'a': 1, b : 2, 'c-d': 3, 4: 5, [x]: 6, get g() { return 1 }, async *m() {}, ...y,}
let re = /a[/]b/mig, t = `a ${ x + y } b`, s = 'it\'s', q = "say \"hi\"", n = -(-x)
let holes = [,a,,], [first,,third] = holes, {k = 1, l: {m},...rest} = obj
;(function () { return })()
!function(){}()
if (x) a(); else if (y) { b() } else c()
for (;;) { break }
for (var i = 0, j = 1; i < 10; i++, j--) ;
for (const k of (obj)) { continue }
for (const k in obj) if (k) delete (obj[k])
while (x) x--
do { x++ } while (x < 10)
label: switch (x) { case (1): a(); break; case 2: { b() } default: c() }
try { a() } catch { b() } finally { c() }
const f1 = x => x * 2, f2 = async x => { await (x) }, f3 = (a, b = 1, ...c) => ({ a, b, c }), f4 = () => {}
const chain = a && (b && c) || d % 2 + 1, mixed = a ?? (b ?? c), cond = a ? b : c ? d : (e)
const link = (a?.b).c, link2 = a?.b.c?.[0]?.(1), call = new Foo, call2 = new (foo())(1), call3 = new (a.b.c)
const typeOf = typeof(x), v = void(0), i2 = 'a' in obj, neg = !(a instanceof B), seq = (a, b)
class A extends (B) { 'p' = 1; static q = 2; #r; static { this.q = 3 }; constructor(a, b,) { super(a) }
  get v() { return this.#r }; set v(x) { this.#r = x }
  async m() { return await Promise.all([this.a(), this.b()]) } static async *[Symbol.iterator]() {} }
export default class extends A {}
export const one = 1, two = 2
export { a as b, c } ; export * from 'c'
a.then(function (result) { return result.map(x => x.y).filter(Boolean) }).catch(error => { throw new Error('failed: ' + error) })
const veryLong = someFunction(argumentNumberOne, argumentNumberTwo, argumentNumberThree, { option: true, other: false })
const text = 'a long text' + variable + 'another long text that goes on' + other + 'and the end of it all, at last'
const css1 = css`color:red;  background : ${x};`
return_ = a ? { b: 1 } : [ 2 , ]
