"""The parts of the index: vocabulary, postings, guesses for unknown words, names, paths, statistics."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
import pytest

from memofs.model.memory import Memory
from memofs.recall.decay import floors, is_unverified
from memofs.recall.eligible import path_matcher, unverified
from memofs.recall.fields import document_of, signature_of
from memofs.recall.index import EMPTY, LexicalIndex, alive, change, find_any, gather, id_at, locate, segment_at
from memofs.recall.lookup import Lookup
from memofs.recall.named import name_key, named, named_keys, units
from memofs.recall.postings import PostingsBuilder, join_ranges, merge_postings, row, rows_by_slot
from memofs.recall.segment import PENDING
from memofs.recall.unknown import Guess, guess
from memofs.recall.vocabulary import containing, joined, starting, vocabulary, within
from memofs.text.analyzer import words
from stores import DAY_MS, NOW_MS, memory


def test_a_vocabulary_is_searched_by_prefix_and_by_substring() -> None:
    terms = vocabulary(["author", "auth", "oauth", "authentication", "b", "缓存"])
    assert terms.terms == ("auth", "authentication", "author", "b", "oauth", "缓存")
    assert [terms.terms[at] for at in starting(terms, "auth")] == ["auth", "authentication", "author"]
    assert list(starting(terms, "zzz")) == []
    assert containing(joined(terms), "auth") == ["authentication", "author", "oauth"]
    assert within(terms, "authentications", shortest=3) == ["auth", "authentication"]
    assert within(terms, "auth", shortest=3) == []


def built(*documents: Mapping[str, float]) -> PostingsBuilder:
    builder = PostingsBuilder()
    for document in documents:
        builder.add({term: (tf, term.startswith("p")) for term, tf in document.items()})
    return builder


def test_postings_by_term_and_by_document() -> None:
    postings = built({"x": 2.0, "p": 1.0}, {}, {"x": 1.0, "y": 3.0}).build()
    found = row(postings, "x")
    assert found is not None
    assert found.slots.tolist() == [0, 2]
    assert found.tf.tolist() == [2.0, 1.0]
    only_piece = row(postings, "p")
    assert only_piece is not None
    assert only_piece.pieces.tolist() == [True]
    assert row(postings, "z") is None
    starts, rows = rows_by_slot(postings, 3)
    assert [[postings.vocabulary.terms[at] for at in rows[a:b]] for a, b in pairwise(starts)] == [
        ["p", "x"],
        [],
        ["x", "y"],
    ]


def test_merging_leaves_the_dead_out() -> None:
    one, two = built({"x": 1.0}, {"only": 1.0}).build(), built({"x": 4.0, "y": 1.0}).build()
    merged = merge_postings([(one, np.array([0, -1], dtype=np.int32)), (two, np.array([1], dtype=np.int32))])
    assert merged.vocabulary.terms == ("x", "y")
    found = row(merged, "x")
    assert found is not None
    assert (found.slots.tolist(), found.tf.tolist()) == ([0, 1], [1.0, 4.0])


def test_ranges_are_joined() -> None:
    starts = np.array([0, 2, 2, 5], dtype=np.int64)
    assert join_ranges(starts, [2, 0]).tolist() == [2, 3, 4, 0, 1]
    assert join_ranges(starts, [1]).tolist() == []
    assert join_ranges(starts, []).tolist() == []


def index(*memories: Memory) -> LexicalIndex:
    grown = EMPTY
    for each in memories:
        grown = change(grown, put=[document_of(each)])
    return grown


def test_slots_of_several_segments() -> None:
    grown = index(*(memory(f"m{n}", f"title{n}", "shared", kind="note") for n in range(5)))
    assert len(grown.segments) == 5
    assert [id_at(grown, slot) for slot in range(5)] == [f"mem_m{n}" for n in range(5)]
    assert locate(grown, "mem_m3") == (3, 0)
    assert locate(grown, "mem_none") is None
    slots = find_any(grown, ["title1", "title4"], among=lambda segment: segment.words)
    assert slots.tolist() == [1, 4]
    assert gather(grown, slots, lambda segment: segment.lengths, np.int32).tolist() == [2, 2]
    with pytest.raises(IndexError):
        segment_at(EMPTY, 0)


def test_fields_have_weights_and_a_length_without_them() -> None:
    found = document_of(
        memory("m", "Pool pool", "The pool of userIds", tags=("pool",), aliases=("Basin",), paths=("src/pool.py",))
    )
    assert found.words["pool"] == (3.0 * 2 + 2.0 + 1.0 + 1.0, False)
    assert found.words["basin"] == (3.0, False)
    assert found.words["user"] == (1.0, True)
    assert "the" not in found.words
    assert found.title["pool"] == (2.0, False)
    assert found.title_length == 3
    assert found.length == 3 + 1 + 3 + 3
    assert set(found.facets) == {"kind:note", "tag:pool", "path:src/pool.py"}
    assert set(found.names) == {"pool", "basin"}


def test_what_the_index_keeps_of_status_and_dates() -> None:
    pending = document_of(memory("m", "T", status="pending", days=4, verified_days=2, confidence=0.7))
    assert pending.status == PENDING
    assert pending.newest_ms == pending.checked_ms == NOW_MS - 2 * DAY_MS
    assert pending.confidence == 0.7


def test_a_signature_follows_all_that_is_indexed() -> None:
    one = memory("m", "Title", "Body")
    assert signature_of(one) == signature_of(memory("m", "Title", "Body"))
    assert signature_of(one) != signature_of(memory("m", "Title", "Body.", days=1))
    assert signature_of(one) != signature_of(memory("m", "Title", "Body", days=2))


def test_only_long_memories_have_parts() -> None:
    short = "# One\n\nWords.\n\n# Two\n\nMore."
    long = "\n\n".join(f"# Part {n}\n\n" + f"Filler{n} here. " * 60 for n in range(3))
    assert document_of(memory("m", "T", short)).parts == ()
    parts = document_of(memory("m", "T", long)).parts
    assert len(parts) == 3
    assert all(f"filler{n}" in part.words for n, part in enumerate(parts))


GUESSES = [
    ("conection", Guess(sort="typo", terms=("connection",))),
    ("connectoin", Guess(sort="typo", terms=("connection",))),
    ("connexion", None),
    ("kconnection", Guess(sort="fragment", terms=("connection",))),
    ("pol", Guess(sort="fragment", terms=("policy",))),
    ("poll", None),
    ("pools1", Guess(sort="fragment", terms=("pool",))),
    ("po", None),
    ("authentic", Guess(sort="fragment", terms=("authentication",))),
    ("helm", None),
    ("hepl", Guess(sort="typo", terms=("help",))),
    ("e1043", None),
]


@pytest.mark.parametrize(("word", "expected"), GUESSES)
def test_guesses_for_unknown_words(word: str, expected: Guess | None) -> None:
    of = index(memory("m", "", "connection policy authentication help e1042"), memory("n", "", "a pool"))
    known = Lookup(of, alive(of)).known
    assert guess(of, word, known=known) == expected


def test_a_guess_is_among_the_eligible() -> None:
    of = index(memory("m", "", "connection"), memory("n", "", "other"))
    mask = np.array([False, True])
    assert guess(of, "conection", known=Lookup(of, mask).known) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Use D1 for tenant metadata", ["use", "d1", "tenant", "metadata"]),
        ("The TSLint rules", ["tslint", "rule"]),
        ("user_id and getUserById", ["user", "id", "getuserbyid"]),
        ("the of", []),
    ],
)
def test_units_of_a_name(text: str, expected: list[str]) -> None:
    assert units(words(text)) == expected


def test_a_name_has_one_to_five_words() -> None:
    assert name_key("Blue deploys of blue") == "blue deploy"
    assert name_key("One two three four five six") is None
    assert name_key("the of") is None


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("blue deploy", {"blue deploy"}),
        ("deploy blue", {"blue deploy"}),
        ("x blue y deploy z", {"blue deploy"}),
        ("blue x y deploy", set[str]()),
        ("blue blue deploy", {"blue deploy"}),
        ("bleu deploy", {"blue deploy"}),
        ("blue", {"blue"}),
    ],
)
def test_names_lie_close_together(asked: str, expected: set[str]) -> None:
    names = {"blue deploy"} if expected != {"blue"} else {"blue deploy", "blue"}
    assert named_keys(asked.split(), instead={"bleu": ("blue",)}, known=names.__contains__) == expected


def test_a_piece_of_a_name_does_not_name() -> None:
    of = index(memory("ts", "TS", "The language."), memory("lint", "TSLint", "The linter."))
    found = named(Lookup(of, alive(of)), "is TSLint still used", {})
    assert {id_at(of, slot) for slot in found} == {"mem_lint"}


def test_names_of_common_words_are_ignored() -> None:
    of = index(
        memory("t", "Import", "Of orders."), *(memory(f"n{n}", f"Number {n}", "we import things") for n in range(20))
    )
    assert named(Lookup(of, alive(of)), "how do we import orders", {}) == {}


@pytest.mark.parametrize(
    ("paths", "path", "expected"),
    [
        (["src/a.py"], "src/a.py", True),
        (["src/a.py"], "src/a.pyx", False),
        (["src"], "src/deep/a.py", True),
        (["src/"], "src/deep/a.py", True),
        (["./src"], "src/a.py", True),
        (["src"], "srcs/a.py", False),
        (["*.py"], "deep/down/a.py", True),
        (["src/*.py"], "src/deep/a.py", False),
        (["src/**/*.py"], "src/deep/a.py", True),
        (["app/[id]/page.tsx"], "app/[id]/page.tsx", True),
        (["app/[id]"], "app/[id]/page.tsx", True),
        (["lib", "src/a.py"], "src/a.py", True),
        (["."], "anything/at/all", True),
        ([""], "anything/at/all", True),
        (["with space/é#.py"], "with space/é#.py", True),
    ],
)
def test_paths(paths: Sequence[str], path: str, *, expected: bool) -> None:
    assert path_matcher(paths)(path) is expected


@pytest.mark.parametrize("days", [29, 30, 31, 364, 366, 4_000])
@pytest.mark.parametrize("kind", ["note", "decision", "odd"])
def test_unverified_by_column_is_the_formula(kind: str, days: int) -> None:
    each = memory("m", "T", kind=kind, days=days)
    of = index(memory("n", "N", days=None), each)
    slots = np.arange(2, dtype=np.int32)
    limits = floors({"decision": 365})
    expected = is_unverified(kind, each.created_ms, now_ms=NOW_MS, floors_days=limits)
    assert unverified(of, slots, limits, now_ms=NOW_MS).tolist() == [False, expected]


def test_statistics_are_shrunk_and_of_the_eligible() -> None:
    of = index(*(memory(f"m{n}", "", "common " + ("rare" if n == 0 else "other words")) for n in range(4)))
    everything = Lookup(of, alive(of), prior=0)
    assert (everything.documents, everything.df("common"), everything.df("rare")) == (4, 4, 1)
    assert everything.average_length == pytest.approx((2 + 3 * 3) / 4)
    half = Lookup(of, np.array([True, True, False, False]))
    assert (half.documents, half.df("common"), half.average_length) == (2, 2, 2.5)
    assert half.idf(1) > Lookup(of, alive(of), prior=0).idf(1)
    nothing = Lookup(of, np.zeros(4, dtype=np.bool_))
    assert (nothing.documents, nothing.average_length, nothing.known("common")) == (0, 0.0, False)
