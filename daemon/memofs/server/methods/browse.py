"""memofs/get, memofs/list, memofs/history, memofs/status: looking at what is there."""

import base64
import binascii
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from memofs import __version__
from memofs.engine.anchor_check import counted, looked_at
from memofs.engine.process import rss_bytes
from memofs.engine.view import View
from memofs.model.errors import InvalidRequest
from memofs.model.memory import Memory
from memofs.server.call import Call
from memofs.server.convert import embedder_view, event_view, memory_view, problem_view
from memofs.wire.read import (
    GetParams,
    GetResult,
    HistoryParams,
    HistoryResult,
    ListParams,
    ListResult,
    StatusResult,
)
from memofs.wire.values import Empty
from memofs.world.select import select

__all__ = ["get", "history", "list_memories", "status"]

STATUS_PATIENCE_S = 2.0
"""How long `status` looks at anchors in files that changed; the rest counts as unchecked."""
SORTS: dict[str, Callable[[Memory], tuple[object, ...]]] = {
    "updated": lambda memory: (-max(memory.updated_ms or 0, memory.created_ms or 0), memory.id),
    "created": lambda memory: (-(memory.created_ms or 0), memory.id),
    "title": lambda memory: (memory.title.casefold(), memory.id),
    "kind": lambda memory: (memory.kind, memory.title.casefold(), memory.id),
}


def get(view: View, params: GetParams, call: Call) -> GetResult:
    """One memory, with the text of its file as it is now."""
    memory = view.find(params.id)
    view = view.following([memory.id], again=True, cancel=call.cancel)
    return GetResult(
        revision=view.world.revision,
        degraded=view.degraded,
        memory=memory_view(view, memory, encoding=call.session.encoding),
        text=view.store.read_text(memory.path),
        problems=tuple(problem_view(each) for each in view.world.problems.get(memory.path, ())),
    )


def list_memories(view: View, params: ListParams, call: Call) -> ListResult:
    """One page of what fits the filters."""
    view = view.following(cancel=call.cancel)
    found = select(
        view.world,
        kinds=view.kinds(params.kinds),
        tags=params.tags,
        paths=params.paths,
        statuses=params.statuses,
        flags=params.flags,
        include_retired=params.include_retired,
        now_ms=view.now_ms,
    )
    ordered = sorted(found, key=SORTS[params.sort])
    start = _start_of(params.page, ordered)
    page = ordered[start : start + params.limit]
    more = start + params.limit < len(ordered)
    return ListResult(
        revision=view.world.revision,
        degraded=view.degraded,
        memories=tuple(
            memory_view(view, memory, body=params.bodies, encoding=call.session.encoding) for memory in page
        ),
        total=len(ordered),
        page=_cursor(page[-1].id) if more else None,
    )


def history(view: View, params: HistoryParams, call: Call) -> HistoryResult:
    """What this machine wrote, newest first."""
    del call
    wanted = view.history_id(params.id) if params.id else None
    events = view.store.history(wanted, limit=params.limit)
    return HistoryResult(
        revision=view.world.revision, degraded=view.degraded, events=tuple(event_view(event) for event in events)
    )


def status(view: View, params: Empty, call: Call) -> StatusResult:
    """Counts by kind, status and flag, and how the workspace was opened."""
    del params
    host = call.session.host
    serving = host if host is not None and host.is_daemon else None
    view = view.following(patience_s=STATUS_PATIENCE_S, again=True, cancel=call.cancel)
    if view.meaning is not None:
        view.meaning.rehydrate()
    world = view.world
    memories = tuple(world.memories.values())
    newest = view.store.history(None, limit=1)
    return StatusResult(
        revision=world.revision,
        degraded=view.degraded,
        root=view.root,
        memories=len(memories),
        by_kind=_counts(memory.kind for memory in memories),
        by_status=_counts(memory.status for memory in memories),
        by_flag=_counts(flag for memory in memories for flag in _counted(view.flags(memory))),
        by_verdict=counted(tuple(looked_at(view, include_retired=False))),
        problems=sum(len(each) for each in world.problems.values()),
        terms=world.terms,
        cache=view.opening.cache,
        open_ms=round(view.opening.ms, 1),
        rss_bytes=rss_bytes(),
        version=__version__,
        embedder=embedder_view(view),
        project_name=world.config.project_name,
        last_write=event_view(newest[0]) if newest else None,
        sessions=len(serving.clients) if serving is not None else 0,
        uptime_s=round(serving.uptime_s, 1) if serving is not None else 0.0,
    )


def _counted(flags: Sequence[str]) -> Sequence[str]:
    """The flags to count of one memory: what is out of recall anyway need be neither verified nor true to the code."""
    if "superseded" not in flags and "retired" not in flags:
        return flags
    return [flag for flag in flags if flag not in ("unverified", "stale")]


def _counts(names: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(names).items(), key=lambda item: (-item[1], item[0])))


def _cursor(last_id: str) -> str:
    return base64.urlsafe_b64encode(last_id.encode()).decode().rstrip("=")


def _start_of(page: str | None, ordered: Sequence[Memory]) -> int:
    """Where the page after the memory named by the cursor begins: by id, so that writes in between lose nothing."""
    if page is None:
        return 0
    try:
        last_id = base64.urlsafe_b64decode(page + "=" * (-len(page) % 4)).decode()
    except (binascii.Error, ValueError) as error:
        raise InvalidRequest("page", "this page cursor was not made by memofs/list") from error
    for at, memory in enumerate(ordered):
        if memory.id == last_id:
            return at + 1
    raise InvalidRequest("page", "the memory where the page before ended is gone", "start from the first page")
