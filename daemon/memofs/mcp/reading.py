"""The tools that read: context, recall, here, stale, changes, entities."""

import os
import re
from collections.abc import Mapping
from typing import Final

from memofs.link.client import RemoteError
from memofs.mcp.arguments import (
    ChangesArguments,
    ContextArguments,
    EntitiesArguments,
    HereArguments,
    RecallArguments,
    StaleArguments,
)
from memofs.mcp.asking import Asking
from memofs.mcp.places import lines_of, relative
from memofs.mcp.results import (
    ChangesAnswer,
    ContextAnswer,
    EntitiesAnswer,
    EntityPart,
    HereAnswer,
    RecallAnswer,
    SectionPart,
    StaleAnswer,
    StatementPart,
    finding_part,
    hit_part,
    memory_part,
    row_part,
)
from memofs.wire.anchors import (
    ChangesParams,
    ChangesResult,
    CheckParams,
    CheckResult,
    MemoriesAtParams,
    MemoriesAtResult,
    TextDocument,
)
from memofs.wire.context import ContextParams, ContextResult, ExpandParams, ExpandResult, HereParams
from memofs.wire.graph import EntitiesParams, EntitiesResult
from memofs.wire.read import ListParams, ListResult, RecallParams, RecallResult

__all__ = ["changes", "context", "entities", "here", "recall", "stale"]

LEAST_BYTES: Final = 1_024
ROOM_BYTES: Final = 240
"""What calls in the place of commands take more, in a briefing of five sections."""
_EXPAND = re.compile(r"^(↳ expand \([^()\n]*\): ).*?memofs expand (\S+)$", re.MULTILINE)


async def context(asking: Asking, given: ContextArguments) -> ContextAnswer:
    """A briefing, or with `expand` what one left out. Raises RemoteError."""
    if given.expand is not None:
        more = await asking.daemon.ask("memofs/expand", ExpandParams(cursor=given.expand), ExpandResult)
        text = _with_calls(more.text, {})
        return ContextAnswer(
            text=text,
            bytes=len(text.encode()),
            items=more.items,
            omitted=more.omitted,
            cursor=more.cursor,
            warnings=more.warnings,
            degraded=more.degraded,
        )
    lines = lines_of(given.first_line, given.last_line)
    if given.path is None and lines is not None:
        raise RemoteError("firstLine needs a path", family="InvalidRequest", code="place", hint="name the file, too")
    params = ContextParams(
        query=given.query,
        task_type=given.task_type,
        max_bytes=max(LEAST_BYTES, given.max_bytes - ROOM_BYTES),
        detail=given.detail,
        here=None if given.path is None else HereParams(path=relative(asking.root, given.path), range=lines),
        sections=given.sections or (() if given.section is None else (given.section,)),
    )
    found = await asking.daemon.ask("memofs/context", params, ContextResult)
    text = _with_calls(found.text, {each.cursor: each.name for each in found.sections if each.cursor is not None})
    if len(text.encode()) > given.max_bytes:
        text = found.text
    return ContextAnswer(
        text=text,
        bytes=len(text.encode()),
        sections=tuple(
            SectionPart(name=each.name, items=(*each.items, *each.cut), omitted=each.omitted, cursor=each.cursor)
            for each in found.sections
        ),
        warnings=found.warnings,
        degraded=found.degraded,
    )


async def recall(asking: Asking, given: RecallArguments) -> RecallAnswer:
    """Memories that fit. Raises RemoteError."""
    params = RecallParams(
        query=given.query,
        limit=given.limit,
        task_type=given.task_type,
        kinds=given.kinds,
        tags=given.tags,
        paths=tuple(relative(asking.root, path) for path in given.paths),
        precision=given.precision,
        include_retired=given.include_retired,
    )
    found = await asking.daemon.ask("memofs/recall", params, RecallResult)
    return RecallAnswer(
        hits=tuple(map(hit_part, found.hits)),
        weaker=found.weaker,
        more=found.more,
        notice=found.notice,
        degraded=found.degraded,
    )


async def here(asking: Asking, given: HereArguments) -> HereAnswer:
    """What is tied to a file, or lines of it, or what lies below a folder. Raises RemoteError."""
    lines = lines_of(given.first_line, given.last_line)
    path = relative(asking.root, given.path)
    if not _is_inside(path):
        raise RemoteError(
            f"{given.path!r} leads out of the workspace",
            family="Refused",
            code="outside",
            hint="use a path inside the workspace",
        )
    place = asking.root / path
    if place.is_dir():
        listed = await asking.daemon.ask("memofs/list", ListParams(paths=(path,), bodies=True), ListResult)
        return HereAnswer(path=path, memories=tuple(memory_part(each, body=True) for each in listed.memories))
    params = MemoriesAtParams(text_document=TextDocument(uri=place.as_uri()), range=lines)
    found = await asking.daemon.ask("memofs/memoriesAt", params, MemoriesAtResult)
    return HereAnswer(path=path, memories=tuple(memory_part(each.memory, body=True) for each in found.memories))


async def stale(asking: Asking, given: StaleArguments) -> StaleAnswer:
    """Memories whose code has changed or is gone. Raises RemoteError."""
    params = CheckParams(paths=tuple(relative(asking.root, path) for path in given.paths), since=given.since)
    found = await asking.daemon.ask("memofs/check", params, CheckResult, on_progress=asking.on_progress)
    return StaleAnswer(
        findings=tuple(map(finding_part, found.findings)),
        unchecked=tuple(f"{each.path}: {each.message}" for each in found.unchecked),
        memories=found.memories,
        anchors=found.anchors,
    )


async def changes(asking: Asking, given: ChangesArguments) -> ChangesAnswer:
    """An anchor's code as it was and as it is. Raises RemoteError."""
    params = ChangesParams(id=given.id, anchor_index=given.anchor_index)
    found = await asking.daemon.ask("memofs/changes", params, ChangesResult)
    return ChangesAnswer(
        memory=found.anchor.memory,
        title=found.anchor.title,
        place=row_part(found.anchor),
        diff=found.diff,
        before=found.before,
        after=found.after,
        source=found.source,
    )


async def entities(asking: Asking, given: EntitiesArguments) -> EntitiesAnswer:
    """Entities and what is said of them. Raises RemoteError."""
    params = EntitiesParams(name=given.name, query=given.query, limit=given.limit)
    found = await asking.daemon.ask("memofs/entities", params, EntitiesResult)
    return EntitiesAnswer(
        entities=tuple(
            EntityPart(
                id=each.id,
                type=each.type,
                label=each.label,
                aliases=each.aliases,
                state=each.state,
                live=each.live,
                successor=None if each.successor is None else each.successor.id,
            )
            for each in found.entities
        ),
        statements=tuple(
            StatementPart(
                source=each.source.label,
                relation=each.relation,
                target=each.target.label,
                holds=each.holds,
                memory=each.memory,
            )
            for each in found.statements
        ),
        memories={each.id: each.title for each in found.memories},
        more=found.more,
    )


def _is_inside(path: str) -> bool:
    """Whether the path leads nowhere but into the workspace, by its spelling; the rest is the daemon's to refuse."""
    return not path.startswith("/") and not os.path.normpath(path).startswith("..")


def _with_calls(text: str, sections: Mapping[str, str]) -> str:
    """The text with calls of the tool where it names commands of a shell; what memories say is quoted and stays."""

    def call(match: re.Match[str]) -> str:
        section = sections.get(match[2])
        named = "" if section is None else f'section="{section}", '
        return f'{match[1]}memofs.context({named}expand="{match[2]}")'

    return _EXPAND.sub(call, text)
