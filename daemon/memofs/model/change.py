"""What a write, a watcher batch or an import did to the memories, as one value."""

import msgspec

from memofs.model.graph import Curated
from memofs.model.memory import Memory
from memofs.model.problem import Problem
from memofs.model.relation import Relation

__all__ = ["Change"]


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """`put` are the memories that are new or differ, `removed` the ids that are gone.

    An id in both is put. `problems` replace the problems of the paths named in `paths`, the files that were looked
    at, also where they turned out to be the same. `relations` are all there are now, `curated` all entities and edges
    that persons wrote down; None if they are as they were.
    """

    put: tuple[Memory, ...] = ()
    removed: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    relations: tuple[Relation, ...] | None = None
    curated: Curated | None = None
