"""From an anchor to a verdict: with the old text, with the mark alone, with neither."""

from collections.abc import Callable

import msgspec
import pytest

from anchor_texts import marked, shown
from memofs.anchors.anchoring import anchored
from memofs.anchors.digest import blob_id_of_text
from memofs.anchors.language import LanguageName
from memofs.anchors.mark import Mark, MarkedShape, decode, encode
from memofs.anchors.resolution import Comparison, resolve, settle
from memofs.anchors.resolve.cascade import locate
from memofs.anchors.source import Source
from memofs.anchors.verdict import Was, judge, marked_shape
from memofs.model.memory import Anchor, Columns, Lines
from memofs.model.place import Candidate, Resolution, Span

OLD = """\
import os


class Store:
    def open(self, path):
        «handle = os.open(path, os.O_RDWR)
        self.handles.add(handle)»
        return handle
"""


def anchor_of(text: str, language: LanguageName | None = "python") -> tuple[Anchor, Source]:
    bare, region = marked(text)
    source = Source(bare, language)
    return anchored(source, "store.py", region), source


def both(anchor: Anchor, old: Source, new: str) -> tuple[Resolution, Resolution]:
    now = Source(new, old.language)
    return resolve(anchor, Comparison(old, now)), resolve(anchor, now)


CHANGES: list[tuple[str, Callable[[str], str], str]] = [
    ("nothing", lambda text: text, "current"),
    ("lines above", lambda text: "#!\n\n" + text, "moved"),
    ("trailing blanks", lambda text: text.replace("\n", "  \n"), "current"),
    ("line ends", lambda text: text.replace("\n", "\r\n"), "current"),
    ("a byte order mark", lambda text: "\ufeff" + text, "current"),
    ("a formatter", lambda text: text.replace("os.O_RDWR)", "\n            os.O_RDWR,\n        )"), "reformatted"),
    ("a comment inside", lambda text: text.replace("RDWR)\n", "RDWR)  # both\n"), "reformatted"),
    ("another meaning", lambda text: text.replace("O_RDWR", "O_RDONLY"), "changed"),
    ("a line inside", lambda text: text.replace("RDWR)\n", "RDWR)\n        self.count += 1\n"), "changed"),
    ("all of it gone", lambda _text: "import os\n", "missing"),
]


@pytest.mark.parametrize(("what", "change", "verdict"), CHANGES, ids=[case[0] for case in CHANGES])
def test_verdicts(what: str, change: Callable[[str], str], verdict: str) -> None:
    anchor, old = anchor_of(OLD)
    whole, alone = both(anchor, old, change(old.text))
    assert (whole.verdict, alone.verdict) == (verdict, verdict), what
    assert (whole.span is None) == (verdict == "missing")
    assert (whole.similarity == 1.0) == (verdict in ("current", "moved"))


def test_spans_are_of_the_text_as_it_is() -> None:
    anchor, old = anchor_of(OLD)
    new = "\ufeff" + old.text.replace("\n", "\r\n")
    for found in both(anchor, old, new):
        assert shown(new, found.span) == "handle = os.open(path, os.O_RDWR)\r\n        self.handles.add(handle)"


def test_columns_and_the_mark_together_find_a_part_of_a_line() -> None:
    anchor, old = anchor_of("x = f(«alpha», beta)\n")
    assert anchor.columns == Columns(start=7, end=12)
    for found in both(anchor, old, "y = 1\nx = f(gamma, alpha, beta)\n"):
        assert (found.verdict, found.span) == ("moved", Span(19, 24))


def test_the_same_file_is_not_looked_through() -> None:
    anchor, old = anchor_of(OLD)
    found = resolve(anchor, Source(old.text, "python"))
    assert (found.verdict, found.how) == ("current", "same file")


def test_an_old_text_that_is_not_the_recorded_one_is_left_aside() -> None:
    anchor, old = anchor_of(OLD)
    other = Source(old.text.replace("handle", "file"), "python")
    found = resolve(anchor, Comparison(other, Source("x = 1\n" + old.text, "python")))
    assert (found.verdict, found.span is not None) == ("moved", True)


def test_a_symbol_without_lines_names_its_region() -> None:
    _, old = anchor_of(OLD)
    anchor = Anchor(path="store.py", symbol="Store.open")
    found = resolve(anchor, Comparison(old, Source("\n\n" + old.text, "python")))
    assert found.verdict == "current"
    assert found.span is not None


@pytest.mark.parametrize("mark", [None, "", "rubbish", "1:short", "2:from the future"])
def test_without_a_mark_symbol_quote_and_lines_are_gone_by(mark: str | None) -> None:
    text = Source("a = 1\n\n\ndef f():\n    return 2\n", "python")
    by_symbol = resolve(Anchor(path="a.py", symbol="f", mark=mark), text)
    assert (by_symbol.verdict, by_symbol.how, shown(text.text, by_symbol.span)) == (
        "current",
        "symbol",
        "def f():\n    return 2",
    )
    by_quote = resolve(Anchor(path="a.py", lines=Lines(first=1, last=1), quote="return 2", mark=mark), text)
    assert (by_quote.verdict, by_quote.how, shown(text.text, by_quote.span)) == ("moved", "quote", "return 2")
    by_lines = resolve(Anchor(path="a.py", lines=Lines(first=1, last=1), mark=mark), text)
    assert (by_lines.verdict, by_lines.how) == ("current", "lines")
    assert by_symbol.degraded == by_quote.degraded == by_lines.degraded == ("mark",)


@pytest.mark.parametrize(
    "anchor",
    [
        Anchor(path="a", symbol="nowhere"),
        Anchor(path="a", lines=Lines(first=5, last=9)),
        Anchor(path="a", lines=Lines(first=0, last=0)),
        Anchor(path="a", lines=Lines(first=1, last=1), quote="not there"),
        Anchor(path="a", lines=Lines(first=1, last=1), quote="   "),
    ],
)
def test_what_names_nothing_is_missing(anchor: Anchor) -> None:
    found = resolve(anchor, Source("x = 1\n", "python"))
    assert (found.verdict, found.span, found.similarity) == ("missing", None, 0.0)


def test_a_name_twice_is_offered_twice() -> None:
    text = Source("def f():\n    a()\n\n\ndef f():\n    b()\n", "python")
    found = resolve(Anchor(path="a.py", symbol="f"), text)
    assert found.verdict == "missing"
    assert len(found.candidates) == 2


@pytest.mark.parametrize(
    ("new", "verdict"),
    [
        ("import a\nimport b\n\nx = 1\n", "current"),
        ("import b\nimport a\n\nx = 1\n", "reformatted"),
        ("import a\nimport b\n\nx = 2\n", "changed"),
    ],
)
def test_whole_files(new: str, verdict: str) -> None:
    old = Source("import a\nimport b\n\nx = 1\n", "python")
    anchor = anchored(old, "a.py", None)
    for found in both(anchor, old, new):
        assert (found.verdict, found.span) == (verdict, Span(0, len(new)))


def test_a_whole_file_without_a_mark_says_so() -> None:
    found = resolve(Anchor(path="a"), Source("x"))
    assert (found.verdict, found.degraded) == ("current", ("mark",))


def with_shape(anchor: Anchor, shape: MarkedShape | None) -> Anchor:
    mark = decode(anchor.mark or "")
    assert isinstance(mark, Mark)
    return msgspec.structs.replace(anchor, mark=encode(msgspec.structs.replace(mark, shape=shape)))


@pytest.mark.parametrize("shape", [None, MarkedShape(version="0 python 0.1", digest=bytes(16))])
def test_other_rules_for_shapes_turn_no_anchor_stale(shape: MarkedShape | None) -> None:
    anchor, old = anchor_of(OLD)
    older = with_shape(anchor, shape)
    again = old.text.replace("os.O_RDWR)", "\n            os.O_RDWR,\n        )")
    for new, verdict in (
        ("\n" + old.text, "moved"),
        (again, "reformatted"),
        (old.text.replace("RDWR", "X"), "changed"),
    ):
        whole, alone = both(older, old, new)
        assert (whole.verdict, alone.verdict) == (verdict, verdict)
        assert whole.degraded == alone.degraded == ()


def test_what_cannot_be_compared_is_named() -> None:
    source = Source("x = f(1, 2)\n", "python")
    region = Span(0, 11)
    was = Was(digest=bytes(16), shape=MarkedShape(version="0", digest=bytes(16)))
    judged = judge(was, source, region)
    assert (judged.verdict, judged.degraded) == ("changed", ("grammar",))


def test_a_text_that_no_longer_parses_is_compared_by_its_words() -> None:
    old = Source("x = f(1,\n      2)\n", "python")
    broken = Source("x = f(1, 2)\n" + ")]} def class ??? $$$ " * 40, "python")
    was = Was(digest=None, old=(old, Span(0, 17)))
    judged = judge(was, broken, Span(0, 11))
    assert (judged.verdict, judged.degraded) == ("reformatted", ("grammar",))


def test_a_comma_behind_a_region_is_not_its() -> None:
    old, new = Source('{"a": 1, "b": 2}', "json"), Source('{"b": 2, "a": 1}', "json")
    assert marked_shape(old, Span(1, 8)) == marked_shape(new, Span(9, 15))


def test_probable_places_are_missing_unless_accepted() -> None:
    found = Resolution(
        verdict="changed",
        span=Span(1, 2),
        certainty="probable",
        similarity=0.5,
        candidates=(Candidate(span=Span(3, 4), score=0.4),),
    )
    shown_as = settle(found, "missing")
    assert (shown_as.verdict, shown_as.span) == ("missing", None)
    assert [one.span for one in shown_as.candidates] == [Span(1, 2), Span(3, 4)]
    assert settle(found, "accept") == found
    sure = msgspec.structs.replace(found, certainty="sure")
    assert settle(sure, "missing") == sure


def test_the_blob_is_gits_id_of_the_file() -> None:
    anchor, old = anchor_of(OLD)
    mark = decode(anchor.mark or "")
    assert isinstance(mark, Mark)
    assert mark.blob == blob_id_of_text(old.text)


def test_a_probable_place_that_says_the_same_is_sure() -> None:
    text = "def charge(customer, amount):\n    return gateway.charge(customer.id, amount, key=make(customer, amount))\n"
    old = Source(text, "python")
    start = text.index("gateway")
    anchor = anchored(old, "a.py", Span(start, len(text) - 1))
    new = Source(
        "def charge(customer, amount):\n    return gateway.charge(\n        customer.id,\n        amount,\n"
        "        key=make(customer, amount),\n    )\n",
        "python",
    )
    comparison = Comparison(old, new)
    assert locate(comparison.matching, Span(start, len(text) - 1)).certainty == "probable"
    found = resolve(anchor, comparison)
    assert (found.verdict, found.certainty) == ("reformatted", "sure")


def test_what_shares_text_with_the_place_found_is_no_other_place() -> None:
    guess = Candidate(span=Span(4, 9), score=0.9)
    other = Candidate(span=Span(20, 29), score=0.5)
    found = Resolution(
        verdict="changed",
        span=Span(0, 10),
        certainty="probable",
        similarity=0.5,
        candidates=(guess, other, Candidate(span=Span(22, 25), score=0.4)),
    )
    assert [one.span for one in settle(found, "missing").candidates] == [Span(0, 10), Span(20, 29)]


@pytest.mark.parametrize("language", ["python", None])
def test_a_changed_region_is_not_offered_its_own_place(language: LanguageName | None) -> None:
    text = "def f(a):\n    if a:\n«        total = price(a) * rate(a) + fee»\n    return total\n"
    anchor, old = anchor_of(text, language)
    for found in both(anchor, old, old.text.replace("* rate(a) + fee", "* rate(a, today) - fee")):
        assert found.verdict == "changed"
        span = found.span
        assert span is not None
        assert all(one.span.end <= span.start or span.end <= one.span.start for one in found.candidates)


def test_few_words_that_stand_once_and_stood_once_are_the_same() -> None:
    anchor, old = anchor_of("def f(self):\n    return [t for t in self.seen.get(user, []) if «now - t < 60»]\n")
    new = (
        "def f(self):\n    return [\n        t\n        for t in self.seen.get(user, [])\n"
        "        if now - t < 60\n    ]\n"
    )
    found = resolve(anchor, Comparison(old, Source(new, "python")))
    assert (found.verdict, found.certainty, shown(new, found.span)) == ("moved", "sure", "now - t < 60")


def test_a_mark_of_older_rules_holds_where_the_newer_have_no_part_and_is_made_anew_where_they_have() -> None:
    def judged(now: str, was: str, *, by_mark: bool = False) -> tuple[str, tuple[str, ...]]:
        old, new = Source(was, "python"), Source(now, "python")
        region = Span(0, len(was))
        shape = marked_shape(Source(was.partition("#")[0], "python"), Span(0, 5))
        assert shape.version.startswith("1 ")
        known = None if by_mark else (old, region)
        found = judge(Was(digest=bytes(16), shape=shape, old=known), new, Span(0, len(now)))
        return found.verdict, found.degraded

    assert judged("x = 1  # other", "x = 1  # why") == ("reformatted", ())
    assert judged("x = 1  # other", "x = 1  # why", by_mark=True) == ("reformatted", ())
    assert judged("x  = 1  # noqa", "x = 1  # noqa") == ("reformatted", ())
    assert judged("x = 1  # noqa", "x = 1") == ("changed", ())
    assert judged("x  = 1  # noqa", "x = 1  # noqa", by_mark=True) == ("changed", ("grammar",)), "nothing tells"
