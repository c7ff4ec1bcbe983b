"""Which layers of ranking are in use: what `without` in config.json leaves out.

Invariant: a layer that is left out changes nothing but what it does: what it would have found, weighed, demoted or
folded. Facts about a memory (stale, unverified) are told whether or not they count against it.
"""

from collections.abc import Iterable
from typing import Final

import msgspec

from memofs.model.config import Layer

__all__ = ["ALL", "Layers", "layers", "left_out"]


class Layers(msgspec.Struct, frozen=True, kw_only=True):
    """One field a layer, in the order in which they come.

    typos and fragments: readings of unknown words; expansions: of lexicon, initials and project;
    entities: what the graph knows by other names, and the memories that speak of it; sections: the best
    part of a long memory; title: words in it count extra; neighbours: entries of a log lean on those beside them;
    named: a memory whose name stands in the question is kept and comes first; decision: what is too weak is not
    shown; hop: along curated relations; drift and decay: demotion; folding: of near-duplicates.
    """

    typos: bool = True
    fragments: bool = True
    expansions: bool = True
    entities: bool = True
    sections: bool = True
    title: bool = True
    neighbours: bool = True
    named: bool = True
    decision: bool = True
    hop: bool = True
    drift: bool = True
    decay: bool = True
    folding: bool = True


ALL: Final = Layers()
"""As it is unless the settings say otherwise."""


def layers(without: Iterable[Layer]) -> Layers:
    """All layers but these."""
    return Layers(**dict.fromkeys(without, False))


def left_out(used: Layers) -> tuple[str, ...]:
    """The names of the layers that are not in use, in order."""
    return tuple(name for name in Layers.__struct_fields__ if not getattr(used, name))
