"""The memories that have anything to do with a question, with all that decides about them side by side.

Invariant: arrays are (n_candidates,), slots ascending. Evidence is the original's base score, with what a title adds
to it; it decides whether anything is shown. Rank orders; in the classic ranking it is the evidence.
"""

from collections.abc import Iterable

import msgspec
import numpy as np

from memofs.model.config import Ranking
from memofs.recall.arrays import Bools, Floats, Rows
from memofs.recall.bm25 import saturate
from memofs.recall.fusion import BONUS, FusionWeights, base, blend, clamp, weights
from memofs.recall.pool import Pool
from memofs.recall.rank import Ranked
from memofs.recall.signals import WordSignals

__all__ = ["Candidates", "candidates", "chosen", "evidence_of", "highest"]

_RERANK_SHARE = 0.2
"""Of coverage in the evidence; the original leaves half to its reranker."""
_TITLE_SHARE = 0.2
"""Of what the words in a title tell of the question, on top."""
_CLASSIC_RERANK_SHARE = 0.5
_CLASSIC_WORDS_POOL, _CLASSIC_VECTOR_POOL = 2, 3
"""Times the number asked for."""


class Candidates(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """`named` are kept whatever happens; `cosine` is NaN where a memory has no vector, None if there are none."""

    slots: Rows
    words: Floats
    coverage: Floats
    title: Floats
    evidence: Floats
    rank: Floats
    named: Bools
    cosine: Floats | None = None


def candidates(
    pool: Pool,
    signals: WordSignals,
    ranked: Ranked,
    *,
    named: Iterable[int],
    meaning: Floats | None = None,
    ranking: Ranking = "adaptive",
    limit: int = 10,
) -> Candidates:
    """The memories of the pool as candidates; `named` are slots in it, `meaning` is (n_pool,).

    With `ranking="classic"` only the original's pools: 2·limit by words, and 3·limit by meaning.
    """
    is_named = np.zeros(len(pool.slots), dtype=np.bool_)
    is_named[pool.places[list(named)]] = True
    evidence = evidence_of(
        signals.words,
        signals.coverage,
        meaning,
        word_hits=signals.word_hits,
        share=_CLASSIC_RERANK_SHARE if ranking == "classic" else _RERANK_SHARE,
    )
    if ranking != "classic" and signals.information > 0.0:
        evidence = clamp(evidence + _TITLE_SHARE * signals.title / signals.information)
    whole = Candidates(
        slots=pool.slots,
        words=signals.words,
        coverage=signals.coverage,
        title=signals.title,
        evidence=evidence,
        rank=evidence if ranking == "classic" else ranked.rank,
        named=is_named,
        cosine=meaning,
    )
    if ranking != "classic":
        return whole
    best = highest(signals.steered, _CLASSIC_WORDS_POOL * limit) | is_named
    if meaning is not None:
        best |= highest(np.nan_to_num(meaning, nan=0.0), _CLASSIC_VECTOR_POOL * limit)
    return chosen(whole, best)


def chosen(among: Candidates, mask: Bools) -> Candidates:
    """The candidates of the mask."""
    return Candidates(
        slots=among.slots[mask],
        words=among.words[mask],
        coverage=among.coverage[mask],
        title=among.title[mask],
        evidence=among.evidence[mask],
        rank=among.rank[mask],
        named=among.named[mask],
        cosine=None if among.cosine is None else among.cosine[mask],
    )


def evidence_of(
    words: Floats, coverage: Floats, cosine: Floats | None, *, word_hits: bool, share: float = _RERANK_SHARE
) -> Floats:
    """Evidence in [0, 1]: the original's dynamic weights and bonus over cosine and saturated BM25, and coverage.

    A memory that has no vector yet is judged by its words alone. `word_hits` says whether any memory has a word of
    the question or a typo of one; fragments are not enough for that.
    """
    lexical = saturate(words)
    by_words = FusionWeights(0.0, 1.0)
    zero = np.zeros(len(words))
    if cosine is None:
        return blend(base(zero, lexical, by_words), coverage, share=share)
    embedded = ~np.isnan(cosine)
    vector = np.where(embedded, cosine, 0.0)
    weighed = weights(vector_hits=bool((vector > 0.0).any()), lexical_hits=word_hits) or by_words
    fused = np.where(
        embedded, base(vector, lexical, weighed, bonus=BONUS if word_hits else 0.0), base(zero, lexical, by_words)
    )
    return blend(fused, coverage, share=share)


def highest(values: Floats, count: int) -> Bools:
    """The mask of the `count` highest values above 0; more where the last ones are equal."""
    positive = values > 0.0
    if count >= len(values):
        return positive
    return positive & (values >= np.partition(values, -count)[-count])
