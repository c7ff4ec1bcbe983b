"""Spans carried through edits by arithmetic, while a person types.

Invariant: an insertion at a span's edge stays outside; a deletion over an edge clips it; a deletion over all of it
leaves an empty span at its place. What a deletion took is remembered, so that putting the same text back, in one edit
or in several, restores the very span (undo). A span whose text may have changed is `dirty`: it is to be judged again.
Edits that do not say what they kept (a formatter that replaces the document) are first taken apart by edits.py.
"""

from collections.abc import Iterable

import msgspec

from memofs.model.place import Span

__all__ = ["Lost", "TextEdit", "Tracked", "apply", "track", "tracked"]

_MOST_REMEMBERED = 256
"""Deletions a span remembers at each edge: a person undoes fewer."""


class TextEdit(msgspec.Struct, frozen=True):
    """`text` in the place of `[start, end)`, code points of the text as it is before this edit."""

    start: int
    end: int
    text: str


class Lost(msgspec.Struct, frozen=True):
    """A deletion over a whole span: what was deleted, and where in it the span stood.

    `typed` is how much of it had been put in the place of the span before.
    """

    text: str
    start: int
    end: int
    typed: int = 0


class Tracked(msgspec.Struct, frozen=True, kw_only=True):
    """A span on its way through edits.

    `head` and `tail` are the pieces deletions took off its edges, in the order in which they stand in the text;
    `lost` are deletions over all of it, the last one last, and `typed` is how much was put in its place since then.
    """

    span: Span
    dirty: bool = False
    head: tuple[str, ...] = ()
    tail: tuple[str, ...] = ()
    lost: tuple[Lost, ...] = ()
    typed: int = 0


def tracked(start: int, end: int) -> Tracked:
    """Return a span that nothing has touched."""
    return Tracked(span=Span(start, end))


def apply(text: str, edits: Iterable[TextEdit]) -> str:
    """Return `text` after `edits`, each relative to the text the one before it left."""
    for edit in edits:
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def track(text: str, spans: Iterable[Tracked], edits: Iterable[TextEdit]) -> tuple[Tracked, ...]:
    """Return `spans`, which belong to `text`, as they stand after `edits`; the order stays.

    Costs a comparison for each span and edit that do not meet.
    """
    current = list(spans)
    steps = list(edits)
    # The text between is needed only to know what a later edit deletes: typing at many cursors needs none.
    last = max((number for number, edit in enumerate(steps) if edit.end > edit.start), default=0)
    for number, edit in enumerate(steps):
        shift = len(edit.text) - (edit.end - edit.start)
        for index, item in enumerate(current):
            span = item.span
            if edit.start > span.end:
                if item.typed and edit.start <= span.end + item.typed:
                    current[index] = _beside(item, edit)
                continue
            if edit.end < span.start:
                current[index] = _moved(item, shift)
            else:
                current[index] = _inserted(_deleted(item, text, edit), edit)
        if number < last:
            text = text[: edit.start] + edit.text + text[edit.end :]
    return tuple(current)


def _moved(item: Tracked, shift: int) -> Tracked:
    if not shift:
        return item
    span = Span(item.span.start + shift, item.span.end + shift)
    return Tracked(span=span, dirty=item.dirty, head=item.head, tail=item.tail, lost=item.lost, typed=item.typed)


def _beside(item: Tracked, edit: TextEdit) -> Tracked:
    """Return a deleted span after an edit within what was put in its place."""
    deleted = min(edit.end, item.span.end + item.typed) - edit.start
    return msgspec.structs.replace(item, typed=item.typed - deleted + len(edit.text))


def _deleted(item: Tracked, text: str, edit: TextEdit) -> Tracked:
    """Return `item` after the deletion that `edit` begins with."""
    start, end = item.span.start, item.span.end
    first, last = edit.start, edit.end
    if first == last:
        return item
    if first == start == end and item.typed:
        return msgspec.structs.replace(item, dirty=True, typed=max(0, item.typed - (last - first)))
    if first <= start and end <= last:
        typed = min(item.typed, last - end)
        lost = Lost(text[first:last], start - first, end - first, typed)
        return msgspec.structs.replace(
            item,
            span=Span(first, first),
            dirty=True,
            lost=(*item.lost, lost)[-_MOST_REMEMBERED:],
            typed=item.typed - typed,
        )
    head, tail = item.head, item.tail
    if first <= start < last:
        head = (*head, text[start:last])[-_MOST_REMEMBERED:]
    if first < end <= last:
        tail = (text[first:end], *tail)[:_MOST_REMEMBERED]
    return Tracked(
        span=Span(_after_deletion(start, first, last), _after_deletion(end, first, last)),
        dirty=True,
        head=head,
        tail=tail,
        lost=item.lost,
    )


def _after_deletion(offset: int, first: int, last: int) -> int:
    return offset if offset <= first else first if offset <= last else offset - (last - first)


def _inserted(item: Tracked, edit: TextEdit) -> Tracked:
    """Return `item` after the insertion that `edit` ends with."""
    text, at = edit.text, edit.start
    start, end = item.span.start, item.span.end
    if not text or at < start or at > end:
        return _moved(item, len(text)) if at < start else item
    if start < at < end:
        return msgspec.structs.replace(item, span=Span(start, end + len(text)), dirty=True)
    if start == end:
        return _inserted_at_lost(item, text)
    if at == start:
        pieces, grown = _put_back_before(item.head, text)
        span = Span(start + len(text) - grown, end + len(text))
        return msgspec.structs.replace(item, span=span, dirty=True, head=pieces)
    pieces, grown = _put_back_after(item.tail, text)
    return msgspec.structs.replace(item, span=Span(start, end + grown), dirty=True, tail=pieces)


def _inserted_at_lost(item: Tracked, text: str) -> Tracked:
    """Return an empty span after an insertion at it: restored if the insertion puts back what was deleted last."""
    at = item.span.start
    whole, first, last = "", 0, 0
    for depth, lost in enumerate(reversed(item.lost), start=1):
        whole = whole[:first] + lost.text + whole[last:]
        first, last = first + lost.start, first + lost.end
        if whole == text:
            span, kept = Span(at + first, at + last), item.lost[:-depth]
            typed = item.typed + sum(one.typed for one in item.lost[-depth:]) if kept else 0
            return msgspec.structs.replace(item, span=span, dirty=True, lost=kept, typed=typed)
        if len(whole) > len(text):
            break
    return _put_back_in_one(item, text)


def _put_back_in_one(item: Tracked, text: str) -> Tracked:
    """Return an empty span after one insertion that may put back what several deletions took piece by piece."""
    at = item.span.start
    if item.lost:
        lost = item.lost[0]
        whole = "".join((*item.head, lost.text[lost.start : lost.end], *item.tail))
        if whole and text.count(whole) == 1:
            start = at + text.index(whole)
            return Tracked(span=Span(start, start + len(whole)), dirty=True)
    return msgspec.structs.replace(item, dirty=True, typed=item.typed + len(text) if item.lost else 0)


def _put_back_before(pieces: tuple[str, ...], text: str) -> tuple[tuple[str, ...], int]:
    """Return the pieces still missing at the start, and by how much the end of `text` puts back what was there."""
    grown = 0
    while pieces and pieces[-1] and text.endswith(pieces[-1], 0, len(text) - grown):
        grown += len(pieces[-1])
        pieces = pieces[:-1]
    return pieces, grown


def _put_back_after(pieces: tuple[str, ...], text: str) -> tuple[tuple[str, ...], int]:
    grown = 0
    while pieces and pieces[0] and text.startswith(pieces[0], grown):
        grown += len(pieces[0])
        pieces = pieces[1:]
    return pieces, grown
