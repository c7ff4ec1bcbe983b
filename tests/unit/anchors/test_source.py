"""A text with its lines and its tree: offsets are code points, and what does not parse falls back visibly."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memofs.anchors.grammar import grammar
from memofs.anchors.source import (
    LARGEST_PARSED,
    Source,
    line_at,
    node_at,
    nodes_of,
    span_of,
    stripped,
    text_of,
)
from memofs.model.place import Span


def at(text: str, piece: str) -> Span:
    start = text.index(piece)
    return Span(start, start + len(piece))


def test_lines_and_keys() -> None:
    source = Source("a b\n\tc\u00a0 d\r\n\re")
    assert source.lines == ("a b", "\tc\u00a0 d", "", "e")
    assert source.keys == ("ab", "cd", "", "e")
    assert source.starts == (0, 4, 11, 12)


@pytest.mark.parametrize(("offset", "line"), [(0, 0), (2, 0), (3, 1), (5, 1), (99, 1)])
def test_line_of_an_offset(offset: int, line: int) -> None:
    assert line_at(Source("ab\ncd"), offset) == line


def test_offsets_of_nodes_are_code_points() -> None:
    text = "größe = '😀 你好'  # é\ndef naïve(): pass\n"
    source = Source(text, "python")
    (function,) = nodes_of(source, ["function_definition"])
    assert text_of(source, function) == "def naïve(): pass"
    (string,) = nodes_of(source, ["string"])
    assert text_of(source, string) == "'😀 你好'"


def test_blanks_that_are_not_ascii_stay_blanks() -> None:
    source = Source("let\u00a0a = 1;\u2028let b = 2;\n", "javascript")
    assert len(nodes_of(source, ["lexical_declaration"])) == 2


@pytest.mark.parametrize("text", ["\ufeffimport os\ndef f():\n    pass\n", "import os\rdef f():\r    pass\r"])
def test_a_byte_order_mark_and_old_line_ends_parse(text: str) -> None:
    source = Source(text, "python")
    assert source.error_share == 0
    (function,) = nodes_of(source, ["function_definition"])
    assert text_of(source, function).split() == ["def", "f():", "pass"]


def test_a_byte_order_mark_before_yaml() -> None:
    source = Source("\ufeffa: 1\nb: 2\n", "yaml")
    assert [text_of(source, pair) for pair in nodes_of(source, ["block_mapping_pair"])] == ["a: 1", "b: 2"]


def test_node_at_is_the_outermost_but_not_the_root() -> None:
    text = "f(1)\n"
    source = Source(text, "python")
    node = node_at(source, at(text, "f(1)"))
    assert node is not None
    assert node.type == "expression_statement"
    assert span_of(node) == at(text, "f(1)")


def test_node_at_that_ends_where_the_next_begins() -> None:
    text = "x = a+b\n"
    node = node_at(Source(text, "python"), at(text, "a"))
    assert node is not None
    assert node.type == "identifier"


@pytest.mark.parametrize("span", [Span(0, 3), Span(2, 2), Span(3, 1), Span(50, 60), Span(0, 99)])
def test_no_node_has_this_span(span: Span) -> None:
    assert node_at(Source("x = a+b\n", "python"), span) is None


def test_nodes_in_order_outer_first_and_within() -> None:
    source = Source("class A:\n  def f(self):\n    def g(): pass\n  def h(self): pass\n", "python")
    names = [text_of(source, node).split("(")[0].split(":")[0] for node in nodes_of(source, {"function_definition"})]
    assert names == ["def f", "def g", "def h"]
    outer = nodes_of(source, ["class_definition", "function_definition"])
    assert [node.type for node in outer[:2]] == ["class_definition", "function_definition"]
    inner = nodes_of(source, ["function_definition"], within=outer[1])
    assert [text_of(source, node)[:5] for node in inner] == ["def f", "def g"]


def test_a_type_that_the_grammar_does_not_have_finds_nothing() -> None:
    assert nodes_of(Source("x = 1\n", "python"), ["lexical_declaration"]) == ()


@pytest.mark.parametrize(
    ("text", "span", "bare"),
    [
        ("  ab ", Span(0, 5), Span(2, 4)),
        ("ab", Span(0, 2), Span(0, 2)),
        ("a   b", Span(1, 4), Span(1, 1)),
        ("", Span(0, 0), Span(0, 0)),
    ],
)
def test_span_without_outer_blanks(text: str, span: Span, bare: Span) -> None:
    assert stripped(text, span) == bare


def test_a_small_error_leaves_the_tree() -> None:
    source = Source("def f():\n    return 1\n\nx = = 2\n\ndef g():\n    return [1, 2, 3]\n", "python")
    assert 0 < source.error_share < 0.15
    assert source.root is not None
    assert source.lacking == ""


def test_too_many_errors_count_as_no_grammar() -> None:
    source = Source("This is prose; it is not (a program] at all, and says: so!\n" * 3, "json")
    assert source.root is None
    assert "does not parse as json" in source.lacking
    assert nodes_of(source, ["object"]) == ()
    assert node_at(source, Span(0, 4)) is None


def test_a_large_text_is_not_parsed() -> None:
    line = "x = 1\n"
    assert Source(line * (LARGEST_PARSED // len(line)), "python").root is not None
    large = Source(line * (LARGEST_PARSED // len(line) + 1), "python")
    assert large.root is None
    assert "256 kB" in large.lacking


def test_no_language_no_tree() -> None:
    source = Source("x = 1\n")
    assert source.root is None
    assert source.lacking
    assert source.lines == ("x = 1", "")


def test_a_grammar_that_is_missing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    grammar.cache_clear()
    monkeypatch.setitem(sys.modules, "tree_sitter_go", None)
    try:
        source = Source("package a\n", "go")
        assert source.root is None
        assert "not installed" in source.lacking
    finally:
        grammar.cache_clear()


def test_nul_and_lone_surrogates_parse_as_something() -> None:
    source = Source("x = '\udc80\0'\ny = 2\n", "python")
    assert source.root is not None
    assert source.error_share == 0
    assert source.root.end_byte == len(source.text)


TEXT = (
    "import os\n\n\nclass A:\n    def f(self, x):\n        return [x, 'é', {1: 2}]\n\n    def g(self):\n        pass\n"
)


@given(
    st.lists(
        st.tuples(
            st.integers(0, len(TEXT)), st.integers(0, 30), st.sampled_from(["", "x", "é", "\n", " ", "()", "'", ":\n"])
        ),
        max_size=4,
    )
)
def test_parsing_from_the_last_version_changes_no_answer(edits: list[tuple[int, int, str]]) -> None:
    source = Source(TEXT, "python")
    assert source.root is not None
    for start, length, piece in edits:
        text = source.text[:start] + piece + source.text[start + length :]
        source = Source(text, "python", previous=source)
        fresh = Source(text, "python")
        assert source.lacking == fresh.lacking
        assert str(source.root) == str(fresh.root)


def test_a_version_in_another_language_is_parsed_anew() -> None:
    old = Source("x = 1\n", "python")
    assert old.root is not None
    new = Source("x = 1\n", "javascript", previous=old)
    assert new.root is not None
    assert new.root.type == "program"


def test_versions_that_nobody_parsed_are_skipped() -> None:
    first = Source("x = 1\n", "python")
    assert first.root is not None
    second = Source("x = 1\ny = 2\n", "python", previous=first)
    third = Source("x = 1\ny = 2\nz = 3\n", "python", previous=second)
    assert third.parsed_before == first.parsed_before
    assert len(nodes_of(third, ["assignment"])) == 3


FLOW = "/** @flow */\ntype Props = {| a: string, b?: number |};\nfunction f(a: Props): number { return (a: any).b; }\n"


def test_javascript_with_flow_is_read_as_typescript() -> None:
    flow = Source(FLOW, "javascript")
    assert flow.root is not None
    assert ": number" in [text_of(flow, node) for node in nodes_of(flow, ["type_annotation"])]
    plain = Source(FLOW.replace("@flow", ""), "javascript")
    assert flow.error_share < plain.error_share


def test_the_last_line_of_markdown_needs_no_end() -> None:
    source = Source("# One", "markdown")
    assert source.lacking == ""
    (heading,) = nodes_of(source, ["atx_heading"])
    assert text_of(source, heading) == "# One"
