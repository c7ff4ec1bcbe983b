"""What is remembered while the regions of one pair of files are found again.

Invariant: a `Matching` only remembers what the steps work out from its pair; asking twice gives the same answer.
"""

from collections import Counter
from functools import cached_property
from typing import Final

import msgspec
from tree_sitter import Node

from memofs.anchors.pair import Pair
from memofs.anchors.resolve.found import Found
from memofs.anchors.resolve.kinds import Sort, sort_of
from memofs.anchors.symbols import Declaration, declarations

__all__ = ["ElementMatch", "Matching", "NodeKey", "node_key"]

NodeKey = tuple[int, int, int]


class ElementMatch(msgspec.Struct, frozen=True):
    """What became of a declared element, how sure that is in [0, 1], and by how much it leads the next best."""

    element: Declaration | None
    score: float
    margin: float = 0.5


class Matching:
    """One pair of files, and the matches found in it so far."""

    def __init__(self, pair: Pair) -> None:
        self.pair: Final = pair
        self.elements: Final[dict[int, ElementMatch]] = {}
        self.scopes: Final[dict[int, Pair | None]] = {}
        self.nodes: Final[dict[NodeKey, Found]] = {}

    @cached_property
    def parsed(self) -> bool:
        """Whether both texts have a tree to go by."""
        pair = self.pair
        return pair.old.language == pair.new.language and pair.old.root is not None and pair.new.root is not None

    @cached_property
    def old_elements(self) -> tuple[Declaration, ...]:
        """The declared elements of the old text, in order, outer before inner."""
        return declarations(self.pair.old)

    @cached_property
    def new_elements(self) -> tuple[Declaration, ...]:
        """The declared elements of the new text."""
        return declarations(self.pair.new)

    @cached_property
    def old_names(self) -> Counter[tuple[str, Sort]]:
        """How often each qualified name is declared in the old text, by sort."""
        return Counter((element.qualified, sort_of(element.kind)) for element in self.old_elements)

    @cached_property
    def new_names(self) -> Counter[tuple[str, Sort]]:
        """How often each qualified name is declared in the new text."""
        return Counter((element.qualified, sort_of(element.kind)) for element in self.new_elements)


def node_key(node: Node) -> NodeKey:
    """Return what tells a node of the old tree from all others."""
    return node.start_byte, node.end_byte, node.kind_id
