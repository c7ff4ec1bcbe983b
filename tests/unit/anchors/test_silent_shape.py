"""What the shape of a region is silent about, rule by rule, and what it is not."""

import re

import pytest

from memofs.anchors.language import LanguageName, has_recipes
from memofs.anchors.shape import (
    DIRECTIVES_VERSION,
    SHAPE_BYTES,
    SHAPE_VERSION,
    Shape,
    shape_of,
    shape_of_file,
    shape_tokens,
)
from memofs.anchors.source import LARGEST_PARSED, Source
from memofs.model.place import Span
from shape_cases import DIFFERENT, SAME


def whole(text: str, language: LanguageName | None) -> Shape:
    source = Source(text, language)
    if language:
        assert source.lacking == ""
    return shape_of(source, Span(0, len(text)))


def of(text: str, piece: str, language: LanguageName = "python") -> Shape:
    start = text.index(piece)
    return shape_of(Source(text, language), Span(start, start + len(piece)))


def cases(table: dict[LanguageName, list[tuple[str, str]]]) -> list[tuple[LanguageName, str, str]]:
    return [(language, left, right) for language, pairs in table.items() for left, right in pairs]


@pytest.mark.parametrize(("language", "left", "right"), cases(SAME))
def test_silent(language: LanguageName, left: str, right: str) -> None:
    assert whole(left, language) == whole(right, language)


@pytest.mark.parametrize(("language", "left", "right"), cases(DIFFERENT))
def test_not_silent(language: LanguageName, left: str, right: str) -> None:
    assert whole(left, language).digest != whole(right, language).digest


AROUND: dict[LanguageName, tuple[str, str]] = {
    "bash": ("before\n", "\nafter\n"),
    "javascript": ("before();\n", "\nafter();\n"),
    "jsx": ("before();\n", "\nafter();\n"),
    "markdown": ("before\n\n", "\n\nafter\n"),
    "python": ("before()\n", "\nafter()\n"),
    "ruby": ("before\n", "\nafter\n"),
    "typescript": ("before();\n", "\nafter();\n"),
}
"""What may stand around the texts, by language, so that they are no file of their own."""


@pytest.mark.parametrize(
    ("language", "left", "right"),
    [case for case in cases(SAME) if case[0] in AROUND and not case[1].startswith("'Doc")],
)
def test_silent_in_a_region(language: LanguageName, left: str, right: str) -> None:
    before, after = AROUND[language]
    one, other = (Source(f"{before}{text}{after}", language) for text in (left, right))
    ours, theirs = (Span(len(before), len(before) + len(text)) for text in (left, right))
    assert shape_of(one, ours).digest == shape_of(other, theirs).digest


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


def test_a_comma_behind_a_region_is_none_of_it() -> None:
    assert of("x = [\n    f(a),\n    b,\n]\n", "f(a),") == of("x = [b, f(a)]\n", "f(a)")


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
            "python",
            "from b import (\n    d as x,\n    c,\n)\nfrom b import e",
            "from b import e\nfrom b import c, d as x",
        ),
        (
            "python",
            "try:\n    import b\n    import a\nexcept E: pass",
            "try:\n    import a\n    import b\nexcept E: pass",
        ),
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


def test_new_rules_leave_shapes_alone_in_which_they_have_no_part() -> None:
    plain, directed = whole("x = 1  # why", "python"), whole("x = 1  # noqa", "python")
    versions = [shape.made_by.split()[0] for shape in (plain, directed)]
    assert versions == [str(SHAPE_VERSION), str(DIRECTIVES_VERSION)]
    assert of("x = 1  # noqa\ny = 2\n", "y = 2").made_by == plain.made_by


def test_what_is_written_like_a_directive_in_a_string_is_none() -> None:
    assert whole("x = '# noqa'", "python").made_by == whole("x = 1", "python").made_by


RECIPE = "build: a.c\n\tcc a.c\n\tstrip a\n"


@pytest.mark.parametrize(
    "other",
    [
        "build: a.c\n        cc a.c\n\tstrip a\n",
        "build: a.c\n\tcc a.c\nstrip a\n",
        "\tbuild: a.c\n\tcc a.c\n\tstrip a\n",
    ],
)
def test_the_tabs_of_a_recipe_count(other: str) -> None:
    ours, theirs = (shape_of_file(Source(text, None, has_recipes=True)) for text in (RECIPE, other))
    assert ours.digest != theirs.digest
    assert ours.digest == shape_of_file(Source("build:  a.c\n\n\tcc  a.c \n\t\tstrip a", None, has_recipes=True)).digest
    assert whole(RECIPE, None) == whole(other, None)


@pytest.mark.parametrize("name", ["Makefile", "sub/GNUmakefile", "rules.mk", "Makefile.am", "a.mak"])
def test_which_files_have_recipes(name: str) -> None:
    assert has_recipes(name)
    assert not has_recipes(f"{name}/a.txt")
    assert not has_recipes("makefiles.py")
