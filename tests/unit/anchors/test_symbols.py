"""Finding a declaration by what people write, and by where it stands."""

import sysconfig
from pathlib import Path

import pytest

from memofs.anchors.declared import DECLARED
from memofs.anchors.language import LANGUAGES, LanguageName, language_of
from memofs.anchors.source import Source
from memofs.anchors.symbols import Declaration, declarations, find, named, symbol_around, symbol_at
from memofs.model.place import Span

PYTHON = """import os

class Store:
    # Opens it.
    @classmethod
    def open(cls): return cls()

    def close(self):
        def quietly(): pass

class Cache:
    def open(self): pass
"""


def source(text: str = PYTHON, language: LanguageName = "python") -> Source:
    return Source(text, language)


def labels(found: tuple[Declaration, ...]) -> list[str]:
    return [one.label for one in found]


def at(text: str, piece: str) -> Span:
    start = text.index(piece)
    return Span(start, start + len(piece))


def test_every_language_declares() -> None:
    assert set(DECLARED) == set(LANGUAGES)


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("Store", "Store"),
        ("Store.open", "Store.open"),
        (" Store.open() ", "Store.open"),
        ("Store::close", "Store.close"),
        ("Store#close", "Store.close"),
        ("close", "Store.close"),
        ("close.quietly", "Store.close.quietly"),
        ("quietly", "Store.close.quietly"),
    ],
)
def test_find_one(name: str, label: str) -> None:
    found = find(source(), name)
    assert found.exact is not None
    assert found.exact.label == label
    assert found.near == ()


def test_find_several() -> None:
    found = find(source(), "open")
    assert found.exact is None
    assert labels(found.found) == ["Store.open", "Cache.open"]


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("Store.opne", "Store.open"),
        ("Stor", "Store"),
        ("Cache.close", "Store.close"),
        ("qietly", "Store.close.quietly"),
    ],
)
def test_near_names_where_nothing_is_found(name: str, near: str) -> None:
    found = find(source(), name)
    assert found.exact is None
    assert found.found == ()
    assert near in found.near[:3]


@pytest.mark.parametrize("name", ["", "  ", "zzzzqqqq", "()"])
def test_nothing_near(name: str) -> None:
    found = find(source(), name)
    assert (found.found, found.near) == ((), ())


def test_near_names_are_few() -> None:
    many = source("".join(f"def handle_{index}(): pass\n" for index in range(50)))
    assert len(find(many, "handle").near) == 5


JAVA = "class A { void m() {} void m(int a) {} void m(int a, Map<K, V> b) {} void n() {} }"


@pytest.mark.parametrize(
    ("name", "label"),
    [("A.m(int)", "A.m(int)"), ("m(int, Map<K,V>)", "A.m(int, Map<K,V>)"), ("A.m( int )", "A.m(int)"), ("A.n", "A.n")],
)
def test_overloads_are_told_apart_by_types(name: str, label: str) -> None:
    found = find(source(JAVA, "java"), name).exact
    assert found is not None
    assert found.label == label


def test_overloads_without_types_are_ambiguous() -> None:
    assert labels(find(source(JAVA, "java"), "A.m").found) == ["A.m()", "A.m(int)", "A.m(int, Map<K,V>)"]


def test_a_definition_goes_before_its_prototype() -> None:
    text = "int f(int a);\nint g(void);\nint f(int a) { return a; }\n"
    found = find(source(text, "c"), "f").exact
    assert found is not None
    assert found.body is not None
    assert labels(named(source(text, "c"), "f(int);")) == ["f(int);"]
    assert labels(named(source(text, "c"), "g")) == ["g"]


@pytest.mark.parametrize(
    ("language", "text", "name", "label"),
    [
        ("rust", "struct P; impl Display for P { fn fmt() {} }", "P.fmt", "<P as Display>.fmt"),
        ("rust", "struct P; impl P { fn new() {} }", "P::new", "P.new"),
        ("rust", "macro_rules! m { () => {} }", "m!", "m"),
        ("csharp", "namespace N.M; class A { void F() {} }", "N.M.A.F", "A.F"),
        ("csharp", "namespace N.M { class A {} }", "N.M.A", "A"),
        ("php", "<?php namespace N\\M; class A { public $x; function f() {} }", "N.M.A.f", "A.f"),
        ("php", "<?php class A { public $x; }", "A::$x", "A.x"),
        ("ruby", "class A\n  def self.make; end\nend", "A.make", "A.self.make"),
        ("javascript", "class A { #p() {} }", "A.#p", "A.#p"),
        ("markdown", "# Guide\n\n## Getting started!\n\ntext\n", "getting-started", "Guide > Getting started!"),
        ("markdown", "# Guide\n\n## Getting started!\n\ntext\n", "Getting started!", "Guide > Getting started!"),
        ("json", '{"a": {"b": 1}}', "a.b", "a.b"),
        ("json", '{"a": {"b": 1}}', "b", "a.b"),
        ("typescript", "class A { m(x: string): void; m(x: any) {} }", "A.m", "A.m(any)"),
    ],
)
def test_names_as_people_write_them(language: LanguageName, text: str, name: str, label: str) -> None:
    found = find(source(text, language), name).exact
    assert found is not None
    assert found.label == label


def test_an_exact_name_goes_before_the_end_of_another() -> None:
    found = find(source("def open(): pass\nclass A:\n    def open(self): pass\n"), "open").exact
    assert found is not None
    assert found.qualified == "open"


def test_a_label_leads_back_to_its_declaration() -> None:
    for given in (source(), source(JAVA, "java")):
        for one in declarations(given):
            assert find(given, one.label).exact == one


@pytest.mark.parametrize(
    "piece",
    [
        "# Opens it.\n    @classmethod\n    def open(cls): return cls()",
        "@classmethod\n    def open(cls): return cls()",
        "def open(cls): return cls()",
        "    def open(cls): return cls()\n",
    ],
)
def test_the_symbol_at_a_region(piece: str) -> None:
    found = symbol_at(source(), at(PYTHON, piece))
    assert found is not None
    assert found.label == "Store.open"


@pytest.mark.parametrize(
    "piece", ["return cls()", "def open(cls)", "import os", "def open(cls): return cls()\n\n    def"]
)
def test_no_symbol_at_a_part_or_more(piece: str) -> None:
    assert symbol_at(source(), at(PYTHON, piece)) is None


@pytest.mark.parametrize(
    ("piece", "label"),
    [
        ("return cls()", "Store.open"),
        ("pass", "Store.close.quietly"),
        ("@classmethod", "Store.open"),
        ("Opens", "Store.open"),
        ("def close(self):", "Store.close"),
        ("class Store:", "Store"),
        ("def open(cls): return cls()\n\n    def close", "Store"),
        ("import os", None),
        ("class Cache:\n", "Cache"),
    ],
)
def test_the_symbol_around(piece: str, label: str | None) -> None:
    found = symbol_around(source(), at(PYTHON, piece))
    assert (found.label if found else None) == label


def test_no_tree_no_declarations() -> None:
    plain = Source(PYTHON)
    assert declarations(plain) == ()
    assert find(plain, "Store").found == ()
    assert symbol_around(plain, Span(0, 3)) is None


def files() -> list[Path]:
    """Some files of the standard library, of many sizes."""
    every = sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))
    assert len(every) > 100
    return every[::5]


def test_invariants_over_real_files() -> None:
    seen = 0
    for path in files():
        given = Source(path.read_text(encoding="utf-8"), language_of(path.name))
        if given.root is None:
            assert "kB" in given.lacking
            continue
        open_: list[Declaration] = []
        for one in declarations(given):
            seen += 1
            assert one.span.start <= one.dressed.start <= one.core.start < one.core.end <= one.dressed.end
            assert one.span.end == one.dressed.end
            assert one.body is None or (one.core.start < one.body.start and one.body.end <= one.core.end)
            while open_ and open_[-1].span.end <= one.span.start:
                open_.pop()
            if open_:
                assert one.span.end <= open_[-1].span.end, "regions nest or are apart"
            if one.parent is not None:
                outer = declarations(given)[one.parent]
                assert outer.core.start < one.span.start
                assert one.qualified.startswith(outer.qualified)
            open_.append(one)
            found = symbol_at(given, one.core)
            assert found is not None
            assert found.core == one.core
            assert one in find(given, one.label).found or one.body is None
    assert seen > 1_000
