"""Whether a local model can be used: by having it answer once, in a process of its own.

Invariant: what is said of a model is what using it would have come to: its files, its tokenizer, its graph, its inputs
and the form of its answer. Nothing of the model stays in memory, and one that brings its process down harms nobody.
"""

from memofs.embed.client import WorkerClient
from memofs.embed.local import LocalEmbedder, LocalReranker
from memofs.embed.model_files import ModelFiles
from memofs.embed.protocol import EmbedderError

__all__ = ["fault"]

DEADLINE_S = 60.0
_TEXT = "a text"


def fault(model: ModelFiles) -> EmbedderError | None:
    """Why the model cannot be used, None if it can. Takes about half a second, for a large model several."""
    client = WorkerClient()
    try:
        if model.role == "embedder":
            LocalEmbedder(model, client).embed([_TEXT], kind="query", deadline_s=DEADLINE_S)
        else:
            LocalReranker(model, client).rerank(_TEXT, [_TEXT], deadline_s=DEADLINE_S)
    except EmbedderError as error:
        return error
    finally:
        client.close()
    return None
