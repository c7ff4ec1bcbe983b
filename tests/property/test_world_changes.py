"""Applying changes one by one gives a World that answers as one built at once from the same memories."""

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from memofs.model.change import Change
from memofs.model.config import Config
from memofs.model.memory import Memory
from memofs.model.problem import Problem
from memofs.model.query import Query, Recall
from memofs.model.relation import Relation
from memofs.world.recall import recall
from memofs.world.select import select
from memofs.world.state import World, apply, build, flags, index_bytes, near_duplicate
from stores import DAY_MS, NOW_MS, memory

WORDS = ("auth", "token", "JSON", "Web", "database", "pool", "getUser", "retry", "deploy", "缓存", "cache", "the")
QUERIES = (
    Query(text="auth token database", explain=True),
    Query(text="getUser retry", precision="all", explain=True),
    Query(text="jwt deplyo cache", include_retired=True, precision="strict"),
    Query(text="database pool", kinds=("decision",), task_type="debug", precision="all"),
    Query(text="", limit=5),
    Query(text="auth cache", flags=("superseded", "unverified"), precision="all"),
    Query(text="retry", why_not=("mem_0", "mem_1", "mem_2", "mem_nowhere")),
)

IDS = st.integers(0, 9).map(str)
texts = st.lists(st.sampled_from(WORDS), min_size=0, max_size=7).map(" ".join)


@st.composite
def memories(draw: st.DrawFn) -> Memory:
    return memory(
        draw(IDS),
        draw(texts),
        draw(texts),
        kind=draw(st.sampled_from(("decision", "note"))),
        status=draw(st.sampled_from(("active", "active", "retired", "pending"))),
        supersedes=draw(st.lists(IDS, max_size=2)),
        days=draw(st.sampled_from((1.0, 40.0, 500.0, None))),
        origin=draw(st.sampled_from(("file", "log"))),
        path=draw(st.sampled_from(("a.md", "b.md"))),
        line=draw(st.integers(0, 3)),
    )


@st.composite
def relations(draw: st.DrawFn) -> Relation:
    return Relation(
        source=f"mem_{draw(IDS)}",
        target=f"mem_{draw(IDS)}",
        type=draw(st.sampled_from(("depends_on", "supersedes", "related_to"))),
    )


@st.composite
def changes(draw: st.DrawFn) -> Change:
    path = draw(st.sampled_from(("a.md", "b.md")))
    problem = Problem(path=path, code="frontMatter", message="is torn")
    return Change(
        put=tuple(draw(st.lists(memories(), max_size=3))),
        removed=tuple(f"mem_{id_}" for id_ in draw(st.lists(IDS, max_size=2))),
        paths=(path,),
        problems=(problem,) if draw(st.booleans()) else (),
        relations=draw(st.none() | st.lists(relations(), max_size=6).map(tuple)),
    )


def said(each: Memory) -> tuple[str, str, int | None]:
    return each.digest, each.title, each.created_ms


def answers(of: World) -> list[Recall]:
    return [_rounded(recall(of, query, now_ms=NOW_MS)) for query in QUERIES]


def _rounded(answer: Recall) -> Recall:
    """Sums over more or fewer segments differ in the last bit, so explanations are compared in words."""
    hits = tuple(
        type(hit)(
            id=hit.id,
            score=hit.score,
            title=hit.title,
            snippet=hit.snippet,
            flags=(*hit.flags, *(hit.signals.why if hit.signals else ())),
            superseded_by=hit.superseded_by,
            via=hit.via,
        )
        for hit in answer.hits
    )
    return Recall(
        hits=hits, revision=0, weaker=answer.weaker, more=answer.more, absent=answer.absent, notice=answer.notice
    )


def followed(done: Sequence[Change]) -> tuple[World, World]:
    """The World after the changes, and one built from what they leave."""
    grown = build((), config=Config())
    left: dict[str, Memory] = {}
    problems: dict[str, tuple[Problem, ...]] = {}
    for change in done:
        grown = apply(grown, change)
        for id_ in change.removed:
            left.pop(id_, None)
        left.update({each.id: each for each in change.put})
        problems.update({path: tuple(p for p in change.problems if p.path == path) for path in change.paths})
    told = [problem for each in problems.values() for problem in each]
    return grown, build(left.values(), config=Config(), problems=told, relations=_related(done))


def _related(done: Sequence[Change]) -> tuple[Relation, ...]:
    return next((change.relations for change in reversed(done) if change.relations is not None), ())


@settings(max_examples=40)
@given(st.lists(changes(), max_size=8))
def test_changes_equal_a_build(done: list[Change]) -> None:
    grown, built = followed(done)
    assert dict(grown.memories) == dict(built.memories)
    assert grown.superseded_by == built.superseded_by
    assert grown.problems == built.problems
    assert dict(grown.relations) == dict(built.relations)
    assert answers(grown) == answers(built)
    for each in built.memories.values():
        assert flags(grown, each, NOW_MS) == flags(built, each, NOW_MS)
        assert near_duplicate(grown, each.title, each.body) == near_duplicate(built, each.title, each.body)
    assert select(grown, flags=("unverified", "pending"), now_ms=NOW_MS) == select(
        built, flags=("unverified", "pending"), now_ms=NOW_MS
    )


@settings(max_examples=40)
@given(st.lists(changes(), max_size=6), st.lists(changes(), max_size=2))
def test_a_stored_index_of_an_older_day_is_as_good_as_none(before: list[Change], since: list[Change]) -> None:
    old, _ = followed(before)
    _, now = followed([*before, *since])
    related = _related([*before, *since])
    again = build(now.memories.values(), config=Config(), index_bytes=index_bytes(old), relations=related)
    assert answers(again) == answers(now)
    same = sum(each.id in old.memories and said(old.memories[each.id]) == said(each) for each in now.memories.values())
    assert again.analysed == len(now.memories) - same


@settings(max_examples=40)
@given(st.lists(changes(), min_size=1, max_size=5))
def test_a_world_is_not_changed_by_what_follows_from_it(done: list[Change]) -> None:
    first, _ = followed(done[:-1])
    before = (first.revision, dict(first.memories), dict(first.superseded_by), answers(first))
    second = apply(first, done[-1])
    assert second.revision == first.revision + 1
    assert (first.revision, dict(first.memories), dict(first.superseded_by), answers(first)) == before


@given(st.lists(memories(), max_size=10), st.text(max_size=60))
def test_any_question_is_answered(stored: list[Memory], text: str) -> None:
    of = build(stored, config=Config())
    for precision in ("strict", "balanced", "all"):
        answer = recall(of, Query(text=text, precision=precision, explain=True), now_ms=NOW_MS + DAY_MS)
        assert [hit.score for hit in answer.hits] == sorted((hit.score for hit in answer.hits), reverse=True) or any(
            hit.signals is not None and hit.signals.named is not None for hit in answer.hits
        )
        assert len({hit.id for hit in answer.hits}) == len(answer.hits)
        assert answer.weaker >= 0
        assert bool(answer.notice) == (not answer.hits or answer.notice == "emptyQuery")
