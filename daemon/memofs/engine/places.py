"""Where what belongs to vectors lies: a workspace's embeddings, and a person's models."""

import os
from pathlib import Path

from memofs.store.embeddings import EmbeddingsFile
from memofs.store.layout import Layout

__all__ = ["embeddings_file", "models_folder"]


def embeddings_file(layout: Layout, *, model: str) -> EmbeddingsFile:
    """The workspace's vectors of one model; not read yet."""
    return EmbeddingsFile(layout.indexes / "embeddings.jsonl", model=model)


def models_folder() -> Path:
    """Where `memofs model pull` puts models: `$XDG_DATA_HOME/memofs/models`, by default below `~/.local/share`."""
    data = os.environ.get("XDG_DATA_HOME")
    home = Path(data) if data and Path(data).is_absolute() else Path.home() / ".local" / "share"
    return home / "memofs" / "models"
