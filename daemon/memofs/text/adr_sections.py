"""The parts of a decision record: its title, its head with `key: value` lines, its sections.

Whatever shape a record has, the modules above read the same parts: the fields of its head (from front matter,
bullets and tables alike), the status section, and paragraphs with the line they begin in.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

import msgspec

from memofs.text.adr_names import bare_title, title_from_name
from memofs.text.adr_outline import Line, Outline, blocks, plain, words

__all__ = [
    "STATUS_KEYS",
    "TELLING",
    "Section",
    "Texts",
    "Title",
    "find_title",
    "front_fields",
    "head_fields",
    "head_lines",
    "paragraphs",
    "read_sections",
    "status_section",
]

Texts = tuple[tuple[int, str], ...]
"""Paragraphs, each with the index of the line it begins in; -1 for what stands in the front matter."""


class Title(msgspec.Struct, frozen=True, kw_only=True):
    """The title: `text` in plain words, `heading` as written.

    `line` is the index of its line, -1 if no line has it. `number` is the number before it, if there is one.
    """

    text: str
    heading: str = ""
    line: int = -1
    number: int | None = None


class Section(msgspec.Struct, frozen=True, kw_only=True):
    """What stands below a heading, `start` to `end` (excluded), up to the next heading of any level.

    `name` is the heading's words in lower case up to a colon, `inline` the text after that.
    """

    name: str
    inline: str
    level: int
    start: int
    end: int


STATUS_KEYS = ("status", "state", "adr status", "decision status", "current status")
TELLING = frozenset(
    {
        "alternatives considered",
        "consequences",
        "considered options",
        "context",
        "context and decision",
        "context and problem statement",
        "decision",
        "decision drivers",
        "decision outcome",
        "decisions",
        "options considered",
    }
)
"""Sections that only decision records have."""

_USUAL = TELLING | {
    *STATUS_KEYS,
    "alternative approaches",
    "alternatives",
    "background",
    "change log",
    "changelog",
    "compliance",
    "confirmation",
    "date",
    "deciders",
    "drivers",
    "goals",
    "history",
    "implications",
    "introduction",
    "links",
    "metadata",
    "more information",
    "motivation",
    "negative consequences",
    "notes",
    "options",
    "outcome",
    "overview",
    "positive consequences",
    "problem",
    "problem statement",
    "pros and cons of the options",
    "proposal",
    "rationale",
    "references",
    "related decisions",
    "solution",
    "summary",
    "validation",
}
_META_SECTIONS = frozenset({"details", "document information", "info", "meta", "metadata"})
_BOLD_LINE = re.compile(r"\s*(?:\*\*|__)([A-Za-z][A-Za-z ]{2,40}):?(?:\*\*|__):?\s*$")
_NUMBERING = re.compile(r"^\d{1,2}(?:\.\d{1,2})*[.)]?\s+")
_MARKS = r"(?:\*\*|__|\*|_)?"
_META_LINE = re.compile(rf"\s*(?:[-*+>]\s+)*{_MARKS}([A-Za-z][A-Za-z -]{{2,24}}?)\s*{_MARKS}\s*:\s*{_MARKS}\s*(.*)$")
_LOOSE_DATE = re.compile(r"\s*(?:[-*+]\s+)?(?:\*\*|__)?Date(?:\*\*|__)?\s+(\d.*)$", re.IGNORECASE)


def find_title(read: Outline, stem: str, number: int | None) -> Title:
    """The title: the first heading that is no usual section, else the front matter's, else the file's name in words.

    `number` is the record's, from the file's name; it and the like of "ADR-0001:" are no part of a title.
    """
    top = next((line.level for line in read.lines if line.level == 1), 0)
    for index, line in enumerate(read.lines):
        if not line.level or (top and line.level != 1):
            continue
        if _name(line.heading) in _USUAL:
            break
        title, before = bare_title(line.heading, number)
        if title:
            return Title(text=title, heading=line.heading, line=index, number=before)
        # "# ADR 12" and the title in the next heading.
        number, top = (number if before is None else before), 0
    named = next((value for value in read.fields.get("title", ()) if value.strip()), title_from_name(stem))
    title, before = bare_title(named, number)
    return Title(text=title or title_from_name(stem), number=number if before is None else before)


def read_sections(lines: tuple[Line, ...]) -> tuple[Section, ...]:
    """The sections in order. A line that is nothing but a usual name in bold ("**Status**") begins one too."""
    starts = [index for index, line in enumerate(lines) if _is_heading(line)]
    return tuple(_section(lines[at], at, end) for at, end in zip(starts, [*starts, len(lines)][1:], strict=True))


def status_section(sections: tuple[Section, ...]) -> Section | None:
    """The section that says the record's state.

    "Status" below the first matter of the record is a heading of what is decided, unless it stands on its level.
    """
    for section in sections:
        if section.name in STATUS_KEYS:
            return section
        if section.name in TELLING and section.level <= 2:
            return next((later for later in sections if later.name == "status" and later.level <= section.level), None)
    return None


def head_lines(read: Outline, title: Title, sections: tuple[Section, ...]) -> tuple[tuple[int, Line], ...]:
    """The lines, with their indexes, where `key: value` may stand: up to the first section, and in "Metadata".

    A second heading that repeats the title begins no section.
    """
    lines = tuple(enumerate(read.lines))
    first = next(
        (
            index
            for index, line in lines
            if index > title.line
            and _is_heading(line)
            and (not line.level or bare_title(line.heading, title.number)[0] != title.text)
        ),
        len(lines),
    )
    head = [entry for entry in lines[:first] if entry[0] != title.line]
    for section in sections:
        if section.name in _META_SECTIONS and section.start > first:
            head += lines[section.start : section.end]
    return tuple(head)


def front_fields(read: Outline) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The front matter's fields that say something, `superseded_by` and `superseded-by` both as `superseded by`."""
    for key, values in read.fields.items():
        if any(value.strip() for value in values):
            yield key.replace("_", " ").replace("-", " "), values


def head_fields(read: Outline, head: Iterable[tuple[int, Line]]) -> Mapping[str, tuple[str, ...]]:
    """All fields by key in lower case, those of the front matter before those of the lines below the title."""
    fields: dict[str, tuple[str, ...]] = {}
    for key, values in (*front_fields(read), *_written_fields(head)):
        fields.setdefault(key, values)
    return MappingProxyType(fields)


def paragraphs(read: Outline, section: Section) -> Texts:
    """The paragraphs, list items and rows of the section, what follows a colon in its heading first."""
    found = tuple(
        (block.line, block.text)
        for block in blocks((index, read.lines[index]) for index in range(section.start, section.end))
    )
    return ((section.start - 1, section.inline), *found) if section.inline else found


def _section(line: Line, at: int, end: int) -> Section:
    heading = line.heading if line.level else (_bold_name(line) or "")
    return Section(
        name=_name(heading),
        inline=heading.partition(":")[2].strip(),
        level=line.level or 6,
        start=at + 1,
        end=end,
    )


def _is_heading(line: Line) -> bool:
    return line.level > 0 or _bold_name(line) is not None


def _bold_name(line: Line) -> str | None:
    match = _BOLD_LINE.match(line.text)
    return match[1] if match and _name(match[1]) in _USUAL else None


def _name(heading: str) -> str:
    return " ".join(words(_NUMBERING.sub("", plain(heading)).partition(":")[0]))


def _written_fields(head: Iterable[tuple[int, Line]]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The `key: value` lines and rows of two cells. "Status:" alone on its line has the next line for its value."""
    waiting: str | None = None
    for _, line in head:
        text = line.text.strip()
        if waiting and text:
            yield waiting, (text.lstrip("-*+ "),)
            waiting = None
        if text.startswith("|"):
            cells = [cell.strip() for cell in text.strip("|").split("|")]
            if len(cells) == 2:
                yield plain(cells[0]).casefold().rstrip(":"), (cells[1],)
        elif match := _META_LINE.match(line.text):
            key = match[1].casefold()
            if value := match[2].strip():
                yield key, (value,)
            elif key in STATUS_KEYS:
                waiting = key
        elif match := _LOOSE_DATE.match(line.text):
            yield "date", (match[1],)
