"""The shortest way between two entities, through statements and memories."""

from itertools import pairwise

from memofs.graph.path import shortest_path
from memofs.graph.state import Graph
from stores import memory
from unit.graph.graphs import NOW_MS, graph_of


def walked(graph: Graph, start: str, goal: str) -> list[str] | None:
    found = shortest_path(graph, start, goal, now_ms=NOW_MS)
    if found is None:
        return None
    for before, after in pairwise(found):
        assert before.end == after.start
    return [f"{'' if step.forward else 'from '}{step.edge.relation} {step.end}" for step in found]


def test_the_shortest_way_either_direction() -> None:
    graph = graph_of("The Gateway uses Redis. Redis uses Linux. The Worker uses Linux. The Gateway uses Kong.")
    assert walked(graph, "concept:gateway", "concept:worker") == [
        "uses tool:redis",
        "uses tool:linux",
        "from uses concept:worker",
    ]
    assert walked(graph, "tool:linux", "concept:gateway") == ["from uses tool:redis", "from uses concept:gateway"]
    assert walked(graph, "tool:redis", "tool:redis") == []
    assert walked(graph, "tool:redis", "tool:nowhere") is None


def test_memories_are_stations() -> None:
    new = memory("bbbbbb", "", "We use Redis.", kind="decision", supersedes=("aaaaaa",))
    graph = graph_of(memory("aaaaaa", "", "We use Kafka.", kind="decision"), new)
    assert walked(graph, "tool:kafka", "tool:redis") == [
        "from uses mem_aaaaaa",
        "from supersedes mem_bbbbbb",
        "uses tool:redis",
    ]


def test_what_is_over_leads_nowhere() -> None:
    graph = graph_of("The Gateway uses Mongo.", "The Gateway no longer uses Mongo.")
    assert walked(graph, "concept:gateway", "tool:mongodb") is None
