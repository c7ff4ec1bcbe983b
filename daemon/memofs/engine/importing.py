"""What importing decision records or markdown files will write, decided without writing it. Pure.

Invariant: importing the same files again plans nothing, and what a person changed in a memory since it was imported
is never overwritten unasked. Reading the files, writing the memories and telling the person are left to the caller.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import msgspec

from memofs.engine.import_item import Existing, Item, Options, SkippedSource, Source, What, read_source, source_name
from memofs.engine.import_links import Candidate, Claim, Weighed, weigh
from memofs.engine.import_memory import new_memory, updated_memory
from memofs.model.cancel import NEVER, CancelToken
from memofs.model.memory import Memory
from memofs.text.adr_names import name_parts, number_in_name

__all__ = ["Existing", "ImportPlan", "Options", "Planned", "SkippedSource", "Source", "What", "plan", "source_name"]

CHECK_EVERY = 100


class Planned(msgspec.Struct, frozen=True, kw_only=True):
    """One memory to write.

    `memory` is what it shall be: for a new one with an id, and path and digest empty; for an update with the digest
    that the file on disk must still have. `path` is the source's. `imported` is the value for the key of that name.
    `state` is the record's own word for its status, "" for markdown.
    """

    path: str
    memory: Memory
    imported: str | None
    state: str = ""


class ImportPlan(msgspec.Struct, frozen=True, kw_only=True):
    """All of it, each tuple in the order of the sources.

    `unchanged` are paths. `links` are the supersedes relations to be written, (new id, old id); each stands in the
    `supersedes` of its new memory, too.
    """

    new: tuple[Planned, ...] = ()
    updates: tuple[Planned, ...] = ()
    unchanged: tuple[str, ...] = ()
    skipped: tuple[SkippedSource, ...] = ()
    links: tuple[tuple[str, str], ...] = ()
    warnings: tuple[str, ...] = ()


def plan(
    sources: Sequence[Source],
    existing: Mapping[str, Existing],
    options: Options,
    *,
    now_ms: int,
    new_id: Callable[[int], str],
    cancel: CancelToken = NEVER,
) -> ImportPlan:
    """What to write. `existing` maps the `source` of every memory imported before to it.

    `new_id` makes an id from a time in milliseconds; it is called in the order of the memories' creation. Raises
    Cancelled.
    """
    read: list[Item | SkippedSource] = []
    for count, source in enumerate({source.path: source for source in sources}.values()):
        if count % CHECK_EVERY == 0:
            cancel.check()
        read.append(read_source(source, existing.get(source_name(options.what, source.path)), options, now_ms))
    items = _with_ids([item for item in read if isinstance(item, Item)], new_id, now_ms)
    here = {item.id for item in items}
    elsewhere = [known for known in existing.values() if known.memory.id not in here]
    weighed = _weighed(items, elsewhere, options)
    links = _links(weighed.claims, items, elsewhere)
    older = _by_newer(links)
    superseded = {old for _, old in links} | {old for known in existing.values() for old in known.memory.supersedes}
    return ImportPlan(
        new=tuple(
            _planned(
                item,
                new_memory(
                    item,
                    options,
                    supersedes=older.get(item.id, ()),
                    superseded=item.id in superseded,
                    now_ms=now_ms,
                ),
            )
            for item in items
            if item.action == "new"
        ),
        updates=(
            *(
                _planned(
                    item,
                    updated_memory(
                        item,
                        item.existing.memory,
                        added=older.get(item.id, ()),
                        superseded=item.id in superseded,
                        now_ms=now_ms,
                    ),
                )
                for item in items
                if item.action == "update" and item.existing
            ),
            *_relinked(items, elsewhere, older),
        ),
        unchanged=tuple(
            item.source.path for item in items if item.action == "keep" and not item.refusal and item.id not in older
        ),
        skipped=tuple(_skipped(read)),
        links=links,
        warnings=tuple(_warnings(items, weighed, superseded)),
    )


def _with_ids(items: Sequence[Item], new_id: Callable[[int], str], now_ms: int) -> list[Item]:
    """The items with an id each; that of an undated one tells when it was imported."""
    dated = [(now_ms if item.created_ms is None else item.created_ms, item) for item in items if not item.id]
    new = sorted(dated, key=lambda each: (each[0], each[1].source.path))
    ids = {item.source.path: new_id(created_ms) for created_ms, item in new}
    return [msgspec.structs.replace(item, id=item.id or ids[item.source.path]) for item in items]


def _weighed(items: Sequence[Item], elsewhere: Sequence[Existing], options: Options) -> Weighed:
    prefix = source_name(options.what, "")
    read = [
        Candidate(
            id=item.id,
            path=item.source.path,
            title=item.title,
            number=item.record.number,
            created_ms=item.created_ms,
            state=item.state,
            links=item.record.links,
        )
        for item in items
        if item.record
    ]
    there = [
        Candidate(
            id=known.memory.id,
            path=path,
            title=known.memory.title,
            number=number_in_name(name_parts(path)[1]),
            created_ms=known.memory.created_ms,
        )
        for known in elsewhere
        if options.what == "adr" and (path := (known.memory.source or "").removeprefix(prefix)) != known.memory.source
    ]
    held = [*(item.existing for item in items if item.existing), *elsewhere]
    return weigh([*read, *there], [(known.memory.id, old) for known in held for old in known.memory.supersedes])


def _links(
    claims: Iterable[Claim], items: Sequence[Item], elsewhere: Sequence[Existing]
) -> tuple[tuple[str, str], ...]:
    """The links to write: new ones, said by a source that is written now or about a memory that is new.

    One that a person took out again stays out as long as nothing changes at its source.
    """
    written = {item.source.path for item in items if item.action != "keep"}
    rewritten = {item.id for item in items if item.action != "keep"}
    new = {item.id for item in items if item.action == "new"}
    held = {item.id: item.existing.memory.supersedes for item in items if item.existing}
    held |= {known.memory.id: known.memory.supersedes for known in elsewhere}
    return tuple(
        (claim.new, claim.old)
        for claim in claims
        if claim.old not in held.get(claim.new, ())
        and (claim.new in rewritten or claim.old in new or claim.said_by & written)
    )


def _relinked(
    items: Sequence[Item], elsewhere: Sequence[Existing], older: Mapping[str, tuple[str, ...]]
) -> Iterator[Planned]:
    """Memories that get nothing but a link: their source is the same, another record now says that they supersede."""
    kept = [(item.source.path, item.existing, item.state) for item in items if item.action == "keep" and item.existing]
    beside = [((known.memory.source or "").split(":", 2)[-1], known, "") for known in elsewhere]
    for path, known, state in (*kept, *beside):
        if new := older.get(known.memory.id):
            memory = msgspec.structs.replace(known.memory, supersedes=(*known.memory.supersedes, *new))
            yield Planned(path=path, memory=memory, imported=known.imported, state=state)


def _skipped(read: Iterable[Item | SkippedSource]) -> Iterator[SkippedSource]:
    for entry in read:
        if isinstance(entry, SkippedSource):
            yield entry
        elif entry.refusal:
            yield SkippedSource(path=entry.source.path, reason=entry.refusal)


def _warnings(items: Sequence[Item], weighed: Weighed, superseded: set[str]) -> Iterator[str]:
    """What to look at, of the records that are written now: another run does not repeat it."""
    for item in items:
        if item.action == "keep":
            continue
        yield from item.warnings
        if item.state == "superseded" and item.id not in superseded:
            yield f"{item.source.path}: superseded, but no record here takes its place: retired"
    written = {item.source.path for item in items if item.action != "keep"}
    yield from (doubt.text for doubt in weighed.doubts if doubt.paths & written)


def _planned(item: Item, memory: Memory) -> Planned:
    return Planned(path=item.source.path, memory=memory, imported=item.imported, state=item.state)


def _by_newer(links: Iterable[tuple[str, str]]) -> Mapping[str, tuple[str, ...]]:
    older: dict[str, tuple[str, ...]] = {}
    for new, old in links:
        older[new] = (*older.get(new, ()), old)
    return older
