"""One protocol-neutral function for every request, in the lane that the method table names.

A read gets a View, a snapshot that nothing can move under it; a write gets the engine and runs alone; a wait gets the
engine too and runs beside both.
"""

from collections.abc import Callable, Mapping
from typing import Any

from memofs.engine.engine import Engine
from memofs.engine.view import View
from memofs.server.call import Call
from memofs.server.methods import anchors, browse, context, graph, models, mutes, recall, words, workspace, write
from memofs.server.methods import snapshots as points
from memofs.wire.values import Result

__all__ = ["READS", "WAITS", "WRITES", "Read", "Write"]

# The params' type is the one of the method table, which the connection decoded them with.
Read = Callable[[View, Any, Call], Result]
Write = Callable[[Engine, Any, Call], Result]

READS: Mapping[str, Read] = {
    "memofs/recall": recall.recall,
    "memofs/context": context.context,
    "memofs/expand": context.expand,
    "memofs/get": browse.get,
    "memofs/list": browse.list_memories,
    "memofs/history": browse.history,
    "memofs/status": browse.status,
    "memofs/anchors": anchors.anchors,
    "memofs/memoriesAt": anchors.memories_at,
    "memofs/changes": anchors.changes,
    "memofs/check": anchors.check,
    "memofs/mutes": mutes.mutes,
    "memofs/entities": graph.entities,
    "memofs/path": graph.path,
    "memofs/exportGraph": graph.export,
    "memofs/snapshots": points.list_snapshots,
    "memofs/diffSnapshots": points.diff,
}

WRITES: Mapping[str, Write] = {
    "memofs/init": workspace.init,
    "memofs/remember": write.remember,
    "memofs/update": write.update,
    "memofs/verify": write.verify,
    "memofs/anchor": anchors.anchor,
    "memofs/unanchor": anchors.unanchor,
    "memofs/reanchor": anchors.reanchor,
    "memofs/mute": mutes.mute,
    "memofs/unmute": mutes.unmute,
    "memofs/link": graph.link,
    "memofs/unlink": graph.unlink,
    "memofs/merge": graph.merge,
    "memofs/retire": write.retire,
    "memofs/restore": write.restore,
    "memofs/accept": write.accept,
    "memofs/reject": write.reject,
    "memofs/forget": write.forget,
    "memofs/undo": write.undo,
    "memofs/import": workspace.import_records,
    "memofs/migrate": workspace.migrate,
    "memofs/doctor": workspace.doctor,
    "memofs/useModel": models.use,
    "memofs/allowModel": models.allow,
    "memofs/config": workspace.config,
    "memofs/snapshot": points.create,
    "memofs/restoreSnapshot": points.restore,
}

WAITS: Mapping[str, Write] = {
    "memofs/idle": models.idle,
    "memofs/lexicon": words.lexicon,
    "memofs/models": models.list_models,
    "memofs/pullModel": models.pull,
}
