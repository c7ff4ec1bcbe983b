"""A relation between two memories that a person wrote down."""

from typing import Literal

import msgspec

__all__ = ["Relation", "RelationType"]

RelationType = Literal["uses", "prefers", "depends_on", "supersedes", "blocks", "owns", "related_to"]


class Relation(msgspec.Struct, frozen=True, kw_only=True):
    """`source` and `target` are ids of memories, known or not; `line` is the 0-based line of the file."""

    source: str
    target: str
    type: RelationType
    line: int = 0

    def other(self, id_: str) -> str:
        """The end that is not `id_`."""
        return self.target if self.source == id_ else self.source
