"""Changing memories that exist: fields, whole text, status. Their anchors are anchor_edit.py's."""

from collections.abc import Callable, Sequence

import msgspec

from memofs.engine.clock import now_ms
from memofs.engine.draft import checked_body, checked_kind, checked_labels, checked_title, title_from
from memofs.engine.engine import Engine
from memofs.engine.lookup import find_all, find_one
from memofs.engine.secrecy import refuse_secrets
from memofs.model.errors import Conflict, InvalidRequest
from memofs.model.memory import Anchor, Memory, Status
from memofs.store.edit import Edit
from memofs.text.fields import Changes
from memofs.text.memory_file import known_kinds, parse_memory_file, rewrite

__all__ = [
    "Changed",
    "Lost",
    "check_editable",
    "check_hash",
    "chosen",
    "fresh",
    "replace_text",
    "rewritten",
    "set_status",
    "update",
]


class Lost(msgspec.Struct, frozen=True, kw_only=True):
    """An anchor that was not confirmed: its code was not found, or, as `fault` says, could not be looked at."""

    memory_id: str
    index: int
    anchor: Anchor
    fault: str | None = None


class Changed(msgspec.Struct, frozen=True, kw_only=True):
    """The memories after the change, the ids of those that were so already, and what could not be confirmed."""

    memories: tuple[Memory, ...] = ()
    unchanged: tuple[str, ...] = ()
    lost: tuple[Lost, ...] = ()


def chosen(
    engine: Engine, *, ids: Sequence[str] = (), at_paths: Callable[[], Sequence[Memory]], everything: bool = False
) -> tuple[Memory, ...]:
    """The memories that a request names. Raises InvalidRequest if it names none."""
    engine.refresh()
    world = engine.world
    if everything:
        return tuple(world.memories.values())
    found = {memory.id: memory for memory in (*find_all(world.memories, ids, problems=world.problems), *at_paths())}
    if not found:
        raise InvalidRequest("nothingNamed", "no memory was named", "give an id; memofs list shows them")
    return tuple(found.values())


def update(
    engine: Engine,
    text: str,
    fields: Changes,
    *,
    actor: str,
    expected_hash: str | None = None,
    allow_secrets: bool = False,
) -> Changed:
    """The memory with the fields set; a change of body or anchors also verifies it.

    Raises NotFound, InvalidRequest, Refused, and Conflict if the file is not what `expected_hash` says.
    """
    memory = fresh(engine, text)
    check_hash(memory, expected_hash)
    changes = _checked(fields, engine)
    if "body" in changes and "title" not in changes and memory.title == title_from(memory.body):
        changes["title"] = title_from(changes["body"])  # nobody gave one: it says what the text says
    if memory.id in changes.get("supersedes", ()):
        said = f"{memory.id} cannot supersede itself"
        raise InvalidRequest("supersedesItself", said, "name the memory that it replaces")
    same = {name: value for name, value in changes.items() if getattr(memory, name) == value}
    if same.keys() == changes.keys():
        return Changed(memories=(memory,), unchanged=(memory.id,))
    if not allow_secrets:
        refuse_secrets(changes.get("title", ""), changes.get("body", ""), *changes.get("tags", ()))
    moment_ms = now_ms()
    changes["updated_ms"] = moment_ms
    if "body" in changes or "anchors" in changes:
        changes["verified_ms"] = moment_ms
    return rewritten(engine, [(memory, changes)], kind="update", actor=actor)


def replace_text(
    engine: Engine,
    text: str,
    new_text: str,
    *,
    actor: str,
    expected_hash: str | None = None,
    allow_secrets: bool = False,
) -> Changed:
    """The memory with its whole file replaced, as an editor left it; `updated` is set if the editor did not.

    Raises InvalidRequest if the text cannot be read back as this memory, Refused, Conflict.
    """
    memory = fresh(engine, text)
    check_editable(memory)
    check_hash(memory, expected_hash)
    before = engine.store.read_bytes(memory.path)
    data = _encoded(new_text)
    if data == before:
        return Changed(memories=(memory,), unchanged=(memory.id,))
    parsed = parse_memory_file(
        memory.path, data, now_ms=now_ms(), kinds=known_kinds(engine.world.config.kinds), times=None
    )
    for problem in parsed.problems:
        if problem.severity != "info":
            raise InvalidRequest(problem.code, f"line {problem.line + 1}: {problem.message}", problem.hint)
    after = parsed.memories[0]
    if memory.origin == "file" and after.origin != "file":
        raise InvalidRequest(
            "frontMatter",
            "the front matter is gone, and with it the id, kind and dates",
            "keep the lines between the two --- at the top",
        )
    if after.origin == "file" and after.id != memory.id:
        raise InvalidRequest("changedId", f"the id was changed from {memory.id} to {after.id}", "leave the id as it is")
    checked_body(after.body)
    if not allow_secrets:
        refuse_secrets(new_text)
    if after.origin == "file" and after.updated_ms == memory.updated_ms:
        moment_ms = now_ms()
        stamps: Changes = {"updated_ms": moment_ms}
        if after.body != memory.body and after.verified_ms == memory.verified_ms:
            stamps["verified_ms"] = moment_ms
        data = rewrite(after, data, stamps)
    return _committed(engine, [(memory, before, data)], kind="edit", actor=actor)


def set_status(engine: Engine, memories: Sequence[Memory], status: Status, *, kind: str, actor: str) -> Changed:
    """The memories with the status; those that have it already are left alone."""
    moment_ms = now_ms()
    wanted: list[tuple[Memory, Changes]] = [
        (memory, {"status": status, "updated_ms": moment_ms}) for memory in memories if memory.status != status
    ]
    unchanged = tuple(memory.id for memory in memories if memory.status == status)
    changed = rewritten(engine, wanted, kind=kind, actor=actor)
    return Changed(memories=changed.memories, unchanged=unchanged)


def rewritten(engine: Engine, wanted: Sequence[tuple[Memory, Changes]], *, kind: str, actor: str) -> Changed:
    """The memories with these fields, written as one batch. Raises Conflict, Unavailable."""
    prepared: list[tuple[Memory, bytes, bytes]] = []
    for memory, changes in wanted:
        check_editable(memory)
        before = engine.store.read_bytes(memory.path)
        prepared.append((memory, before, rewrite(memory, before, changes)))
    return _committed(engine, prepared, kind=kind, actor=actor)


def _committed(engine: Engine, prepared: Sequence[tuple[Memory, bytes, bytes]], *, kind: str, actor: str) -> Changed:
    if not prepared:
        return Changed()
    edits = [
        Edit(
            path=memory.path,
            before_digest=memory.digest,
            after=after,
            memory_id=memory.id,
            summary=memory.title,
        )
        for memory, _, after in prepared
    ]
    summary = prepared[0][0].title if len(prepared) == 1 else f"{len(prepared)} memories"
    engine.commit(edits, kind=kind, actor=actor, summary=summary)
    return Changed(memories=tuple(engine.world.memories[memory.id] for memory, _, _ in prepared))


def _checked(fields: Changes, engine: Engine) -> Changes:
    changes: Changes = {**fields}
    if "title" in changes:
        changes["title"] = checked_title(changes["title"])
    if "body" in changes:
        changes["body"] = checked_body(changes["body"])
    if "kind" in changes:
        changes["kind"] = checked_kind(changes["kind"], engine.world.config.kinds)
    if "tags" in changes:
        changes["tags"] = checked_labels("tags", changes["tags"])
    if "aliases" in changes:
        changes["aliases"] = checked_labels("aliases", changes["aliases"])
    if "supersedes" in changes:
        found = find_all(engine.world.memories, changes["supersedes"])
        changes["supersedes"] = tuple(memory.id for memory in found)
    return changes


def fresh(engine: Engine, text: str) -> Memory:
    """The memory as its file says it now: a hand edit on disk wins over what was read before."""
    memory = find_one(engine.world.memories, text, problems=engine.world.problems)
    engine.refresh([memory.path])
    return find_one(engine.world.memories, text, problems=engine.world.problems)


def check_hash(memory: Memory, expected_hash: str | None) -> None:
    """Return if the memory's file is what the caller saw, or it does not matter. Raises Conflict."""
    if expected_hash is not None and expected_hash != memory.digest:
        raise Conflict(
            "changedOnDisk",
            f"{memory.path} was changed since it was read",
            "read it again and repeat the change",
        )


def check_editable(memory: Memory) -> None:
    """Return if the memory's file can be rewritten. Raises Conflict for an entry of notes.md."""
    if memory.origin == "log":
        raise Conflict(
            "logEntry",
            f"{memory.id} is an entry of notes.md, which is read and never rewritten",
            "memofs migrate turns its entries into files",
        )


def _encoded(text: str) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InvalidRequest("notText", "the text is not valid UTF-8") from error
