"""What JSON and YAML declare: keys, by their path. `[]` stands for the items of a list, whichever they are."""

from collections.abc import Iterable
from typing import Final

from tree_sitter import Node

from memofs.anchors.declared.rules import Named, Rules, Scope, plain_name
from memofs.anchors.source import Source

__all__ = ["JSON", "YAML"]


def _key(source: Source, node: Node, _scope: Scope) -> Iterable[Named]:
    """Yield a key. Items have no names that last: where a list has several, their keys are ambiguous."""
    key = node.child_by_field_name("key")
    if key is None:
        return
    name = plain_name(source, key)
    value = node.child_by_field_name("value")
    depth = 0
    while value is not None and (value.type in _ITEMS or value.type == "block_node"):
        depth += value.type in _ITEMS
        value = value.named_children[0] if value.named_children else None
        if value is not None and value.type == "block_sequence_item":
            value = value.named_children[0] if value.named_children else None
    yield Named(name=name, kind="key", node=node, prefix=name + "[]" * depth)


_ITEMS: Final = frozenset({"array", "flow_sequence", "block_sequence"})
JSON: Final = Rules(declared={"pair": _key}, comments=frozenset({"comment"}))
YAML: Final = Rules(declared={"block_mapping_pair": _key, "flow_pair": _key}, comments=frozenset({"comment"}))
