"""Whatever was done to an index, it answers as one built at once from what is left."""

from collections.abc import Sequence

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from memofs.model.memory import Anchor, Memory, Status
from memofs.recall.decay import floors
from memofs.recall.eligible import Filters, eligible
from memofs.recall.fields import document_of
from memofs.recall.index import EMPTY, LexicalIndex, change, id_at, index_of, slot_of, terms_of
from memofs.recall.index_bytes import from_bytes, to_bytes
from memofs.recall.lookup import Lookup
from memofs.recall.pool import pool_of
from memofs.recall.question import ask
from memofs.recall.rewrite import rewrite
from memofs.recall.segment import build_segment
from memofs.recall.signals import word_signals

WORDS = (
    *("auth", "authentication", "token", "JWT", "database", "pool", "connection", "getUserById", "user_id", "retry"),
    *("HTTPServer", "timeout", "café", "缓存预热", "v2.0", "E1042", "src/db/pool.py", "deploy", "deployment", "cache"),
    *("caching", "index", "indexes"),
)
QUERIES = ("auth token", "database conection pool", "getUserById", "user id", "缓存", "deploys cache", "zzz tok")

texts = st.lists(st.sampled_from(WORDS), min_size=0, max_size=8).map(" ".join)
sections = st.lists(texts, min_size=2, max_size=3).map(
    lambda each: "\n".join(f"# {text}\n" + text * 20 for text in each)
)


@st.composite
def memories(draw: st.DrawFn, id_: str) -> Memory:
    title, body = draw(texts), draw(st.one_of(texts, sections))
    path = draw(st.sampled_from(("src/db/pool.py", "src/auth.py", "")))
    status: Status = draw(st.sampled_from(("active", "active", "retired", "pending")))
    kind = draw(st.sampled_from(("decision", "note")))
    return Memory(
        id=id_,
        kind=kind,
        title=title,
        body=body,
        path="",
        digest=repr((title, body, path, status, kind)),
        status=status,
        anchors=(Anchor(path=path),) if path else (),
    )


Step = tuple[Sequence[Memory], Sequence[str]]
IDS = st.integers(0, 11).map(lambda number: f"mem_{number:02}")


@st.composite
def steps(draw: st.DrawFn) -> list[Step]:
    made: list[Step] = []
    for _ in range(draw(st.integers(1, 14))):
        put = [draw(memories(id_)) for id_ in draw(st.lists(IDS, max_size=3))]
        made.append((put, draw(st.lists(IDS, max_size=2))))
    return made


def scores(index: LexicalIndex, query: str, filters: Filters) -> list[tuple[str, ...]]:
    """Every candidate's signals to nine places, by id."""
    lookup = Lookup(index, eligible(index, filters, now_ms=0))
    question = ask(lookup, rewrite(query))
    pool = pool_of(lookup, question)
    signals = word_signals(lookup, pool, question)
    arrays = (signals.words, signals.coverage, signals.title, signals.fuzzy)
    return sorted(
        (id_at(index, slot), *(f"{array[place]:.9f}" for array in arrays))
        for place, slot in enumerate(pool.slots.tolist())
    )


FILTERS = (
    Filters(floors_days=floors({})),
    Filters(floors_days=floors({}), kinds=("decision",)),
    Filters(floors_days=floors({}), paths=("src/db",), include_retired=True),
)


def applied(done: Sequence[Step]) -> tuple[LexicalIndex, dict[str, Memory]]:
    index, left = EMPTY, dict[str, Memory]()
    for put, removed in done:
        index = change(index, put=[document_of(memory) for memory in put], removed=removed)
        for id_ in removed:
            left.pop(id_, None)
        left.update({memory.id: memory for memory in put})
    return index, left


@given(steps())
def test_changes_equal_a_rebuild(done: list[Step]) -> None:
    index, left = applied(done)
    rebuilt = index_of([build_segment(document_of(memory) for memory in left.values())])
    assert index.living == len(left) == rebuilt.living
    for filters in FILTERS:
        for query in QUERIES:
            assert scores(index, query, filters) == scores(rebuilt, query, filters)
    for id_, memory in left.items():
        slot, again = slot_of(index, id_), slot_of(rebuilt, id_)
        assert slot is not None
        assert again is not None
        assert terms_of(index, slot) == terms_of(rebuilt, again) == set(document_of(memory).words)


@given(steps())
def test_bytes_are_the_index(done: list[Step]) -> None:
    index, left = applied(done)
    data = to_bytes(index)
    again = from_bytes(data)
    assert again is not None
    assert again.living == len(left)
    assert to_bytes(again) == data
    for query in QUERIES:
        assert scores(again, query, FILTERS[0]) == scores(index, query, FILTERS[0])


@given(steps(), st.data())
def test_damaged_bytes_are_no_index(done: list[Step], data: st.DataObject) -> None:
    whole = to_bytes(applied(done)[0])
    at = data.draw(st.integers(0, len(whole) - 1))
    flipped = bytearray(whole)
    flipped[at] ^= data.draw(st.integers(1, 255))
    assert from_bytes(bytes(flipped)) is None
    assert from_bytes(whole[:at]) is None
    assert from_bytes(whole + b"x") is None


@given(st.binary(max_size=200))
def test_any_bytes_are_read_without_an_error(data: bytes) -> None:
    assert from_bytes(data) is None


def test_the_number_of_segments_stays_logarithmic() -> None:
    index = EMPTY
    for number in range(700):
        memory = Memory(id=f"mem_{number}", kind="note", title=f"word{number}", body="the same", path="", digest="")
        index = change(index, put=[document_of(memory)])
        assert len(index.segments) <= 7 * 4
    assert index.living == 700
    for number in range(690):
        index = change(index, removed=[f"mem_{number}"])
    assert index.living == 10
    assert index.size <= 2 * 10 + len(index.segments)


def test_a_change_shares_what_it_does_not_touch() -> None:
    documents = [
        document_of(Memory(id=f"mem_{n}", kind="note", title=f"title {n}", body="body", path="", digest=""))
        for n in range(64)
    ]
    before = index_of([build_segment(documents)])
    after = change(
        before, put=[document_of(Memory(id="mem_new", kind="note", title="t", body="b", path="", digest=""))]
    )
    assert after.segments[0] is before.segments[0]
    replaced = change(before, removed=["mem_3"])
    assert replaced.segments[0].words is before.segments[0].words
    assert np.count_nonzero(replaced.segments[0].alive) == 63
    assert np.count_nonzero(before.segments[0].alive) == 64
