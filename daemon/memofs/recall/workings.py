"""Everything that one recall worked out, kept together for whoever writes the answer or explains it."""

from collections.abc import Mapping

import msgspec

from memofs.model.relation import Relation
from memofs.recall.arrays import Bools
from memofs.recall.candidates import Candidates
from memofs.recall.decide import Decision, Limits
from memofs.recall.layers import Layers
from memofs.recall.lookup import Lookup
from memofs.recall.order import Scores
from memofs.recall.pool import Pool
from memofs.recall.question import Question
from memofs.recall.rank import Ranked
from memofs.recall.signals import WordSignals

__all__ = ["Via", "Workings"]


class Via(msgspec.Struct, frozen=True, kw_only=True):
    """How a memory was reached: from the slot `source`, along `relation`; scores as in `Scores`."""

    source: int
    relation: Relation
    composite: float
    drift: float
    decay: float
    final: float


class Workings(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """The stages of one recall, in order, of the layers in use.

    `calibrated`: the limits are not the usual ones. `names` gives the key of the name by which a slot was named,
    `entities` the entity of the question that a slot speaks of.
    `among` are all candidates; `kept` those that may be shown, with `scored` beside them and `wanted` (n_kept,) for
    those with a flag that was asked for. `via` are those reached along a relation, by slot. `shown` are the slots of
    the hits, best first; `repeats` gives for a near-duplicate the slot that is shown in its place. `by_lexicon` says
    that nothing passed the cut and what is kept only matches an expansion, `by_meaning` (n_kept,) what only the cosine
    lets in.
    """

    used: Layers
    words_only: bool
    calibrated: bool
    lookup: Lookup
    pool: Pool
    question: Question
    signals: WordSignals
    ranked: Ranked
    names: Mapping[int, str]
    entities: Mapping[int, str]
    among: Candidates
    limits: Limits
    decision: Decision
    kept: Candidates
    by_meaning: Bools
    by_lexicon: bool
    scored: Scores
    wanted: Bools
    via: Mapping[int, Via]
    shown: tuple[int, ...]
    repeats: Mapping[int, int]
