"""Where a diff says that a region is now: edges, shares, strays, whole lines, and what is claimed."""

import pytest

from anchor_texts import pair_of, shown
from memofs.anchors.context import context, context_likeness
from memofs.anchors.line_edges import to_line_end
from memofs.anchors.ranges import carried, claimed, pieces
from memofs.anchors.source import Source
from memofs.model.place import Span

CARRIED = [
    ("shifted", "a\n«b\nc»\nd\n", "x\na\n«b\nc»\nd\n", 1.0),
    ("indented otherwise", "if a:\n  «b()\n  c()»\nd\n", "if a:\n    «b()\n    c()»\nd\n", 1.0),
    ("a line inside is edited", "a\n«total = one\nlast»\nd\n", "a\n«total = one + two\nlast»\nd\n", 1.0),
    ("a part of a line", "x = call(«alpha», beta)\n", "y = call(«alpha», beta, gamma)\n", 1.0),
    ("lines inserted inside", "a\n«first line\nlast line»\nd\n", "a\n«first line\nnew\nlast line»\nd\n", 1.0),
    ("the end is gone", "a\n«keep this line\nlose another»\nd\n", "a\n«keep this line»\nd\n", 12 / 23),
]


@pytest.mark.parametrize(("what", "old", "new", "share"), CARRIED, ids=[case[0] for case in CARRIED])
def test_carried(what: str, old: str, new: str, share: float) -> None:
    pair, region, place = pair_of(old, new)
    found = carried(pair, region)
    assert shown(pair.new.text, found.span) == shown(pair.new.text, place), what
    assert found.share == pytest.approx(share)


def test_nothing_survives() -> None:
    pair, region, _ = pair_of("a\n«bbb»\nc\n", "a\nc\n")
    found = carried(pair, region)
    assert (found.span, found.share) == (None, 0.0)


def test_kept_edges_are_told() -> None:
    pair, region, _ = pair_of("x = «alpha + beta»\n", "x = alpha + gamma\n")
    found = carried(pair, region)
    assert (found.start_kept, found.end_kept) == (True, False)


def test_strays_are_left_out() -> None:
    filler = "\n".join(f"inserted line number {i} of many, none of the region's" for i in range(12))
    old = "start\n«compute the first value of all\ncompute the second value too\n})»\nend\n"
    new = f"start\n«compute the first value of all\ncompute the second value too\n}})»\n{filler}\n}})\nend\n"
    pair, region, place = pair_of(old, new)
    assert carried(pair, region).span == place


def test_a_telling_line_is_no_stray() -> None:
    filler = "\n".join(f"inserted line number {i} of many, none of the region's" for i in range(12))
    old = "start\n«compute the first value of all\nreturn the_result_of_it»\nend\n"
    new = f"start\n«compute the first value of all\n{filler}\nreturn the_result_of_it»\nend\n"
    pair, region, place = pair_of(old, new)
    assert carried(pair, region).span == place


def test_whole_lines_stay_whole_lines() -> None:
    pair, region, place = pair_of("one\n«Ubuntu / Debian::»\nthree\n", "one\n«Debian / Ubuntu::»\nthree\n")
    assert carried(pair, region).span == place


@pytest.mark.parametrize(
    ("old", "new", "place", "expected"),
    [
        ("«x = f()»\n", "x = f()  # why\n", "x = f()", "x = f()  # why"),
        ("«x = f()»\n", "x = f();\n", "x = f()", "x = f();"),
        ("«x = f()»\n", "x = f() + 1\n", "x = f()", "x = f()"),
        ("y = «f()»\n", "y = f()  # why\n", "f()", "f()"),
    ],
)
def test_to_the_end_of_a_line(old: str, new: str, place: str, expected: str) -> None:
    pair, region, _ = pair_of(old, new, "python")
    start = pair.new.text.index(place)
    assert shown(pair.new.text, to_line_end(pair, region, Span(start, start + len(place)))) == expected


def test_pieces_are_the_words_that_survive() -> None:
    pair, region, _ = pair_of("«keep these words»\nend\n", "x\nkeep those words\nend\n")
    assert [shown(pair.new.text, piece) for piece in pieces(pair, region)] == ["keep", "words"]


def test_lines_carried_from_elsewhere_are_claimed() -> None:
    pair, _, _ = pair_of("first()\nsecond()\nthird()\n", "second()\nthird()\n")
    assert claimed(pair, (0, 0), (0, 0)) == 1.0
    assert claimed(pair, (0, 0), (1, 1)) == 0.0
    assert claimed(pair, (0, 1), (1, 1)) == 0.5


def test_context_is_the_nearest_text_on_either_side() -> None:
    source = Source("far\n\nbefore\nhead «mid» rest\n\nafter\n".replace("«", "").replace("»", ""))
    start = source.text.index("mid")
    around = context(source, Span(start, start + 3))
    assert [sorted(bag.weights)[0] for bag in around.before] == ["head", "before"]
    assert [sorted(bag.weights)[0] for bag in around.after] == ["rest", "after"]


def test_likeness_of_contexts() -> None:
    source = Source("a1\nx\nb1\n\na1\nx\nc1\n")
    first, second = (context(source, Span(at, at + 1)) for at in (3, 12))
    assert context_likeness(first, first) == 1.0
    assert 0 < context_likeness(first, second) < 1.0
    empty = context(Source("x"), Span(0, 1))
    assert context_likeness(empty, empty) == 0.5
