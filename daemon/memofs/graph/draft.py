"""A mapping in the making: what a change makes of a shared one, kept beside it until it is done.

Invariant: the mapping before stays what it was.
"""

from typing import Final, Generic, TypeVar

from memofs.model.shared import Shared, changed

__all__ = ["Draft"]

K = TypeVar("K")
V = TypeVar("V")


class _Unknown:
    """What a draft says of a key that it has not touched."""


_UNKNOWN: Final = _Unknown()


class Draft(Generic[K, V]):
    """A mapping in the making: the one before, and what is different. None stands for what is gone."""

    def __init__(self, before: Shared[K, V]) -> None:
        self._before = before
        self._new: dict[K, V | None] = {}

    def get(self, key: K) -> V | None:
        """The value now; None if there is none."""
        found = self._new.get(key, _UNKNOWN)
        return self._before.get(key) if isinstance(found, _Unknown) else found

    def put(self, key: K, value: V | None) -> None:
        """Set the value; None takes it out."""
        if value is not None or key in self._before:
            self._new[key] = value
        else:
            self._new.pop(key, None)

    def done(self) -> Shared[K, V]:
        """The mapping as it is now."""
        put = {key: value for key, value in self._new.items() if value is not None}
        return changed(self._before, put=put, removed=[key for key in self._new if key not in put])
