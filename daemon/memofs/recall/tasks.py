"""What a task type looks for: words to steer by, and the kinds of memory that answer it."""

import pkgutil
from collections.abc import Mapping
from functools import cache

import msgspec

__all__ = ["Task", "task", "tasks"]


class Task(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`phrase` goes in front of a query, `terms` behind it; `kinds` are the memories it is after."""

    phrase: str
    terms: tuple[str, ...]
    kinds: tuple[str, ...]


@cache
def tasks() -> Mapping[str, Task]:
    """Return every task type that steers, by name; `general` does not."""
    data = pkgutil.get_data("memofs.recall", "data/tasks.json")
    if data is None:  # only a loader without data support can cause this
        raise FileNotFoundError("memofs/recall/data/tasks.json")
    return msgspec.json.decode(data, type=dict[str, Task])


def task(name: str | None) -> Task | None:
    """Return the task type `name`, or None where nothing steers."""
    return None if name is None else tasks().get(name)
