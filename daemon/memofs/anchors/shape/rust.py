"""What rustfmt leaves alone in Rust.

Silent: redundant parentheses, trailing commas, derives in one attribute or several, braces around the one expression
of a match arm or closure, the order of `use` and `mod` lines next to each other and of the names in a `use`, `"C"`
behind `extern`, `;` behind `return`, `break`, `continue`, and a lone one that drops no value.
"""

from collections.abc import Sequence
from typing import Final

from tree_sitter import Node

from memofs.anchors.shape.rules import Part, ShapeRules, group, is_trailing
from memofs.anchors.source import Source, text_of

__all__ = ["RUST"]


def _says(source: Source, node: Node, children: Sequence[Node], index: int) -> bool:
    match children[index].type:
        case ",":
            if node.type in _TUPLES:
                return not is_trailing(children, index, _SILENT) or _commas(children) == 1
            return node.type != "match_arm" and not is_trailing(children, index, _SILENT)
        case "(" | ")":
            return node.type not in _BARE
        case "empty_statement":
            return _drops_value(children, index)
        case "string_literal":
            return node.type != "extern_modifier" or text_of(source, children[index]) != '"C"'
        case "|":
            return node.type not in ("match_pattern", "or_pattern") or index > 0
        case _:
            return True


def _drops_value(children: Sequence[Node], index: int) -> bool:
    """Tell whether a lone `;` ends a block whose value the one before it would be: `{ unsafe { f() }; }`."""
    before = children[index - 1] if index else None
    is_last = index + 1 < len(children) and children[index + 1].type == "}"
    return is_last and before is not None and before.type == "expression_statement" and before.children[-1].type != ";"


def _commas(children: Sequence[Node]) -> int:
    return sum(one.type == "," for one in children)


def _block(_source: Source, node: Node, parts: list[Part]) -> Sequence[Part]:
    """Return a block; the one expression in that of an arm or closure stands for it."""
    around = node.parent
    inner = [part for part in parts if isinstance(part, str) or part.is_named]
    if around is not None and around.type in ("match_arm", "closure_expression") and len(inner) == 1:
        only = inner[0]
        if not isinstance(only, str) and only.type == "expression_statement" and only.children[-1].type != ";":
            return only.children
        if not isinstance(only, str) and not only.type.endswith(_STATEMENTS):
            return inner
    return group("block", parts)


def _statement(_source: Source, _node: Node, parts: list[Part]) -> Sequence[Part]:
    """Return an expression and its `;`, which behind one that leaves says nothing."""
    first = parts[0] if parts else None
    if first is not None and not isinstance(first, str) and first.type in _LEAVING:
        return parts[:1]
    return group("expression_statement", parts) if len(parts) > 1 else parts


def _attribute(source: Source, node: Node, parts: list[Part]) -> Sequence[Part]:
    """Return an attribute; a derive by what it derives, for rustfmt makes one of several."""
    inner = node.named_children[0] if node.named_children else None
    derived = inner.child_by_field_name("arguments") if inner is not None else None
    if inner is None or derived is None or text_of(source, inner.children[0]) != "derive":
        return group("attribute_item", parts)
    names = "".join(text_of(source, derived).split())[1:-1].split(",")
    return [part for name in names if name for part in group("derive", [name])]


def _names(source: Source, _node: Node, parts: list[Part]) -> Sequence[Part]:
    """Return the list of a `use` in the order of its text."""
    named = [part for part in parts if not isinstance(part, str) and part.is_named]
    named.sort(key=lambda part: "".join(text_of(source, part).split()))
    return group("use_list", named)


_SILENT: Final = frozenset({"line_comment", "block_comment"})
_BARE: Final = frozenset({"parenthesized_expression", "parenthesized_type"})
_TUPLES: Final = frozenset({"tuple_expression", "tuple_pattern", "tuple_type"})
_LEAVING: Final = frozenset({"return_expression", "break_expression", "continue_expression"})
_STATEMENTS: Final = ("_statement", "_declaration", "_item")
RUST: Final = ShapeRules(
    silent=_SILENT,
    says=_says,
    expand={"block": _block, "attribute_item": _attribute, "expression_statement": _statement, "use_list": _names},
    imports=frozenset({"use_declaration", "mod_item", "extern_crate_declaration"}),
    imports_sorted="everywhere",
    before_imports=frozenset({"attribute_item"}),
    bodies=frozenset({"source_file"}),
    groups="sound",
)
