"""The nodes that persons wrote down, and which names are theirs.

Invariant: a name belongs to one of them at the most: to the first that has it as label or alias, then to the first
whose id spells it.
"""

from types import MappingProxyType

import msgspec

from memofs.graph.names import name_key, split_id, type_of_key
from memofs.graph.state import EMPTY, Graph
from memofs.model.graph import Curated, Node

__all__ = ["keys_of", "with_curated"]


def with_curated(curated: Curated) -> Graph:
    """An empty graph that knows the nodes that persons wrote down, or spoke of by ids of another type than usual."""
    written = {node.id: node for node in curated.nodes}
    fixed: dict[str, str] = {}
    for node in curated.nodes:
        for label in (node.label, *node.aliases):
            fixed.setdefault(name_key(label), node.id)
    for node in curated.nodes:  # what an id spells comes after all labels
        for key in keys_of(node):
            fixed.setdefault(key, node.id)
    for edge in curated.edges:
        for end in (edge.source, edge.target):
            parts = split_id(end)
            key = name_key(parts[1]) if parts is not None else ""
            if parts is not None and key and key not in fixed and type_of_key(key) != parts[0]:
                written[end] = Node(id=end, type=parts[0], label="", curated=True)
                fixed[key] = end
    fixed.pop("", None)
    return msgspec.structs.replace(
        EMPTY, curated=curated, written=MappingProxyType(written), fixed=MappingProxyType(fixed)
    )


def keys_of(node: Node) -> list[str]:
    """The keys of a written node's names, of its label first, of its id last."""
    parts = split_id(node.id)
    labels = [node.label, *node.aliases, parts[1] if parts is not None else node.id]
    return list(dict.fromkeys(key for label in labels if (key := name_key(label))))
