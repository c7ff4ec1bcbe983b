"""The score of what is kept: relevance, recency and confidence, then what drift and age take away.

Invariant: demotion comes before the cut, and the order is made anew after it.
"""

import msgspec
import numpy as np

from memofs.model.config import Ranking
from memofs.recall.arrays import Bools, Floats
from memofs.recall.candidates import Candidates, highest
from memofs.recall.confidence import confidence
from memofs.recall.fusion import clamp, composite, penalty, round_score
from memofs.recall.index import LexicalIndex, column, gather, id_at
from memofs.recall.rank import relevance
from memofs.recall.recency import DAY_MS, recency
from memofs.recall.segment import NO_DATE

__all__ = ["TASK_KIND_BONUS", "Scores", "in_order", "newest_first", "scores"]

TASK_KIND_BONUS = 0.02
"""What a memory gains whose kind is among those that the task is after: it rises among equals. With .05 single sets
lost R@5 (tests/bench/quality.py)."""


class Scores(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """Arrays (n_kept,) beside the candidates they belong to; `drift` and `decay` are factors, 1 for none."""

    relevance: Floats
    recency: Floats
    confidence: Floats
    composite: Floats
    drift: Floats
    decay: Floats
    final: Floats


def scores(
    index: LexicalIndex,
    kept: Candidates,
    *,
    now_ms: int,
    stale: Bools,
    unverified: Bools,
    task_kinds: Bools,
    ranking: Ranking = "adaptive",
) -> Scores:
    """The scores of `kept`, the masks beside them. In the classic ranking relevance is the evidence itself."""
    newest = gather(index, kept.slots, lambda segment: segment.newest_ms, np.int64)
    stated = gather(index, kept.slots, lambda segment: segment.confidence, np.float64)
    days = np.where(newest == NO_DATE, np.nan, (now_ms - newest.astype(np.float64)) / DAY_MS)
    relevant = kept.evidence if ranking == "classic" else relevance(kept.rank, kept.evidence)
    fresh, sure = recency(days), confidence(stated)
    whole = composite(relevant, fresh, sure) + TASK_KIND_BONUS * task_kinds
    drifted, aged = stale.astype(np.intp), unverified.astype(np.intp)
    factors = np.array([[penalty(drifted=d, unverified=u) for u in (False, True)] for d in (False, True)])
    total = round_score(clamp(whole))
    return Scores(
        relevance=relevant,
        recency=fresh,
        confidence=sure,
        composite=total,
        drift=factors[drifted, 0],
        decay=factors[0, aged],
        final=round_score(total * factors[drifted, aged]),
    )


def in_order(index: LexicalIndex, kept: Candidates, final: Floats, *, count: int) -> list[int]:
    """The places in `kept` of at least the `count` best: named ones first, then by score, ties by id."""
    first = np.flatnonzero(kept.named | highest(final + 1.0, count))
    keyed = [
        (not is_named, -score, id_at(index, slot), place)
        for place, is_named, score, slot in zip(
            first.tolist(), kept.named[first].tolist(), final[first].tolist(), kept.slots[first].tolist(), strict=True
        )
    ]
    return [place for _, _, _, place in sorted(keyed)]


def newest_first(index: LexicalIndex, mask: Bools, *, most: int) -> list[int]:
    """The slots of at most so many of the masked memories, newest first, those without a date last, ties by id."""
    if most <= 0:
        return []
    newest = column(index, lambda segment: segment.newest_ms, np.int64)
    slots = np.flatnonzero(mask)
    if len(slots) > most:
        slots = slots[newest[slots] >= np.partition(newest[slots], -most)[-most]]
    keyed = sorted((-int(newest[slot]), id_at(index, slot), slot) for slot in slots.tolist())
    return [slot for _, _, slot in keyed[:most]]
