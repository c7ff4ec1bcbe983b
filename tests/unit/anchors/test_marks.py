"""Marks: there and back, and garbage that is a value."""

import pytest

from anchor_texts import marked
from memofs.anchors.anchoring import anchored
from memofs.anchors.fingerprint import BUDGET, GENEROUS, Fingerprint, fingerprint, pack, unpack
from memofs.anchors.mark import BadMark, Mark, MarkedShape, decode, encode
from memofs.anchors.rebuild import rebuilt
from memofs.anchors.source import Source
from memofs.model.place import Span

DIGEST = bytes(range(16))
BLOB = "0123456789abcdef0123456789abcdef01234567"
PRINT = Fingerprint(before="a", head="", text="b", rest="", after="c")
FULL = Mark(
    digest=DIGEST, shape=MarkedShape(version="1 python 0.25.0+1-2", digest=DIGEST), blob=BLOB, fingerprint=PRINT
)


@pytest.mark.parametrize("mark", [FULL, Mark(digest=DIGEST), Mark(digest=DIGEST, blob=BLOB)])
def test_there_and_back(mark: Mark) -> None:
    assert decode(encode(mark)) == mark
    assert decode(f"  {encode(mark)}\n") == mark


def test_a_mark_is_one_line_that_yaml_can_quote() -> None:
    text = encode(FULL)
    assert text.startswith("1:")
    assert text.isprintable()
    assert not set(text) & set("\"'\\\n")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "malformed"),
        ("1", "malformed"),
        ("1:", "malformed"),
        ("1:short", "malformed"),
        ("1:%%%%%%%%%%%%%%%%%%%%%%", "malformed"),
        ("rubbish", "malformed"),
        ("0:AAECAwQFBgcICQoLDA0ODw", "malformed"),
        ("2:whatever comes", "newer"),
        ("١:AAECAwQFBgcICQoLDA0ODw", "malformed"),
        ("99999999999999999999999:x", "malformed"),
    ],
)
def test_a_bad_mark_is_a_value(text: str, reason: str) -> None:
    assert decode(text) == BadMark(reason=reason)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("place", "rubbish", "fault"),
    [
        (2, "nonsense", "shape"),
        (2, "1/x", "shape"),
        (3, "xyz", "blob"),
        (4, "!!", "fingerprint"),
        (4, "AAAA", "fingerprint"),
    ],
)
def test_of_a_damaged_mark_the_rest_is_used(place: int, rubbish: str, fault: str) -> None:
    parts = encode(FULL).split(":")
    parts[place] = rubbish
    found = decode(":".join(parts))
    assert isinstance(found, Mark)
    assert found.digest == DIGEST
    assert found.faults == (fault,)


def test_a_mark_of_a_later_kind_with_more_parts_is_read() -> None:
    assert decode(encode(FULL) + ":more:of it") == FULL


def test_what_would_unpack_to_too_much_is_not_unpacked() -> None:
    bomb = pack(Fingerprint(before="a" * (4 << 20), head="", text="", rest="", after=""))
    assert len(bomb) < 10_000
    assert unpack(bomb) is None


FUNCTION = "".join(f"    value_{i} = compute(value_{i - 1}, {i} * factor)\n" for i in range(1, 120))
LONG = f"class A:\n    def run(self):\n{FUNCTION}        return value_119\n"


def test_a_short_region_is_held_with_eight_lines_around_it() -> None:
    text = "\n".join(f"line {i}" for i in range(40))
    start = text.index("line 20")
    found = fingerprint(Source(text), Span(start, start + 7))
    assert found.text == "line 20"
    assert found.before.split("\n")[0] == "line 12"
    assert found.after.split("\n")[-1] == "line 28"


@pytest.mark.parametrize("budget", [BUDGET, 250, GENEROUS])
@pytest.mark.parametrize(
    "text",
    ["«x»", LONG, "«" + "word " * 2_000 + "»", "«" + "é" * 5_000 + "»", "a\n" * 30 + "«" + LONG + "»\n" + "b\n" * 30],
)
def test_a_fingerprint_fits_its_budget(budget: int, text: str) -> None:
    bare, span = marked(text)
    found = fingerprint(Source(bare, "python"), span if span.end else Span(0, len(bare)), budget)
    assert len(pack(found)) <= budget
    assert unpack(pack(found)) == found


def test_a_large_region_is_held_by_its_ends_and_hashes() -> None:
    found = fingerprint(Source(LONG, "python"), Span(0, len(LONG)))
    assert found.text.startswith("class A:")
    assert found.tail.endswith("return value_119")
    assert found.left_out >= 100
    assert len(found.hashes) == 2 * 64


def test_what_a_region_is_called_and_what_is_around_it() -> None:
    text, span = marked("class A:\n    «def f(self):\n        return 1»\n")
    found = fingerprint(Source(text, "python"), span)
    assert (found.label, found.part, found.within) == ("A.f", "dressed", "A")
    inner = fingerprint(Source(text, "python"), Span(text.index("return"), span.end))
    assert (inner.label, inner.part, inner.within) == ("", "", "A.f")


def test_the_old_text_is_rebuilt_around_a_region() -> None:
    old, span = marked("a = 1\nb = 2\n«c = old(3)\nd = old(4)»\ne = 5\nf = 6\n")
    new = "import x\n\na = 1\nb = 2\nc = new(3)\ne = 5\nf = 6\nlast = 1\n"
    found = rebuilt(fingerprint(Source(old), span), Source(new), 2)
    assert found is not None
    assert found.source.text == "import x\n\na = 1\nb = 2\nc = old(3)\nd = old(4)\ne = 5\nf = 6\nlast = 1\n"
    assert found.source.text[found.region.start : found.region.end] == "c = old(3)\nd = old(4)"
    assert found.support > 0.5


def test_hidden_lines_are_taken_from_the_new_text() -> None:
    one = fingerprint(Source(LONG, "python"), Span(0, len(LONG)))
    changed = LONG.replace("value_60 = ", "renamed = ")
    found = rebuilt(one, Source("# head\n" + changed, "python"), 0)
    assert found is not None
    region = found.source.text[found.region.start : found.region.end]
    assert region.startswith("class A:")
    assert "value_50 = compute(value_49, 50 * factor)" in region


def test_of_two_likely_places_the_nearer_one_is_taken() -> None:
    block = "begin\nstep one\nstep two\nend\n"
    text = block + "x\n" * 30 + block
    start = text.rindex("step one")
    one = fingerprint(Source(text), Span(start, start + 8), 60)
    found = rebuilt(one, Source("head\n" + text), text.count("\n", 0, start))
    assert found is not None
    assert found.region.start > 40


def test_nothing_is_rebuilt_where_nothing_is_left() -> None:
    old, span = marked("alpha\n«beta»\ngamma\n")
    assert rebuilt(fingerprint(Source(old), span), Source("one\ntwo\n"), 0) is None


def test_an_anchor_records_lines_columns_quote_and_symbol() -> None:
    source = Source("class A:\n    def f(self):\n        return 1 + 2\n", "python")
    whole = anchored(source, "a.py", Span(source.text.index("def"), len(source.text)))
    assert (whole.symbol, whole.lines and (whole.lines.first, whole.lines.last), whole.columns) == ("A.f", (2, 3), None)
    start = source.text.index("1 +")
    part = anchored(source, "a.py", Span(start, start + 5))
    assert part.symbol is None
    assert part.columns is not None
    assert (part.columns.start, part.columns.end, part.quote) == (16, 21, "1 + 2")
    file = anchored(source, "a.py", None)
    assert (file.lines, file.quote, file.path) == (None, None, "a.py")
    assert isinstance(decode(file.mark or ""), Mark)


def test_only_short_regions_are_quoted() -> None:
    text = "\n".join("word " * 10 for _ in range(10))
    assert anchored(Source(text), "a", Span(0, 30)).quote is not None
    assert anchored(Source(text), "a", Span(0, 250)).quote is None
    assert anchored(Source("a\nb\nc\nd\n"), "a", Span(0, 7)).quote is None


def test_what_a_large_region_leaves_out_is_taken_from_the_new_text() -> None:
    one = fingerprint(Source(LONG, "python"), Span(0, len(LONG)))
    grown = LONG.replace("    value_60 = ", "    inserted = 1\n" * 30 + "    value_60 = ")
    found = rebuilt(one, Source("# head\n" + grown + "# foot\n", "python"), 0)
    assert found is not None
    region = found.source.text[found.region.start : found.region.end]
    assert region.startswith("class A:")
    assert region.endswith("return value_119")
    assert "inserted = 1" in region


def test_a_label_that_several_had_does_not_decide() -> None:
    text, span = marked("def f():\n    return a(1)\n\n\n«def f():\n    return b(2)»\n")
    assert fingerprint(Source(text, "python"), span).namesakes == 2


def test_where_no_line_is_as_it_was_the_recorded_place_is_looked_at() -> None:
    lines = [f"from .module_{i} import name_{i}" for i in range(20)]
    old = "\n".join(lines)
    new = "\n".join(f"{line} as name_{i}" for i, line in enumerate(lines))
    start = old.index(lines[10])
    found = rebuilt(fingerprint(Source(old), Span(start, start + len(lines[10]))), Source(new), 10)
    assert found is not None
    assert found.source.text[found.region.start : found.region.end] == lines[10]
    assert found.source.text.split("\n")[10] == lines[10]
