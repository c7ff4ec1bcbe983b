"""The curated relations of a workspace, held in step with `.memofs/graph/edges.jsonl`.

Invariant: nothing here raises for what a disk holds; a file that is not there says nothing. What the lines mean is left
to text/relations.py. For one owner, like the records.
"""

from collections.abc import Iterable
from typing import Final

from memofs.model.problem import Problem
from memofs.store.layout import GRAPH_PATH, NAME, Layout
from memofs.store.scan import look, read_file
from memofs.text.relations import MOST_BYTES, Relations, parse_relations

__all__ = ["EDGES_PATH", "RelationsFile"]

EDGES_PATH: Final = f"{GRAPH_PATH}/edges.jsonl"


class RelationsFile:
    """`current` is what the file said when it was last read."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self.current = Relations()

    def refresh(self, paths: Iterable[str] | None = None) -> bool:
        """Read the file again if it is among the paths (None: everything is); whether it says something else now."""
        if paths is not None and not {NAME, GRAPH_PATH, EDGES_PATH} & set(paths):
            return False
        before, self.current = self.current, self._read()
        return self.current != before

    def _read(self) -> Relations:
        found = look(self._layout, EDGES_PATH)
        read = read_file(self._layout, EDGES_PATH, most_bytes=MOST_BYTES) if found is not None else None
        for each in (found, read):
            if isinstance(each, Problem):
                return Relations(problems=(each,))
        return parse_relations(EDGES_PATH, read[0]) if isinstance(read, tuple) else Relations()
