"""What persons write down of memories and entities: good lines in order, a Problem for each bad one, nothing raised."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memofs.graph.curated import EDGES_PATH, MOST_BYTES, NODES_PATH, CuratedGraph, parse_curated
from memofs.model.graph import Edge, Node
from memofs.model.relation import Relation

A, B, C = "mem_aaaaaa", "mem_bbbbbb", "mem_cccccc"


def line(source: str, target: str, type_: str = "uses", more: str = "") -> str:
    return f'{{"from": "{source}", "to": "{target}", "type": "{type_}"{more}}}\n'


def edges(data: bytes) -> CuratedGraph:
    return parse_curated(None, data)


def nodes(*lines: str) -> CuratedGraph:
    return parse_curated("\n".join(lines).encode(), None)


def test_relations_come_in_order_each_once() -> None:
    text = line(A, B) + "\n" + line(B, A, "depends_on", ', "confidence": 0.6') + line(A, B) + line(A, B, "blocks")
    found = edges(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    assert found.problems == ()
    assert found.relations == (
        Relation(source=A, target=B, type="uses", line=0),
        Relation(source=B, target=A, type="depends_on", line=2),
        Relation(source=A, target=B, type="blocks", line=4),
    )


@pytest.mark.parametrize("status", ["deprecated", "conflicted", "deleted", "archived"])
def test_what_no_longer_holds_is_passed_over(status: str) -> None:
    text = line(A, B, more=f', "status": "{status}"') + line(A, C, more=', "status": "active"')
    found = edges(text.encode())
    assert [relation.target for relation in found.relations] == [C]
    assert found.problems == ()


def test_entities_are_left_to_the_graph() -> None:
    text = line("tool:oauth", "tool:jwt") + line(A, "concept:auth") + line(A, B)
    found = edges(text.encode())
    assert [(relation.source, relation.target) for relation in found.relations] == [(A, B)]
    assert [(edge.source, edge.target) for edge in found.curated.edges] == [
        ("tool:oauth", "tool:jwt"),
        (A, "concept:auth"),
        (A, B),
    ]
    assert found.problems == ()


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        (b"<<<<<<< HEAD", "malformed"),
        (b'{"from": "mem_aaaaaa"', "truncated"),
        (line(A, B, "likes").encode().strip(), "likes"),
        (line(A, B, more=', "status": "gone"').encode().strip(), "gone"),
        (b'{"from": "mem_aaaaaa", "type": "uses"}', "to"),
        (b'{"from": 1, "to": "mem_aaaaaa", "type": "uses"}', "expected `str`"),
        (b"[]", "expected `object`"),
        (b"\xff\xfe", "malformed"),
        (b'{"from": "\xff", "to": "mem_aaaaaa", "type": "uses"}', "utf-8"),
        (b'{"x": ' + b"[" * 100_000, ""),
        (line(A, A).encode().strip(), "itself"),
    ],
)
def test_a_bad_line_costs_that_line(bad: bytes, says: str) -> None:
    found = edges(line(A, B).encode() + bad + b"\n" + line(B, C).encode())
    assert [relation.line for relation in found.relations] == [0, 2]
    (problem,) = found.problems
    assert (problem.path, problem.code, problem.line, problem.severity) == (EDGES_PATH, "badRelation", 1, "warning")
    assert says in problem.message.lower()
    assert "depends_on" in (problem.hint or "")


def test_a_file_of_something_else_is_told_in_a_few_problems() -> None:
    found = edges(b"prose\n" * 5_000)
    assert len(found.problems) == 20
    assert "4,980 more lines" in found.problems[-1].message


def test_a_file_beyond_the_limit_is_not_read() -> None:
    (problem,) = edges(b"\n" * (MOST_BYTES + 1)).problems
    assert problem.code == "tooLarge"


def test_an_edge_says_how_sure_it_is_how_long_it_holds_and_where_it_is_from() -> None:
    more = ', "confidence": 0.8, "validFrom": "2026-01-02", "validUntil": 1800000000000, "sourceRefs": '
    refs = '[{"sourceType": "note", "sourceId": "mem_1"}, "mem_2", {"sourceId": "x"}]'
    (edge,) = edges(line("OAuth", "JWT", "supersedes", more + refs).encode()).curated.edges
    assert edge == Edge(
        source="OAuth",
        relation="supersedes",
        target="JWT",
        confidence=0.8,
        valid_from_ms=1_767_312_000_000,
        valid_until_ms=1_800_000_000_000,
        refs=("mem_1", "mem_2"),
    )
    assert edge.curated


def test_a_later_line_takes_the_place_of_an_earlier_one() -> None:
    first, ended, gone = (
        line("A1", "B1", more=more) for more in ("", ', "status": "archived"', ', "status": "deleted"')
    )
    assert [edge.ended for edge in edges((first + ended).encode()).curated.edges] == [True]
    assert [edge.ended for edge in edges((ended + first).encode()).curated.edges] == [False]
    assert [edge.ended for edge in edges((first + gone).encode()).curated.edges] == [True]
    assert [edge.line for edge in edges((gone + first + first).encode()).curated.edges] == [1]
    assert edges((line(A, B) + line(A, B, more=', "status": "deprecated"')).encode()).relations == ()


def test_nodes_are_read_the_last_of_an_id_counts() -> None:
    found = nodes(
        '{"id": "tool:pg", "type": "tool", "label": "Pg"}',
        '{"type": "person", "label": "Ada L.", "aliases": ["ada", "", "ada"], "summary": "owns\\n billing"}',
        '{"id": "tool:pg", "label": "PostgreSQL", "status": "deprecated", "validUntil": "2026-01-02T00:00:00Z"}',
    )
    assert found.problems == ()
    assert found.curated.nodes == (
        Node(
            id="tool:pg",
            type="tool",
            label="PostgreSQL",
            status="deprecated",
            valid_until_ms=1_767_312_000_000,
            curated=True,
        ),
        Node(id="person:ada-l", type="person", label="Ada L.", aliases=("ada",), summary="owns billing", curated=True),
    )


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        ('{"label": "X1"}', "neither an id nor a type"),
        ('{"id": "x", "label": "X1"}', "no id"),
        ('{"id": "tool:x", "type": "person", "label": "X1"}', "no id of a person"),
        ('{"id": "tool:x", "label": " "}', "no label"),
        ('{"id": "tool:x", "label": "→"}', "no label"),
        ('{"id": "tool:x", "label": "' + "x" * 161 + '"}', "no label"),
        ('{"id": "tool:x", "label": "X1", "status": "stale"}', "stale"),
        ('{"id": "tool:x", "label": "X1", "validFrom": "soon"}', "no date"),
        ("{", "truncated"),
    ],
)
def test_a_bad_line_costs_that_node(bad: str, says: str) -> None:
    found = nodes('{"id": "tool:a1", "label": "A1"}', bad, '{"id": "tool:b1", "label": "B1"}')
    assert [node.label for node in found.curated.nodes] == ["A1", "B1"]
    (problem,) = found.problems
    assert (problem.path, problem.code, problem.line, problem.severity) == (NODES_PATH, "badNode", 1, "warning")
    assert says in problem.message.lower()


@pytest.mark.parametrize("bad", ['"confidence": 1.5', '"validFrom": "soon"', '"from": ""', '"to": "a1"', '"to": "→"'])
def test_a_bad_field_costs_that_edge(bad: str) -> None:
    found = edges(f'{{"from": "A1", "to": "B1", "type": "uses", {bad}}}'.encode())
    assert found.curated.edges == ()
    assert [problem.code for problem in found.problems] == ["badRelation"]


def test_two_nodes_of_one_name_are_told() -> None:
    found = nodes('{"id": "tool:x", "label": "React.js"}', '{"id": "concept:y", "label": "Y1", "aliases": ["react"]}')
    (problem,) = found.problems
    assert (problem.code, problem.line) == ("sameName", 1)
    assert "tool:x and concept:y" in problem.message


@given(st.binary(max_size=300), st.binary(max_size=300))
def test_any_bytes_are_read(node_lines: bytes, edge_lines: bytes) -> None:
    found = parse_curated(node_lines, edge_lines)
    for problem in found.problems:
        data = node_lines if problem.path == NODES_PATH else edge_lines
        assert problem.line <= data.count(b"\n")
