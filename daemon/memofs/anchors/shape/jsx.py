"""JSX: text between tags is words and the blanks that are rendered, however its lines are broken."""

import re
from collections.abc import Sequence
from typing import Final

from tree_sitter import Node

from memofs.anchors.shape.rules import Part, group, raw
from memofs.anchors.source import Source, text_of

__all__ = ["jsx_attribute", "jsx_element"]


def jsx_element(source: Source, node: Node, _parts: list[Part]) -> Sequence[Part]:
    """Return an element with its tags; blanks with a line end among them are not rendered, other blanks are one."""
    parts: list[Part] = []
    blank = False

    def text(piece: str) -> None:
        nonlocal blank
        words = _WORD.findall(piece)
        if not words:
            blank = blank or bool(piece and "\n" not in piece)
            return
        lead, trail = _LEAD.match(piece), _TRAIL.search(piece)
        if blank or (lead and "\n" not in lead[0]):
            parts.append(" ")
        parts.append(f"text {' '.join(words)}")
        blank = bool(trail and "\n" not in trail[0])

    at = node.start_byte
    for one in node.children:
        if one.start_byte > at:
            text(source.text[at : one.start_byte].replace("\r", "\n"))
        at = one.end_byte
        if one.type == "jsx_text":
            text(raw(source, one))
        elif one.type == "jsx_expression" and _BLANK.fullmatch(text_of(source, one)):
            blank = True
        elif one.type == "jsx_expression" and all(part.type == "comment" for part in one.named_children):
            continue
        else:
            if blank:
                parts.append(" ")
            parts.append(one)
            blank = False
    return group("jsx_element", parts)


def jsx_attribute(source: Source, node: Node, parts: list[Part]) -> Sequence[Part]:
    """Return an attribute; a string in braces is the string, a class list its words."""
    value = parts[-1] if len(parts) > 1 else None
    if value is None or isinstance(value, str):
        return group("jsx_attribute", parts)
    inner = value
    if value.type == "jsx_expression" and len(value.named_children) == 1:
        inner = value.named_children[0]
    text = raw(source, inner)
    if inner.type != "string" or (inner != value and _NEEDS_BRACES.search(text)):
        return group("jsx_attribute", parts)
    said = text[1:-1].replace("&quot;", '"').replace("&apos;", "'")
    if text_of(source, node.children[0]) in ("class", "className"):
        said = " ".join(said.split())
    return group("jsx_attribute", [*parts[:-1], f"'{said}"])


# No-break spaces are text.
_WORD: Final = re.compile(r"[^ \t\r\n]+")
_LEAD: Final = re.compile(r"[ \t\r\n]+")
_TRAIL: Final = re.compile(r"[ \t\r\n]+\Z")
_BLANK: Final = re.compile(r"\{\s*(?:' '|\" \")\s*\}")
_NEEDS_BRACES: Final = re.compile(r"[\\&\n]")
