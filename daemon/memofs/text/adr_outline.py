"""A foreign markdown document taken apart: front matter, lines with headings, paragraphs, inline text.

Reads what other people wrote, so it is lenient: whatever does not parse is text. All passes are linear in the
length of the document. What the parts mean is left to text/adr_sections.py and the modules above it.
"""

import html
import re
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

import msgspec

from memofs.text.front_matter import Document, line_of, read_document
from memofs.text.yaml_tree import Tree

__all__ = ["Block", "Line", "Outline", "blocks", "outline", "plain", "words"]


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One line: `raw` as written, `text` without HTML comments (empty inside code blocks).

    `level` is that of the heading the line is, 0 for none; `heading` its text. The underline of an underlined
    heading is a line with `code` set: nothing to read.
    """

    raw: str
    text: str
    level: int = 0
    heading: str = ""
    code: bool = False


class Outline(msgspec.Struct, frozen=True, kw_only=True):
    """The document. `fields` are the scalars and lists of scalars of its front matter, by lower-case key.

    `first_line` is the 0-based line of the file where `lines` begin. `targets` are link definitions by lower-case
    label. `problem` says what is wrong with the front matter, if anything.
    """

    fields: Mapping[str, tuple[str, ...]]
    lines: tuple[Line, ...]
    first_line: int = 0
    targets: Mapping[str, str] = {}
    problem: str | None = None


class Block(msgspec.Struct, frozen=True, kw_only=True):
    """A paragraph, list item or table row with its soft line breaks joined; `line` is the index of its first line."""

    line: int
    text: str


_KEY_VALUE = re.compile(r"([A-Za-z][\w .-]{0,60}?)[ \t]*:[ \t]+(\S.*)$")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_ATX = re.compile(r"\s{0,3}(#{1,6})(?:\s+|(?=\d)|$)")
_UNDERLINE = re.compile(r"\s{0,3}(=+|-{3,})\s*$")
_ITEM = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])(?:\s+|$)")
_FIELD = re.compile(r"(?:\*\*|__)?[A-Z][A-Za-z-]*(?: [A-Za-z]+){0,2}(?:\*\*|__)?:(?=\s|\*|_)")
_DEFINITION = re.compile(r"\s{0,3}\[([^\[\]^][^\[\]]*)\]:\s*<?([^\s<>]+)>?")
_IMAGE_OR_LINK = re.compile(r"!?\[([^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])")
_BOLD = re.compile(r"\*\*|(?<!\w)__|__(?!\w)")
_EMPHASIS = re.compile(r"(?<![\w*\\])\*(?=\S)([^*]+)(?<=\S)\*(?![\w*])|(?<![\w\\])_(?=\S)([^_]+)(?<=\S)_(?!\w)")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_WORD = re.compile(r"[^\W_]+")


def outline(text: str) -> Outline:
    """The document taken apart. `text` has LF line ends and no byte order mark."""
    fields, problem, at = _front(read_document(text))
    lines = tuple(_lines(text[at:].split("\n")))
    targets = {
        match[1].casefold(): match[2] for line in lines if "]:" in line.text and (match := _DEFINITION.match(line.text))
    }
    return Outline(
        fields=fields, lines=lines, first_line=line_of(text, at), targets=MappingProxyType(targets), problem=problem
    )


def blocks(lines: Iterable[tuple[int, Line]]) -> Iterator[Block]:
    """The paragraphs, list items and table rows of the lines given (index, line); headings and code part them.

    A line like "Date: …" begins one of its own.
    """
    start, parts = 0, list[str]()
    for index, line in lines:
        text = line.text.strip()
        begins = _ITEM.match(line.text) or text.startswith("|") or _FIELD.match(text)
        if parts and (begins or not text or line.level or line.code):
            yield Block(line=start, text=" ".join(parts))
            parts = []
        if text and not line.level and not line.code:
            if not parts:
                start = index
            parts.append(text.lstrip("> ") if text.startswith(">") else text)
    if parts:
        yield Block(line=start, text=" ".join(parts))


def plain(text: str) -> str:
    """The text on one line, without markdown's marks: links and images by their label."""
    text = _IMAGE_OR_LINK.sub(r"\1", text)
    text = _BOLD.sub("", text)
    text = _EMPHASIS.sub(lambda match: match[1] or match[2], text)
    text = text.replace("`", "").replace("~~", "")
    return " ".join(html.unescape(_ESCAPE.sub(r"\1", text)).split())


def words(text: str) -> tuple[str, ...]:
    """The words of the text in lower case, letters and digits only: for comparing titles and names."""
    return tuple(_WORD.findall(text.casefold()))


def _front(document: Document) -> tuple[Mapping[str, tuple[str, ...]], str | None, int]:
    """The fields, what is wrong with them, and the offset where the text begins.

    Front matter that is malformed is read as lines of `key: value`; what holds no such line is text between rulers.
    """
    if document.fault is None:
        fields = {key.strip().casefold(): _strings(value) for key, value in document.values().items()}
        return MappingProxyType(fields), None, document.body_at
    inside = document.text[document.yaml_at : document.yaml_end]
    closed = document.yaml_end < len(document.text)
    loose = {
        match[1].casefold(): (match[2].strip().strip("\"'"),)
        for line in reversed(inside.split("\n") if closed else ())
        if (match := _KEY_VALUE.match(line))
    }
    if closed and not loose:
        return MappingProxyType({}), None, 0
    line = line_of(document.text, document.fault.offset) + 1
    problem = f"the front matter cannot be read (line {line}): {document.fault.message}"
    return MappingProxyType(loose), problem, document.body_at if closed else document.yaml_at


def _strings(value: Tree) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def _lines(lines: list[str]) -> Iterator[Line]:
    fence = ""
    comment = False
    underline = False
    for index, raw in enumerate(lines):
        if underline:
            underline = False
            yield Line(raw=raw, text="", code=True)
            continue
        mark = _FENCE.match(raw)
        if fence:
            if mark and mark[1].startswith(fence) and not raw.strip().strip(fence[0]):
                fence = ""
            yield Line(raw=raw, text="", code=True)
            continue
        if mark and not comment and not (mark[1][0] == "`" and "`" in raw[mark.end() :]):
            fence = mark[1]
            yield Line(raw=raw, text="", code=True)
            continue
        text, comment = _without_comments(raw, open_=comment)
        if match := _ATX.match(text):
            title = text[match.end() :].rstrip()
            bare = title.rstrip("#")
            yield Line(
                raw=raw,
                text=text,
                level=len(match[1]),
                heading=bare.rstrip() if not bare or bare[-1].isspace() else title,
            )
            continue
        under = _UNDERLINE.match(lines[index + 1]) if index + 1 < len(lines) else None
        if under and _can_be_underlined(text, lines[index - 1] if index else ""):
            underline = True
            yield Line(raw=raw, text=text, level=1 if under[1][0] == "=" else 2, heading=text.strip())
            continue
        yield Line(raw=raw, text=text)


def _can_be_underlined(text: str, before: str) -> bool:
    """Only a line that stands alone: a ruler under a longer paragraph is taken for a ruler."""
    stripped = text.strip()
    return bool(stripped) and not before.strip() and not _ITEM.match(text) and stripped[0] not in ">|=-<"


def _without_comments(raw: str, *, open_: bool) -> tuple[str, bool]:
    if not open_ and "<!--" not in raw:
        return raw, False
    kept, at = list[str](), 0
    while True:
        if open_:
            end = raw.find("-->", at)
            if end < 0:
                return "".join(kept), True
            at, open_ = end + 3, False
        start = raw.find("<!--", at)
        if start < 0:
            kept.append(raw[at:])
            return "".join(kept), False
        kept.append(raw[at:start])
        at, open_ = start + 4, True
