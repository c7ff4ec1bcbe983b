"""Where the anchors of an open document are, in the editor's positions.

Invariant: a range belongs to the text that was judged; its lines and characters exist there.
"""

from collections.abc import Iterable

import msgspec
from lsprotocol import types as lsp

from memofs.engine.live import LiveAnchor
from memofs.engine.muting import MISSING, code_digest
from memofs.model.memory import Memory
from memofs.model.mute import Mute, Scope, muted_scopes
from memofs.model.place import AnchorState, Span
from memofs.server.editor.live import Seen
from memofs.text.lines import position_at
from memofs.text.positions import Encoding, from_units, to_units

__all__ = ["Shown", "at", "range_of_span", "shown", "span_of_range", "whole_lines"]

_FEW_LINES = 3


class Shown(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """One anchor with its memory. `range` is where it is, None for a whole file or a place that is not known.

    `muted` is what the person does not want to be shown of it.
    """

    memory: Memory
    anchor: LiveAnchor
    state: AnchorState
    range: lsp.Range | None
    muted: tuple[Scope, ...] = ()

    @property
    def is_stale(self) -> bool:
        """Whether the code says something else than the memory was tied to."""
        return self.state.verdict in ("changed", "missing")

    @property
    def line(self) -> int:
        """The line to show it at; a whole file's is the first."""
        return self.range.start.line if self.range is not None else 0


def shown(seen: Seen, encoding: Encoding) -> tuple[Shown, ...]:
    """The anchors of a document that were judged, by place, then by memory."""
    mutes = seen.view.mutes.current()
    found = [
        Shown(
            memory=seen.view.world.memories[each.memory],
            anchor=each,
            state=each.state,
            range=_range(seen, each, encoding),
            muted=_muted(seen, each, mutes),
        )
        for each in seen.live.anchors
        if each.state is not None and each.memory in seen.view.world.memories
    ]
    return tuple(sorted(found, key=lambda each: (each.line, each.memory.id, each.anchor.index)))


def at(every: Iterable[Shown], position: lsp.Position) -> tuple[Shown, ...]:
    """Those whose range holds the position, and on the first line those of the whole file."""
    return tuple(
        each
        for each in every
        if (each.range is not None and each.range.start <= position <= each.range.end)
        or (each.range is None and position.line == 0)
    )


def whole_lines(range_: lsp.Range | None, seen: Seen, encoding: Encoding) -> lsp.Range:
    """Where to underline: a few lines as they are, of more the first; without a range the first line of the file."""
    if range_ is not None and range_.end.line - range_.start.line < _FEW_LINES:
        return range_
    line = range_.start.line if range_ is not None else 0
    start = range_.start.character if range_ is not None else 0
    content = _content(seen, line)
    return lsp.Range(lsp.Position(line, start), lsp.Position(line, to_units(content, len(content), encoding)))


def range_of_span(seen: Seen, span: Span, encoding: Encoding) -> lsp.Range:
    """The range of a span of the judged text, without the blanks around it."""
    text = seen.live.text
    start, end = span.start, span.end
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return lsp.Range(_position(seen, start, encoding), _position(seen, end, encoding))


def span_of_range(seen: Seen, range_: lsp.Range, encoding: Encoding) -> Span:
    """The span of the judged text that a range takes in."""
    return Span(_offset(seen, range_.start, encoding), _offset(seen, range_.end, encoding))


def _muted(seen: Seen, each: LiveAnchor, mutes: tuple[Mute, ...]) -> tuple[Scope, ...]:
    if not mutes:
        return ()
    lost = each.state is None or each.state.verdict == "missing" or each.tracked is None
    span = each.tracked.span if each.tracked is not None else Span(0, 0)
    digest = MISSING if lost else code_digest(seen.live.text[span.start : span.end])
    path, now_ms = seen.live.path, seen.view.now_ms
    return muted_scopes(mutes, memory=each.memory, index=each.index, path=path, digest=digest, now_ms=now_ms)


def _range(seen: Seen, each: LiveAnchor, encoding: Encoding) -> lsp.Range | None:
    is_file = each.anchor.lines is None and each.anchor.symbol is None
    if is_file or each.tracked is None:
        return None
    return range_of_span(seen, each.tracked.span, encoding)


def _position(seen: Seen, offset: int, encoding: Encoding) -> lsp.Position:
    line, column = position_at(seen.lines, offset)
    return lsp.Position(line, to_units(_content(seen, line), column, encoding))


def _offset(seen: Seen, position: lsp.Position, encoding: Encoding) -> int:
    line = min(max(0, position.line), len(seen.lines.starts) - 1)
    return seen.lines.starts[line] + from_units(_content(seen, line), position.character, encoding)


def _content(seen: Seen, line: int) -> str:
    return seen.live.text[seen.lines.starts[line] : seen.lines.ends[line]]
