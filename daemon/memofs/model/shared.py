"""A large read-only mapping that those that come after it share, and the few entries that differ since.

Invariant: nothing changes after construction. `changed` copies the small part only, and folds it into a new large part
once it has grown, so a change costs as much at a hundred thousand entries as at a hundred, most of the time.
"""

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final, NoReturn, TypeVar, overload

__all__ = ["Shared", "changed", "shared"]

_FOLD: Final = 512

K = TypeVar("K")
V = TypeVar("V")
D = TypeVar("D")


class Shared(Mapping[K, V]):
    """A read-only mapping; `base` and `overlay` are its parts, None in the overlay marks what is gone."""

    __slots__ = ("base", "overlay")

    base: MappingProxyType[K, V]
    overlay: MappingProxyType[K, V | None]

    def __init__(self, base: Mapping[K, V], overlay: Mapping[K, V | None]) -> None:
        object.__setattr__(self, "base", MappingProxyType(base))
        object.__setattr__(self, "overlay", MappingProxyType(overlay))

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

    @overload
    def get(self, key: K, default: None = None, /) -> V | None: ...
    @overload
    def get(self, key: K, default: V | D, /) -> V | D: ...
    def get(self, key: K, default: V | D | None = None, /) -> V | D | None:
        """The value, or the default where there is none."""
        found = self.overlay[key] if key in self.overlay else self.base.get(key)
        return default if found is None else found

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
        new = sum(1 for key, value in self.overlay.items() if value is not None and key not in self.base)
        gone = sum(1 for key, value in self.overlay.items() if value is None and key in self.base)
        return len(self.base) + new - gone


def shared(entries: Mapping[K, V]) -> Shared[K, V]:
    """The mapping of these entries, which nobody else may hold."""
    return Shared(entries, {})


def changed(before: Shared[K, V], *, put: Mapping[K, V], removed: Iterable[K] = ()) -> Shared[K, V]:
    """The mapping with `put` added or replaced and `removed` gone; a key in both is put."""
    gone = dict.fromkeys(removed)
    if not put and not gone:
        return before
    overlay: dict[K, V | None] = {**before.overlay, **gone, **put}
    if len(overlay) <= _FOLD:
        return Shared(before.base, overlay)
    base = before.base.copy()  # dict() of a read-only mapping would ask for each of its keys
    for key, value in overlay.items():
        if value is None:
            base.pop(key, None)
        else:
            base[key] = value
    return Shared(base, {})
