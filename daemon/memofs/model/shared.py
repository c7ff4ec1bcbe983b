"""A large read-only mapping that those that come after it share, and the few entries that differ since.

Invariant: nothing changes after construction. `changed` copies the small part only, and folds it into a new large part
once it has grown, so a change costs as much at a hundred thousand entries as at a hundred, most of the time.
"""

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final, NoReturn, TypeVar

__all__ = ["Shared", "changed", "shared"]

_FOLD: Final = 512

K = TypeVar("K")
V = TypeVar("V")


class Shared(Mapping[K, V]):
    """A read-only mapping; `base` and `overlay` are its parts, None in the overlay marks what is gone."""

    __slots__ = ("_len", "base", "overlay")

    base: Mapping[K, V]
    overlay: Mapping[K, V | None]
    _len: int

    def __init__(self, base: Mapping[K, V], overlay: Mapping[K, V | None]) -> None:
        new = sum(1 for key, value in overlay.items() if value is not None and key not in base)
        gone = sum(1 for key, value in overlay.items() if value is None and key in base)
        object.__setattr__(self, "base", MappingProxyType(base))
        object.__setattr__(self, "overlay", MappingProxyType(overlay))
        object.__setattr__(self, "_len", len(base) + new - gone)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        msg = f"{type(self).__name__} is frozen: {name} cannot be set to {value!r}"
        raise AttributeError(msg)

    def __getitem__(self, key: K) -> V:
        if key not in self.overlay:
            return self.base[key]
        found = self.overlay[key]
        if found is None:
            raise KeyError(key)
        return found

    def __contains__(self, key: object) -> bool:
        if key in self.overlay:
            return self.overlay[key] is not None  # pyright: ignore[reportArgumentType]
        return key in self.base

    def __iter__(self) -> Iterator[K]:
        for key in self.base:
            if key not in self.overlay:
                yield key
        for key, value in self.overlay.items():
            if value is not None:
                yield key

    def __len__(self) -> int:
        return self._len


def shared(entries: Mapping[K, V]) -> Shared[K, V]:
    """The mapping of these entries, which nobody else may hold."""
    return Shared(entries, {})


def changed(before: Shared[K, V], *, put: Mapping[K, V], removed: Iterable[K] = ()) -> Shared[K, V]:
    """The mapping with `put` added or replaced and `removed` gone; a key in both is put."""
    overlay: dict[K, V | None] = {**before.overlay, **dict.fromkeys(removed), **put}
    if len(overlay) == len(before.overlay) == 0:
        return before
    if len(overlay) <= _FOLD:
        return Shared(before.base, overlay)
    base = dict(before.base)
    for key, value in overlay.items():
        if value is None:
            base.pop(key, None)
        else:
            base[key] = value
    return Shared(base, {})
