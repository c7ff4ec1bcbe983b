"""Curated relations as lines of JSON: good ones in order, a Problem for each bad one, nothing raised."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memofs.model.relation import Relation
from memofs.text.relations import MOST_BYTES, parse_relations

PATH = ".memofs/graph/edges.jsonl"
A, B, C = "mem_aaaaaa", "mem_bbbbbb", "mem_cccccc"


def line(source: str, target: str, type_: str = "uses", more: str = "") -> str:
    return f'{{"from": "{source}", "to": "{target}", "type": "{type_}"{more}}}\n'


def test_relations_come_in_order_each_once() -> None:
    text = line(A, B) + "\n" + line(B, A, "depends_on", ', "confidence": 0.6') + line(A, B) + line(A, B, "blocks")
    found = parse_relations(PATH, b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    assert found.problems == ()
    assert found.relations == (
        Relation(source=A, target=B, type="uses", line=0),
        Relation(source=B, target=A, type="depends_on", line=2),
        Relation(source=A, target=B, type="blocks", line=4),
    )


@pytest.mark.parametrize("status", ["deprecated", "conflicted", "deleted", "archived"])
def test_what_no_longer_holds_is_passed_over(status: str) -> None:
    text = line(A, B, more=f', "status": "{status}"') + line(A, C, more=', "status": "active"')
    found = parse_relations(PATH, text.encode())
    assert [relation.target for relation in found.relations] == [C]
    assert found.problems == ()


def test_entities_are_left_to_the_graph() -> None:
    text = line("tool:oauth", "tool:jwt") + line(A, "concept:auth") + line(A, B)
    found = parse_relations(PATH, text.encode())
    assert [(relation.source, relation.target) for relation in found.relations] == [(A, B)]
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
    found = parse_relations(PATH, line(A, B).encode() + bad + b"\n" + line(B, C).encode())
    assert [relation.line for relation in found.relations] == [0, 2]
    (problem,) = found.problems
    assert (problem.path, problem.code, problem.line, problem.severity) == (PATH, "badRelation", 1, "warning")
    assert says in problem.message.lower()
    assert "depends_on" in (problem.hint or "")


def test_a_file_of_something_else_is_told_in_a_few_problems() -> None:
    found = parse_relations(PATH, b"prose\n" * 5_000)
    assert len(found.problems) == 20
    assert "4,980 more lines" in found.problems[-1].message


def test_a_file_beyond_the_limit_is_not_read() -> None:
    (problem,) = parse_relations(PATH, b"\n" * (MOST_BYTES + 1)).problems
    assert problem.code == "tooLarge"


@given(st.binary(max_size=300))
def test_any_bytes_are_read(data: bytes) -> None:
    found = parse_relations(PATH, data)
    assert all(problem.line <= data.count(b"\n") for problem in found.problems)
