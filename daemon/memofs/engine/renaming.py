"""Files that a person renamed in an editor: the memories that name them follow.

Invariant: an anchor is rewritten only if the old path is gone and the new one is there, so that a report that is late,
repeated or wrong changes nothing; the mark stays, for the code is what it was.
"""

from collections.abc import Iterable, Sequence

import msgspec

from memofs.engine.engine import Engine
from memofs.engine.modify import Changed, rewritten
from memofs.model.errors import Conflict
from memofs.model.memory import Anchor, Memory
from memofs.text.fields import Changes

__all__ = ["renamed"]

_TRIES = 4


def renamed(engine: Engine, pairs: Sequence[tuple[str, str]], *, actor: str) -> Changed:
    """The memories whose anchors name the new paths now, written as one change.

    `pairs` are (old, new), of files or folders, relative to the workspace. Raises Conflict, Unavailable.
    """
    true = [(old, new) for old, new in pairs if _happened(engine, old, new)]
    for number in range(_TRIES):
        wanted: list[tuple[Memory, Changes]] = []
        for memory in engine.world.memories.values():
            anchors = tuple(_moved(each, true) for each in memory.anchors)
            if anchors != memory.anchors and memory.origin == "file":
                wanted.append((memory, {"anchors": anchors}))
        if not wanted:
            return Changed()
        try:
            return rewritten(engine, wanted, kind="rename", actor=actor)
        except Conflict as conflict:
            if conflict.code != "changedOnDisk" or number == _TRIES - 1:
                raise
            engine.refresh(memory.path for memory, _ in wanted)
    return Changed()


def _happened(engine: Engine, old: str, new: str) -> bool:
    root = engine.root
    return old != new and not (root / old).exists() and (root / new).exists()


def _moved(anchor: Anchor, pairs: Iterable[tuple[str, str]]) -> Anchor:
    path = anchor.path
    for old, new in pairs:
        if path == old:
            path = new
        elif path.startswith(f"{old}/"):
            path = f"{new}{path[len(old) :]}"
    return anchor if path == anchor.path else msgspec.structs.replace(anchor, path=path)
