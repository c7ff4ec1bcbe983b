"""memofs/context and memofs/expand."""

from pathlib import Path, PurePosixPath

from memofs.briefing.render import estimated_tokens
from memofs.engine.briefing import expand as expand_left_out
from memofs.engine.briefing import make
from memofs.engine.view import View
from memofs.model.errors import InvalidRequest
from memofs.model.memory import Lines
from memofs.model.place import Place
from memofs.server.call import Call
from memofs.server.uris import path_in
from memofs.wire.context import ContextParams, ContextResult, ExpandParams, ExpandResult, HereParams, SectionView
from memofs.wire.values import Range
from memofs.world.briefing import Wanted

__all__ = ["context", "expand"]


def context(view: View, params: ContextParams, call: Call) -> ContextResult:
    """The briefing for a task, or for the start of a session."""
    wanted = Wanted(
        text=params.query or "",
        task_type=params.task_type,
        max_bytes=params.max_bytes,
        detail=params.detail,
        place=None if params.here is None else _place(view, params.here),
        sections=frozenset(params.sections),
    )
    made = make(view, wanted, kept=call.session.briefings, wait=params.wait, cancel=call.cancel)
    briefing = made.briefing
    return ContextResult(
        revision=made.view.world.revision,
        degraded=made.degraded,
        text=briefing.text,
        sections=tuple(
            SectionView(
                name=each.name,
                bytes=each.bytes,
                items=each.shown,
                cut=each.cut,
                omitted=len(each.omitted),
                folded=each.folded,
                cursor=each.cursor,
            )
            for each in briefing.sections
        ),
        bytes=briefing.bytes,
        estimated_tokens=estimated_tokens(briefing.bytes),
        warnings=briefing.warnings,
    )


def expand(view: View, params: ExpandParams, call: Call) -> ExpandResult:
    """What a briefing left out."""
    view = view.following(cancel=call.cancel)
    made = expand_left_out(view, params.cursor, kept=call.session.briefings)
    page = made.page
    return ExpandResult(
        revision=view.world.revision,
        degraded=view.degraded,
        text=page.text,
        items=page.shown,
        bytes=page.bytes,
        omitted=len(page.rest),
        cursor=page.cursor,
        warnings=made.warnings,
    )


def _place(view: View, here: HereParams) -> Place:
    """The place in the workspace. Raises InvalidRequest, Refused for one outside of it."""
    if (here.path is None) == (here.uri is None):
        raise InvalidRequest("here", "here needs a path or a uri, and not both")
    path = here.path if here.path is not None else path_in(Path(view.root), here.uri or "")
    path = PurePosixPath(path).as_posix()
    view.store.layout.inside(path)
    return Place(path=path, lines=None if here.range is None else _lines(here.range))


def _lines(found: Range) -> Lines:
    """The lines that a range touches; one that ends before the first character of a line does not touch it."""
    first, last = found.start.line + 1, found.end.line + (found.end.character > 0)
    if first < 1:
        raise InvalidRequest("here", "the range of here begins before the first line")
    return Lines(first=first, last=max(first, last))
