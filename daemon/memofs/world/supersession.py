"""Which memories are superseded, and by which.

A link counts if the memory that has it is active, or is itself superseded by one whose links count: what an old
decision replaced stays replaced when a newer one replaces that too. A pending memory replaces nothing yet, and one
that was retired without a successor no longer does: hiding what may be right is worse than showing what may be old.

Invariant: links that go round in a circle contradict each other, so those within a circle count for nothing, and the
circle is reported. What remains has an end: every superseded memory has a current successor.
"""

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Final

import msgspec

from memofs.graph.circles import circles as circles_in
from memofs.model.memory import Memory

__all__ = ["NONE", "Supersession", "relinked", "supersession"]


class Supersession(msgspec.Struct, frozen=True, kw_only=True):
    """`links` are all `supersedes` by id, `targets` what they name, known or not.

    `by` gives for every superseded memory the current one at the end of its line; `circles` are the ids of each
    circle, sorted.
    """

    links: Mapping[str, tuple[str, ...]]
    targets: frozenset[str]
    by: Mapping[str, str]
    circles: tuple[tuple[str, ...], ...] = ()


NONE: Final = Supersession(links=MappingProxyType({}), targets=frozenset(), by=MappingProxyType({}))
"""No links at all."""


def supersession(memories: Mapping[str, Memory]) -> Supersession:
    """Who supersedes whom among `memories`."""
    return _resolve({id_: memory.supersedes for id_, memory in memories.items() if memory.supersedes}, memories)


def relinked(before: Supersession, memories: Mapping[str, Memory], touched: Collection[str]) -> Supersession:
    """The same after the memories `touched` were added, changed or removed; `before` itself if no link is concerned."""
    concerned = {id_ for id_ in touched if id_ in before.links or id_ in before.targets}
    new = {id_: memories[id_].supersedes for id_ in touched if id_ in memories and memories[id_].supersedes}
    if not concerned and not new:
        return before
    links = {id_: targets for id_, targets in before.links.items() if id_ not in concerned}
    return _resolve({**links, **new}, memories)


def _resolve(links: dict[str, tuple[str, ...]], memories: Mapping[str, Memory]) -> Supersession:
    known = {id_: tuple(target for target in targets if target in memories) for id_, targets in links.items()}
    circles = list(circles_in(known))
    circle_of = {id_: place for place, circle in enumerate(circles) for id_ in circle}
    straight = {
        id_: tuple(t for t in targets if id_ not in circle_of or circle_of[id_] != circle_of.get(t))
        for id_, targets in known.items()
    }
    by = _successors(straight, memories)
    return Supersession(
        links=MappingProxyType(links),
        targets=frozenset(target for targets in links.values() for target in targets),
        by=MappingProxyType({id_: _end(id_, by) for id_ in by}),
        circles=tuple(sorted(tuple(sorted(circle)) for circle in circles)),
    )


def _successors(links: Mapping[str, tuple[str, ...]], memories: Mapping[str, Memory]) -> dict[str, str]:
    """The direct successor of every superseded memory; of several the newest, then the one with the highest id."""
    by: dict[str, str] = {}
    waiting = [id_ for id_ in links if memories[id_].status == "active"]
    counted = set(waiting)
    while waiting:
        id_ = waiting.pop()
        for target in links[id_]:
            if target not in by or _age(memories[by[target]]) < _age(memories[id_]):
                by[target] = id_
            if target in links and target not in counted and memories[target].status == "retired":
                counted.add(target)
                waiting.append(target)
    return by


def _age(memory: Memory) -> tuple[int, str]:
    return (memory.created_ms if memory.created_ms is not None else -(2**62), memory.id)


def _end(id_: str, by: Mapping[str, str]) -> str:
    while id_ in by:
        id_ = by[id_]
    return id_
