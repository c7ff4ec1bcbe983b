"""The tools that write: remember, update, verify, retire. Every rule about agents is the daemon's to enforce."""

import msgspec

from memofs.link.client import RemoteError
from memofs.mcp.arguments import IdsArguments, RememberArguments, UpdateArguments
from memofs.mcp.asking import Asking
from memofs.mcp.places import anchor_specs
from memofs.mcp.results import MemoriesAnswer, RememberAnswer, UpdateAnswer, memory_part
from memofs.wire.write import (
    Fields,
    IdsParams,
    MemoriesResult,
    MemoryResult,
    RememberParams,
    RememberResult,
    UpdateParams,
)

__all__ = ["remember", "retire", "update", "verify"]


async def remember(asking: Asking, given: RememberArguments) -> RememberAnswer:
    """The memory that was written, or that says so already. Raises RemoteError."""
    params = RememberParams(
        body=given.body,
        kind=given.kind,
        title=given.title,
        tags=given.tags,
        aliases=given.aliases,
        confidence=given.confidence,
        supersedes=given.supersedes,
        anchors=anchor_specs(asking.root, given.anchors),
        source=f"agent:{asking.client}",
    )
    done = await asking.daemon.ask("memofs/remember", params, RememberResult)
    memory = done.memory or done.duplicate_of
    if memory is None:
        raise RemoteError("the daemon wrote nothing and did not say why", family="Internal")
    is_written = done.memory is not None
    return RememberAnswer(
        memory=memory_part(memory, body=not is_written),
        written=is_written,
        pending=memory.status == "pending",
        remarks=done.remarks,
    )


async def update(asking: Asking, given: UpdateArguments) -> UpdateAnswer:
    """The memory after the change. Raises RemoteError."""
    named = {
        name: getattr(given, name)
        for name in ("body", "title", "kind", "tags", "aliases", "confidence", "supersedes")
        if getattr(given, name) is not None
    }
    if given.anchors is not None:
        named["anchors"] = anchor_specs(asking.root, given.anchors)
    if not named:
        raise RemoteError(
            "no field was given to change", family="InvalidRequest", code="noFields", hint="give body, title or tags"
        )
    fields = msgspec.structs.replace(Fields(), **named)
    params = UpdateParams(id=given.id, expected_hash=given.expected_hash, fields=fields)
    done = await asking.daemon.ask("memofs/update", params, MemoryResult)
    return UpdateAnswer(memory=memory_part(done.memory), changed=done.changed, remarks=done.remarks)


async def verify(asking: Asking, given: IdsArguments) -> MemoriesAnswer:
    """The memories, confirmed. Raises RemoteError."""
    return await _memories(asking, "memofs/verify", given)


async def retire(asking: Asking, given: IdsArguments) -> MemoriesAnswer:
    """The memories, out of recall. Raises RemoteError."""
    return await _memories(asking, "memofs/retire", given)


async def _memories(asking: Asking, method: str, given: IdsArguments) -> MemoriesAnswer:
    done = await asking.daemon.ask(method, IdsParams(ids=given.ids), MemoriesResult)
    return MemoriesAnswer(memories=tuple(map(memory_part, done.memories)), unchanged=done.unchanged)
