"""Architecture decision records as their authors wrote them, read into one value.

Understands the shapes of Nygard, adr-tools and MADR 2 to 4 (front matter, bullets, tables, sections) and what people
made of them. Invariant: parsing never raises; what is no record comes back as `NotARecord` with the reason. Links
are as written; `engine.importing` finds out which records they mean.
"""

import itertools
import re
from collections.abc import Iterator

import msgspec

from memofs.text.adr_dates import date_in_name
from memofs.text.adr_fields import date_of, state_of, tags_of
from memofs.text.adr_links import Link, Reference, Relation, head_links, prose_links, see_link
from memofs.text.adr_names import name_parts, not_a_record_name, number_in_name, placeholder
from memofs.text.adr_outline import Line, Outline, blocks, outline
from memofs.text.adr_references import masked
from memofs.text.adr_sections import (
    STATUS_KEYS,
    TELLING,
    Section,
    Texts,
    Title,
    find_title,
    front_fields,
    head_fields,
    head_lines,
    paragraphs,
    read_sections,
    status_section,
)
from memofs.text.adr_status import Status, status_in_title, status_of
from memofs.text.front_matter import canonical_body

__all__ = ["Link", "NotARecord", "Record", "Reference", "Relation", "Status", "parse", "said_in_front_matter"]


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """One decision record.

    `number` is that of the file's name, else that before the title. `title` stands on one line, without number and
    markup. `body` is the text without title heading and front matter (what the latter says in words is kept as its
    first paragraphs). `date_ms` is the decision's own date, midnight UTC unless it has a time; None if it names none.
    `problems` say what could not be read.
    """

    title: str
    body: str
    status: Status = "unknown"
    number: int | None = None
    date_ms: int | None = None
    tags: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    problems: tuple[str, ...] = ()


class NotARecord(msgspec.Struct, frozen=True, kw_only=True):
    """Why the file is not a decision record, in a few words."""

    reason: str


_FOLDER_RECORDS = frozenset({"readme", "index", "_index"})
_SAID_KEYS = ("summary", "description", "abstract")
_PEOPLE_KEYS = ("decision-makers", "deciders", "authors", "author", "owner", "consulted", "informed")
_RELATIONS: dict[str, Relation] = {
    "superseded by": "superseded_by",
    "supersededby": "superseded_by",
    "replaced by": "superseded_by",
    "obsoleted by": "superseded_by",
    "supersedes": "supersedes",
    "superseding": "supersedes",
    "replaces": "supersedes",
    "obsoletes": "supersedes",
    "amended by": "amended_by",
    "amends": "amends",
}
_ENDED_BY_TITLE = frozenset({"unknown", "accepted", "proposed", "draft"})
_IN_TITLE = re.compile(
    r"(?:^|[(\[→–—:~-])\s*((?:part\w* )?(?:super[cs]e|replaced by|obsoleted by|deprecated by).*)", re.IGNORECASE
)
_PARTLY = re.compile(r"part(?:ly|ially) ")


def parse(path: str, text: str) -> Record | NotARecord:
    """The record in the file, or why there is none. `path` is POSIX; only its last two parts matter."""
    if "\0" in text:
        return NotARecord(reason="binary data, not text")
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        return NotARecord(reason="the file is empty")
    if reason := not_a_record_name(path):
        return NotARecord(reason=reason)
    folder, stem = name_parts(path)
    if stem.casefold() in _FOLDER_RECORDS:
        stem = folder
    number = number_in_name(stem)
    read = outline(text)
    title = find_title(read, stem, number)
    if placeholder(title.text):
        return NotARecord(reason="a template: its title is not filled in")
    sections = read_sections(read.lines)
    section = status_section(sections)
    head = head_lines(read, title, sections)
    fields = head_fields(read, head)
    known = number if number is not None else title.number
    named = known is not None or date_in_name(stem) is not None
    stated = section is not None or any(key in fields for key in STATUS_KEYS)
    if not named and not stated and not any(entry.name in TELLING for entry in sections):
        return NotARecord(reason="no number, no status and no section of a decision record")
    body = _body(read, title)
    if not body.strip():
        return NotARecord(reason="a title and nothing below it")
    links = _distinct(_links(read, title, head, section, sections, known), read.first_line)
    words, hinted = status_in_title(title.text)
    return Record(
        number=known,
        title=words,
        status=_status(state_of(fields, section, read), hinted, title, links),
        date_ms=date_of(fields, stem, sections, section, read),
        body=body,
        tags=tags_of(fields),
        links=links,
        problems=(read.problem,) if read.problem else (),
    )


def said_in_front_matter(read: Outline) -> Iterator[str]:
    """What the front matter says in words, as paragraphs: a summary, and who decided."""
    for key in _SAID_KEYS:
        yield from (value.strip() for value in read.fields.get(key, ()) if value.strip())
    people = [
        f"- {key.replace('-', ' ').capitalize()}: {', '.join(values)}"
        for key in _PEOPLE_KEYS
        if (values := [value.strip() for value in read.fields.get(key, ()) if value.strip()])
    ]
    if people:
        yield "\n".join(people)


def _status(said: Status, hinted: Status, title: Title, links: tuple[Link, ...]) -> Status:
    """The state, with what the title and the links say of it: nobody strikes out the title of a decision in force."""
    if any(link.relation == "superseded_by" and not link.partly and not link.prose for link in links):
        return "superseded"
    if hinted != "unknown" and said in _ENDED_BY_TITLE:
        return hinted
    return "superseded" if "~~" in title.heading and said in _ENDED_BY_TITLE else said


def _links(
    read: Outline,
    title: Title,
    head: tuple[tuple[int, Line], ...],
    section: Section | None,
    sections: tuple[Section, ...],
    own: int | None,
) -> Iterator[Link]:
    for key, values in front_fields(read):
        texts = [(-1, value) for value in values]
        if relation := _RELATIONS.get(_PARTLY.sub("", key)):
            yield from head_links(texts, read.targets, own, relation=relation, partly=_PARTLY.match(key) is not None)
        elif key in STATUS_KEYS:
            yield from head_links(texts, read.targets, own)
    if stated := _IN_TITLE.search(title.heading):
        yield from head_links([(title.line, stated[1])], read.targets, own)
    for block in blocks(head):
        # A quotation above the first section is a remark in a box: prose.
        find = prose_links if read.lines[block.line].text.lstrip().startswith(">") else head_links
        yield from find([(block.line, block.text)], read.targets, own)
    for entry in sections:
        texts = paragraphs(read, entry)
        if entry is section:
            yield from head_links(texts, read.targets, own)
            yield from _after_superseded(texts, read)
        elif relation := _RELATIONS.get(entry.name):
            yield from head_links(texts, read.targets, own, relation=relation)
        else:
            yield from prose_links(texts, read.targets, own)


def _after_superseded(texts: Texts, read: Outline) -> Iterator[Link]:
    """The record in a paragraph of its own below "Superseded": "See ADR 12"."""
    for (_, state), (line, text) in itertools.pairwise(texts):
        if status_of([state]) != "superseded" or masked(state, read.targets).references:
            continue
        if link := see_link(line, text, read.targets):
            yield link


def _distinct(links: Iterator[Link], first_line: int) -> tuple[Link, ...]:
    """Each link once, what the head says before what the prose says, with lines counted from the file's beginning."""
    found: dict[tuple[Relation, Reference], Link] = {}
    for link in links:
        kept = found.get((link.relation, link.target))
        if kept is None or (kept.prose and not link.prose):
            line = link.line + first_line if link.line >= 0 else 0
            found[link.relation, link.target] = msgspec.structs.replace(link, line=line)
    return tuple(found.values())


def _body(read: Outline, title: Title) -> str:
    lines = read.lines
    if title.line >= 0:
        below = title.line + (1 if lines[title.line].text.lstrip().startswith("#") else 2)
        above = lines[: title.line]
        # Comments above the title are for linters.
        kept = [*(above if any(line.text.strip() or line.code for line in above) else ()), *lines[below:]]
    else:
        kept = [*lines]
    text = canonical_body("\n".join(line.raw for line in kept))
    said = [part for part in said_in_front_matter(read) if part not in text and part != title.text]
    return "\n\n".join(part for part in (*said, text) if part)
