"""What answers are worth, by hand; the line diff that ours is compared with; and one whole small run."""

import math
from pathlib import Path

import pytest

from bench.anchor_cases import Case, FilePair, Found
from bench.anchor_formatters import formatted
from bench.anchor_histories import Sides, histories
from bench.anchor_python import python_outline
from bench.anchor_scores import Answer, judged, outcome, percentile, shares, table
from bench.anchor_ways import WAYS, Prepared, nameless
from memofs.anchors.mark import Mark, decode
from memofs.model.place import Span

OLD = """import os


def one(a, b):
    return a + b


def two(path):
    for name in os.listdir(path):
        yield name
"""


def case(region: Span, *places: Span, stale: bool = False, path: str = "a.py") -> Case:
    return Case(subject="line", change="kept", region=region, places=places, stale=stale, path=path)


def test_an_answer_is_one_of_four() -> None:
    here = case(Span(0, 4), Span(10, 14), Span(8, 14))
    assert outcome(here, Span(10, 14), "a.py") == "exact"
    assert outcome(here, Span(8, 14), "a.py") == "exact"
    assert outcome(here, Span(9, 14), "a.py") == "partial"
    assert outcome(here, Span(13, 30), "a.py") == "wrong"
    assert outcome(here, Span(10, 14), "b.py") == "wrong"
    assert outcome(here, None, "a.py") == "abstained"
    gone = case(Span(0, 4), stale=True)
    assert outcome(gone, None, "a.py") == "exact"
    assert outcome(gone, Span(0, 4), "a.py") == "wrong"
    assert judged(here, Found(span=Span(10, 14), path="a.py", sure=False)) == ("exact", "abstained")
    assert judged(gone, Found(span=Span(0, 4), path="a.py", sure=False)) == ("wrong", "exact")


def answer(found: Found, of: Case) -> Answer:
    applied, offered = judged(of, found)
    return Answer(
        group="edits", package="p", language="python", way="w", file="a.py", case=of, found=found, applied=applied,
        offered=offered,
    )  # fmt: skip


def test_shares_are_what_a_hand_gets() -> None:
    kept, changed = case(Span(0, 4), Span(10, 14)), case(Span(0, 4), Span(10, 14), stale=True)
    found = shares(
        [
            answer(Found(span=Span(10, 14), path="a.py", stale=False, ms=1.0), kept),
            answer(Found(span=Span(10, 14), path="a.py", stale=True, ms=2.0), kept),
            answer(Found(span=Span(10, 14), path="a.py", stale=False, sure=False, ms=3.0), changed),
            answer(Found(span=None, path="a.py", stale=True, ms=4.0), changed),
        ]
    )
    assert (found.count, found.exact, found.abstained, found.wrong) == (4, 75.0, 25.0, 0.0)
    assert found.exact_sure == 50.0
    assert (found.false_stale, found.missed) == (50.0, 0.0)
    assert (found.p50_ms, found.p95_ms) == (3.0, 4.0)
    assert math.isnan(shares([]).exact)
    assert math.isnan(percentile([], 50))
    assert "75.00" in table("all", {"row": found})


@pytest.mark.parametrize("way", WAYS)
def test_every_way_finds_what_only_moved_and_misses_what_has_gone(way: str) -> None:
    new = "# Head.\nimport sys\n\n" + OLD.replace("def one(a, b):\n    return a + b\n\n\n", "")
    one, two = OLD.index("def one"), OLD.index("def two")
    place = new.index("def two")
    length = len(OLD.rstrip()) - two
    cases = (
        case(Span(two, two + length), Span(place, place + length)),
        case(Span(one, OLD.index("a + b") + 5), stale=True),
    )
    pair = FilePair(group="edits", package="p", language="python", path="a.py", old=OLD, new=new, cases=cases)
    answers = [judged(of, found)[0] for of, found in WAYS[way](Prepared(pair))]
    assert answers == ["exact", "exact"][: len(answers)]


def test_a_line_diff_takes_the_lines_it_keeps_and_calls_any_other_text_stale() -> None:
    old = "a\nfirst\nsecond\nthird\nb\nfirst\n"
    new = "a\nfirst\nchanged\nthird\nb\nfirst\n"
    region = Span(old.index("first"), old.index("third") + 5)
    place = Span(new.index("first"), new.index("third") + 5)
    pair = FilePair(
        group="edits", package="p", language="", path="a", old=old, new=new, cases=(case(region, place, path="a"),)
    )
    ((of, found),) = WAYS["line-diff"](Prepared(pair))
    assert outcome(of, found.span, found.path) == "exact"
    assert found.stale


def test_a_withheld_name_is_nowhere() -> None:
    prepared = Prepared(
        FilePair(
            group="history", package="p", language="python", path="a.py", old=OLD, new=OLD,
            cases=(case(Span(OLD.index("def one"), OLD.index("a + b") + 5)),),
        )
    )  # fmt: skip
    anchor = prepared.anchor(0, 420)
    assert anchor.symbol == "one"
    bare = nameless(anchor)
    assert bare.symbol is None
    mark = decode(bare.mark or "")
    assert isinstance(mark, Mark)
    assert mark.fingerprint is not None
    assert (mark.fingerprint.label, mark.fingerprint.within) == ("", "")


@pytest.mark.slow
def test_formatters_are_real_and_change_no_meaning(tmp_path: Path) -> None:
    text = OLD.replace("a, b", "a,b").replace("return a + b", "return (a+b)")
    outline = python_outline(text)
    assert outline is not None
    side = Sides(texts={"a.py": text}, outlines={"a.py": outline})
    pairs = formatted("p", side, tmp_path, 1)
    assert {"black", "ruff", "comments"} <= {each.change for pair in pairs for each in pair.cases}
    for pair in pairs:
        for each in pair.cases:
            assert not each.stale
            assert each.places


def test_a_file_that_did_not_change_is_not_measured() -> None:
    outline = python_outline(OLD)
    assert outline is not None
    side = Sides(texts={"a.py": OLD}, outlines={"a.py": outline})
    assert histories("p", side, side, 1).pairs == ()
