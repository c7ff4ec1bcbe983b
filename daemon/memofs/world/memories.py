"""All memories by id: a large mapping that is shared, and the few entries that have changed since.

Invariant: nothing changes after construction. `changed` copies the small part only, and folds it into a new large
part once it has grown, so a write costs as much at a hundred thousand memories as at a hundred, most of the time.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final, NoReturn

from memofs.model.memory import Memory

__all__ = ["Memories", "changed", "memories_of"]

_FOLD: Final = 512


class Memories(Mapping[str, Memory]):
    """A read-only mapping; `base` and `overlay` are its parts, None in the overlay marks what is gone."""

    __slots__ = ("_len", "base", "overlay")

    base: Mapping[str, Memory]
    overlay: Mapping[str, Memory | None]
    _len: int

    def __init__(self, base: Mapping[str, Memory], overlay: Mapping[str, Memory | None]) -> None:
        new = sum(1 for id_, memory in overlay.items() if memory is not None and id_ not in base)
        gone = sum(1 for id_, memory in overlay.items() if memory is None and id_ in base)
        object.__setattr__(self, "base", MappingProxyType(base))
        object.__setattr__(self, "overlay", MappingProxyType(overlay))
        object.__setattr__(self, "_len", len(base) + new - gone)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        msg = f"Memories is frozen: {name} cannot be set to {value!r}"
        raise AttributeError(msg)

    def __getitem__(self, id_: str) -> Memory:
        found = self.overlay.get(id_, self) if self.overlay else self
        if found is self:
            return self.base[id_]
        if not isinstance(found, Memory):
            raise KeyError(id_)
        return found

    def __iter__(self) -> Iterator[str]:
        for id_ in self.base:
            if id_ not in self.overlay:
                yield id_
        for id_, memory in self.overlay.items():
            if memory is not None:
                yield id_

    def __len__(self) -> int:
        return self._len


def memories_of(memories: Iterable[Memory]) -> Memories:
    """The mapping of these memories; the last of two with one id counts."""
    return Memories({memory.id: memory for memory in memories}, {})


def changed(memories: Memories, *, put: Iterable[Memory], removed: Collection[str]) -> Memories:
    """The mapping with `put` added or replaced and `removed` gone; an id in both is put."""
    overlay: dict[str, Memory | None] = {**memories.overlay, **dict.fromkeys(removed)}
    overlay.update({memory.id: memory for memory in put})
    if len(overlay) <= _FOLD:
        return Memories(memories.base, overlay)
    base = dict(memories.base)
    for id_, memory in overlay.items():
        if memory is None:
            base.pop(id_, None)
        else:
            base[id_] = memory
    return Memories(base, {})
