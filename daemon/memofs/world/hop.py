"""One step along curated relations: memories that answer nothing themselves and belong to one that does.

A relation is followed both ways, except that nothing leads to what `supersedes` names: an old memory leads to the new
one and not back. The step ends at memories that hold today.

Invariant: a memory reached so scores below the one it was reached from, is never one that was kept for itself, and
takes a place in the answer only where one is left: leaving the layer out takes away what it brought and nothing else.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import numpy as np

from memofs.model.relation import Relation
from memofs.recall.arrays import Bools
from memofs.recall.candidates import Candidates
from memofs.recall.duplicates import folded
from memofs.recall.fusion import penalty, round_score
from memofs.recall.index import id_at, slot_of
from memofs.recall.layers import Layers
from memofs.recall.order import Scores
from memofs.recall.workings import Via
from memofs.world.state import World, flags

__all__ = ["MOST_NEIGHBOURS", "VIA_SHARE", "reached", "with_reached"]

MOST_NEIGHBOURS: Final = 3
"""Of each memory, in the order of the file."""
VIA_SHARE: Final = 0.5
"""What a neighbour has of the score of the memory that leads to it, before it is demoted itself."""


def reached(
    world: World, mask: Bools, kept: Candidates, scored: Scores, sources: Iterable[int], *, used: Layers, now_ms: int
) -> Mapping[int, Via]:
    """The neighbours of the slots `sources`, by slot, as far as `mask` lets them be found; of several ways the best."""
    found: dict[int, Via] = {}
    if not world.relations:
        return found
    own = frozenset(kept.slots.tolist())
    for source in sources:
        score = float(scored.final[int(np.searchsorted(kept.slots, source))])
        count = 0
        for relation, slot in _ends(world, id_at(world.index, source)):
            if count < MOST_NEIGHBOURS and slot not in own and mask[slot]:
                count += 1
                via = _via(world, slot, source, relation, score, used=used, now_ms=now_ms)
                if via.final < score and (slot not in found or found[slot].final < via.final):
                    found[slot] = via
    return found


def with_reached(
    world: World,
    shown: Sequence[int],
    found: Mapping[int, Via],
    kept: Candidates,
    scored: Scores,
    *,
    limit: int,
    used: Layers,
) -> list[int]:
    """What is shown and, up to `limit`, the best of what was reached: named ones first, then by score, ties by id.

    What nearly repeats a memory that is shown anyway is left out.
    """
    if not found or len(shown) >= limit:
        return list(shown)
    both = [*shown, *sorted(found, key=lambda slot: (-found[slot].final, id_at(world.index, slot)))]
    if used.folding:
        both, _ = folded(world.index, both, limit=len(both))

    def key(slot: int) -> tuple[bool, float, str]:
        via = found.get(slot)
        if via is not None:
            return True, -via.final, id_at(world.index, slot)
        place = int(np.searchsorted(kept.slots, slot))
        return not kept.named[place], -float(scored.final[place]), id_at(world.index, slot)

    return sorted(both[:limit], key=key)


def _ends(world: World, id_: str) -> Iterable[tuple[Relation, int]]:
    """The other ends of a memory's relations that hold today, each once."""
    seen: set[str] = set()
    for relation in world.relations.get(id_, ()):
        other = relation.other(id_)
        memory, slot = world.memories.get(other), slot_of(world.index, other)
        is_replaced = relation.type == "supersedes" and relation.target == other
        if memory is None or slot is None or other in seen or is_replaced:
            continue
        seen.add(other)
        if memory.status == "active" and other not in world.superseded_by:
            yield relation, slot


def _via(world: World, slot: int, source: int, relation: Relation, score: float, *, used: Layers, now_ms: int) -> Via:
    told = flags(world, world.memories[id_at(world.index, slot)], now_ms)
    drifted, unverified = used.drift and "stale" in told, used.decay and "unverified" in told
    composite = round_score(VIA_SHARE * score)
    return Via(
        source=source,
        relation=relation,
        composite=composite,
        drift=penalty(drifted=drifted, unverified=False),
        decay=penalty(drifted=False, unverified=unverified),
        final=round_score(composite * penalty(drifted=drifted, unverified=unverified)),
    )
