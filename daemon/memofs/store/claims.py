"""Two memories with one id, told apart. Pure.

Invariant: an id is shown once. The oldest memory that claims it keeps it; every other is known by an id that follows
from where it stands, so that it stays the same from one reading to the next, and carries a Problem.
"""

from collections.abc import Iterable, Mapping

import msgspec

from memofs.model.memory import Memory
from memofs.model.problem import Problem
from memofs.store.cache import FileRecord
from memofs.text.identity import derived_id

__all__ = ["Claims", "Shown"]

_NS_PER_MS = 1_000_000


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """A file's memories as the rest of the program knows them."""

    memories: tuple[Memory, ...] = ()
    problems: tuple[Problem, ...] = ()


class Claims:
    """Which files claim which ids. Invariant: follows `put` and `drop` exactly, whatever their order."""

    def __init__(self) -> None:
        self._paths: dict[str, set[str]] = {}

    def put(self, record: FileRecord) -> None:
        """Note the ids that a file says."""
        for memory in record.memories:
            self._paths.setdefault(memory.id, set()).add(record.path)

    def drop(self, record: FileRecord) -> None:
        """Forget the ids that a file said."""
        for memory in record.memories:
            paths = self._paths.get(memory.id)
            if paths is not None:
                paths.discard(record.path)
                if not paths:
                    del self._paths[memory.id]

    def sharing(self, records: Iterable[FileRecord]) -> set[str]:
        """The paths that claim any of the ids that the records say."""
        return {path for record in records for memory in record.memories for path in self._paths.get(memory.id, ())}

    def shown(self, record: FileRecord, files: Mapping[str, FileRecord]) -> Shown:
        """The file's memories, each under an id of its own."""
        ids = [memory.id for memory in record.memories]
        if len(set(ids)) == len(ids) and all(len(self._paths[id_]) == 1 for id_ in ids):
            return Shown(memories=record.memories)
        memories: list[Memory] = []
        problems: list[Problem] = []
        for place, memory in enumerate(record.memories):
            owner, owner_place = self._owner(memory.id, files)
            if (owner, owner_place) == (record.path, place):
                memories.append(memory)
                continue
            # "duplicate" keeps this apart from the id that a plain markdown file has from its path.
            name = f"duplicate\n{record.path}" + (f"\n{place}" if place else "")
            other = derived_id(name)
            memories.append(msgspec.structs.replace(memory, id=other))
            problems.append(
                Problem(
                    path=record.path,
                    code="duplicateId",
                    message=f"has the id of {owner} ({memory.id}); known as {other} meanwhile",
                    line=memory.line,
                    hint="memofs doctor --fix gives it an id of its own",
                    severity="warning",
                )
            )
        return Shown(memories=tuple(memories), problems=tuple(problems))

    def _owner(self, id_: str, files: Mapping[str, FileRecord]) -> tuple[str, int]:
        claims = [
            (_age_ms(memory, record), path, place)
            for path in self._paths[id_]
            if (record := files.get(path)) is not None
            for place, memory in enumerate(record.memories)
            if memory.id == id_
        ]
        _, path, place = min(claims)
        return path, place


def _age_ms(memory: Memory, record: FileRecord) -> int:
    return memory.created_ms if memory.created_ms is not None else record.stamp.mtime_ns // _NS_PER_MS
