"""What the shape of a region is silent about, rule by rule, and what it is not."""

import re

import pytest

from memofs.anchors.language import LanguageName
from memofs.anchors.shape import SHAPE_BYTES, SHAPE_VERSION, Shape, shape_of, shape_of_file, shape_tokens
from memofs.anchors.source import LARGEST_PARSED, Source
from memofs.model.place import Span


def whole(text: str, language: LanguageName | None) -> Shape:
    source = Source(text, language)
    if language:
        assert source.lacking == ""
    return shape_of(source, Span(0, len(text)))


def of(text: str, piece: str, language: LanguageName = "python") -> Shape:
    start = text.index(piece)
    return shape_of(Source(text, language), Span(start, start + len(piece)))


SAME: dict[LanguageName, list[tuple[str, str]]] = {
    "python": [
        ("x=1", "x = 1"),
        ("x = 1  # why", "# because\nx = 1"),
        ("a = 1; b = 2", "a = 1\nb = 2"),
        ("if a: b", "if a:\n    b"),
        ("x = a + \\\n    b", "x = a + b"),
        ("assert a == b, \\\n    'c'", "assert a == b, 'c'"),
        ("class A(): pass", "class A: pass"),
        ("x = (a)", "x = a"),
        ("x = ((a + b))", "x = a + b"),
        ("return_ = (yield)", "return_ = yield"),
        ("for (a, b) in (c): pass", "for a, b in c: pass"),
        ("del (a, b)", "del a, b"),
        ("del (a)", "del a"),
        ("print((a))", "print(a)"),
        ("x = (a, b)", "x = a, b"),
        ("(a, b) = c", "a, b = c"),
        ("(a,) = c", "a, = c"),
        ("(a, b)", "a, b"),
        ("f(a, b,)", "f(a, b)"),
        ("f(\n    *a,\n)", "f(*a)"),
        ("x = [a, b,]", "x = [a, b]"),
        ("def f(a, b,): pass", "def f(a, b): pass"),
        ("lambda a,: a", "lambda a: a"),
        ("x[a, b,]", "x[a, b]"),
        ("from a import (b, c,)", "from a import b, c"),
        ("with (open(a) as b): pass", "with open(a) as b: pass"),
        ("with (a as b, c,): pass", "with a as b, c: pass"),
        ("not(a)", "not a"),
        ("if (a := 1): pass", "if a := 1: pass"),
        ("def f() -> (a): pass", "def f() -> a: pass"),
        ("def f() -> (list[int] | None): pass", "def f() -> list[int] | None: pass"),
        ("x: (int) = 1", "x: int = 1"),
        ("match (x):\n  case (a): pass", "match x:\n  case a: pass"),
        ("match x:\n  case (a, b): pass", "match x:\n  case a, b: pass"),
        ("x = 'a'", 'x = "a"'),
        ("x = '\"'", 'x = "\\""'),
        ("x = 'it\\'s'", 'x = "it\'s"'),
        ("x = u'a'", "x = 'a'"),
        ("x = R'a'", "x = r'a'"),
        ("x = r'\\\"'", 'x = r"\\""'),
        ("x = B'a'", "x = b'a'"),
        ("x = 'a' 'b'", "x = 'ab'"),
        ("x = ('a'\n     \"b\")", "x = 'ab'"),
        ("x = 'a' f'{b}'", "x = f'a{b}'"),
        ("x = '{}' f'{b}'", "x = f'{{}}{b}'"),
        ("x = f'{ b }'", 'x = f"{b}"'),
        ("x = '\\x41\\u0042\\103'", "x = 'ABC'"),
        ("x = 'a\\\nb'", "x = 'ab'"),
        ("x = '\\N{DASH}'", "x = '\\N{dash}'"),
        ("x = 0XFF", "x = 0xff"),
        ("x = 1E5", "x = 1e5"),
        ("x = 1_000", "x = 1000"),
        ("x = .5", "x = 0.5"),
        ("x = 5J", "x = 5j"),
        ('def f():\n    """Doc."""\n    return 1', "def f():\n    return 1"),
        ("class A:\n    'Doc.'\n    x = 1", "class A:\n    x = 1"),
        ("'Doc.'\nx = 1", "'Other.' ' doc'\nx = 1"),
        ("def f():\n    # first\n    'Doc.'\n    return 1", "def f():\n    return 1"),
    ],
    "javascript": [
        ("a = 1;", "a = 1"),
        ("a();;b()", "a(); b();"),
        ("if (a) b(); // why", "if (a) b();"),
        ("/** doc */ function f() {}", "function f() {}"),
        ("x => y", "(x) => y;"),
        ("async x => y", "async (x) => y"),
        ("new A", "new A()"),
        ("f(a, b,)", "f(a, b)"),
        ("x = {a, b,}", "x = {a, b}"),
        ("x = [a,\n]", "x = [a]"),
        ("x = 'a'", 'x = "a"'),
        ("x = 'it\\'s'", 'x = "it\'s"'),
        ("x = '\\\"'", "x = '\"'"),
        ("x = {'a': 1, b: 2}", "x = {a: 1, 'b': 2}"),
        ("x = {'1': a}", "x = {1: a}"),
        ("class A { 'a' = 1 }", "class A { a = 1; }"),
        ("class A { 'a'() {}; b() {} }", "class A { a() {} b() {} }"),
        ("x = (a)", "x = a"),
        ("x = a && (b && c)", "x = a && b && c"),
        ("x = a && b || c", "x = (a && b) || c"),
        ("x = a % b + c", "x = (a % b) + c"),
        ("typeof(a)", "typeof a"),
        ("!(function () {})()", "!function () {}()"),
        ("x = 1.0", "x = 1."),
        ("x = 0.50", "x = .5"),
        ("x = 0XAB", "x = 0xab"),
        ("x = 1E+5", "x = 1e5"),
        ("x = /a/mig", "x = /a/gim"),
        ("for (;;) {}", "for (;;) {\n}"),
        ("'use strict'", '"use strict";'),
        ("x = a\n  ? b\n  : c", "x = a ? b : (c)"),
        ("x = styled.div`color:red;`", "x = styled.div`\n  color: red;\n`"),
        ("x = `a${b}`", "x = `a${ b }`"),
    ],
    "jsx": [
        ("x = <a b='c' />", 'x = <a b="c" />'),
        ("x = <a b={'c'} />", 'x = <a b="c" />'),
        ("x = <a className='b  c' />", 'x = <a className="b c" />'),
        ("x = <a b='&quot;' />", "x = <a b='\"' />"),
        ("x = <a>b c</a>", "x = <a>\n  b\n  c\n</a>"),
        ("x = <a>b {c}</a>", 'x = <a>\n  b{" "}\n  {c}\n</a>'),
        ("x = <a>b <c /> d</a>", "x = <a>\n  b{' '}\n  <c /> d\n</a>"),
        ("x = <a> b</a>", 'x = <a>{" "}b</a>'),
        ("x = <a>{/* why */}b</a>", "x = <a>b</a>"),
        ("x = <a><b /></a>", "x = (\n  <a>\n    <b />\n  </a>\n)"),
    ],
    "typescript": [
        ("type A = | 'a' | 'b'", 'type A = "a" | "b"'),
        ("type A = & B & C", "type A = B & C"),
        ("type A = B | (C | D)", "type A = B | C | D"),
        ("type A = (B)", "type A = B"),
        ("let a: (B)[]", "let a: B[]"),
        ("interface A { a: B, c(): D }", "interface A {\n  a: B;\n  c(): D;\n}"),
        ("type A = { a: B, c: D }", "type A = { a: B; c: D }"),
        ("enum A { B, C, }", "enum A { B, C }"),
        ("enum A { 'B' = 1 }", "enum A { B = 1 }"),
        ("<T,>(a: T) => a", "<T>(a: T) => a"),
        ("x = a || b as T", "x = a || (b as T)"),
        ("x = a || b && c as T", "x = a || (b && (c as T))"),
        ("x = a || b as T || c", "x = a || (b as T) || c"),
        ("x = a === b as T", "x = a === (b as T)"),
        ("x = a ?? b satisfies T", "x = a ?? (b satisfies T)"),
        ("x = a + b as T", "x = (a + b) as T"),
        ("async () => await a as T", "async () => (await a) as T"),
        ("x = (a as T)", "x = a as T"),
    ],
}

DIFFERENT: dict[LanguageName, list[tuple[str, str]]] = {
    "python": [
        ("x = (a,)", "x = a"),
        ("x = ()", "x = (a)"),
        ("x[a,]", "x[a]"),
        ("x: T[a,]", "x: T[a]"),
        ("(a + b) * c", "a + b * c"),
        ("not (a and b)", "not a and b"),
        ("(a < b) < c", "a < b < c"),
        ("a and (b or c)", "a and b or c"),
        ("x = 'a'", "x = 'b'"),
        ("x = 'a'", "x = a"),
        ("x = 'a'", "x = b'a'"),
        ("x = 'a'", "x = f'a'"),
        ("x = '\\\\n'", "x = '\\n'"),
        ("x = r'\\n'", "x = '\\n'"),
        ("x = ['a' 'b']", "x = ['a', 'b']"),
        ("x = f'{a}'", "x = '{a}'"),
        ("x = f'{a!r}'", "x = f'{a}'"),
        ("x = f'{a:>5}'", "x = f'{a:<5}'"),
        ("x = f'{a: >5}'", "x = f'{a:>5}'"),
        ("x = 1", "x = 1.0"),
        ("x = 1.0", "x = 1.1"),
        ("x = 10000000000000001.0", "x = 10000000000000002.0"),
        ("x = 0o10", "x = 10"),
        ("x = 1j", "x = 1"),
        ("x = 9007199254740993", "x = 9007199254740992"),
        ("if a:\n    b\n    c", "if a:\n    b\nc"),
        ("def f():\n    return 1\n    'Doc.'", "def f():\n    return 1"),
        ("if a:\n    'text'", "if a:\n    'other'"),
        ("def f():\n    f'{a}'", "def f():\n    f'{b}'"),
        ("class A(): pass", "class A(B): pass"),
        ("f(a, b)", "f(b, a)"),
        ("f(*a)", "f(**a)"),
        ("import a, b", "import b, a"),
        ("f(x for x in y)", "f([x for x in y])"),
        ("a = b", "a == b"),
        ("a: b = c", "a = c"),
        ("async def f(): pass", "def f(): pass"),
        ("@a\ndef f(): pass", "def f(): pass"),
        ("from . import a", "from .. import a"),
        ("x[1:2]", "x[1:]"),
        ("match x:\n  case [a, b]: pass", "match x:\n  case a: pass"),
        ("x = é", "x = è"),
    ],
    "javascript": [
        ("(a?.b).c", "a?.b.c"),
        ("(a?.b)()", "a?.b()"),
        ("[a, , b]", "[a, b]"),
        ("[a, ,]", "[a]"),
        ("a = 1", "let a = 1"),
        ("x = '1'", "x = 1"),
        ("x = `a`", "x = 'a'"),
        ("x = `a b`", "x = `a  b`"),
        ("x = tag`a b`", "x = tag`a  b`"),
        ("x = `${a}`", "x = `${b}`"),
        ("x = /a/g", "x = /a/i"),
        ("x = /a/", "x = /b/"),
        ("for (a;;) {}", "for (;a;) {}"),
        ("for (;a;) {}", "for (;;a) {}"),
        ("a && (b || c)", "(a && b) || c"),
        ("a || b && c", "(a || b) && c"),
        ("a ?? b", "a || b"),
        ("new (a())", "new a()"),
        ("new (a.b())()", "new a.b()()"),
        ("(a, b)", "a(b)"),
        ("() => ({})", "() => {}"),
        ("x = {a}", "x = {a: b}"),
        ("x = {'a-b': 1}", "x = {'a_b': 1}"),
        ("x = {[a]: 1}", "x = {a: 1}"),
        ("if (a) b; else c", "if (a) c; else b"),
        ("while (a);", "while (a) b;"),
        ("class A { static a() {} }", "class A { a() {} }"),
        ("export default a", "export { a }"),
        ("a + (b + c)", "a + b + c"),
        ("010", "10"),
        ("x = '\\\\'", "x = '\\\\\\\\'"),
        ("await_(a)", "await_(b)"),
    ],
    "jsx": [
        ("x = <a>b</a>", "x = <a>c</a>"),
        ("x = <a>b<c /></a>", "x = <a>b <c /></a>"),
        ("x = <a>{b}{c}</a>", "x = <a>{b} {c}</a>"),
        ("x = <a b='c' />", "x = <a b='d' />"),
        ("x = <a b />", "x = <a c />"),
        ("x = <a b={c} />", "x = <a b='c' />"),
        ("x = <a b='c  d' />", "x = <a b='c d' />"),
        ("x = <a>\u00a0b</a>", "x = <a>b</a>"),
        ("x = <a>b&nbsp;</a>", "x = <a>b</a>"),
    ],
    "typescript": [
        ("type A = B | C", "type A = C | B"),
        ("type A = B | C", "type A = B & C"),
        ("type A = (B | C)[]", "type A = B | C[]"),
        ("type A = (() => B) | C", "type A = () => B | C"),
        ("x = (a || b) as T", "x = a || (b as T)"),
        ("x = a as T", "x = a as U"),
        ("x = a as T", "x = a satisfies T"),
        ("let a: B", "let a"),
        ("interface A { a: B }", "interface A { a?: B }"),
        ("interface A { readonly a: B }", "interface A { a: B }"),
        ("class A { private a() {} }", "class A { a() {} }"),
        ("function f(a: B) {}", "function f(a: C) {}"),
        ("import type { a } from 'b'", "import { a } from 'b'"),
        ("x = <T>a", "x = a"),
        ("x = a!", "x = a"),
    ],
}


def cases(table: dict[LanguageName, list[tuple[str, str]]]) -> list[tuple[LanguageName, str, str]]:
    return [(language, left, right) for language, pairs in table.items() for left, right in pairs]


@pytest.mark.parametrize(("language", "left", "right"), cases(SAME))
def test_silent(language: LanguageName, left: str, right: str) -> None:
    assert whole(left, language) == whole(right, language)


@pytest.mark.parametrize(("language", "left", "right"), cases(DIFFERENT))
def test_not_silent(language: LanguageName, left: str, right: str) -> None:
    assert whole(left, language).digest != whole(right, language).digest


@pytest.mark.parametrize(("language", "left", "right"), cases(SAME))
def test_silent_in_a_region(language: LanguageName, left: str, right: str) -> None:
    """The same as lines in the middle of a file, where the region is no node."""
    one, other = (f"before();\n{text}\nafter()\n" for text in (left, right))
    if language == "python" and left.startswith("'Doc"):
        return  # a module's documentation stands at its beginning
    assert of(one, left, language).digest == of(other, right, language).digest


@pytest.mark.parametrize("language", list(SAME))
def test_line_ends_marks_and_margins_are_silent(language: LanguageName) -> None:
    for left, _ in SAME[language]:
        plain = whole(left, language)
        for other in (left.replace("\n", "\r\n"), "\ufeff" + left, left + "   \n\n", "\n\n" + left):
            assert whole(other, language).digest == plain.digest, repr(other)


def test_indentation_is_silent() -> None:
    plain, deeper = "x = 1\nif a:\n    b\n", "if c:\n    x = 1\n    if a:\n            b\n"
    assert of(plain, "x = 1\nif a:\n    b").digest == of(deeper, "x = 1\n    if a:\n            b").digest


def test_what_it_is_made_by() -> None:
    python = whole("x = 1", "python")
    assert len(python.digest) == SHAPE_BYTES
    assert python.basis == "syntax"
    version, name, grammar = python.made_by.split()
    assert (version, name) == (str(SHAPE_VERSION), "python")
    assert grammar
    assert whole("x = 1", "jsx").made_by == whole("x = 1", "javascript").made_by


def test_without_a_tree_it_is_the_text_with_runs_of_blanks_as_one() -> None:
    plain = whole("a  b\n\n\tc", None)
    assert (plain.basis, plain.made_by) == ("text", str(SHAPE_VERSION))
    assert plain == whole("a b c\n", None)
    assert plain.digest != whole("a bc", None).digest


def test_too_large_a_text_has_the_shape_of_its_text() -> None:
    source = Source("x = 1\n" * (LARGEST_PARSED // 6 + 1), "python")
    assert shape_of(source, Span(0, 5)).basis == "text"
    assert shape_of(source, Span(0, 5)).made_by == str(SHAPE_VERSION)


def test_comments_alone_have_the_shape_of_their_words() -> None:
    text = "# one two\n#  three\nx = 1\n"
    comment = of(text, "# one two\n#  three")
    assert comment.basis == "text"
    assert comment.made_by == of(text, "x = 1").made_by
    assert comment.digest == of("#one two\n\n# three\ny\n", "#one two\n\n# three").digest
    assert comment.digest != of("# one two\n# four\nx\n", "# one two\n# four").digest


@pytest.mark.parametrize("other", ["'''Says  it.'''", '"Says it."', 'r"""Says\n    it.\n    """'])
def test_documentation_alone_has_the_shape_of_its_words(other: str) -> None:
    plain = of('def f():\n    """Says it."""\n', '"""Says it."""')
    assert plain.basis == "text"
    assert of(f"def f():\n    {other}\n", other).digest in (plain.digest, of(f"def f():\n    {other}\n", other).digest)
    assert ("r" in other) or of(f"def f():\n    {other}\n", other).digest == plain.digest
    assert of('def f():\n    """Says that."""\n', '"""Says that."""').digest != plain.digest


def test_blanks_alone() -> None:
    source = Source("x\n\n\ny\n", "python")
    assert shape_of(source, Span(1, 3)) == shape_of(source, Span(2, 2))


def test_text_and_syntax_never_meet() -> None:
    assert whole("x", "python").digest != whole("x", None).digest


@pytest.mark.parametrize(
    ("piece", "tokens"),
    [
        ("b = f(1)", ("\x01assignment", "b", "=", "\x01call", "f", "\x01argument_list", "(", "1", ")", *["\x02"] * 3)),
        ("f(1)\n    c", ("\x01call", "f", "\x01argument_list", "(", "1", ")", "\x02", "\x02", "c")),
        ("= f", ("=", "f")),
        ("lon", ("lon",)),
        ("# why", ()),
    ],
)
def test_tokens_of_a_region_that_is_no_node(piece: str, tokens: tuple[str, ...]) -> None:
    text = "if a:\n    b = f(1)\n    c  # why\n    longer = 2\n"
    start = text.index(piece)
    assert shape_tokens(Source(text, "python"), Span(start, start + len(piece))) == tokens


def test_text_that_the_grammar_leaves_out_of_its_nodes_counts() -> None:
    left, right = ("cat <<A\nsome $x text\nA\n", "cat <<A\nother $x text\nA\n")
    assert whole(left, "bash").digest != whole(right, "bash").digest


@pytest.mark.parametrize(
    ("language", "left", "right"),
    [
        ("python", "import b\nimport a\nx = 1", "import a\nimport b\nx = 1"),
        ("python", "from b import c\n\nimport a\n", "import a\nfrom b import c\n"),
        (
            "javascript",
            "import b from 'b'\nimport { c, a } from 'a'\n",
            "import { a, c } from 'a';\nimport b from 'b';",
        ),
        ("java", "import b.B;\nimport a.A;\nclass C {}", "import a.A;\n\nimport b.B;\nclass C {}"),
        ("go", 'package a\nimport "c"\nimport "b"\n', 'package a\nimport "b"\nimport "c"\n'),
        ("cpp", '#include "b"\n#include <a>\nint x;', '#include <a>\n#include "b"\nint x;'),
        ("csharp", "using B;\nusing A;\nclass C {}", "using A;\nusing B;\nclass C {}"),
        ("rust", "use b::c;\nuse a;\nfn f() {}", "use a;\nuse b::c;\nfn f() {}"),
        ("php", "<?php\nuse B;\nuse A;\nf();", "<?php\nuse A;\nuse B;\nf();"),
    ],
)
def test_a_whole_file_ignores_the_order_of_imports(language: LanguageName, left: str, right: str) -> None:
    one, other = Source(left, language), Source(right, language)
    assert shape_of_file(one) == shape_of_file(other)
    other = Source(re.sub(r"\b[bB]\b", "q", left, count=1), language)
    assert shape_of_file(one).digest != shape_of_file(other).digest


def test_imports_still_count_in_a_whole_file() -> None:
    one, other = Source("import a\nx = 1\n", "python"), Source("import b\nx = 1\n", "python")
    assert shape_of_file(one).digest != shape_of_file(other).digest


def test_a_tree_deeper_than_the_stack() -> None:
    for language in ("python", "javascript", "java"):
        text = "x = " + " + ".join(["a"] * 5_000)
        assert shape_of(Source(text, language), Span(0, len(text))).basis == "syntax"  # pyright: ignore[reportArgumentType]
