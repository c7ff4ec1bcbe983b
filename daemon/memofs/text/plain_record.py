"""A plain markdown file, of whatever kind, read into what a memory needs: title, text, tags, date.

Invariant: parsing never raises; what holds nothing to remember comes back as `NotARecord` with the reason.
"""

import msgspec

from memofs.text.adr import NotARecord, said_in_front_matter
from memofs.text.adr_dates import date_in_name, first_date_ms
from memofs.text.adr_fields import tags_of
from memofs.text.adr_names import name_parts, title_from_name
from memofs.text.adr_outline import Line, Outline, outline, plain
from memofs.text.front_matter import canonical_body

__all__ = ["PlainRecord", "parse"]


class PlainRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One markdown file. The title stands on one line without markup; `body` is the text without front matter.

    A heading that opens the text and is the title is not repeated in the body. `date_ms` is that of the front
    matter, else of the file's name.
    """

    title: str
    body: str
    date_ms: int | None = None
    tags: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


_DATE_KEYS = ("date", "created", "created at", "created-at", "created_at")


def parse(path: str, text: str) -> PlainRecord | NotARecord:
    """The file's content, or why there is nothing to remember in it. `path` is POSIX."""
    if "\0" in text:
        return NotARecord(reason="binary data, not text")
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        return NotARecord(reason="the file is empty")
    folder, stem = name_parts(path)
    read = outline(text)
    named = next((title for value in read.fields.get("title", ()) if (title := plain(value))), "")
    at, heading = _first_heading(read.lines)
    title = named or heading or title_from_name(folder if stem.casefold() in {"index", "readme"} and folder else stem)
    body = _body(read, at if heading == title and not _anything(read.lines[:at]) else -1, title)
    if not body.strip():
        return NotARecord(reason="a title and nothing below it")
    dates = (first_date_ms(value) for key in _DATE_KEYS for value in read.fields.get(key, ()))
    return PlainRecord(
        title=title,
        body=body,
        date_ms=next((date for date in dates if date is not None), date_in_name(stem)),
        tags=tags_of(read.fields),
        problems=(read.problem,) if read.problem else (),
    )


def _first_heading(lines: tuple[Line, ...]) -> tuple[int, str]:
    return next(
        ((at, title) for at, line in enumerate(lines) if line.level and (title := plain(line.heading))), (-1, "")
    )


def _anything(lines: tuple[Line, ...]) -> bool:
    return any(line.text.strip() or line.code for line in lines)


def _body(read: Outline, at: int, title: str) -> str:
    below = 0 if at < 0 else at + (1 if read.lines[at].text.lstrip().startswith("#") else 2)
    text = canonical_body("\n".join(line.raw for line in read.lines[below:]))
    said = [part for part in said_in_front_matter(read) if part not in text and part != title]
    return "\n\n".join(part for part in (*said, text) if part)
