"""What holds of an entity, and when: nodes made of names, statements that end, what has taken the place of what."""

import pytest

from memofs.graph.growth import build
from memofs.graph.state import (
    circle_problems,
    current_edges,
    edges_to,
    is_live,
    state_line,
    successor,
)
from stores import memory
from unit.graph.graphs import NOW_MS, graph_of, said


def line(text: str, *bodies: str) -> str:
    graph = graph_of(*bodies)
    return state_line(graph, graph.names[text], now_ms=NOW_MS)


def test_a_state_line_says_what_holds() -> None:
    graph = graph_of("The Gateway uses OAuth.", "The Gateway supersedes Kong. The Gateway depends on Redis, Kafka.")
    assert state_line(graph, "concept:gateway", now_ms=NOW_MS) == (
        "currently: uses OAuth; depends on Kafka, Redis; supersedes Kong"
    )
    assert state_line(graph, "tool:redis", now_ms=NOW_MS) == ""
    assert state_line(graph, "tool:nowhere", now_ms=NOW_MS) == ""


def test_many_statements_are_counted() -> None:
    graph = graph_of("The Gateway uses A1, A2, A3, A4 and A5.", "The Gateway uses A6.")
    assert state_line(graph, "concept:gateway", now_ms=NOW_MS) == "currently: uses A1, A2, A3, 3 more"


def test_what_ends_later_is_over() -> None:
    assert line("gateway", "The Gateway uses Mongo.", "The Gateway no longer uses Mongo.") == ""
    assert line("gateway", "The Gateway depends on Mongo.", "The Gateway no longer uses Mongo.") == ""
    assert line("gateway", "The Gateway no longer uses Mongo.", "The Gateway uses Mongo.") == "currently: uses MongoDB"


def test_what_we_use_is_in_use_until_we_say_otherwise() -> None:
    assert line("mongodb", "We use Mongo.") == "currently: in use"
    assert line("mongodb", "We use Mongo.", "We replaced Mongo with Postgres.") == "no longer in use"
    assert line("mongodb", "We stopped using Mongo.", "We use Mongo.") == "currently: in use"
    assert line("postgresql", "We use Postgres instead of Mongo.") == "currently: in use"


def test_superseded_entities_are_retired_down_the_whole_line() -> None:
    graph = graph_of("OAuth supersedes JWT.", "Passkeys4 supersedes OAuth.", "JWT supersedes Cookies1.")
    assert [id_ for id_ in sorted(graph.nodes) if is_live(graph, id_, now_ms=NOW_MS)] == ["concept:passkeys4"]
    assert successor(graph, "concept:cookies1", now_ms=NOW_MS) == "concept:passkeys4"
    assert successor(graph, "concept:passkeys4", now_ms=NOW_MS) is None


def test_lines_are_of_any_length() -> None:
    count = 3_000
    nodes = [f'{{"id": "tool:x{n}", "label": "X{n}", "status": "deprecated"}}' for n in range(1, count)]
    edges = [f'{{"from": "X{n + 1}", "to": "X{n}", "type": "supersedes"}}' for n in range(count)]
    graph = graph_of(nodes=nodes, edges=edges)
    assert not is_live(graph, "concept:x0", now_ms=NOW_MS)
    assert is_live(graph, f"concept:x{count}", now_ms=NOW_MS)
    assert successor(graph, "concept:x0", now_ms=NOW_MS) == f"concept:x{count}"


def test_what_is_used_later_is_not_retired_by_what_a_memory_said_before() -> None:
    graph = graph_of("gRPC replaces REST.", "The Portal uses REST.")
    assert is_live(graph, "concept:rest", now_ms=NOW_MS)
    graph = graph_of("The Portal uses REST.", "gRPC replaces REST.")
    assert not is_live(graph, "concept:rest", now_ms=NOW_MS)
    by_hand = ['{"from": "gRPC", "to": "REST", "type": "supersedes"}']
    assert not is_live(graph_of("The Portal uses REST.", edges=by_hand), "concept:rest", now_ms=NOW_MS)


def test_a_circle_retires_nobody_and_is_reported() -> None:
    graph = graph_of("OAuth supersedes JWT.", "JWT supersedes OAuth.", "OAuth supersedes Basic1.")
    assert [id_ for id_ in sorted(graph.nodes) if is_live(graph, id_, now_ms=NOW_MS)] == [
        "concept:json-web-token",
        "concept:oauth",
    ]
    problems = circle_problems(graph, lambda edge: f"{edge.memory}.md")
    assert [(each.path, each.code, each.severity) for each in problems] == [
        ("mem_000000.md", "supersedesCircle", "warning"),
        ("mem_000001.md", "supersedesCircle", "warning"),
    ]
    assert "JSON Web Token and OAuth" in problems[0].message


@pytest.mark.parametrize(("status", "live"), [("active", True), ("conflicted", True), ("deprecated", False)])
def test_status(status: str, live: bool) -> None:
    graph = graph_of(nodes=[f'{{"id": "tool:x1", "label": "X1", "status": "{status}"}}'])
    assert is_live(graph, "tool:x1", now_ms=NOW_MS) == live


def test_a_conflicted_node_says_so() -> None:
    graph = graph_of(nodes=['{"id": "tool:x1", "label": "X1", "status": "conflicted"}'])
    assert "contradicts" in state_line(graph, "tool:x1", now_ms=NOW_MS)


def test_one_that_is_given_up_supersedes_nothing() -> None:
    nodes = ['{"id": "tool:x1", "label": "X1", "status": "deprecated"}']
    edges = ['{"from": "X1", "to": "Y1", "type": "supersedes"}']
    graph = graph_of(nodes=nodes, edges=edges)
    assert is_live(graph, "concept:y1", now_ms=NOW_MS)


def test_time_bounds() -> None:
    nodes = [f'{{"id": "tool:x1", "label": "X1", "validFrom": {NOW_MS}, "validUntil": {NOW_MS + 10}}}']
    edges = [f'{{"from": "X1", "to": "Y1", "type": "uses", "validUntil": {NOW_MS + 5}}}']
    graph = graph_of(nodes=nodes, edges=edges)
    assert [is_live(graph, "tool:x1", now_ms=NOW_MS + ms) for ms in (-1, 0, 9, 10)] == [False, True, True, False]
    assert state_line(graph, "tool:x1", now_ms=NOW_MS) == "currently: uses Y1"
    assert state_line(graph, "tool:x1", now_ms=NOW_MS + 5) == ""


def test_a_person_ends_what_memories_say_and_not_the_other_way_round() -> None:
    ended = '{"from": "Gateway", "to": "Redis", "type": "uses", "status": "deleted"}'
    graph = graph_of("The Gateway uses Redis.", edges=[ended])
    assert current_edges(graph, "concept:gateway", now_ms=NOW_MS) == ()
    held = '{"from": "Gateway", "to": "Redis", "type": "uses"}'
    graph = graph_of("The Gateway no longer uses Redis.", edges=[held])
    assert [edge.curated for edge in edges_to(graph, "tool:redis", now_ms=NOW_MS)] == [True]


# --- names -----------------------------------------------------------------------------------------------------------


def test_one_entity_by_all_its_names() -> None:
    graph = graph_of(
        "The Gateway uses React.js.",
        "A Digital Analytics Program (DAP) counts.",
        memory("a00001", "DAP", "DAP uses Kafka. The Portal uses React Native.", tags=("React",)),
    )
    assert graph.names["react"] == "tool:react"
    assert graph.nodes["tool:react"].sources == ("mem_000000", "mem_a00001")
    node = graph.nodes["concept:digital-analytics-program"]
    assert (node.label, node.aliases) == ("Digital Analytics Program", ("DAP",))
    assert [edge.target for edge in graph.outgoing[node.id]] == ["tool:kafka"]
    assert graph.names["react-native"] == "tool:react-native"


def test_a_short_name_for_two_things_stands_for_neither() -> None:
    graph = graph_of("A Simple Mail Store (SMS) runs.", "Short Message Service (SMS)", "SMS uses Kafka.")
    assert graph.names["sms"] == "concept:sms"
    assert graph.nodes["concept:sms"].aliases == ()


def test_initials_lead_to_the_one_name_that_has_them() -> None:
    graph = graph_of("Tenant Store Registry uses Kafka.", "TSR uses Redis.")
    assert graph.names["tsr"] == "concept:tenant-store-registry"
    graph = graph_of("Tenant Store Registry uses Kafka.", "TSR uses Redis.", "Tape Side Reader uses Redis.")
    assert graph.names["tsr"] == "concept:tsr"


def test_plurals_lead_to_the_singular_that_is_there() -> None:
    graph = graph_of(memory("a00001", "", "", tags=("token",)), memory("a00002", "", "", tags=("tokens",)))
    assert list(graph.nodes) == ["concept:token"]
    assert graph.nodes["concept:token"].aliases == ()
    assert graph_of(memory("a00002", "", "", tags=("tokens",))).names == {"tokens": "concept:tokens"}


def test_a_plain_word_is_an_end_only_where_it_is_known() -> None:
    text = "The booking service uses Redis."
    assert graph_of(text).names == {}
    tagged = graph_of(text, memory("a00001", "", "", tags=("booking-service",)))
    assert [edge.target for edge in tagged.outgoing["concept:booking-service"]] == ["tool:redis"]
    assert tagged.nodes["concept:booking-service"].sources == ("mem_000000", "mem_a00001")


def test_written_nodes_take_their_names() -> None:
    nodes = ['{"id": "concept:data-store", "label": "The Store", "aliases": ["Postgres"], "summary": "all data"}']
    graph = graph_of("The Gateway uses PostgreSQL.", nodes=nodes)
    node = graph.nodes["concept:data-store"]
    assert (node.label, node.summary, node.sources, node.curated) == ("The Store", "all data", ("mem_000000",), True)
    assert "Postgres" in node.aliases
    assert graph.names["postgresql"] == node.id
    assert [edge.target for edge in graph.outgoing["concept:gateway"]] == [node.id]


def test_curated_edges_make_entities_of_the_type_they_name() -> None:
    graph = graph_of(edges=['{"from": "person:ada", "to": "Billing", "type": "owns"}'])
    assert (graph.nodes["person:ada"].type, graph.nodes["concept:billing"].label) == ("person", "Billing")
    assert [edge.target for edge in graph.outgoing["person:ada"]] == ["concept:billing"]


def test_memories_are_ends_too() -> None:
    old, new = memory("aaaaaa", "Old", "text"), memory("bbbbbb", "New", "We use Redis.", supersedes=("aaaaaa",))
    graph = build(said(old, new))
    assert [(edge.relation, edge.target) for edge in graph.outgoing["mem_bbbbbb"]] == [
        ("uses", "tool:redis"),
        ("supersedes", "mem_aaaaaa"),
    ]
    assert [edge.source for edge in graph.incoming["mem_aaaaaa"]] == ["mem_bbbbbb"]
