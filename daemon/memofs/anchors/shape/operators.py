"""Operators of JavaScript and TypeScript as they bind, whichever parentheses say so.

A chain of one of `&& || ??` is flat. The grammar takes `a || b as T` for `(a || b) as T`, and `await a as T` for
`await (a as T)`; the languages say `a || (b as T)` and `(await a) as T`, and so do formatters, with parentheses.
"""

from collections.abc import Sequence
from typing import Final

from tree_sitter import Node

from memofs.anchors.shape.rules import CLOSE, Part, group
from memofs.anchors.source import Source

__all__ = ["assertion", "awaited", "binary"]


def binary(_source: Source, node: Node, parts: list[Part]) -> Sequence[Part]:
    """Return an operation; a chain of one logical operator flat, however it is nested."""
    operator = _operator(node)
    return _chain(operator, _operands(node, operator)) if operator in _LOGICAL else group("binary_expression", parts)


def assertion(_source: Source, node: Node, _parts: list[Part]) -> Sequence[Part]:
    """Return `a as T` or `a satisfies T`, asserted of the last operand if `a` is an operation that binds less."""
    return _asserted(*_split(node))


def awaited(_source: Source, _node: Node, parts: list[Part]) -> Sequence[Part]:
    """Return `await a`, and what is asserted of it around."""
    inner = parts[-1]
    if isinstance(inner, str) or inner.type not in _ASSERTIONS:
        return group("await_expression", parts)
    base, suffixes = _split(inner)
    return _with(group("await_expression", [*parts[:-1], base]), suffixes)


_Suffixes = list[list[Part]]


def _chain(operator: str, operands: list[Part]) -> list[Part]:
    return group("chain", [operator, *operands])


def _operands(node: Node, operator: str) -> list[Part]:
    """Return the operands of a chain of `operator`, from left to right."""
    operands: list[Part] = []
    left: list[tuple[Node, _Suffixes]] = [(node, [])]
    while left:
        one, suffixes = left.pop()
        bare = one if suffixes else _unparenthesised(one)
        if bare.type in _ASSERTIONS and one.type in _ASSERTIONS:
            base, inner = _split(bare)
            if base.type == "binary_expression" and _operator(base) == operator:
                left.append((base, [*inner, *suffixes]))
                continue
        sides = _sides(bare) if bare.type == "binary_expression" and _operator(bare) == operator else None
        if sides is None:
            operands.extend(_asserted(one, suffixes))
        else:
            left += [(sides[1], suffixes), (sides[0], [])]
    return operands


def _asserted(base: Node, suffixes: _Suffixes) -> list[Part]:
    """Return `base` with assertions behind it, of its last operand if it binds less than they do."""
    opened: list[Part] = []
    closed = 0
    while suffixes and base.type == "binary_expression" and (operator := _operator(base)) in _LOOSER:
        if operator in _LOGICAL:
            operands = _operands(base, operator)
            last = operands[-1]
            if isinstance(last, str):
                break
            opened += _chain(operator, operands[:-1])[:-1]
            base = last
        else:
            sides = _sides(base)
            if sides is None:
                break
            opened += group("binary_expression", [sides[0], operator])[:-1]
            base = sides[1]
        closed += 1
    return [*opened, *_with([base], suffixes), *[CLOSE] * closed]


def _with(parts: list[Part], suffixes: _Suffixes) -> list[Part]:
    for suffix in suffixes:
        parts = group("assertion", [*parts, *suffix])
    return parts


def _split(node: Node) -> tuple[Node, _Suffixes]:
    """Return what is asserted of, and the assertions, innermost first."""
    suffixes: _Suffixes = []
    while node.type in _ASSERTIONS:
        said = [one for one in node.children if one.type != "comment"]
        suffixes.append(list[Part](said[1:]))
        node = said[0]
    return node, suffixes[::-1]


def _sides(node: Node) -> tuple[Node, Node] | None:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    return (left, right) if left is not None and right is not None else None


def _operator(node: Node) -> str:
    operator = node.child_by_field_name("operator")
    return operator.type if operator is not None else ""


def _unparenthesised(node: Node) -> Node:
    while node.type == "parenthesized_expression":
        inner = [one for one in node.named_children if one.type != "comment"]
        if len(inner) != 1:
            break
        node = inner[0]
    return node


_ASSERTIONS: Final = frozenset({"as_expression", "satisfies_expression"})
_LOGICAL: Final = frozenset({"&&", "||", "??"})
_LOOSER: Final = _LOGICAL | {"==", "!=", "===", "!==", "&", "^", "|"}
