"""How two entities hang together: the shortest way between them, statement by statement.

Invariant: the same graph gives the same way; of several equally short ones the first by the order of edges.
"""

from collections import deque
from collections.abc import Iterator
from typing import Final, NamedTuple

from memofs.graph.state import Graph, current_edges, edges_to
from memofs.model.graph import Edge

__all__ = ["Step", "shortest_path"]

_MOST_SEEN: Final = 50_000
"""Nodes and memories looked at before a way counts as not found."""


class Step(NamedTuple):
    """A statement on the way, and whether it is walked from its source to its target."""

    edge: Edge
    forward: bool

    @property
    def start(self) -> str:
        """Where the step begins."""
        return self.edge.source if self.forward else self.edge.target

    @property
    def end(self) -> str:
        """Where the step ends."""
        return self.edge.target if self.forward else self.edge.source


def shortest_path(graph: Graph, start: str, goal: str, *, now_ms: int) -> tuple[Step, ...] | None:
    """The fewest statements that hold now and lead from one node or memory to another; None if none do.

    Statements are walked both ways; memories are stations too: what two decisions say of one tool joins them.
    """
    if start == goal:
        return ()
    came: dict[str, Step | None] = {start: None}
    waiting = deque([start])
    while waiting and len(came) <= _MOST_SEEN:
        for step in _steps(graph, waiting.popleft(), now_ms):
            if step.end in came:
                continue
            came[step.end] = step
            if step.end == goal:
                return _walked(came, goal)
            waiting.append(step.end)
    return None


def _steps(graph: Graph, id_: str, now_ms: int) -> Iterator[Step]:
    for edge in current_edges(graph, id_, now_ms=now_ms):
        yield Step(edge, forward=True)
    for edge in edges_to(graph, id_, now_ms=now_ms):
        yield Step(edge, forward=False)


def _walked(came: dict[str, Step | None], goal: str) -> tuple[Step, ...]:
    steps: list[Step] = []
    step = came[goal]
    while step is not None:
        steps.append(step)
        step = came[step.start]
    return tuple(reversed(steps))
