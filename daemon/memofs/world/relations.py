"""Curated relations as part of a World: found from either end."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

from memofs.model.relation import Relation

__all__ = ["UNRELATED", "ByEnd", "by_end"]

ByEnd: TypeAlias = Mapping[str, tuple[Relation, ...]]
"""The relations of each id, whichever end it is, in the order of the file. The ids need not be known."""

UNRELATED: Final[ByEnd] = MappingProxyType({})


def by_end(relations: Iterable[Relation]) -> ByEnd:
    """The relations under both their ends, read-only."""
    found: dict[str, list[Relation]] = defaultdict(list)
    for relation in relations:
        found[relation.source].append(relation)
        found[relation.target].append(relation)
    return MappingProxyType({id_: tuple(each) for id_, each in found.items()}) if found else UNRELATED
