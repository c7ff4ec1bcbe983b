"""Graphs for tests, in a few words each."""

from collections.abc import Sequence

from memofs.graph.curated import parse_curated
from memofs.graph.extract import extract
from memofs.graph.growth import build
from memofs.graph.state import Graph, Said
from memofs.model.memory import Memory
from stores import NOW_MS, memory

__all__ = ["NOW_MS", "graph_of", "said", "stated"]


def said(*memories: Memory) -> dict[str, Said]:
    """What these memories say, all of them current."""
    return {
        each.id: Said(facts=extract(each), said_ms=each.created_ms, supersedes=each.supersedes) for each in memories
    }


def graph_of(*memories: Memory | str, nodes: Sequence[str] = (), edges: Sequence[str] = ()) -> Graph:
    """The graph of memories (a text is the body of a decision, each a day newer) and of curated lines."""
    made = [
        memory(f"{place:06}", "", each, kind="decision", days=len(memories) - place) if isinstance(each, str) else each
        for place, each in enumerate(memories)
    ]
    curated = parse_curated("\n".join(nodes).encode(), "\n".join(edges).encode())
    assert curated.problems == ()
    return build(said(*made), curated=curated.curated)


def stated(text: str, title: str = "", kind: str = "decision") -> list[str]:
    """What a memory states, each as "A uses B", "no longer" in front of what is over; "we" is the memory itself."""
    found = extract(memory("000001", title, text, kind=kind)).statements
    return [
        f"{'no longer: ' if each.ended else ''}{each.source or 'we'} {each.relation} {each.target}"
        for each in found
        if "known" not in (each.source_end, each.target_end)
    ]
