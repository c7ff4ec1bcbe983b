"""What persons wrote down of entities and relations, held in step with the files in `.memofs/graph/`.

Invariant: nothing here raises for what a disk holds; a file that is not there says nothing. What the lines mean is left
to graph/curated.py. For one owner, like the records.
"""

from collections.abc import Iterable
from typing import Final

import msgspec

from memofs.graph.curated import EDGES_PATH, MOST_BYTES, NODES_PATH, CuratedGraph, parse_curated
from memofs.model.problem import Problem
from memofs.store.layout import GRAPH_PATH, NAME, Layout
from memofs.store.scan import look, read_file

__all__ = ["PATHS", "GraphFiles"]

PATHS: Final = (NODES_PATH, EDGES_PATH)


class GraphFiles:
    """`current` is what the files said when they were last read."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self.current = CuratedGraph()

    def refresh(self, paths: Iterable[str] | None = None) -> bool:
        """Read the files again if they are among the paths (None: everything is); whether they say something else."""
        if paths is not None and {NAME, GRAPH_PATH, *PATHS}.isdisjoint(paths):
            return False
        before, self.current = self.current, self._read()
        return self.current != before

    def _read(self) -> CuratedGraph:
        problems: list[Problem] = []
        nodes, edges = (self._bytes(path, problems) for path in PATHS)
        said = parse_curated(nodes, edges)
        return msgspec.structs.replace(said, problems=(*problems, *said.problems))

    def _bytes(self, path: str, problems: list[Problem]) -> bytes | None:
        found = look(self._layout, path)
        read = read_file(self._layout, path, most_bytes=MOST_BYTES) if found is not None else None
        for each in (found, read):
            if isinstance(each, Problem):
                problems.append(each)
                return None
        return read[0] if isinstance(read, tuple) else None
