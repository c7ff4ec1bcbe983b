"""Step 6, parameters: a parameter goes by its name, then by its type, then by being what is left.

Invariant: the function around it is matched already; without a parameter list on both sides, or with a name twice in
one, there is no answer here.
"""

from tree_sitter import Node

from memofs.anchors.pair import Pair
from memofs.anchors.resolve.found import Found
from memofs.anchors.resolve.kinds import is_parameter
from memofs.anchors.source import Source, span_of, text_of

__all__ = ["by_parameter"]


def by_parameter(pair: Pair, node: Node, old_function: Node, new_function: Node) -> Found | None:
    """Return the parameter that `node` of `old_function` became in `new_function`."""
    old_list = old_function.child_by_field_name("parameters")
    new_list = new_function.child_by_field_name("parameters")
    if old_list is None or new_list is None or node.parent != old_list:
        return None
    before = [child for child in old_list.children if is_parameter(child)]
    after = [child for child in new_list.children if is_parameter(child)]
    old_names = [_name(pair.old, child) for child in before]
    new_names = [_name(pair.new, child) for child in after]
    if node not in before or len(set(old_names)) < len(old_names) or len(set(new_names)) < len(new_names):
        return None
    index = before.index(node)
    if old_names[index] in new_names:
        return _found(after[new_names.index(old_names[index])], 0.9, 0.5)
    old_left = [i for i, name in enumerate(old_names) if name not in new_names]
    new_left = [i for i, name in enumerate(new_names) if name not in old_names]
    wanted = _type(pair.old, node)
    old_typed = [i for i in old_left if _type(pair.old, before[i]) == wanted]
    new_typed = [i for i in new_left if _type(pair.new, after[i]) == wanted]
    if wanted and old_typed and len(old_typed) == len(new_typed):
        return _found(after[new_typed[old_typed.index(index)]], 0.7, 0.3)
    same_place = len(old_left) == len(new_left) and new_left[old_left.index(index)] == index
    if same_place and len(before) == len(after):
        return _found(after[index], 0.55, 0.2)
    return None


def _found(node: Node, score: float, margin: float) -> Found:
    return Found(span=span_of(node), score=score, margin=margin, how="parameter")


def _name(source: Source, node: Node) -> str:
    name = node
    while (inner := _inner(name)) is not None:
        name = inner
    return text_of(source, name)


def _inner(node: Node) -> Node | None:
    for field in ("name", "declarator", "pattern", "left"):
        inner = node.child_by_field_name(field)
        if inner is not None:
            return inner
    if node.type == "typed_parameter" and node.named_children:
        return node.named_children[0]
    return None


def _type(source: Source, node: Node) -> str:
    found = node.child_by_field_name("type")
    return text_of(source, found) if found is not None else ""
