"""Recall over a World: filters, flags, order, what is folded, demoted, counted and explained."""

import msgspec
import numpy as np
import pytest

from memofs.model.config import Config, Precision
from memofs.model.errors import Cancelled
from memofs.model.query import Query
from memofs.recall.index import slot_of
from memofs.world.recall import recall
from memofs.world.state import World, configure, drifted
from stores import ARTICLE, DAY_MS, NOW_MS, ask, ids, memory, world


def flags_of(of: World, query: Query) -> dict[str, tuple[str, ...]]:
    return {hit.id.removeprefix("mem_"): hit.flags for hit in ask(of, "", query).hits}


POOLS = (
    memory(
        "old",
        "Pool size",
        "The pool of connections holds ten.",
        kind="decision",
        tags=("Database",),
        paths=("src/db/pool.py",),
    ),
    memory(
        "new",
        "Pool size again",
        "The pool now holds twenty connections, measured in May.",
        kind="decision",
        supersedes=("old",),
        paths=("src/db/pool.py",),
    ),
    memory("gone", "Pool of threads", "The thread pool was dropped for tasks.", status="retired"),
    memory("draft", "Pool metrics", "Maybe export how full the pool is.", status="pending"),
    memory(
        "ui",
        "Pool of colours",
        "Charts draw from one pool of colours.",
        kind="preference",
        tags=("design",),
        paths=("web/src/charts.ts",),
    ),
)


def test_only_what_is_current() -> None:
    assert set(ids(ask(world(*POOLS), "pool"))) == {"new", "ui"}


def test_retired_and_superseded_when_asked_for() -> None:
    answer = ask(world(*POOLS), "", Query(text="pool", include_retired=True))
    found = {hit.id.removeprefix("mem_"): hit for hit in answer.hits}
    assert set(found) == {"new", "ui", "old", "gone"}
    assert "superseded" in found["old"].flags
    assert found["old"].superseded_by == "mem_new"
    assert "retired" in found["gone"].flags


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (Query(text="pool", kinds=("decision",)), {"new"}),
        (Query(text="pool", kinds=("decision", "preference")), {"new", "ui"}),
        (Query(text="pool", tags=("design",)), {"ui"}),
        (Query(text="pool", tags=("DESIGN", "database")), {"ui"}),
        (Query(text="pool", tags=("database",), include_retired=True), {"old"}),
        (Query(text="pool", paths=("src/db/pool.py",)), {"new"}),
        (Query(text="pool", paths=("src",)), {"new"}),
        (Query(text="pool", paths=("./src/",)), {"new"}),
        (Query(text="pool", paths=("sr",)), set[str]()),
        (Query(text="pool", paths=("*.ts",)), {"ui"}),
        (Query(text="pool", paths=("**/charts.*",)), {"ui"}),
        (Query(text="pool", paths=("web/*.ts",)), set[str]()),
        (Query(text="pool", paths=("web/**/*.ts", "src/db")), {"ui", "new"}),
        (Query(text="pool", paths=(".",)), {"new", "ui"}),
        (Query(text="pool", flags=("pending",)), {"draft"}),
        (Query(text="pool", flags=("retired", "superseded")), {"gone", "old"}),
        (Query(text="pool", flags=("wordsOnly",)), {"new", "ui"}),
        (Query(text="pool", flags=("byLexicon",)), set[str]()),
        (Query(text="pool", flags=("stale",)), set[str]()),
    ],
)
def test_filters(query: Query, expected: set[str]) -> None:
    assert set(ids(ask(world(*POOLS), "", query))) == expected


def test_statistics_are_those_of_the_eligible_memories() -> None:
    query = Query(text="pool connections", kinds=("decision",), explain=True)
    alone = ask(world(POOLS[1]), "", query)
    among = ask(world(*POOLS, *ARTICLE[1:3]), "", query)
    assert alone.hits[0].signals == among.hits[0].signals


def test_hits_are_flagged_words_only() -> None:
    answer = ask(world(*POOLS), "pool")
    assert all("wordsOnly" in hit.flags for hit in answer.hits)
    assert answer.degraded == ()


def test_what_is_not_shown_is_counted() -> None:
    answer = ask(world(*ARTICLE), "", Query(text="database tokens authentication", limit=1))
    everything = ask(world(*ARTICLE), "", Query(text="database tokens authentication", precision="all", limit=100))
    assert len(answer.hits) == 1
    assert answer.more + answer.weaker == len(everything.hits) - 1
    assert (everything.more, everything.weaker) == (0, 0)


@pytest.mark.parametrize("precision", ["strict", "balanced", "all"])
@pytest.mark.parametrize("limit", [1, 2, 3, 50])
def test_what_the_limit_cuts_off_is_counted_apart_from_what_is_weak(precision: Precision, limit: int) -> None:
    query = Query(text="database connection pool authentication", precision=precision, limit=50)
    whole = ask(world(*ARTICLE, *POOLS), "", query)
    answer = ask(world(*ARTICLE, *POOLS), "", msgspec.structs.replace(query, limit=limit))
    assert answer.more == max(0, len(whole.hits) - limit)
    assert answer.weaker == whole.weaker


def test_memories_without_a_flag_that_was_asked_for_are_not_more() -> None:
    query = Query(text="pool", limit=1, flags=("unverified",), precision="all")
    assert ask(world(*POOLS), "", query).more == 0


def test_near_duplicates_are_folded_and_said_so() -> None:
    text = "Retry failed uploads three times with a pause of two, four and eight seconds between them"
    of = world(
        memory("a", "Retry uploads", text),
        memory("b", "Retry uploads", f"{text}."),
        memory("c", "Uploads", "Big uploads go in chunks."),
    )
    answer = ask(of, "", Query(text="retry uploads", why_not=("mem_a", "mem_b")))
    assert ids(answer)[:1] == ["a"]
    assert "b" not in ids(answer)
    assert [each.id for each in answer.absent] == ["mem_b"]
    assert "nearly the same" in answer.absent[0].reason


def test_age_demotes_and_says_so() -> None:
    of = world(
        memory("aged", "Cache of images", "Images are cached for a day.", kind="note", days=31),
        memory("fresh", "Cache of fonts", "Fonts are cached for a year.", kind="note", days=29),
    )
    answer = ask(of, "", Query(text="cached", explain=True))
    assert ids(answer) == ["fresh", "aged"]
    aged = answer.hits[1]
    assert "unverified" in aged.flags
    assert aged.signals is not None
    assert aged.signals.decay == 0.6
    assert any("not verified" in said for said in aged.signals.why)
    assert flags_of(of, Query(text="cached", flags=("unverified",))).keys() == {"aged"}


def test_floors_come_from_the_settings() -> None:
    of = world(memory("aged", "Cache of images", "Images are cached.", kind="note", days=31))
    assert "unverified" in ask(of, "cached").hits[0].flags
    longer = configure(of, Config(floors_days={"note": 32}))
    assert "unverified" not in ask(longer, "cached").hits[0].flags


def test_verifying_counts_from_then_on() -> None:
    of = world(memory("aged", "Cache of images", "Images are cached.", kind="note", days=400, verified_days=3))
    assert "unverified" not in ask(of, "cached").hits[0].flags


def test_drift_halves_before_the_cut() -> None:
    pair = (
        memory("one", "Cache of images", "Images are cached for a day.", paths=("a.py",)),
        memory("two", "Cache of fonts", "Fonts are cached for a year."),
    )
    before, after = world(*pair), drifted(world(*pair), ["mem_one"])
    assert ids(ask(after, "", Query(text="cached images", limit=1))) == ["one"]
    first = ask(before, "cached").hits[0].id
    assert ask(drifted(before, [first]), "", Query(text="cached", limit=1)).hits[0].id != first
    hit = next(hit for hit in ask(after, "", Query(text="cached images", explain=True)).hits if hit.id == "mem_one")
    assert hit.flags[0] == "stale"
    assert hit.signals is not None
    assert hit.signals.drift == 0.5
    assert hit.score == pytest.approx(hit.signals.composite * 0.5, abs=1e-4)


def test_equal_scores_break_by_id() -> None:
    of = world(
        *(
            memory(id_, f"Alpha {word}", "", days=1)
            for id_, word in zip("cab", ("kettle", "saucer", "teapot"), strict=True)
        )
    )
    answer = ask(of, "alpha")
    assert len({hit.score for hit in answer.hits}) == 1
    assert ids(answer) == ["a", "b", "c"]


def test_a_named_memory_comes_first() -> None:
    of = world(
        memory("named", "Blue deploys", "Traffic moves in steps.", days=300, kind="decision"),
        memory(
            "other", "Traffic", "How traffic moves while we deploy, in how many steps, and who watches the traffic."
        ),
    )
    answer = ask(of, "", Query(text="how does traffic move in blue deploys, in which steps", explain=True))
    assert ids(answer)[0] == "named"
    signals = answer.hits[0].signals
    assert signals is not None
    assert signals.named == "Blue deploys"


def test_an_alias_names_too() -> None:
    of = world(memory("d1", "Tenant metadata", "On the edge.", aliases=("cloudflare d1",)), *ARTICLE[1:])
    signals = ask(of, "", Query(text="is cloudflare d1 still used", explain=True)).hits[0].signals
    assert signals is not None
    assert signals.named == "cloudflare d1"


def test_explanations_add_up() -> None:
    answer = ask(world(*ARTICLE), "", Query(text="database tenant metadata conection", explain=True, precision="all"))
    for hit in answer.hits:
        signals = hit.signals
        assert signals is not None
        assert signals.words is not None
        assert signals.coverage is not None
        assert signals.title is not None
        assert signals.meaning is None
        assert signals.alpha == 0.0
        assert signals.composite == pytest.approx(
            0.7 * signals.relevance + 0.2 * signals.recency + 0.1 * signals.confidence, abs=1e-4
        )
        assert signals.final == hit.score
        assert signals.why
    first = answer.hits[0].signals
    assert first is not None
    assert first.matched == ("tenant", "metadata")
    assert first.relevance == pytest.approx(first.evidence)
    pooling = next(hit.signals for hit in answer.hits if hit.id == "mem_pooling")
    assert pooling is not None
    assert pooling.typos == (("conection", "connection"),)


@pytest.mark.parametrize(
    ("query", "id_", "said"),
    [
        (Query(text="pool"), "old", "superseded by mem_new"),
        (Query(text="pool"), "gone", "retired"),
        (Query(text="pool"), "draft", "pending"),
        (Query(text="pool", kinds=("note",)), "ui", "its kind is preference"),
        (Query(text="pool", tags=("database",)), "ui", "none of the tags"),
        (Query(text="pool", paths=("src",)), "ui", "not anchored"),
        (Query(text="pool", flags=("pending",)), "ui", "none of the flags"),
        (Query(text="pool"), "nowhere", "no such memory"),
        (Query(text="connections twenty measured"), "ui", "none of the words"),
        (Query(text="pool", limit=1), "ui", "place 2, after the first 1"),
        (Query(text="kubernetes helmets steer whales across oceans, pool", precision="strict"), "ui", "below strength"),
        (Query(text=""), "gone", "retired"),
    ],
)
def test_why_not(query: Query, id_: str, said: str) -> None:
    answer = ask(world(*POOLS), "", msgspec.structs.replace(query, why_not=(f"mem_{id_}",)))
    assert [each.id for each in answer.absent] == [f"mem_{id_}"]
    assert said in answer.absent[0].reason


NOTHING = "kubernetes helmets steer whales across frozen arctic oceans beneath glowing amber lanterns, pool"


@pytest.mark.parametrize("precision", ["strict", "balanced"])
def test_why_not_of_an_answer_that_shows_nothing_does_not_speak_of_what_is_shown(precision: Precision) -> None:
    answer = ask(world(*POOLS), "", Query(text=NOTHING, precision=precision, why_not=("mem_ui",)))
    assert answer.hits == ()
    assert answer.absent[0].reason.startswith("below strength: the words found are too few")
    assert "shown" not in answer.absent[0].reason


def test_why_not_beside_memories_that_only_have_related_words() -> None:
    balloons = [memory(f"b{n}", f"Number {n}", "A balloon that is " + "heavy and " * n + "round") for n in range(5)]
    of = world(*ARTICLE, *balloons, config=Config(lexicon={"zeppelin": ("balloon",)}))
    query = Query(text="zeppelin whales oceans crossing", why_not=tuple(each.id for each in balloons))
    answer = ask(of, "", query)
    assert [hit.flags for hit in answer.hits] == [("wordsOnly", "byLexicon")] * 3
    assert len(answer.absent) == 2
    for each in answer.absent:
        assert each.reason.startswith("below tau: ")
        assert each.reason.endswith("only the few best that have a word often used for those asked for are shown")


def test_why_not_by_meaning_names_the_cosine() -> None:
    of = world(*POOLS)
    cosines = np.full(of.index.size, 0.1)
    answer = recall(of, Query(text=NOTHING, why_not=("mem_ui",)), now_ms=NOW_MS, cosines=cosines)
    assert answer.hits == ()
    assert "the best cosine 0.10 < 0.3" in answer.absent[0].reason


def test_why_not_is_silent_about_what_is_shown() -> None:
    assert ask(world(*POOLS), "", Query(text="pool", why_not=("mem_ui",))).absent == ()


def test_below_lead_says_by_how_much() -> None:
    noise = [memory(f"n{n}", f"Number {n}", f"Unrelated words {n} about the pool") for n in range(30)]
    of = world(memory("right", "Pool limits of tenants", "Tenants have limits on their pool."), *noise)
    answer = ask(of, "", Query(text="pool limits of tenants", why_not=("mem_n7",), precision="strict"))
    assert ids(answer) == ["right"]
    assert answer.absent[0].reason.startswith("below lead: its rank is ")


def test_classic_ranking_is_the_original_composite() -> None:
    of = world(*ARTICLE, config=Config(ranking="classic"))
    answer = ask(of, "", Query(text="tenant metadata database driver", explain=True))
    assert ids(answer)[0] == "d1"
    for hit in answer.hits:
        signals = hit.signals
        assert signals is not None
        assert signals.relevance == pytest.approx(signals.evidence)
        assert hit.score == pytest.approx(
            0.7 * signals.evidence + 0.2 * signals.recency + 0.1 * signals.confidence, abs=1e-4
        )


def test_the_projects_own_lexicon_expands() -> None:
    of = world(memory("cf", "Edge runtime", "We run on workers."), *ARTICLE)
    assert "cf" not in ids(ask(of, "cloudflare"))
    taught = configure(of, Config(lexicon={"cloudflare": ("workers", "edge runtime")}))
    assert "cf" in ids(ask(taught, "cloudflare"))


def test_a_section_of_a_long_memory_is_its_snippet() -> None:
    filler = "\n\n".join(f"## Part {n}\n\n" + f"Words about matter {n} and nothing else. " * 12 for n in range(6))
    body = f"{filler}\n\n## Rollback\n\nA failed release is rolled back by the pipeline within a minute.\n\n{filler}"
    of = world(memory("long", "Handbook", body), *ARTICLE)
    hit = ask(of, "failed release rolled back").hits[0]
    assert hit.id == "mem_long"
    assert hit.snippet.text.startswith("A failed release is rolled back")
    assert body.splitlines()[hit.snippet.line].startswith("A failed release")


def test_entries_of_a_log_lean_on_their_neighbours() -> None:
    def entries(origin: str) -> World:
        said = (
            "The importer was slow.",
            "It waited for the lock of the importer queue.",
            "Lunch was good.",
            "It rained.",
        )
        return world(
            *(
                memory(f"e{n}", "", text, origin="log" if origin == "log" else "file", path="notes.md", line=10 * n)
                for n, text in enumerate(said)
            ),
            memory("far", "", "Another importer, far away from this."),
        )

    def rank_of(of: World, id_: str) -> float:
        answer = ask(of, "", Query(text="importer lock queue", precision="all", explain=True))
        signals = next(hit.signals for hit in answer.hits if hit.id == f"mem_{id_}")
        assert signals is not None
        return signals.relevance

    assert rank_of(entries("log"), "e0") > rank_of(entries("file"), "e0")
    assert rank_of(entries("log"), "far") == pytest.approx(rank_of(entries("file"), "far"), abs=0.05)


class Gone:
    """A caller that leaves after a number of checks."""

    def __init__(self, checks: int) -> None:
        self._left = checks

    def check(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise Cancelled


@pytest.mark.parametrize("checks", [0, 1, 2, 3])
def test_a_recall_nobody_waits_for_ends(checks: int) -> None:
    with pytest.raises(Cancelled):
        recall(world(*ARTICLE), Query(text="database"), now_ms=NOW_MS, cancel=Gone(checks))


def cosines(of: World, **given: float) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Cosines by id; NaN for all others."""
    values = np.full(of.index.size, np.nan)
    for id_, value in given.items():
        slot = slot_of(of.index, f"mem_{id_}")
        assert slot is not None
        values[slot] = value
    return values


def test_meaning_finds_what_words_do_not() -> None:
    of = world(*ARTICLE)
    meant = cosines(of, d1=0.1, pooling=0.05, sqlite=0.02, jwt=0.3, errors=0.1, tailwind=0.4, ci=0.0, webtoken=0.05)
    answer = recall(of, Query(text="visual beauty", explain=True), now_ms=NOW_MS, cosines=meant)
    assert ids(answer) == ["tailwind"]
    assert "byMeaning" in answer.hits[0].flags
    assert "wordsOnly" not in answer.hits[0].flags
    signals = answer.hits[0].signals
    assert signals is not None
    assert signals.meaning is not None
    assert signals.meaning.place == 1
    assert signals.alpha > 0.4


def test_a_memory_without_a_vector_is_judged_by_its_words() -> None:
    of = world(*ARTICLE)
    answer = recall(of, Query(text="tenant metadata"), now_ms=NOW_MS, cosines=cosines(of, pooling=0.2, jwt=0.1))
    assert ids(answer)[0] == "d1"


def test_cosines_of_nothing_are_as_good_as_none() -> None:
    of = world(*ARTICLE)
    answer = recall(of, Query(text="database"), now_ms=NOW_MS, cosines=cosines(of))
    assert answer == ask(of, "database")


def test_answers_name_the_revision() -> None:
    of = world(*ARTICLE)
    assert ask(of, "database").revision == of.revision
    assert ask(configure(of, Config()), "database").revision == of.revision + 1


def test_recency_never_rescues_and_age_never_excludes() -> None:
    of = world(
        memory("aged", "Rate limits of the public interface", "A thousand calls an hour.", days=3_000),
        memory("today", "Calls", "Calls with the team happen daily.", days=0),
    )
    assert ids(ask(of, "rate limits of the public interface"))[0] == "aged"
    assert recall(of, Query(text="quantum"), now_ms=NOW_MS + DAY_MS).notice == "nothingRelevant"


@pytest.mark.parametrize("before", [0, 30_000, 400_000])
@pytest.mark.parametrize("lines", [True, False])
def test_a_passage_of_a_very_long_text(before: int, *, lines: bool) -> None:
    filler = "Some words of a protocol in between" + ("\n" if lines else " ")
    body = filler * (before // len(filler)) + "the zanzibar protocols end here. " + filler * 3_000
    hit = ask(world(memory("long", "Long", body)), "zanzibar protocol").hits[0]
    assert "zanzibar protocols" in hit.snippet.text
    assert "zanzibar" in body.split("\n")[hit.snippet.line]
    assert {hit.snippet.text[a:b] for a, b in hit.snippet.marks} == {"zanzibar", "protocols", "protocol"}
