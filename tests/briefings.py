"""Briefings for tests: items in one line each, and a reader that knows nothing of how they are packed.

The reader takes a briefing apart as an agent would: lines behind `>` are somebody's words, all others are the
briefing's own, and each of those has one of a few shapes. It fails on a line that has none.
"""

import re
from collections.abc import Callable, Sequence

import msgspec

from memofs.briefing.cursor import handle
from memofs.briefing.safe import quoted
from memofs.briefing.sections import HEADINGS
from memofs.model.briefing import Item, SectionName

__all__ = ["ReadSection", "cursors", "item", "own_lines", "read"]

NAMES: dict[str, SectionName] = {heading: name for name, heading in HEADINGS.items()}
ID = r"mem_[0-9a-z]{6,32}"
HANDLE = r"[A-Za-z0-9_-]{16}"
TITLE = r'"[^"]*"'
PLAIN = r"[\w./@+~#:-]+"
NAME = rf"(?:{PLAIN}|{TITLE})"
PLACE = rf"{NAME}(?:#{NAME}|:\d+(?:-\d+)?)?"
FLAG = r"(?:stale|unverified|superseded|retired|pending|wordsOnly|byMeaning|byLexicon|via)"
PARTS = (
    rf"{NAME}",
    r"\d{4}-\d\d-\d\d",
    r"confidence [\d.e+-]+",
    FLAG,
    rf"superseded by {ID}",
    rf"{PLACE}(?:, {PLACE})*(?: and \d+ more)?|\d+ anchors?",
)
ITEM = re.compile(rf"- (?P<id>{ID})(?: · (?:{'|'.join(PARTS)}))*")
HEADING = re.compile(r"## (?P<name>[A-Z][a-z ]+)(?:: (?P<about>.+))?")
FULL = re.compile(r"\[Omitted (?P<hidden>\d+) items? to fit context budget:")
FULL_TITLE = re.compile(rf" ↳ (?:{TITLE}|and \d+ more items\.\.\.)")
FULL_END = "To view these, run recall with specific search terms]"
LINE = re.compile(rf"\[Omitted (?P<hidden>\d+) items?: {TITLE}(?:, {TITLE})*(?: and \d+ more)?\]")
EXPAND = re.compile(
    r"↳ expand \((?:(?P<hidden>\d+) more)?(?: and )?(?:(?P<cut>\d+) cut)?\): "
    rf'(?:memofs\.context\(section="(?P<section>\w+)", expand="(?P<same>{HANDLE})"\) or )?'
    rf"memofs expand (?P<cursor>{HANDLE})"
)
CUT = re.compile(r"\[cut to fit: expand shows the whole\]|\[cut: [\d,]+ characters, read \S+ for the rest\]")
CORE_CUT = re.compile(r"\[core\.md is cut here: it has [\d,]+ bytes, read the file for the rest\]")
NO_ROOM = re.compile(r"\[No room for [\w ,]+: ask for more bytes\]")


class ReadSection(msgspec.Struct):
    """What a reader understands of one section; `quoted` are the quoted lines without their marks."""

    name: SectionName
    about: str | None = None
    ids: list[str] = msgspec.field(default_factory=list[str])
    quoted: list[str] = msgspec.field(default_factory=list[str])
    hidden: int = 0
    named: int = 0
    cut: int = 0
    marks: int = 0
    cursor: str | None = None


def item(number: int, body: str, *, title: str | None = None, terms: str | None = None) -> Item:
    """A memory of this text; near-duplicates are told by the words of `terms`, else of the body."""
    id_ = f"mem_{number:06d}"
    return Item(
        key=id_,
        title=body if title is None else title,
        text=f"- {id_} · decision · 2027-01-14\n{quoted(body)}",
        terms=frozenset((body if terms is None else terms).split()),
    )


def cursors() -> tuple[Callable[[SectionName, tuple[str, ...]], str], dict[str, tuple[SectionName, tuple[str, ...]]]]:
    """A maker of cursors, and where it writes down what each leads to."""
    kept: dict[str, tuple[SectionName, tuple[str, ...]]] = {}

    def cursor_for(section: SectionName, keys: tuple[str, ...]) -> str:
        made = handle("/workspace", f"{len(kept)}".encode())
        kept[made] = section, keys
        return made

    return cursor_for, kept


def own_lines(text: str) -> list[str]:
    """The lines of a briefing that are its own, split wherever anybody could see a line end."""
    return [line for line in text.splitlines() if not line.startswith(">")]


def read(text: str) -> list[ReadSection]:
    """The sections of a briefing, as its lines say them."""
    found: list[ReadSection] = []
    names_left = 0
    for line in text.splitlines():
        if heading := HEADING.fullmatch(line):
            found.append(ReadSection(name=NAMES[heading["name"]], about=heading["about"]))
            continue
        section = found[-1]
        if line.startswith(">"):
            section.quoted.append(line.removeprefix(">").removeprefix(" "))
        elif section.name == "directive":
            assert not EXPAND.match(line)
        elif names_left:
            if FULL_TITLE.fullmatch(line):
                section.named += 1
            else:
                assert line == FULL_END
                names_left = 0
        elif one := ITEM.fullmatch(line):
            section.ids.append(one["id"])
        elif some := FULL.fullmatch(line) or LINE.fullmatch(line):
            section.hidden = int(some["hidden"])
            names_left = int(some.re is FULL)
        elif way := EXPAND.fullmatch(line):
            assert section.cursor is None
            assert not section.hidden or section.hidden == int(way["hidden"])
            assert way["section"] in (None, section.name)
            assert way["same"] in (None, way["cursor"])
            section.hidden, section.cut, section.cursor = int(way["hidden"] or 0), int(way["cut"] or 0), way["cursor"]
        elif CUT.fullmatch(line) or CORE_CUT.fullmatch(line):
            section.marks += 1
        else:
            assert not line or NO_ROOM.fullmatch(line), f"a line that is nothing: {line!r}"
    return found


def keys(items: Sequence[Item]) -> list[str]:
    """The keys of items, in order."""
    return [each.key for each in items]
