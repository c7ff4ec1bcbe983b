"""Linking, unlinking and merging, as changes to the bytes of the files."""

from collections.abc import Sequence

import pytest

from memofs.graph.curated import parse_curated
from memofs.graph.edit import GraphEdit, linked, merged, unlinked
from memofs.graph.growth import build
from memofs.graph.state import Graph, current_edges
from memofs.model.errors import InvalidRequest, NotFound
from memofs.model.memory import Memory
from stores import memory
from unit.graph.graphs import NOW_MS, said

MEMORIES = (memory("aaaaaa", "", "The Gateway uses Redis.", kind="decision"), memory("bbbbbb", "DB", "", tags=("db",)))


class Files:
    """The two files, and the graph of them and of a few memories."""

    def __init__(self, nodes: bytes = b"", edges: bytes = b"", memories: Sequence[Memory] = MEMORIES) -> None:
        self.nodes, self.edges, self.memories = nodes, edges, memories

    @property
    def graph(self) -> Graph:
        found = parse_curated(self.nodes, self.edges)
        assert found.problems == ()
        return build(said(*self.memories), curated=found.curated)

    def after(self, edit: GraphEdit) -> "Files":
        nodes = self.nodes if edit.nodes is None else edit.nodes
        return Files(nodes, self.edges if edit.edges is None else edit.edges, self.memories)

    def holding(self) -> set[tuple[str, str, str]]:
        graph = self.graph
        edges = (edge for id_ in graph.outgoing for edge in current_edges(graph, id_, now_ms=NOW_MS))
        return {(edge.source, edge.relation, edge.target) for edge in edges}


EXTRACTED = ("concept:gateway", "uses", "tool:redis")


def test_a_link_is_a_line_and_unlinking_takes_it_out() -> None:
    files = Files()
    edit = linked(files.graph, files.edges, "gateway", "depends_on", "Key Vault")
    assert edit.edges == b'{"from":"Gateway","to":"Key Vault","type":"depends_on"}\n'
    assert edit.summary == "Gateway depends_on Key Vault"
    after = files.after(edit)
    assert after.holding() == {EXTRACTED, ("concept:gateway", "depends_on", "concept:key-vault")}
    assert linked(after.graph, after.edges, "Gateway", "depends_on", "key vault").is_nothing
    back = after.after(unlinked(after.graph, after.edges, "concept:gateway", "depends_on", "concept:key-vault"))
    assert back.edges == b""


def test_memories_are_linked_by_their_ids() -> None:
    files = Files()
    edit = linked(files.graph, files.edges, "mem_aaaaaa", "depends_on", "mem_bbbbbb", confidence=0.5)
    assert edit.edges == b'{"from":"mem_aaaaaa","to":"mem_bbbbbb","type":"depends_on","confidence":0.5}\n'
    assert parse_curated(None, edit.edges).relations[0].target == "mem_bbbbbb"


def test_what_a_memory_states_is_denied_and_linked_again() -> None:
    files = Files()
    denied = files.after(unlinked(files.graph, files.edges, "Gateway", None, "Redis"))
    assert denied.edges == b'{"from":"Gateway","to":"Redis","type":"uses","status":"deleted"}\n'
    assert denied.holding() == set()
    assert unlinked(denied.graph, denied.edges, "Gateway", "uses", "Redis").is_nothing
    again = denied.after(linked(denied.graph, denied.edges, "Gateway", "uses", "Redis"))
    assert again.holding() == {EXTRACTED}
    assert again.edges.count(b"\n") == 1


def test_other_lines_stay_as_they_are() -> None:
    edges = (
        b'\xef\xbb\xbf{"from": "A1", "to": "B1", "type": "uses", "x": 1}\r\n{"from": "C1", "to": "D1", "type": "owns"}'
    )
    files = Files(edges=edges)
    edit = linked(files.graph, edges, "A1", "blocks", "D1")
    assert edit.edges == edges + b'\r\n{"from":"A1","to":"D1","type":"blocks"}\r\n'
    torn = edges + b"\r\n<<<<<<< HEAD\r\n"
    gone = unlinked(files.graph, torn, "C1", "owns", "D1").edges
    assert gone == torn.replace(b'{"from": "C1", "to": "D1", "type": "owns"}\r\n', b"")


def test_nothing_to_unlink_is_told() -> None:
    files = Files()
    with pytest.raises(NotFound, match="nothing says Gateway owns Redis"):
        unlinked(files.graph, files.edges, "Gateway", "owns", "Redis")


@pytest.mark.parametrize("name", ["", "→", "a\nb", "x" * 161])
def test_what_is_no_name_is_refused(name: str) -> None:
    files = Files()
    with pytest.raises(InvalidRequest, match="no name"):
        linked(files.graph, files.edges, "Gateway", "uses", name)


def test_nothing_is_related_to_itself() -> None:
    files = Files()
    with pytest.raises(InvalidRequest, match="the same"):
        linked(files.graph, files.edges, "React.js", "uses", "React")


def test_merging_makes_one_name_another_of_the_other() -> None:
    edges = b'{"from":"tool:cache1","to":"Linux","type":"depends_on","note":"kept"}\n'
    nodes = b'{"id":"tool:cache1","label":"Cache1","aliases":["C9"]}\n{"id":"tool:other","label":"Other","x":1}\n'
    files = Files(nodes, edges)
    edit = merged(files.graph, nodes, edges, "Cache1", "Redis")
    assert edit.summary == "Cache1 is Redis"
    after = files.after(edit)
    assert b'"x":1' in after.nodes
    assert b'"note":"kept"' in after.edges
    graph = after.graph
    assert graph.names["cache1"] == graph.names["c9"] == graph.names["redis"] == "tool:redis"
    assert "tool:cache1" not in graph.nodes
    assert after.holding() == {EXTRACTED, ("tool:redis", "depends_on", "tool:linux")}
    with pytest.raises(InvalidRequest, match="one entity already"):
        merged(graph, after.nodes, after.edges, "Cache1", "Redis")


def test_merging_keeps_what_is_written_of_the_one_that_stays() -> None:
    nodes = b'{"id":"tool:redis","label":"Redis","summary":"keeps sessions","own":true}\n'
    files = Files(nodes)
    after = files.after(merged(files.graph, nodes, b"", "db", "Redis"))
    assert b'"own":true' in after.nodes
    node = after.graph.nodes["tool:redis"]
    assert (node.summary, node.sources) == ("keeps sessions", ("mem_aaaaaa", "mem_bbbbbb"))
    assert "db" in node.aliases


def test_merging_what_is_not_there_offers_what_is() -> None:
    files = Files()
    with pytest.raises(NotFound, match="no entity") as failure:
        merged(files.graph, b"", b"", "Gatewayy tests", "Redis")
    assert failure.value.hint
