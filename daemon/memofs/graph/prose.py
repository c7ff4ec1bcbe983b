"""A memory's text as sentences that may state something: their words, and where each sentence begins.

Left out is what is nobody's statement about today: code blocks, tables, quotations, questions, and the parts of a
decision record that weigh alternatives or tell of the time before. Lines that one paragraph is wrapped into are read
as one; a heading, a list item and a row of arrows stand alone.

Invariant: never raises; reads each character a bounded number of times.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from memofs.text.stop_words import STOP_WORDS

__all__ = ["Paragraph", "Sentence", "is_title_case", "paragraphs", "sentences"]

LONGEST_PARAGRAPH: Final = 4_000
"""Code points; the rest of a longer paragraph is not read."""
MOST_LINES: Final = 5_000


class Paragraph(NamedTuple):
    """A piece of text without markdown's marks; `starts` are the offset and the 0-based line of each of its lines."""

    text: str
    starts: tuple[tuple[int, int], ...]

    def line_at(self, offset: int) -> int:
        """The line that an offset is in."""
        return next(line for start, line in reversed(self.starts) if start <= offset)


class Sentence(NamedTuple):
    """Words, code spans with their marks, and signs, without the one that ends it; `at` is the paragraph's offset."""

    words: tuple[str, ...]
    at: int


def paragraphs(text: str) -> Iterator[Paragraph]:
    """The paragraphs, headings and list items of a markdown text that may state something."""
    fence = ""
    skipped_level = 0
    held: list[tuple[int, str]] = []
    comment = False
    after_blank = True
    for number, line in enumerate(text.split("\n", MOST_LINES)[:MOST_LINES]):
        stripped = line.strip()
        if fence:
            if stripped.startswith(fence) and not stripped.strip(fence[0]):
                fence = ""
            continue
        if comment:
            comment = "-->" not in line
            continue
        is_blank, was_blank, after_blank = not stripped, after_blank, not stripped
        heading = _HEADING.match(line)
        opened = _FENCE.match(line)
        starts_alone = heading or opened or is_blank or stripped[0] in "|>" or _ITEM.match(line)
        if starts_alone and held:
            yield _paragraph(held)
            held = []
        if opened:
            fence = opened[1]
        elif stripped.startswith("<!--"):
            comment = "-->" not in line
        elif heading:
            level, title = len(heading[1]), heading[2]
            if skipped_level and level > skipped_level:
                continue
            skipped_level = level if _ELSEWHERE.search(title) else 0
            if not skipped_level:
                yield _paragraph([(number, title.rstrip("# "))])
        elif is_blank or skipped_level or stripped[0] in "|>" or _RULE.fullmatch(stripped):
            continue
        elif line.startswith(("    ", "\t")) and was_blank and not _ITEM.match(line):
            after_blank = True  # an indented block of code goes on until a line that is not indented
        else:
            item = _ITEM.match(line)
            content = line[item.end() if item else 0 :].strip()
            if not held and _ARGUMENT.match(content):
                continue
            held.append((number, content))
    if held:
        yield _paragraph(held)


def sentences(text: str, worth: Callable[[str], object] = len) -> Iterator[Sentence]:
    """The sentences of a paragraph for which `worth` is true; questions are left out."""
    start = 0
    for match in _END.finditer(text):
        if match.group() == "." and _is_abbreviated(text, start, match.start()):
            continue
        if match.group() != "?":
            yield from _sentence(text, start, match.start(), worth)
        start = match.end()
    yield from _sentence(text, start, len(text), worth)


def is_title_case(words: Sequence[str]) -> bool:
    """Whether all words of some length are capitalised, so that capitals say nothing of a single one."""
    long = [word for word in words if len(word) >= _LONG_WORD and word[0].isalpha()]
    small = (word in STOP_WORDS or word in _SMALL for word in long if not word[0].isupper())
    return len(long) > 2 and long[0][0].isupper() and all(small)


_HEADING: Final = re.compile(r" {0,3}(#{1,6})[ \t]+(.*)")
_FENCE: Final = re.compile(r"\s*(`{3,}|~{3,})")
_ITEM: Final = re.compile(r"\s*(?:[-*+]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")
_RULE: Final = re.compile(r"[-=_*:|\s]+")
_ELSEWHERE: Final = re.compile(
    r"\b(?:context|background|problem|motivation|history|alternatives?|options?|rejected|considered|considerations"
    r"|pros\b|cons\b|advantages|disadvantages|discussion|questions?|drivers|references?|further reading|see also"
    r"|status|deciders|date|participants|links|more information|appendix|changelog|examples?|related|before"
    r"|previous(?:ly)?|current (?:state|situation|status)|today|as[- ]is|status quo|proposals?|ideas?|future|todo"
    r"|out of scope|non-goals)\b",
    re.IGNORECASE,
)
_ARGUMENT: Final = re.compile(
    r"[*_]*(?:good|bad|neutral|pros?|cons?|advantages?|disadvantages?|\+|-|\?)[*_]*(?:[,:]|\s+because\b)"
    r"|[*_]*(?:option|alternative|variant|proposal|approach|example|question|todo|q)\b[^.]{0,60}[:–—]",
    re.IGNORECASE,
)

_LINK: Final = re.compile(r"!?\[([^\]\[]{0,200})\](?:\([^()\s]{0,400}(?:\s\"[^\"]{0,100}\")?\)|\[[^\]\[]{0,100}\])")
_MARKS: Final = re.compile(
    r"\*{1,3}|(?<!\w)_{1,3}(?=\S)|(?<=\S)_{1,3}(?!\w)|<[^<>\s][^<>]{0,100}>|\[\^[^\]]{1,20}\]|&\w+;"
)

_TOKEN: Final = re.compile(
    r"(?:[A-Z]\.){2,}|`[^`\n]{1,100}`|[@.]?\w+(?:(?:[.+#/&@'’_\\-]|::)+\w+)*(?:\+\+|#|\(\))?|->|=>|[^\w\s]"
)
_END: Final = re.compile(r"[.!?](?=[\"')\]”’]*(?:\s|\Z))")
_ABBREVIATED: Final = frozenset(
    {"e.g", "i.e", "etc", "vs", "cf", "approx", "resp", "incl", "no", "fig", "dr", "mr", "st"}
)
_LONG_WORD: Final = 4
_SMALL: Final = frozenset({"from", "into", "onto", "upon", "over", "under", "within", "without", "using", "instead"})
"""Words that titles leave in lower case, like the stop words."""


def _paragraph(held: list[tuple[int, str]]) -> Paragraph:
    pieces: list[str] = []
    starts: list[tuple[int, int]] = []
    length = 0
    for number, line in held:
        if length > LONGEST_PARAGRAPH:
            break
        clean = _clean(line)[:LONGEST_PARAGRAPH]
        starts.append((length, number))
        pieces.append(clean)
        length += len(clean) + 1
    return Paragraph(" ".join(pieces), tuple(starts))


def _clean(line: str) -> str:
    """A line without marks of emphasis, and links as their texts; code spans stay as they are."""
    if "[" not in line and "*" not in line and "_" not in line and "<" not in line and "&" not in line:
        return line
    pieces = line.split("`")
    for place in range(0, len(pieces), 2):
        pieces[place] = _MARKS.sub("", _LINK.sub(r"\1", pieces[place]))
    return _LINK.sub(r"\1", "`".join(pieces))


def _is_abbreviated(text: str, start: int, at: int) -> bool:
    """Whether the dot at an offset ends a short form and no sentence: "e.g.", "U.S.", "6." of a numbered record."""
    word = text[max(start, text.rfind(" ", start, at) + 1) : at].lstrip("(\"'[").casefold()
    return word in _ABBREVIATED or word.isdigit() or (len(word) > 2 and word[1::2].strip(".") == "")


def _sentence(text: str, start: int, end: int, worth: Callable[[str], object]) -> Iterator[Sentence]:
    piece = text[start:end]
    if not piece.strip() or not worth(piece):
        return
    words = tuple(_TOKEN.findall(piece))
    if words:
        yield Sentence(words, start + len(piece) - len(piece.lstrip()))
