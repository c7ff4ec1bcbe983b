"""The examples of the article about MemoFS, as far as words reach: on its own few memories and on a larger store."""

import pytest

from bench.corpus import memories
from memofs.model.query import Query
from stores import ARTICLE, ask, ids, memory, world

AROUND = memories(120, seed=11)
"""A project's other memories."""


@pytest.mark.parametrize("others", [0, 22, 120])
@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("What database driver did we pick for tenant metadata?", "d1"),
        ("tenant metadata", "d1"),
        ("D1", "d1"),
        ("connection limits", "pooling"),
        ("why did we choose postgres", "pooling"),
        ("stateless auth expiry", "jwt"),
        ("github actions", "ci"),
        ("how do we style components", "tailwind"),
        ("login failure", "errors"),
    ],
)
def test_the_right_memory_first(query: str, first: str, others: int) -> None:
    assert ids(ask(world(*ARTICLE, *AROUND[:others]), query))[0] == first


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("auth", {"jwt", "errors"}),
        ("db", {"pooling", "sqlite"}),
        ("jwt", {"jwt", "webtoken"}),
        ("JSON Web Token", {"jwt", "webtoken"}),
        ("ci", {"ci"}),
    ],
)
def test_abbreviations_and_what_they_stand_for(query: str, found: set[str]) -> None:
    assert found <= set(ids(ask(world(*ARTICLE), query)))


@pytest.mark.parametrize("others", [0, 22])
def test_user_sessions_find_the_tokens(others: int) -> None:
    answer = ask(world(*ARTICLE, *AROUND[:others]), "how we handle user sessions")
    assert "jwt" in ids(answer)


def test_what_only_the_lexicon_connects_is_marked_as_such() -> None:
    of = world(
        memory("jwt", "JWT for the API", "Stateless authentication with 24-hour expiry."),
        *(
            memory(f"n{n}", f"Chart {n}", f"The palette of chart {n} is fixed, its legend stands below.")
            for n in range(40)
        ),
    )
    answer = ask(of, "which sessions outlive a browser restart on mobile phones")
    assert ids(answer) == ["jwt"]
    assert "byLexicon" in answer.hits[0].flags
    strict = ask(of, "", Query(text="which sessions outlive a browser restart on mobile phones", precision="strict"))
    assert strict.notice == "nothingRelevant"


def test_a_task_steers_among_equals() -> None:
    of = world(
        memory("crash", "Login on mobile", "The login page crashed with an exception on old phones.", kind="note"),
        memory(
            "rule",
            "Login on desktop",
            "The login page has a convention for its buttons and colours.",
            kind="constraint",
        ),
    )
    assert ids(ask(of, "", Query(text="login page", task_type="debug")))[0] == "crash"
    assert ids(ask(of, "", Query(text="login page", task_type="coding")))[0] == "rule"


def test_a_task_is_no_evidence() -> None:
    of = world(memory("crash", "Crash of the importer", "An exception, a stack trace, a bug and its fix."), *ARTICLE)
    assert "crash" not in ids(ask(of, "", Query(text="tailwind", task_type="debug")))


@pytest.mark.parametrize("size", [1, 2, 5, 30])
def test_small_stores_answer_and_abstain(size: int) -> None:
    of = world(*[*ARTICLE, *AROUND][:size])
    assert ids(ask(of, "tenant metadata"))[0] == "d1"
    assert ids(ask(of, "metadata"))[0] == "d1"
    assert ask(of, "vacation allowance of contractors").notice == "nothingRelevant"


def test_a_word_that_every_memory_has_finds_them_all() -> None:
    rooms = ("kitchen", "garden", "office", "cellar", "attic")
    of = world(*(memory(room, room.capitalize(), f"The {room} belongs to the project.") for room in rooms))
    assert set(ids(ask(of, "project"))) == set(rooms)
