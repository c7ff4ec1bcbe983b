"""Exports keep hostile labels what they are, text, and their order from one time to the next."""

import re

import msgspec
import pytest

from memofs.graph.export import FORMATS, Format, around, export, related
from memofs.graph.state import Graph
from stores import memory
from unit.graph.graphs import NOW_MS, graph_of

HOSTILE = 'a"] --> b["x\\N\\"; <script>|#`\u202e end'
GRAPH = graph_of(
    "The Gateway uses Redis. OAuth supersedes JWT.",
    "The Gateway no longer uses Redis.",
    nodes=[msgspec.json.encode({"id": "concept:h", "type": "concept", "label": HOSTILE}).decode()],
    edges=['{"from": "concept:h", "to": "Gateway", "type": "blocks"}'],
)


def text(format_: Format, graph: Graph = GRAPH) -> str:
    return export(graph, format_, now_ms=NOW_MS, titles={"mem_000000": 'The "first"'})


def test_dot() -> None:
    drawn = text("dot")
    assert drawn.startswith("digraph memofs {\n")
    assert drawn.endswith("}\n")
    assert '"concept:gateway" -> "tool:redis" [label="uses", style=dashed, color=gray, fontcolor=gray];' in drawn
    assert '"concept:json-web-token" [label="JSON Web Token", shape=ellipse, color=gray, fontcolor=gray];' in drawn
    for line in drawn.splitlines():
        bare = re.sub(r'"(?:[^"\\]|\\.)*"', "", line)
        assert '"' not in bare
        assert "<" not in bare
        assert "\u202e" not in line


def test_mermaid() -> None:
    drawn = text("mermaid")
    assert drawn.startswith("flowchart LR\n")
    lines = drawn.splitlines()[1:]
    quoted = [re.fullmatch(r'  n\d+\W+"([\w #;./-]*)"\W+', line) for line in lines]
    labels = [match[1] for match in quoted if match is not None]
    assert "a#34;#93; --#62; b#91;#34;x#92;N#92;#34;#59; #60;script#62;#124;#35;#96; end" in labels
    edges = [line for line in lines if re.fullmatch(r"  n\d+ -\.?->\|[a-z ]+\| n\d+", line)]
    assert len(labels) + len(edges) + 2 == len(lines)


def test_json() -> None:
    found = msgspec.json.decode(text("json"))
    by_id = {node["id"]: node for node in found["nodes"]}
    assert by_id["concept:h"]["label"] == HOSTILE
    assert by_id["concept:json-web-token"]["live"] is False
    assert {(edge["from"], edge["type"], edge["to"], edge["holds"]) for edge in found["edges"]} == {
        ("concept:gateway", "uses", "tool:redis", False),
        ("concept:h", "blocks", "concept:gateway", True),
        ("concept:oauth", "supersedes", "concept:json-web-token", True),
    }


@pytest.mark.parametrize("format_", FORMATS)
def test_the_order_follows_from_the_ids(format_: Format) -> None:
    bodies = ["The Gateway uses Redis.", "The Worker uses Kafka.", "We use Kafka."]
    first = graph_of(*(memory(f"{n:06}", "", body, kind="decision") for n, body in enumerate(bodies)))
    turned = list(enumerate(bodies))[::-1]
    second = graph_of(*(memory(f"{n:06}", "", body, kind="decision") for n, body in turned))
    assert text(format_, first) == text(format_, second)
    assert "The \\&quot;first" not in text(format_, first)


def test_what_is_drawn() -> None:
    graph = graph_of("The Gateway uses Redis. Redis uses Linux.", memory("a00001", "", "", tags=("alone",)))
    assert related(graph) == {"concept:gateway", "tool:redis", "tool:linux"}
    assert around(graph, "concept:gateway", steps=1) == {"concept:gateway", "tool:redis"}
    assert around(graph, "concept:gateway", steps=9) == related(graph)
    drawn = export(graph, "json", now_ms=NOW_MS, ids={"concept:alone", "tool:redis", "mem_gone00"})
    assert [node["id"] for node in msgspec.json.decode(drawn)["nodes"]] == ["concept:alone", "mem_gone00", "tool:redis"]
    assert msgspec.json.decode(drawn)["edges"] == []
