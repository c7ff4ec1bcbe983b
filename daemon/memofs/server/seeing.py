"""What a session sees after a write: the memories as they are now, its own text where it has some."""

from collections.abc import Collection

from memofs.engine.engine import Engine
from memofs.engine.live import judged
from memofs.engine.view import View
from memofs.server.call import Call

__all__ = ["seen_by"]


def seen_by(engine: Engine, call: Call, ids: Collection[str]) -> View:
    """A snapshot of now in which the anchors of these memories are judged. Raises NotFound without a memory here."""
    view = engine.view()
    anchoring = engine.anchoring
    buffers = judged(call.buffers, view.world, ids, anchoring.blobs, anchoring.layout)
    return view.seeing(buffers).following(ids)
