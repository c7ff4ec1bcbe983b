"""Where things lie that no single part of the store owns: vectors, a person's models, migrated logs."""

import os
from collections.abc import Collection
from pathlib import Path
from typing import Final

from memofs.store.embeddings import ASIDE, EmbeddingsFile
from memofs.store.layout import Layout
from memofs.store.lock import index_lock

__all__ = [
    "ARCHIVE",
    "FORGET_WAIT_S",
    "embeddings_file",
    "forget_vectors",
    "models_folder",
    "state_folder",
    "vectors_aside",
]

ARCHIVE = ".memofs/archive"
"""Where migrated logs are kept."""

INDEXES = ".memofs/indexes"

FORGET_WAIT_S: Final = 10.0
"""For the batch that another process embeds. After that it is forgotten all the same."""

_NAME = "embeddings.jsonl"
_NOBODYS = "-"
"""A namespace without lines: seen from it every line is another's, and another's lines are never dropped."""


def embeddings_file(layout: Layout, *, model: str) -> EmbeddingsFile:
    """The workspace's vectors of one model, not read yet. Raises Refused where the folder leads out of it."""
    layout.inside(INDEXES)
    return EmbeddingsFile(layout.indexes / _NAME, model=model)


def forget_vectors(layout: Layout, ids: Collection[str]) -> None:
    """Take the lines of these memories off the disk and keep all others, whatever model they are of.

    For a file that nobody holds open. Raises Unavailable.
    """
    layout.inside(INDEXES)
    with index_lock(layout, wait_s=FORGET_WAIT_S):
        EmbeddingsFile(layout.indexes / _NAME, model="", namespace=_NOBODYS).forget(ids)


def vectors_aside(layout: Layout) -> str | None:
    """The workspace-relative path of the vectors that were set aside as unreadable, if there are any."""
    path = layout.indexes / (_NAME + ASIDE)
    return layout.relative(path) if path.is_file() else None


def state_folder() -> Path:
    """What a person's MemoFS keeps outside of workspaces: `$XDG_STATE_HOME/memofs`, else below `~/.local/state`."""
    return _home("XDG_STATE_HOME", Path(".local") / "state") / "memofs"


def models_folder() -> Path:
    """Where `memofs model pull` puts models: `$XDG_DATA_HOME/memofs/models`, by default below `~/.local/share`."""
    return _home("XDG_DATA_HOME", Path(".local") / "share") / "memofs" / "models"


def _home(variable: str, usual: Path) -> Path:
    """The folder that the variable names, which must be absolute to count, else the usual one below the home folder."""
    named = os.environ.get(variable)
    return Path(named) if named and Path(named).is_absolute() else Path.home() / usual
