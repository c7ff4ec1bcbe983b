"""What Prettier leaves alone in markdown.

Silent: where lines are broken, which signs mark lists, emphasis, fences, rules and first headings, how wide the
columns of a table are, numbers of ordered lists, escapes that change nothing. Code in a fence has the shape of its
own language where that is told.
"""

import re
from collections.abc import Callable, Sequence
from typing import Final

from tree_sitter import Node

from memofs.anchors.shape.rules import Part, ShapeRules, group, one_line, raw
from memofs.anchors.source import Source

__all__ = ["Fenced", "markdown", "prose"]

Fenced = Callable[[str, str], Sequence[str]]
"""Returns the tokens of code in the language that a fence names; empty where it has no shape of its own."""


def markdown(fenced: Fenced) -> ShapeRules:
    """Return the rules of markdown, given what makes the shape of code in it."""

    def fence(source: Source, node: Node, _parts: list[Part]) -> Sequence[Part]:
        info = next((raw(source, one).strip() for one in node.children if one.type == "info_string"), "")
        content = next((one for one in node.children if one.type == "code_fence_content"), None)
        code = _dedented(_without_margin(source, content)) if content is not None else ""
        name = info.split()[0].lower() if info else ""
        words = _WORDS if name in _FORMATTED else _BLANKLESS
        return group("code", [info, *(fenced(name, code) or words.findall(code))])

    return ShapeRules(
        silent=_SILENT,
        says=_says,
        expand={
            "section": _flat,
            "inline": _inline,
            "fenced_code_block": fence,
            "indented_code_block": _indented,
            "atx_heading": _heading,
            "setext_heading": _heading,
            "pipe_table_delimiter_cell": _alignment,
            "html_block": _words,
            "link_reference_definition": _words,
            "minus_metadata": _words,
            "plus_metadata": _words,
        },
        spell={
            "pipe_table_cell": prose,
            "thematic_break": _constant("---"),
            "list_marker_star": _constant("-"),
            "list_marker_plus": _constant("-"),
            "list_marker_minus": _constant("-"),
            "list_marker_dot": _constant("1."),
            "list_marker_parenthesis": _constant("1."),
            "block_quote_marker": _constant(">"),
            "task_list_marker_checked": str.lower,
        },
        bodies=frozenset({"document"}),
        piece=prose,
    )


def prose(text: str) -> str:
    """Return text in one line, with one sign for emphasis, without escapes and quotes of titles."""
    words = _LINK.sub(lambda found: f"]({found[1]} {found[3]})" if found[3] else f"]({found[1]})", one_line(text))
    pieces = _CODE.split(words)
    return "".join(
        f"`{piece.strip('` ')}`" if index % 2 else _ESCAPE.sub(r"\1", piece).replace("*", "_")
        for index, piece in enumerate(pieces)
    )


def _says(_source: Source, node: Node, children: Sequence[Node], index: int) -> bool:
    one = children[index].type
    return not (one == "|" and node.type.startswith("pipe_table"))


def _flat(_source: Source, _node: Node, parts: list[Part]) -> Sequence[Part]:
    """Return a section as what is in it: only some kinds of headings open one."""
    return parts


def _inline(source: Source, node: Node, _parts: list[Part]) -> Sequence[Part]:
    return (prose(_without_margin(source, node)),)


def _heading(source: Source, node: Node, _parts: list[Part]) -> Sequence[Part]:
    """Return a heading by its level and text."""
    mark = next((one.type for one in node.children if _LEVEL.search(one.type)), "")
    level = _LEVEL.search(mark)
    content = node.child_by_field_name("heading_content")
    text = _without_margin(source, content) if content is not None else ""
    return group("heading", [level[1] if level else "", _CLOSING.sub("", prose(text))])


def _indented(source: Source, node: Node, _parts: list[Part]) -> Sequence[Part]:
    return group("code", [_dedented(_without_margin(source, node))])


def _dedented(code: str) -> str:
    lines = code.rstrip().split("\n")
    margin = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return "\n".join(line[margin:] for line in lines)


def _alignment(source: Source, node: Node, _parts: list[Part]) -> Sequence[Part]:
    return (re.sub("-+", "-", raw(source, node).strip()),)


def _words(source: Source, node: Node, _parts: list[Part]) -> Sequence[Part]:
    return group(node.type, list[Part](_WORDS.findall(_without_margin(source, node))))


def _without_margin(source: Source, node: Node) -> str:
    """Return the text of a node without the margins of the quotes and lists around it."""
    pieces: list[str] = []
    at = node.start_byte
    for one in node.children:
        if one.type == "block_continuation":
            pieces.append(source.text[at : one.start_byte])
            at = one.end_byte
    pieces.append(source.text[at : node.end_byte])
    return "".join(pieces).replace("\r\n", "\n").replace("\r", "\n")


def _constant(sign: str) -> Callable[[str], str]:
    return lambda _text: sign


_SILENT: Final = frozenset({"block_continuation"})
_LEVEL: Final = re.compile(r"_h(\d)_")
_CLOSING: Final = re.compile(r"(?:^| )#+$")
_CODE: Final = re.compile(r"(`+[^`]+`+)")
_LINK: Final = re.compile(r"\]\( ?([^\s()]+)(?: (['\"])(.*?)\2)? ?\)")
_ESCAPE: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
_FORMATTED: Final = frozenset({"html", "vue", "css", "scss", "less", "graphql", "gql", "json5"})
_BLANKLESS: Final = re.compile(r"\S+")
_WORDS: Final = re.compile(r"\w+|[^\w\s'\"]")
