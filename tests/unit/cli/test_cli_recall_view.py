"""What `memofs recall` prints, as values."""

import msgspec
import pytest

from memofs.cli.style import Style
from memofs.cli.views.recall import render_recall
from memofs.wire.memory import AnchorView
from memofs.wire.read import AbsentView, HitView, Matches, RecallResult, SignalsView, SignalView
from memofs.wire.values import Position, Range

NOW_MS = 1_796_731_200_000  # 2026-12-08T12:00Z
PIPE = Style(now_ms=NOW_MS)
TERMINAL = Style(now_ms=NOW_MS, colour=True, width=60)

HIT = HitView(
    id="mem_01k9d3v7q2xh",
    title="Use D1 for tenant metadata",
    kind="decision",
    status="active",
    score=0.81,
    flags=("wordsOnly",),
    snippet="Read on every request.\ntenant  rows are small",
    matches=Matches(title=((11, 17),), snippet=((23, 29),)),
    uri="file:///w/.memofs/memory/use-d1-q2xh.md",
    path=".memofs/memory/use-d1-q2xh.md",
    line=0,
    tags=("database",),
    created="2026-11-10T00:00:00Z",
    updated="2026-11-17T09:30:00Z",
    confidence=0.9,
)


def signal(raw: float) -> SignalView:
    return SignalView(raw=raw, usual=0.25, z=1.5, place=2, adds=0.125)


SIGNALS = SignalsView(
    why=("the words stand close together",),
    named="d1",
    typos=(("tennant", "tenant"),),
    matched=("d1", "tenant"),
    alpha=0.0,
    meaning=None,
    words=signal(5.1234),
    coverage=signal(0.9),
    title=None,
    fuzzy=0.0,
    evidence=0.61,
    threshold=0.45,
    relevance=0.9,
    recency=0.876,
    confidence=0.9,
    composite=0.8,
    drift=1.0,
    decay=0.6,
    final=0.711,
)


def test_a_hit_in_a_pipe() -> None:
    assert render_recall(RecallResult(hits=(HIT,), weaker=5), PIPE, query="tenant", limit=10).splitlines() == [
        "1. Use D1 for tenant metadata",
        "   decision · 2026-11-17 (3 weeks ago) · confidence 0.9 · #database",
        "   Read on every request.",
        "   tenant  rows are small",
        "   mem_01k9d3v7q2xh  .memofs/memory/use-d1-q2xh.md",
        "",
        "5 weaker matches not shown (--precision all shows them)",
        "matched by words only, not by meaning: read the lower places with care",
    ]


def test_a_terminal_gets_marks_and_lines_that_fit() -> None:
    long = msgspec.structs.replace(
        HIT,
        snippet="every single request of the edge worker reads what the tenant is",
        matches=Matches(title=((11, 17),), snippet=((55, 61),)),
    )
    lines = render_recall(RecallResult(hits=(long,)), TERMINAL, query="tenant", limit=10).splitlines()
    assert "\x1b[1;33mtenant\x1b[0m" in lines[0]
    assert lines[2:4] == [
        "   every single request of the edge worker reads what the",
        "   \x1b[1;33mtenant\x1b[0m is",
    ]


def test_a_mark_that_runs_over_a_line_break_is_marked_on_both_lines() -> None:
    split = msgspec.structs.replace(HIT, snippet="tenant\nmetadata", matches=Matches(snippet=((3, 11),)))
    lines = render_recall(RecallResult(hits=(split,)), TERMINAL, query="x", limit=10).splitlines()
    assert lines[2:4] == ["   ten\x1b[1;33mant\x1b[0m", "   \x1b[1;33mmeta\x1b[0mdata"]


@pytest.mark.parametrize(
    ("more", "weaker", "says"),
    [
        (0, 12, ["12 weaker matches not shown (--precision all shows them)"]),
        (0, 1, ["1 weaker match not shown (--precision all shows it)"]),
        (12, 0, ["12 more matches not shown (--limit 13 shows them)"]),
        (1, 0, ["1 more match not shown (--limit 2 shows it)"]),
        (2_000, 0, ["2,000 more matches not shown (--limit 1000 shows more)"]),
        (
            3,
            12,
            [
                "3 more matches not shown (--limit 4 shows them)",
                "12 weaker matches not shown (--precision all shows them)",
            ],
        ),
        (0, 0, []),
    ],
)
def test_what_the_limit_cut_off_is_told_apart_from_what_is_weak(more: int, weaker: int, says: list[str]) -> None:
    text = render_recall(RecallResult(hits=(HIT,), more=more, weaker=weaker), PIPE, query="x", limit=1)
    assert [line for line in text.splitlines() if "not shown" in line] == says


def test_layers_that_the_settings_leave_out_are_named_whether_or_not_there_are_hits() -> None:
    for hits in ((HIT,), ()):
        text = render_recall(RecallResult(hits=hits, without=("typos", "hop")), PIPE, query="x", limit=10)
        assert "\nleft out by the settings (`without`): typos, hop\n" in text


def test_a_later_confirmation_is_worth_a_word() -> None:
    def facts(verified: str | None, updated: str | None = "2026-11-17T09:30:00Z") -> str:
        hit = msgspec.structs.replace(HIT, verified=verified, updated=updated, created=None)
        return render_recall(RecallResult(hits=(hit,)), PIPE, query="x", limit=10).splitlines()[1]

    assert "(3 weeks ago) · verified 2026-12-01 · confidence" in facts("2026-12-01T00:00:00Z")
    assert "verified" not in facts("2026-11-17T23:00:00Z")
    assert facts("2026-12-01T00:00:00Z", None).startswith("   decision · verified 2026-12-01 · ")


def test_flags_are_words_and_anchors_are_places() -> None:
    lines_3_to_5 = Range(start=Position(line=2, character=0), end=Position(line=5, character=0))
    part_of_9 = Range(start=Position(line=8, character=4), end=Position(line=8, character=9))
    hit = msgspec.structs.replace(
        HIT,
        flags=("superseded", "unverified", "novel"),
        superseded_by="mem_new",
        anchors=(
            AnchorView(path="src/a.py", uri="", range=lines_3_to_5, symbol="A.open", verdict="current"),
            AnchorView(path="src/b.py", uri="", range=part_of_9, verdict="changed"),
            AnchorView(path="src/c.py", uri=""),
            AnchorView(path="src/d.py", uri=""),
        ),
    )
    text = render_recall(RecallResult(hits=(hit,)), msgspec.structs.replace(PIPE, prefix="../"), query="x", limit=10)
    assert " · superseded by mem_new · not verified lately · novel\n" in text
    assert "   at ../src/a.py:3-5 A.open, ../src/b.py:9:5-9:10 (changed), ../src/c.py and 1 more\n" in text
    assert "  ../.memofs/memory/use-d1-q2xh.md\n" in text
    assert "words only" not in text


def test_an_entry_of_a_log_names_its_line() -> None:
    entry = msgspec.structs.replace(HIT, path=".memofs/memory/notes.md", line=41)
    assert ".memofs/memory/notes.md:42\n" in render_recall(RecallResult(hits=(entry,)), PIPE, query="x", limit=10)


def test_what_is_unknown_leaves_no_hole() -> None:
    bare = msgspec.structs.replace(HIT, tags=(), created=None, updated=None, confidence=None, snippet="")
    lines = render_recall(RecallResult(hits=(bare,)), PIPE, query="x", limit=10).splitlines()
    assert lines[1:3] == ["   decision", "   mem_01k9d3v7q2xh  .memofs/memory/use-d1-q2xh.md"]


def test_numbers_stay_aligned_with_their_block() -> None:
    text = render_recall(RecallResult(hits=(HIT,) * 10), PIPE, query="x", limit=10)
    assert "\n10. Use D1" in text
    assert "\n    decision · " in text


def test_explain_shows_the_signals() -> None:
    explained = msgspec.structs.replace(HIT, signals=SIGNALS, snippet="")
    assert render_recall(RecallResult(hits=(explained,)), PIPE, query="x", limit=10).splitlines()[3:-2] == [
        "   why      the words stand close together",
        "   named    d1",
        "   matched  d1, tenant",
        "   typos    tennant → tenant",
        "   signal    value  usual      z  place    adds",
        "   words     5.123  0.250  +1.50      2  +0.125",
        "   coverage  0.900  0.250  +1.50      2  +0.125",
        "   evidence  0.61, the best needed 0.45",
        "   score     0.711 = relevance 0.9 · recency 0.876 · confidence 0.9 · decay ×0.6",
    ]


def test_explain_says_how_much_meaning_weighs() -> None:
    with_meaning = msgspec.structs.replace(SIGNALS, meaning=signal(0.4), alpha=0.76)
    explained = msgspec.structs.replace(HIT, signals=with_meaning)
    assert "evidence  0.61, the best needed 0.45 · meaning weighs 76%, words 24%" in render_recall(
        RecallResult(hits=(explained,)), PIPE, query="x", limit=10
    )


def test_absent_memories_are_explained() -> None:
    absent = AbsentView(id="mem_old", reason="superseded by mem_new")
    assert render_recall(RecallResult(hits=(HIT,), absent=(absent,)), PIPE, query="x", limit=10).endswith(
        "\nmem_old is not shown: superseded by mem_new\n"
    )


def test_nothing_relevant_is_said_with_a_way_on() -> None:
    assert render_recall(RecallResult(hits=(), weaker=1, notice="nothingRelevant"), PIPE, query="zebra", limit=10) == (
        "Nothing relevant found for “zebra”.\n1 weaker match not shown (--precision all shows it)\n"
    )
    assert render_recall(RecallResult(hits=(), notice="nothingRelevant"), PIPE, query="zebra", limit=10) == (
        "Nothing relevant found for “zebra”.\nTry other words, or fewer filters; `memofs list` shows what there is.\n"
    )


def test_an_empty_query_shows_recent_memories_and_says_so() -> None:
    def shown(*hits: HitView) -> str:
        return render_recall(RecallResult(hits=hits, notice="emptyQuery"), PIPE, query="", limit=10)

    assert shown() == "No query, and no memories yet.\n"
    assert shown(HIT).startswith("No query: the most recent memory.\n\n1. Use D1")
    assert shown(HIT, HIT).startswith("No query: the 2 most recent memories.\n\n1. Use D1")


def test_what_the_answer_had_to_do_without_is_said_in_words() -> None:
    text = render_recall(
        RecallResult(hits=(HIT,), degraded=("embedder", "readOnly", "other")), PIPE, query="x", limit=10
    )
    assert text.endswith("\nthe workspace is read-only: nothing can be written\nother\n")
