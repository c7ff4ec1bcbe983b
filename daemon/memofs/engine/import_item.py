"""One file of an import, read, and what is to become of it. Pure.

What a memory was made from is kept in its front matter as `imported`: a hash of the source and one of the title and
body that came of it. By them a changed source is told from a changed memory.
"""

import hashlib
from collections.abc import Iterable
from typing import Literal

import msgspec

from memofs.engine.draft import MOST_LABEL, MOST_LABELS, MOST_TITLE, checked_body, checked_title
from memofs.model.errors import InvalidRequest
from memofs.model.memory import Memory
from memofs.text import adr, plain_record

__all__ = ["Existing", "Item", "Options", "SkippedSource", "Source", "What", "labels", "read_source", "source_name"]

What = Literal["adr", "markdown"]

DAY_MS = 86_400_000


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """A file to import. `path` is POSIX, relative to the workspace (with `../` where it lies outside).

    `created_ms` is when the file came into being (git's first commit; None where nobody knows), for records that name
    no date; `changed_ms` when it last changed.
    """

    path: str
    text: str
    created_ms: int | None = None
    changed_ms: int | None = None


class Existing(msgspec.Struct, frozen=True, kw_only=True):
    """A memory of an earlier import and the value of its key `imported`, None if somebody removed it."""

    memory: Memory
    imported: str | None = None


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """What the person asked for. `kind=None` takes decision for records and note for markdown."""

    what: What
    kind: str | None = None
    tags: tuple[str, ...] = ()
    force: bool = False


class SkippedSource(msgspec.Struct, frozen=True, kw_only=True):
    """A file that makes no memory, or whose memory stays as it is, and why."""

    path: str
    reason: str


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """One source that was read, and what is to become of it. `refusal` says why a changed source is left out."""

    source: Source
    title: str
    body: str
    tags: tuple[str, ...]
    created_ms: int | None
    imported: str
    record: adr.Record | None
    existing: Existing | None
    action: Literal["new", "update", "keep"]
    refusal: str | None = None
    warnings: tuple[str, ...] = ()
    id: str = ""

    @property
    def state(self) -> str:
        """The record's own word for its status, "" for markdown."""
        return self.record.status if self.record else ""


def source_name(what: What, path: str) -> str:
    """The `source` of a memory that comes from this file: by it the next import finds it again."""
    return f"import:{what}:{path}"


def read_source(source: Source, existing: Existing | None, options: Options, now_ms: int) -> Item | SkippedSource:
    """The file as an item of the import, or why it makes no memory."""
    parse = adr.parse if options.what == "adr" else plain_record.parse
    record = parse(source.path, source.text)
    if isinstance(record, adr.NotARecord):
        return SkippedSource(path=source.path, reason=record.reason)
    try:
        body = checked_body(record.body)
        title = checked_title(_shortened(record.title))
    except InvalidRequest as error:
        return SkippedSource(path=source.path, reason=error.message)
    warnings = [f"{source.path}: {problem}" for problem in record.problems]
    date_ms = record.date_ms
    if date_ms is not None and date_ms > now_ms + DAY_MS:
        warnings.append(f"{source.path}: its date lies in the future; taken from the file's history instead")
        date_ms = None
    created_ms = date_ms
    if created_ms is None and source.created_ms is not None:
        created_ms = min(source.created_ms, now_ms)
    imported = f"{_hash(source.text)}:{_hash(title, body)}"
    action, refusal = _action(existing, imported, force=options.force)
    return Item(
        source=source,
        title=title,
        body=body,
        tags=labels((*record.tags, *options.tags)),
        created_ms=created_ms,
        imported=imported,
        record=record if isinstance(record, adr.Record) else None,
        existing=existing,
        action=action,
        refusal=refusal,
        warnings=tuple(warnings),
        id=existing.memory.id if existing else "",
    )


def labels(tags: Iterable[str]) -> tuple[str, ...]:
    """The tags, each once; what is longer than a label may be is none."""
    return tuple(dict.fromkeys(tag for tag in tags if len(tag) <= MOST_LABEL))[:MOST_LABELS]


def _action(
    existing: Existing | None, imported: str, *, force: bool
) -> tuple[Literal["new", "update", "keep"], str | None]:
    """What to do with a source, and why it is refused if it is."""
    if existing is None:
        return "new", None
    was_source, _, was_memory = (existing.imported or "").partition(":")
    now_source, _, now_memory = imported.partition(":")
    if now_source == was_source:
        return "keep", None
    here = _hash(existing.memory.title, existing.memory.body)
    if here == was_memory or force:
        return "update", None
    if here == now_memory:
        # Somebody made the same change here, or took the key out: nothing to bring over.
        return "keep", None
    return "keep", "changed here and in the source since it was imported; --force takes the source's text"


def _shortened(title: str) -> str:
    return title if len(title) <= MOST_TITLE else title[: MOST_TITLE - 1].rstrip() + "…"


def _hash(*texts: str) -> str:
    """12 hex digits of a SHA-256 over the texts with LF line ends."""
    joined = "\n".join(text.replace("\r\n", "\n").strip() for text in texts)
    return hashlib.sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()[:12]
