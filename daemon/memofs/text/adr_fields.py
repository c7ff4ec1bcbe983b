"""State, date and tags of a decision record, from the fields of its head and the sections that say them."""

import re
from collections.abc import Iterable, Iterator, Mapping

from memofs.text.adr_dates import all_dates_ms, date_in_name, first_date_ms
from memofs.text.adr_outline import Outline, plain
from memofs.text.adr_sections import STATUS_KEYS, Section, paragraphs
from memofs.text.adr_status import Status, status_of

__all__ = ["date_of", "split_tags", "state_of", "tags_of"]

_DATE_KEYS = (
    "date",
    "created",
    "date created",
    "creation date",
    "created on",
    "created at",
    "date of creation",
    "decision date",
    "date decided",
    "decided",
    "decided on",
    "start date",
    "recorded on",
)
_LATER_DATE_KEYS = ("last modified", "last updated", "modified", "updated", "last update", "date updated")
_TAG_KEYS = ("tags", "tag", "labels", "keywords", "topics")
_CHANGES = re.compile(r"(?:chan\w*log|change log|(?:revision )?history)$")
_DATED = re.compile(r"\W*date\b", re.IGNORECASE)
_MARKED_TAG = re.compile(r"(?:^|\s)(?:#\w|[\w-]+:\w)")


def state_of(fields: Mapping[str, tuple[str, ...]], section: Section | None, read: Outline) -> Status:
    """The state in one word: what the head says, else the status section. Quotations there are a template's advice."""
    for key in STATUS_KEYS:
        if (found := status_of(fields.get(key, ()))) != "unknown":
            return found
    if section is None:
        return "unknown"
    texts = paragraphs(read, section)
    said = [text for index, text in texts if not read.lines[index].text.lstrip().startswith(">")]
    return status_of(said or [text for _, text in texts])


def date_of(
    fields: Mapping[str, tuple[str, ...]],
    stem: str,
    sections: tuple[Section, ...],
    section: Section | None,
    read: Outline,
) -> int | None:
    """The day of the decision in milliseconds, from the first place that names one.

    In this order: the head, the file's name, a section for the date or the oldest entry of a change log, the status
    section, and at last the day of the last change.
    """
    if (date := _first_date(fields, _DATE_KEYS)) is not None:
        return date
    if (date := date_in_name(stem)) is not None:
        return date
    for at, entry in enumerate(sections):
        if entry.name in {"date", "decision date"}:
            dates = [date for _, text in paragraphs(read, entry) for date in all_dates_ms(text)[:1]][:1]
        elif _CHANGES.match(entry.name):
            dates = [date for text in _changes(read, sections, at) for date in all_dates_ms(text)[:1]]
        else:
            continue
        if dates:
            return min(dates)
    stated = [text for _, text in paragraphs(read, section)] if section else []
    for text in sorted(stated, key=lambda text: not _DATED.match(text)):
        if (date := first_date_ms(text)) is not None:
            return date
    return _first_date(fields, (*STATUS_KEYS, *_LATER_DATE_KEYS))


def tags_of(fields: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The tags, each once, in lower case with hyphens."""
    found = (tag for key in _TAG_KEYS for value in fields.get(key, ()) for tag in split_tags(value))
    return tuple(dict.fromkeys(found))


def split_tags(value: str) -> Iterator[str]:
    """The tags of one value: parted by commas, or by spaces where they are marked (`#a #b`, `docs:a topic:b`)."""
    text = re.sub(r":\s+", ":", plain(value.strip("[]")))
    if "," in text or ";" in text:
        parts = re.split(r"[,;]", text)
    elif _MARKED_TAG.search(text):
        parts = text.split()
    else:
        parts = [text]
    for part in parts:
        tag = "-".join(part.strip(" \t\"'#").casefold().split())
        if any(char.isalnum() for char in tag) and tag not in {"none", "n/a", "tbd"} and "{" not in tag:
            yield tag


def _changes(read: Outline, sections: tuple[Section, ...], at: int) -> Iterator[str]:
    """The entries of a change log, and the headings it has for them."""
    yield from (text for _, text in paragraphs(read, sections[at]))
    for entry in sections[at + 1 :]:
        if entry.level <= sections[at].level:
            return
        yield read.lines[entry.start - 1].heading


def _first_date(fields: Mapping[str, tuple[str, ...]], keys: Iterable[str]) -> int | None:
    for key in keys:
        for value in fields.get(key, ()):
            if (date := first_date_ms(plain(value))) is not None:
                return date
    return None
