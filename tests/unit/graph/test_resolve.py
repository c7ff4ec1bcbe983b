"""Which entities a question speaks of, and which one a person means."""

import pytest

from memofs.graph.resolve import find, matches, resolve_entities
from memofs.graph.state import Graph
from memofs.model.graph import Node
from stores import memory
from unit.graph.graphs import NOW_MS, graph_of

GRAPH = graph_of(
    "The Gateway uses Redis.",
    "OAuth supersedes JWT.",
    memory("a00001", "", "", tags=("gateway-tests", "rate limit", "go", "src/gateway/limit.py")),
    memory("a00002", "", "", tags=("rate limit",)),
    nodes=['{"id": "tool:redisearch", "label": "RediSearch", "summary": "finds"}'],
)


def ids(graph: Graph, *terms: str, limit: int = 10) -> list[str]:
    return [node.id for node in resolve_entities(graph, terms, limit=limit, now_ms=NOW_MS)]


@pytest.mark.parametrize(
    ("terms", "found"),
    [
        (["redis"], ["tool:redis", "tool:redisearch"]),
        (["redi"], ["tool:redisearch", "tool:redis"]),
        (["re"], []),
        (["go"], ["tool:go"]),
        (["gateway"], ["concept:gateway", "concept:gateway-tests"]),
        (["limit"], ["concept:rate-limit", "file:src/gateway/limit.py"]),
        (["src"], []),
        (["rate limit"], ["concept:rate-limit"]),
        (["the", "uses"], []),
        (["jwt"], []),
        (["oauth2"], ["concept:oauth"]),
        ([], []),
        (["zzz", "REDIS", "redis"], ["tool:redis", "tool:redisearch"]),
    ],
)
def test_entities(terms: list[str], found: list[str]) -> None:
    assert ids(GRAPH, *terms) == found


def test_the_limit_and_the_term_of_a_match() -> None:
    assert ids(GRAPH, "gateway", "redis", limit=1) == ["concept:gateway"]
    assert [match.term for match in matches(GRAPH, ["GATEWAY"], limit=2, now_ms=NOW_MS)] == ["gateway", "gateway"]


def test_terms_that_would_break_the_search_are_just_text() -> None:
    assert ids(GRAPH, "\n", "a\nb", "redis\ngo", ".*", "") == []


@pytest.mark.parametrize("text", ["tool:redis", "Redis", "redis", "concept:redis", " `Redis` "])
def test_find_takes_ids_and_names(text: str) -> None:
    found = find(GRAPH, text)
    assert isinstance(found, Node)
    assert found.id == "tool:redis"


def test_find_knows_what_is_retired() -> None:
    found = find(GRAPH, "JWT")
    assert isinstance(found, Node)
    assert found.id == "concept:json-web-token"


def test_find_offers_what_may_be_meant() -> None:
    found = find(GRAPH, "rate gateway")
    assert not isinstance(found, Node)
    assert [node.id for node in found] == [
        "concept:gateway",
        "concept:rate-limit",
        "concept:gateway-tests",
    ]
    assert find(GRAPH, "nothing of that") == ()
    assert find(GRAPH, "") == ()
