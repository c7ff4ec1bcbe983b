"""The method table: every request, its params and result, and the lane its handler runs in."""

from typing import Literal

import msgspec

from memofs.wire import admin, anchors, context, graph, mutes, read, write
from memofs.wire.values import Empty, Params, Result

__all__ = ["METHODS", "Lane", "Method"]

Lane = Literal["read", "write", "wait"]


class Method(msgspec.Struct, frozen=True, kw_only=True):
    """One request.

    A `read` runs on a snapshot, beside others; a `write` runs alone, in order of arrival; a `wait` takes long and holds
    up neither.
    """

    name: str
    params: type[Params]
    result: type[Result]
    lane: Lane
    doc: str


def _table(*rows: tuple[str, type[Params], type[Result], Lane, str]) -> dict[str, Method]:
    return {
        f"memofs/{name}": Method(name=f"memofs/{name}", params=params, result=result, lane=lane, doc=doc)
        for name, params, result, lane, doc in rows
    }


METHODS: dict[str, Method] = _table(
    ("hello", admin.HelloParams, admin.HelloResult, "read", "First message of a connection."),
    ("drain", admin.DrainParams, admin.DrainResult, "read", "The daemon ends after what it is doing."),
    ("idle", admin.IdleParams, admin.IdleResult, "wait", "Answers when all queued work is done."),
    ("init", admin.InitParams, admin.InitResult, "write", "Set up `.memofs/`."),
    ("recall", read.RecallParams, read.RecallResult, "read", "Find memories."),
    ("context", context.ContextParams, context.ContextResult, "read", "A briefing for a task, within a budget."),
    ("expand", context.ExpandParams, context.ExpandResult, "read", "What a briefing left out."),
    ("get", read.GetParams, read.GetResult, "read", "One memory with its file's text."),
    ("list", read.ListParams, read.ListResult, "read", "Memories by filter, in pages."),
    ("history", read.HistoryParams, read.HistoryResult, "read", "This machine's writes."),
    ("status", Empty, read.StatusResult, "read", "Counts and state."),
    ("remember", write.RememberParams, write.RememberResult, "write", "Write a new memory."),
    ("update", write.UpdateParams, write.MemoryResult, "write", "Change a memory."),
    ("verify", write.IdsParams, write.MemoriesResult, "write", "Confirm that memories still hold."),
    ("anchor", anchors.AnchorParams, write.MemoryResult, "write", "Tie a memory to code."),
    ("unanchor", anchors.UnanchorParams, write.MemoryResult, "write", "Take an anchor from a memory."),
    ("reanchor", anchors.ReanchorParams, write.MemoryResult, "write", "Give an anchor another place."),
    ("anchors", anchors.AnchorsParams, anchors.AnchorsResult, "read", "Anchors, and what became of them."),
    ("memoriesAt", anchors.MemoriesAtParams, anchors.MemoriesAtResult, "read", "Memories tied to a place of a file."),
    ("changes", anchors.ChangesParams, anchors.ChangesResult, "read", "An anchor's code as it was and as it is."),
    ("check", anchors.CheckParams, anchors.CheckResult, "read", "Whether memories still fit their code."),
    ("mute", mutes.MuteParams, mutes.MutesResult, "write", "Hide a lens or a warning in this machine's editors."),
    ("unmute", mutes.UnmuteParams, mutes.MutesResult, "write", "Show again what was hidden."),
    ("mutes", Empty, mutes.MutesResult, "read", "What is hidden."),
    ("entities", graph.EntitiesParams, graph.EntitiesResult, "read", "Entities, and what is said of them."),
    ("link", graph.LinkParams, graph.GraphWriteResult, "write", "Write down that one is related to another."),
    ("unlink", graph.UnlinkParams, graph.GraphWriteResult, "write", "Write down that a statement does not hold."),
    ("merge", graph.MergeParams, graph.GraphWriteResult, "write", "Make one entity another name of the other."),
    ("path", graph.PathParams, graph.PathResult, "read", "How two entities hang together."),
    ("exportGraph", graph.ExportGraphParams, graph.ExportGraphResult, "read", "The graph for other programs."),
    ("retire", write.IdsParams, write.MemoriesResult, "write", "Take memories out of recall, kept on disk."),
    ("restore", write.IdsParams, write.MemoriesResult, "write", "Put retired memories back."),
    ("accept", write.IdsParams, write.MemoriesResult, "write", "Make pending memories active."),
    ("reject", write.IdsParams, write.MemoriesResult, "write", "Retire pending memories."),
    ("forget", write.IdsParams, write.ForgetResult, "write", "Remove memories for good."),
    ("undo", write.UndoParams, write.UndoResult, "write", "Take back the last write."),
    ("import", admin.ImportParams, admin.ImportResult, "write", "Read records of another kind."),
    ("migrate", admin.MigrateParams, admin.MigrateResult, "write", "notes.md to files."),
    ("doctor", admin.DoctorParams, admin.DoctorResult, "write", "Find and mend faults."),
    ("models", Empty, admin.ModelsResult, "wait", "The models there are."),
    ("useModel", admin.UseModelParams, admin.ModelsResult, "write", "Make vectors with another model."),
    ("allowModel", admin.AllowModelParams, admin.AllowModelResult, "write", "Let a service have this project's texts."),
    ("pullModel", admin.PullModelParams, admin.PullModelResult, "wait", "Fetch a model from the hub."),
    ("config", admin.ConfigParams, admin.ConfigResult, "write", "Read or change settings."),
    ("lexicon", admin.LexiconParams, admin.LexiconResult, "wait", "The project's own expansions, and what to add."),
    ("snapshot", admin.SnapshotParams, admin.SnapshotResult, "write", "Make a restore point."),
    ("snapshots", Empty, admin.SnapshotsResult, "read", "List restore points."),
    (
        "diffSnapshots",
        admin.DiffSnapshotsParams,
        admin.DiffSnapshotsResult,
        "read",
        "What changed since a restore point.",
    ),
    (
        "restoreSnapshot",
        admin.RestoreSnapshotParams,
        admin.RestoreSnapshotResult,
        "write",
        "Put memory files back as they were.",
    ),
)
