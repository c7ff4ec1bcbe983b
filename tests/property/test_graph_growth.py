"""A graph that followed every change is the graph built at once, whatever was said, forgotten, and written down."""

from collections.abc import Mapping
from typing import cast

from hypothesis import given, settings
from hypothesis import strategies as st

from memofs.graph.fact import SELF, Facts, Statement
from memofs.graph.growth import build, changed, recurated
from memofs.graph.state import Graph, Said
from memofs.model.graph import Curated, Edge, Node, NodeStatus
from memofs.model.relation import RelationType

LABELS = (
    *(
        "React",
        "React.js",
        "React Native",
        "token",
        "tokens",
        "JWT",
        "JSON Web Token",
        "Server Sent Event",
        "SSE",
        "sse",
    ),
    *("Single Source Entry", "Postgres", "PostgreSQL", "src/a.py", "Billing", "billing", "@ada", "C1", "C2"),
)
MEMORIES = tuple(f"mem_{number:06}" for number in range(5))

labels = st.sampled_from(LABELS)
relations: st.SearchStrategy[RelationType] = st.sampled_from(("uses", "depends_on", "supersedes", "owns"))
statements = st.builds(
    Statement,
    source=st.just(SELF) | labels,
    relation=relations,
    target=labels,
    line=st.integers(0, 3),
    ended=st.booleans(),
    source_end=st.sampled_from(("named", "known")),
    target_end=st.sampled_from(("named", "known")),
)
facts = st.builds(
    Facts,
    statements=st.lists(statements, max_size=3).map(tuple),
    names=st.lists(labels, max_size=2).map(tuple),
    mentions=st.lists(labels, max_size=2).map(tuple),
    aliases=st.lists(st.tuples(labels, labels), max_size=2).map(tuple),
)
said = st.builds(
    Said,
    facts=facts,
    said_ms=st.none() | st.integers(0, 3),
    supersedes=st.lists(st.sampled_from(MEMORIES), max_size=1).map(tuple),
)
statuses: st.SearchStrategy[NodeStatus] = st.sampled_from(("active", "deprecated"))
nodes = st.builds(
    Node,
    id=st.sampled_from(("tool:react", "concept:token", "person:ada", "concept:c1")),
    type=st.just("tool"),
    label=labels,
    aliases=st.lists(labels, max_size=1).map(tuple),
    status=statuses,
    curated=st.just(value=True),
)
ends = labels | st.sampled_from((*MEMORIES, "tool:react", "person:billing", "concept:sse"))
edges = st.builds(Edge, source=ends, relation=relations, target=ends, memory=st.none())
curated = st.builds(
    Curated,
    nodes=st.lists(nodes, max_size=2, unique_by=lambda node: node.id).map(tuple),
    edges=st.lists(edges, max_size=3).map(tuple),
)
changes = st.dictionaries(st.sampled_from(MEMORIES), st.none() | said, min_size=1, max_size=3)


def parts(graph: Graph) -> dict[str, object]:
    """Everything that a graph is made of, as plain values."""
    found: dict[str, object] = {}
    for name in graph.__struct_fields__:
        value: object = getattr(graph, name)
        found[name] = dict(cast("Mapping[str, object]", value)) if isinstance(value, Mapping) else value
    return found


@settings(max_examples=150)
@given(curated, st.lists(changes | curated, min_size=1, max_size=7))
def test_following_changes_equals_building(first: Curated, done: list[dict[str, Said | None] | Curated]) -> None:
    grown = build({}, curated=first)
    left: dict[str, Said] = {}
    now = first
    for change in done:
        before = grown.nodes
        if isinstance(change, Curated):
            now = change
            step = recurated(grown, change)
        else:
            put = {id_: each for id_, each in change.items() if each is not None}
            left = {id_: each for id_, each in left.items() if id_ not in change} | put
            step = changed(grown, put=put, removed=[id_ for id_, each in change.items() if each is None])
        grown = step.graph
        differ = {id_ for id_ in {*before, *grown.nodes} if before.get(id_) != grown.nodes.get(id_)}
        assert step.touched == differ
    assert parts(grown) == parts(build(left, curated=now))


@given(st.dictionaries(st.sampled_from(MEMORIES), said), curated)
def test_edges_lead_to_what_is_there(memories: dict[str, Said], written: Curated) -> None:
    graph = build(memories, curated=written)
    for id_, node in graph.nodes.items():
        assert node.id == id_
        assert node.label
    for id_, found in (*graph.outgoing.items(), *graph.incoming.items()):
        assert found
        assert id_ in graph.nodes or id_.startswith("mem_")
    for edges_ in graph.outgoing.values():
        for edge in edges_:
            assert edge.source != edge.target
            assert edge in graph.incoming[edge.target]
    for key, id_ in graph.names.items():
        assert key
        assert id_ in graph.nodes
