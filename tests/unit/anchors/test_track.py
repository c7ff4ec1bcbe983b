"""Spans carried through edits by arithmetic."""

import pytest

from memofs.anchors.track import TextEdit, Tracked, apply, track, tracked
from memofs.model.place import Span

TEXT = "0123456789"


def after(item: Tracked, *edits: TextEdit, text: str = TEXT) -> Tracked:
    (moved,) = track(text, [item], edits)
    return moved


@pytest.mark.parametrize(
    ("edit", "expected", "dirty"),
    [
        (TextEdit(0, 0, "ab"), (5, 8), False),
        (TextEdit(9, 9, "ab"), (3, 6), False),
        (TextEdit(0, 2, ""), (1, 4), False),
        (TextEdit(3, 3, "ab"), (5, 8), True),
        (TextEdit(6, 6, "ab"), (3, 6), True),
        (TextEdit(4, 4, "ab"), (3, 8), True),
        (TextEdit(4, 5, ""), (3, 5), True),
        (TextEdit(2, 4, ""), (2, 4), True),
        (TextEdit(5, 8, ""), (3, 5), True),
        (TextEdit(2, 8, ""), (2, 2), True),
        (TextEdit(2, 4, "ab"), (4, 6), True),
        (TextEdit(5, 8, "ab"), (3, 5), True),
        (TextEdit(2, 8, "abc"), (2, 2), True),
    ],
)
def test_one_edit(edit: TextEdit, expected: tuple[int, int], *, dirty: bool) -> None:
    moved = after(tracked(3, 6), edit)
    assert moved.span == Span(*expected)
    assert moved.dirty == dirty


@pytest.mark.parametrize(
    "edits",
    [
        [TextEdit(5, 8, ""), TextEdit(5, 5, "567")],
        [TextEdit(2, 4, ""), TextEdit(2, 2, "23")],
        [TextEdit(1, 9, ""), TextEdit(1, 1, "12345678")],
        [TextEdit(1, 9, "new"), TextEdit(1, 4, "12345678")],
        # Backspace, three times, and one undo for all of it.
        [TextEdit(7, 8, ""), TextEdit(6, 7, ""), TextEdit(5, 6, ""), TextEdit(5, 5, "567")],
        # The whole span and more by backspace, or by delete, and back in one.
        [*(TextEdit(at, at + 1, "") for at in (6, 5, 4, 3, 2)), TextEdit(2, 2, "23456")],
        [*(TextEdit(2, 3, "") for _ in range(5)), TextEdit(2, 2, "23456")],
    ],
)
def test_undo_restores_the_span(edits: list[TextEdit]) -> None:
    assert apply(TEXT, edits) == TEXT
    assert after(tracked(3, 6), *edits).span == Span(3, 6)


def test_other_text_in_the_place_of_what_was_deleted_stays_outside() -> None:
    moved = after(tracked(3, 6), TextEdit(5, 8, ""), TextEdit(5, 5, "xyz"))
    assert moved.span == Span(3, 5)


def test_what_was_deleted_is_still_known_after_other_edits() -> None:
    edits = [TextEdit(5, 8, ""), TextEdit(0, 0, "ab"), TextEdit(7, 7, "567")]
    assert after(tracked(3, 6), *edits).span == Span(5, 8)


def test_edits_at_many_cursors() -> None:
    text = "a = 1\nb = 2\nc = 3\n"
    edits = [TextEdit(at, at, "let ") for at in (12, 6, 0)]
    moved = track(text, [tracked(0, 5), tracked(6, 11), tracked(12, 17)], edits)
    assert [apply(text, edits)[item.span.start : item.span.end] for item in moved] == ["a = 1", "b = 2", "c = 3"]


def test_order_of_spans_stays() -> None:
    spans = [tracked(6, 8), tracked(1, 2), tracked(6, 8)]
    moved = track(TEXT, spans, [TextEdit(0, 0, "x")])
    assert [item.span for item in moved] == [Span(7, 9), Span(2, 3), Span(7, 9)]
