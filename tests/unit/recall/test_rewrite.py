"""Expansions of a query: which, in what order, and what they stand for."""

import pytest

from memofs.model.query import TASK_TYPES
from memofs.recall.lexicon import everyday, lexicon, look_up, original, terms_of
from memofs.recall.rewrite import EXPANSION_WEIGHT, TASK_WEIGHT, Expansion, embedded_text, rewrite
from memofs.recall.tasks import task, tasks

ORIGINAL = lexicon(original())


def added(expansion: Expansion) -> dict[str, str]:
    """What was added, and by what source."""
    return {one.text: one.source for one in expansion.expanded}


def test_the_articles_example() -> None:
    assert rewrite("login failure", task("debug"), base=ORIGINAL).text == (
        "Recent errors and bug-fix context login failure authentication auth exception crash stack trace debug issue"
    )


def test_with_our_lexicon_the_article_holds_too() -> None:
    words = rewrite("login failure", task("debug")).text.split()
    expected = (
        "Recent errors and bug-fix context login failure authentication auth exception crash stack trace debug issue"
    )
    assert set(expected.split()) <= set(words)
    assert words[:5] == expected.split()[:5]


@pytest.mark.parametrize(
    ("query", "word"),
    [
        ("how we handle user sessions", "authentication"),
        ("how we handle user sessions", "token"),
        ("auth", "authentication"),
        ("db", "database"),
        ("the JWT", "json web token"),
        ("k8s cluster", "kubernetes"),
        ("kubernetesCluster", "k8s"),
        ("repo layout", "repository"),
        ("Repositories", "repo"),
        ("env vars", "environment"),
        ("pull request", "pr"),
        ("pull-request", "merge request"),
        ("sign in page", "login"),
        ("deps", "dependency"),
        ("the dep", "dependency"),
        ("how do we style components", "css"),
    ],
)
def test_the_everyday_lexicon(query: str, word: str) -> None:
    assert word in added(rewrite(query))


def test_stop_words_of_a_key_count() -> None:
    assert "login" not in added(rewrite("where do logs go"))
    assert "login" in added(rewrite("log in"))


def test_expansions_keep_order_weight_and_what_they_stand_for() -> None:
    found = rewrite("fix ci for Auth", base=ORIGINAL)
    assert [word.term for word in found.words] == ["fix", "ci", "auth"]
    assert [(one.text, one.terms, one.of) for one in found.expanded] == [
        ("continuous integration", ("continuous", "integration"), ("ci",)),
        ("github actions", ("github", "action"), ("ci",)),
        ("authentication", ("authentication",), ("auth",)),
        ("jwt", ("jwt",), ("auth",)),
        ("oauth", ("oauth",), ("auth",)),
        ("login", ("login",), ("auth",)),
    ]
    assert {one.weight for one in found.expanded} == {EXPANSION_WEIGHT}
    assert found.text == "fix ci for Auth continuous integration github actions authentication jwt oauth login"


def test_one_pass_only() -> None:
    table = {"alpha": ["beta"], "beta": ["gamma"]}
    assert list(added(rewrite("alpha", base=lexicon(table)))) == ["beta"]


def test_nothing_is_added_twice_or_beside_itself() -> None:
    table = {"a1": ["words", "word", "other"], "b1": ["other", "a1", "word b1"]}
    assert list(added(rewrite("a1 b1", base=lexicon(table)))) == ["words", "other"]


def test_project_and_initials() -> None:
    found = rewrite("JSON Web Token of a tenant", base=lexicon(), project={"tenant": ("workspace",)})
    assert added(found) == {"jwt": "acronym", "workspace": "project"}
    assert {one.text: one.of for one in found.expanded} == {"jwt": ("json", "web", "token"), "workspace": ("tenant",)}


def test_a_task_steers_with_what_the_person_does_not_say() -> None:
    found = rewrite("why does the API crash", task("debug"), base=lexicon())
    assert found.phrase == "Recent errors and bug-fix context"
    assert found.kinds == {"note", "decision"}
    assert [one.terms for one in found.task] == [
        ("recent",),
        ("error",),
        ("bug",),
        ("fix",),
        ("context",),
        ("exception",),
        ("failure",),
        ("stack", "trace"),
        ("debug",),
        ("issue",),
    ]
    assert {one.weight for one in found.task} == {TASK_WEIGHT}
    assert found.expanded == ()


def test_a_task_is_not_expanded() -> None:
    assert added(rewrite("module", task("refactor"), base=ORIGINAL)) == {}


@pytest.mark.parametrize("name", [None, "general"])
def test_without_a_task_the_lexicon_still_expands(name: str | None) -> None:
    found = rewrite("auth", task(name), base=ORIGINAL)
    assert (found.phrase, found.task, found.kinds) == ("", (), frozenset())
    assert found.text == "auth authentication jwt oauth login"


def test_an_empty_query() -> None:
    assert rewrite("") == Expansion(words=())
    assert rewrite("…", task("docs")).words == ()


def test_every_task_type_is_known_or_general() -> None:
    assert set(tasks()) == set(TASK_TYPES) - {"general"}
    assert {name: one.kinds for name, one in tasks().items()} == {
        "coding": ("constraint", "preference", "decision"),
        "debug": ("note", "decision"),
        "refactor": ("decision", "constraint"),
        "docs": ("reference", "decision"),
    }


def test_tables_meet_in_order() -> None:
    words = lexicon({"test": ["one"], "tests": ["two"]}, {"Test": ["three", "one"]})
    assert look_up(words, ("test",)) == ("one", "two", "three")
    assert look_up(words, ("absent",)) == ()


def test_every_entry_of_our_lexicon_says_something_new() -> None:
    entries = lexicon(everyday()).entries
    assert len(entries) > 150
    for key, expansions in entries.items():
        assert [phrase for phrase in expansions if set(terms_of(phrase)) <= set(key)] == [], key


def test_what_the_original_embeds() -> None:
    assert embedded_text("login failure", task("debug")) == (
        "Recent errors and bug-fix context login failure authentication auth exception crash stack trace debug issue"
    )
    assert embedded_text("slips of a tenant", None, project={"slip": ("berth",)}) == "slips of a tenant berth"
    assert embedded_text("…") == "…"
