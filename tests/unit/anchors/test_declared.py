"""What each language declares, by its qualified names: `name kind` a line, `name kind: region's first … last words`."""

import pytest

from memofs.anchors.language import LanguageName
from memofs.anchors.source import Source
from memofs.anchors.symbols import declarations


def declared(text: str, language: LanguageName) -> list[str]:
    source = Source(text, language)
    assert source.lacking == ""
    return [f"{one.label} {one.kind}" for one in declarations(source)]


def regions(text: str, language: LanguageName) -> dict[str, str]:
    return {one.label: text[one.span.start : one.span.end] for one in declarations(Source(text, language))}


CASES: dict[str, tuple[LanguageName, str, list[str]]] = {
    "python functions, nested and methods": (
        "python",
        "def f():\n    def g(): pass\nclass A:\n    async def m(self): pass\n    class B:\n        def n(self): pass\n",
        ["f function", "f.g function", "A class", "A.m method", "A.B class", "A.B.n method"],
    ),
    "python properties and setters": (
        "python",
        "class A:\n    @property\n    def x(self): ...\n    @x.setter\n    def x(self, v): ...\n"
        "    @functools.cached_property\n    def y(self): ...\n",
        ["A class", "A.x property", "A.x.setter property", "A.y property"],
    ),
    "python overloads": (
        "python",
        "@overload\ndef f(a: int) -> int: ...\n@overload\ndef f(a: str) -> str: ...\ndef f(a): return a\n",
        ["f(int) function", "f(str) function", "f function"],
    ),
    "python names of modules and classes": (
        "python",
        "LIMIT = 1\nlimit: int = 2\na, b = c = 1, 2\nclass A:\n    x: int\n    y = 1\n",
        [
            *("LIMIT constant", "limit variable", "a variable", "b variable", "c variable"),
            *("A class", "A.x field", "A.y field"),
        ],
    ),
    "python locals, attributes and loops declare nothing": (
        "python",
        "def f():\n    X = 1\nfor i in y:\n    Z = 1\na.b = 1\nd[0] = 1\nx += 1\n",
        ["f function"],
    ),
    "python names set on a condition": (
        "python",
        "try:\n    A = 1\nexcept E:\n    A = 2\nif x:\n    B = 1\nelse:\n    def b(): pass\n",
        ["A constant", "A constant", "B constant", "b function"],
    ),
    "python type aliases": ("python", "type A = int\ntype B[T] = list[T]\n", ["A type", "B type"]),
    "javascript functions": (
        "javascript",
        "function f() { const g = () => 1; let n = 2; }\nfunction* h() {}\nasync function i() {}\n"
        "export default function () {}\n",
        ["f function", "f.g function", "h function", "i function", "default function"],
    ),
    "javascript classes": (
        "javascript",
        "class A { constructor() {} m() {} static s() {} #p() {} get v() {} set v(x) {} h = () => 1; n = 2;\n"
        "  [Symbol.iterator]() {} 'q'() {} }\nconst B = class {};\nexport default class {}\n",
        [
            *("A class", "A.constructor constructor", "A.m method", "A.s method", "A.#p method", "A.v property"),
            *("A.v.setter property", "A.h method", "A.n field", "A.[Symbol.iterator] method", "A.q method"),
            *("B class", "default class"),
        ],
    ),
    "javascript constants, patterns and objects": (
        "javascript",
        "const a = 1; let b, {c, d: [e], ...r} = x;\nconst api = { get() {}, post: async () => 1, n: 2 };\n"
        "if (x) { const no = 1; }\n",
        [
            *("a constant", "b variable", "c variable", "e variable", "r variable", "api constant", "api.get method"),
            "api.post method",
        ],
    ),
    "javascript assigned functions": (
        "javascript",
        "exports.a = function () {};\nmodule.exports.b = () => 1;\nA.prototype.m = function m() {};\nx.y = 1;\n"
        "module.exports = function () {};\n",
        ["a function", "b function", "A.m function", "default function"],
    ),
    "typescript types": (
        "typescript",
        "export interface I { a: string; m(x: number): void }\nexport enum E { A = 1, B, 'c d' }\n"
        "type T = string;\nabstract class C { abstract m(): void; private x?: number; }\n"
        "namespace N.M { export function f() {} }\ndeclare module 'mod' { export const z: number; }\n",
        [
            *("I interface", "I.a field", "I.m method", "E enum", "E.A field", "E.B field", "E.c d field"),
            *("T type", "C class", "C.m method", "C.x field", "N.M namespace", "N.M.f function"),
            *("mod namespace", "mod.z constant"),
        ],
    ),
    "typescript overloads": (
        "typescript",
        "function f(a: string): void;\nfunction f(a: number, b?: T[]): void;\nfunction f(a: any) {}\n"
        "class A { m(a: string): void; m(a: any) {} }\n",
        [
            *("f(string) function", "f(number, T[]) function", "f(any) function"),
            *("A class", "A.m(string) method", "A.m(any) method"),
        ],
    ),
    "tsx components": (
        "tsx",
        "export const App: FC<P> = ({ a }) => <div>{a}</div>;\nfunction Row() { return <tr/>; }\n",
        ["App function", "Row function"],
    ),
    "go": (
        "go",
        "package a\nfunc F() {}\nfunc (s *Server[T]) Run() {}\nfunc (Point) Len() int { x := 1; var y int; return x }\n"
        "type T struct { A int; B, C string; E }\ntype I interface { M(x int) error }\ntype (\n\tU = int\n\tV int\n)\n"
        "const ( X = iota; Y )\nvar Z, W = 1, 2\n",
        [
            *("F function", "Server.Run method", "Point.Len method", "T struct", "T.A field", "T.B field", "T.C field"),
            *("I interface", "I.M method", "U type", "V type", "X constant", "Y constant"),
            *("Z variable", "W variable"),
        ],
    ),
    "rust": (
        "rust",
        "struct P<T> { x: T }\nimpl<T> P<T> { fn new() -> Self { const Q: i32 = 1; P } const K: i32 = 1; }\n"
        "impl<T> fmt::Display for P<T> { fn fmt(&self) {} }\nimpl a::Tr for &Q { fn m() {} }\n"
        "enum E { A, B { y: i32 } }\ntrait Tr { fn m(&self); fn d(&self) {} type X; }\nmod tests { fn t() {} }\n"
        "macro_rules! mac { () => {} }\nstatic S: i32 = 1;\ntype Al = i32;\nunion U { a: i32 }\nfn o() { fn i() {} }\n",
        [
            *("P struct", "P.x field", "impl P impl", "P.new method", "P.K constant", "impl Display for P impl"),
            *("<P as Display>.fmt method", "impl Tr for Q impl", "<Q as Tr>.m method", "E enum", "E.A field"),
            *("E.B field", "E.B.y field", "Tr trait", "Tr.m method", "Tr.d method", "Tr.X type"),
            *("tests namespace", "tests.t function", "mac macro", "S variable", "Al type", "U struct", "U.a field"),
            *("o function", "o.i function"),
        ],
    ),
    "java": (
        "java",
        "package p; class A<T> { A() {} void m() {} void m(int a, String... b) {} void m(Map<K, V>[] a) {}\n"
        "  int x = 1, y; static final int K = 1;\n  enum E { X, Y { void q() {} }; void z() {} }\n"
        "  interface I { int C = 1; void n(); } record R(int a) { R {} } @interface Ann { int v() default 1; } }\n",
        [
            *("A class", "A.A constructor", "A.m() method", "A.m(int, String...) method", "A.m(Map<K,V>[]) method"),
            *("A.x field", "A.y field", "A.K field", "A.E enum", "A.E.X field", "A.E.Y field", "A.E.Y.q method"),
            *("A.E.z method", "A.I interface", "A.I.C constant", "A.I.n method", "A.R class", "A.R.R constructor"),
            *("A.Ann interface", "A.Ann.v method"),
        ],
    ),
    "csharp": (
        "csharp",
        "namespace N.M { class A { A(int x) {} ~A() {} int P { get; set; } int this[int i] => 1; int x, y; event H E;\n"
        "  static A operator +(A a, A b) => a; static implicit operator int(A a) => 1; const int C = 1;\n"
        "  void M(ref int a) { int L() => 1; } void M(string[] a) {} delegate void D(); } struct S {}\n"
        "interface I { void M(); } record R(int X); enum E { X = 1, Y } }\n",
        [
            *("A class", "A.A constructor", "A.Finalize method", "A.P property", "A.this property", "A.x field"),
            *("A.y field", "A.E field", "A.operator + method", "A.operator int method", "A.C field"),
            *("A.M(ref int) method", "A.M.L function", "A.M(string[]) method", "A.D type", "S struct"),
            *("I interface", "I.M method", "R class", "E enum", "E.X field", "E.Y field"),
        ],
    ),
    "cpp": (
        "cpp",
        "#define X 1\n#define F(x) (x)\nnamespace a::b { template <class T> class A : B { public: A(); ~A() {}\n"
        "  int m(const std::string& s, int* p = 0) const; bool operator==(const A& o) { return true; } int y, *z;\n"
        "  struct In { int q; }; enum class E { A, B }; };\ntemplate <class T> int A<T>::m(int) { return 1; }\n"
        "int (*cb)(int); using V = int; auto fn = [](int x) { int local; return x; };\n"
        'extern "C" { void ext(void); } }\n'
        "int& ref(int a) { int f(int); return a; }\n",
        [
            *("X macro", "F macro", "a.b namespace", "a.b.A class", "a.b.A.A method", "a.b.A.~A method"),
            *("a.b.A.m(const std::string&, int*) const; method", "a.b.A.operator== method", "a.b.A.y field"),
            *("a.b.A.z field", "a.b.A.In struct", "a.b.A.In.q field", "a.b.A.E enum", "a.b.A.E.A field"),
            *("a.b.A.E.B field", "a.b.A.m(int) method", "a.b.cb variable", "a.b.V type", "a.b.fn variable"),
            *("a.b.ext function", "ref function"),
        ],
    ),
    "c": (
        "c",
        "struct s { int a; };\ntypedef struct t { int b; } t_t;\ntypedef struct { int c; } u;\nstruct s *g;\n"
        "enum e { A, B };\nstatic int f(int a, char **b);\nstatic int f(int a, char **b) { int x; return 1; }\n"
        "int arr[] = {1};\ntypedef int (*cb)(int);\n#ifdef Q\nvoid h(void) {}\n#endif\n",
        [
            *("s struct", "s.a field", "t_t struct", "t struct", "t.b field", "u struct", "u.c field", "g variable"),
            *("e enum", "e.A field", "e.B field", "f(int, char**); function", "f(int, char**) function"),
            *("arr variable", "cb type", "h function"),
        ],
    ),
    "ruby": (
        "ruby",
        "module M\n  class A < B\n    K = 1\n    def m; x = 1; end\n    def self.s; end\n    def x=(v); end\n"
        "    class << self\n      def t; end\n    end\n    private def p; end\n  end\nend\n"
        "class M::Q; end\ndef top; end\n",
        [
            *("M namespace", "M.A class", "M.A.K constant", "M.A.m method", "M.A.self.s method", "M.A.x= method"),
            *("M.A.self class", "M.A.self.t method", "M.A.p method", "M.Q class", "top function"),
        ],
    ),
    "php": (
        "php",
        "<?php\nnamespace N;\nfinal class A { const K = 1, J = 2; public int $x = 1; function __construct() {}\n"
        "  static function s() { const_(1); } }\ninterface I { function q(); }\ntrait T {}\n"
        "enum E: string { case X = 'x'; }\nfunction f() { function g() {} }\nconst TOP = 1;\ndefine('DD', 2);\n",
        [
            *("A class", "A.K constant", "A.J constant", "A.x field", "A.__construct method", "A.s method"),
            *("I interface", "I.q method", "T trait", "E enum", "E.X field", "f function", "f.g function"),
            *("TOP constant", "DD constant"),
        ],
    ),
    "bash": (
        "bash",
        "f() { local a=1; b=2; }\nfunction g { :; }\nX=1\nexport y=2\nreadonly Z=3\nA=1 cmd\nif c; then W=1; fi\n",
        ["f function", "g function", "X constant", "y variable", "Z constant", "W constant"],
    ),
    "json": (
        "json",
        '{"a": {"b c": [1, {"d": 2}, [{"e": 1}]]}, "f": null}',
        ["a key", "a.b c key", "a.b c[].d key", "a.b c[].e key", "f key"],
    ),
    "yaml": (
        "yaml",
        'a:\n  b: 1\n  "c d": {e: f}\nsteps:\n  - run: x\n    id: y\n  - run: z\n',
        [
            *("a key", "a.b key", "a.c d key", "a.c d.e key"),
            *("steps key", "steps[].run key", "steps[].id key", "steps[].run key"),
        ],
    ),
    "markdown": (
        "markdown",
        "intro\n\n# One\n\ntext\n\n## Two `x` ##\n\n```\n# no\n```\n\nThree\n=====\n\n### Deep\n\n# \n",
        ["One section", "One > Two `x` section", "Three section", "Three > Deep section"],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_declared(case: str) -> None:
    language, text, expected = CASES[case]
    assert declared(text, language) == expected


REGIONS: dict[str, tuple[LanguageName, str, dict[str, str]]] = {
    "python decorators and the comment above": (
        "python",
        "x = 1  # of x\n# of f\n@a\n@b(1)\ndef f(): pass\n\n# far\n\ndef g(): pass\n",
        {"f": "# of f\n@a\n@b(1)\ndef f(): pass", "g": "def g(): pass", "x": "x = 1"},
    ),
    "python a comment of the block before": (
        "python",
        "def f():\n    pass\n    # of f's end\ndef g(): pass\n",
        {"g": "def g(): pass"},
    ),
    "a comment behind code documents nothing below": ("python", "x = 1  # of x\ny = 2\n", {"y": "y = 2"}),
    "javascript export, documentation and semicolon": (
        "javascript",
        "/** of a */\nexport const a = 1;\nconst b = 1, c = () => 2;\nclass A { x = 1; }\n",
        {"a": "/** of a */\nexport const a = 1;", "b": "b = 1", "c": "c = () => 2;", "A.x": "x = 1;"},
    ),
    "typescript decorators": (
        "typescript",
        "/** of A */\n@Comp({})\nexport class A {\n  @Out()\n  m() {}\n  @In() x: T;\n}\n",
        {
            "A": "/** of A */\n@Comp({})\nexport class A {\n  @Out()\n  m() {}\n  @In() x: T;\n}",
            "A.m": "@Out()\n  m() {}",
            "A.x": "@In() x: T;",
        },
    ),
    "go": (
        "go",
        "package a\n\n// F does.\n// More.\nfunc F() {}\n\n// T is.\ntype T int\n\n"
        "const (\n\t// X is.\n\tX = 1\n\tY = 2\n)\n",
        {
            "F": "// F does.\n// More.\nfunc F() {}",
            "T": "// T is.\ntype T int",
            "X": "// X is.\n\tX = 1",
            "Y": "Y = 2",
        },
    ),
    "rust attributes and documentation": (
        "rust",
        "/// Of P.\n#[derive(Debug)]\n// more\n#[x]\npub struct P;\n#[test] fn t() {}\n",
        {"P": "/// Of P.\n#[derive(Debug)]\n// more\n#[x]\npub struct P;", "t": "#[test] fn t() {}"},
    ),
    "rust a remark behind an attribute": (
        "rust",
        "struct A; // of A\n#[x] // of x\n#[y]\nfn f() {}\n",
        {"f": "#[x] // of x\n#[y]\nfn f() {}", "A": "struct A;"},
    ),
    "java": (
        "java",
        "/** of A */\n@Ann\nclass A {\n  // of m\n  @Override\n  void m() {}\n\n  int x = 1;\n}\n",
        {
            "A": "/** of A */\n@Ann\nclass A {\n  // of m\n  @Override\n  void m() {}\n\n  int x = 1;\n}",
            "A.m": "// of m\n  @Override\n  void m() {}",
            "A.x": "int x = 1;",
        },
    ),
    "cpp templates": (
        "cpp",
        "/// of A\ntemplate <class T>\nclass A {};\nint x;\n#define M 1\n",
        {"A": "/// of A\ntemplate <class T>\nclass A {};", "x": "int x;", "M": "#define M 1"},
    ),
    "csharp attributes": ("csharp", "/// of A\n[Attr]\nclass A {}\n", {"A": "/// of A\n[Attr]\nclass A {}"}),
    "php attributes": ("php", "<?php\n/** of A */\n#[Attr]\nclass A {}\n", {"A": "/** of A */\n#[Attr]\nclass A {}"}),
    "bash: a shebang documents nothing": (
        "bash",
        "#!/bin/sh\nf() { :; }\n# of g\ng() { :; }\nexport X=1\n",
        {"f": "f() { :; }", "g": "# of g\ng() { :; }", "X": "export X=1"},
    ),
    "markdown sections end before the next": (
        "markdown",
        "# A\n\ntext\n\n## B\n\nmore\n\n# C\n\nend\n",
        {"A": "# A\n\ntext\n\n## B\n\nmore", "A > B": "## B\n\nmore", "C": "# C\n\nend"},
    ),
}


@pytest.mark.parametrize("case", REGIONS)
def test_regions(case: str) -> None:
    language, text, expected = REGIONS[case]
    found = regions(text, language)
    assert {label: found[label] for label in expected} == expected
