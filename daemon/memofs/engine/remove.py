"""Forgetting for good, and taking back the last write."""

from collections.abc import Sequence

import msgspec

from memofs.engine.engine import Engine
from memofs.engine.modify import check_editable
from memofs.engine.places import ARCHIVE
from memofs.model.memory import Memory

__all__ = ["Forgotten", "Undone", "forget", "undo"]


class Forgotten(msgspec.Struct, frozen=True, kw_only=True):
    """What is gone, which of the files git history still has, and which archives of notes.md still say it."""

    forgotten: tuple[Memory, ...]
    in_git: tuple[str, ...] = ()
    in_archives: tuple[str, ...] = ()


class Undone(msgspec.Struct, frozen=True, kw_only=True):
    """The write that was taken back, its files, and the memories that these hold now."""

    type: str
    summary: str
    timestamp: str
    paths: tuple[str, ...]
    memories: tuple[Memory, ...]


def forget(engine: Engine, memories: Sequence[Memory], *, actor: str) -> Forgotten:
    """Remove files, index entries, undo bytes and snapshot copies. Raises Conflict, Unavailable."""
    for memory in memories:
        check_editable(memory)
    in_git = engine.store.git.tracked(memory.path for memory in memories)
    engine.forget(memories, actor=actor)
    return Forgotten(
        forgotten=tuple(memories), in_git=tuple(sorted(in_git)), in_archives=_archives_with(engine, memories)
    )


def undo(engine: Engine, *, actor: str, skip: bool = False) -> Undone:
    """Take back the newest write that was not taken back yet.

    With `skip`, writes whose files were changed since are passed over. Raises NotFound if there is none, Conflict if
    what it wrote was changed since.
    """
    done = engine.undo(actor=actor, skip=skip)
    paths = frozenset(done.paths)
    return Undone(
        type=done.type,
        summary=done.summary,
        timestamp=done.timestamp,
        paths=done.paths,
        memories=tuple(memory for memory in engine.world.memories.values() if memory.path in paths),
    )


def _archives_with(engine: Engine, memories: Sequence[Memory]) -> tuple[str, ...]:
    """The migrated logs that still say one of the memories: a person's to delete, since they hold others too."""
    texts = [memory.body.strip() for memory in memories if memory.body.strip()]
    found: list[str] = []
    for path in sorted((engine.root / ARCHIVE).glob("*.md")):
        try:
            held = path.read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        if any(text in held for text in texts):
            found.append(path.relative_to(engine.root).as_posix())
    return tuple(found)
