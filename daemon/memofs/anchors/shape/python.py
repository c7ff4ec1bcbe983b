"""What Black and Ruff leave alone in Python.

Silent: docstrings, `;`, continuations, redundant parentheses, a bare class's `()`, trailing commas but those that
make a tuple, how strings and numbers are written and split.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from tree_sitter import Node

from memofs.anchors.shape.literals import number, unescaped
from memofs.anchors.shape.rules import Part, ShapeRules, exact, group, is_trailing, kept
from memofs.anchors.source import Source, text_of

__all__ = ["PYTHON"]


def _says(_source: Source, node: Node, children: Sequence[Node], index: int) -> bool:
    match children[index].type:
        case ",":
            return _comma_says(node, children, index)
        case "(" | ")":
            return node.type not in _BARE
        case "argument_list":
            return node.type != "class_definition" or any(one.is_named for one in children[index].children)
        case "expression_statement":
            return not _is_docstring(_source, node, children, index)
        case _:
            return True


def _comma_says(node: Node, children: Sequence[Node], index: int) -> bool:
    """Tell whether a comma separates, or makes a one-element tuple of an index."""
    if node.type in _TUPLES:
        return False
    if not is_trailing(children, index, _SILENT):
        return True
    return node.type in ("subscript", "type_parameter") and sum(one.type == "," for one in children) == 1


def _is_docstring(source: Source, node: Node, children: Sequence[Node], index: int) -> bool:
    """Tell whether a statement is the string that documents the module, class or function whose body this is."""
    if node.type == "block":
        around = node.parent
        if around is None or around.type not in ("function_definition", "class_definition"):
            return False
    elif node.type != "module":
        return False
    if next(one for one in children if one.type not in _SILENT) != children[index]:
        return False
    inner = [one for one in children[index].children if one.type not in _SILENT]
    if len(inner) != 1 or inner[0].type not in ("string", "concatenated_string"):
        return False
    strings = [inner[0]] if inner[0].type == "string" else inner[0].named_children
    return not any(_flags(source, one) for one in strings if one.type == "string")


def _tuple(_source: Source, _node: Node, parts: list[Part]) -> Sequence[Part]:
    """Return a tuple, written with parentheses or without, of values or of targets."""
    return group("tuple", parts)


def _tuple_pattern(_source: Source, node: Node, parts: list[Part]) -> Sequence[Part]:
    """Return a tuple of targets; without a comma it is one target in parentheses."""
    return group("tuple", parts) if any(one.type == "," for one in node.children) else parts


def _statement(_source: Source, node: Node, parts: list[Part]) -> Sequence[Part]:
    """Return a statement that is an expression, which may be a tuple without parentheses."""
    return group("tuple", _without_commas(parts)) if any(one.type == "," for one in node.children) else parts


def _case(_source: Source, node: Node, parts: list[Part]) -> Sequence[Part]:
    """Return a case, whose patterns are a tuple if there are several, with parentheses or without."""
    patterns = [part for part in parts if not isinstance(part, str) and part.type == "case_pattern"]
    if not any(one.type == "," for one in node.children):
        return group("case_clause", parts)
    rest = [part for part in _without_commas(parts) if part not in patterns]
    return group("case_clause", [*rest[:1], *group("tuple", patterns), *rest[1:]])


def _without_commas(parts: Iterable[Part]) -> list[Part]:
    return [part for part in parts if isinstance(part, str) or part.type != ","]


def _generic(source: Source, _node: Node, parts: list[Part]) -> Sequence[Part]:
    """Return `a[b]` of a type as what it is elsewhere: a subscript."""
    flat: list[Part] = []
    for part in parts:
        if not isinstance(part, str) and part.type == "type_parameter":
            flat.extend(kept(source, part, PYTHON))
        else:
            flat.append(part)
    return group("subscript", flat) if len(flat) > 1 else flat


def _arguments(_source: Source, _node: Node, parts: list[Part]) -> Sequence[Part]:
    """Return arguments; a generator alone needs no parentheses of its own."""
    only = parts[1] if len(parts) == len("(a)") else None
    if only is not None and not isinstance(only, str) and only.type == "generator_expression":
        return [only]
    return group("argument_list", parts)


def _union(_source: Source, node: Node, parts: list[Part]) -> Sequence[Part]:
    """Return a chain of `|` flat: the grammar nests that of a type to the right, and to the left in parentheses."""
    if not _is_union(node):
        return group("binary_operator", parts)
    operands: list[Part] = []
    left = [node]
    while left:
        one = _unwrapped(left.pop())
        if _is_union(one):
            left += [side for side in reversed(one.named_children) if side.type not in _SILENT]
        else:
            operands.append(one)
    return group("union", operands)


def _is_union(node: Node) -> bool:
    if node.type == "union_type":
        return True
    operator = node.child_by_field_name("operator") if node.type == "binary_operator" else None
    return operator is not None and operator.type == "|"


def _unwrapped(node: Node) -> Node:
    """Return what is in a type or in parentheses and is all there is."""
    while node.type in ("type", "parenthesized_expression"):
        inner = [one for one in node.named_children if one.type not in _SILENT]
        if len(inner) != 1:
            break
        node = inner[0]
    return node


def _string(source: Source, node: Node, _parts: list[Part]) -> Sequence[Part]:
    return _written(source, [node])


def _strings(source: Source, node: Node, parts: list[Part]) -> Sequence[Part]:
    """Return adjacent strings as the one that they are."""
    strings = [one for one in node.named_children if one.type == "string"]
    others = [one for one in node.named_children if one.type not in ("string", *_SILENT)]
    return group("concatenated_string", parts) if others else _written(source, strings)


def _written(source: Source, strings: Sequence[Node]) -> list[Part]:
    """Return strings joined: what they are made of in front, their text by value, what is interpolated between."""
    flags: set[str] = set()
    pieces: list[Part] = [""]
    for string in strings:
        flags |= _flags(source, string)
        for piece in _pieces(source, string):
            if isinstance(piece, str) and isinstance(pieces[-1], str):
                pieces[-1] += piece
            else:
                pieces.append(piece)
    parts: list[Part] = [f"string {''.join(sorted(flags))}"]
    for piece in pieces:
        if isinstance(piece, str):
            parts.append(f"'{piece}")
        else:
            parts.extend(group("interpolation", kept(source, piece, PYTHON)))
    return parts


def _flags(source: Source, string: Node) -> set[str]:
    """Return the letters before a string that make it another thing: b, f, t."""
    return set(_prefix(source, string)) & {"b", "f", "t"}


def _prefix(source: Source, string: Node) -> str:
    start = string.children[0] if string.children else None
    return text_of(source, start).rstrip("'\"").lower() if start is not None else ""


def _pieces(source: Source, string: Node) -> list[Part]:
    """Return the text of a string by value, and the nodes interpolated into it."""
    children = string.children
    if len(children) < 2:
        return [text_of(source, string)]
    prefix = _prefix(source, string)
    quotes = children[0].end_byte - children[0].start_byte - len(prefix)
    pieces: list[Part] = []
    at = children[0].end_byte
    for one in children[1:]:
        if one.type not in ("interpolation", "string_end"):
            continue
        # The end of r"\"" is \"" to the grammar.
        end = one.start_byte if one.type == "interpolation" else string.end_byte - quotes
        text = source.text[at:end].replace("\r\n", "\n").replace("\r", "\n")
        if "f" in prefix or "t" in prefix:
            text = text.replace("{{", "{").replace("}}", "}")
        if "r" not in prefix:
            text = unescaped(text, unicode_escapes="b" not in prefix)
        pieces.append(text)
        at = one.end_byte
        if one.type == "interpolation":
            pieces.append(one)
    return pieces


def _format_specifier(source: Source, node: Node, _parts: list[Part]) -> Sequence[Part]:
    return exact(source, node, ["format_expression"])


_SILENT: Final = frozenset({";", "comment", "line_continuation"})
_TUPLES: Final = frozenset({"tuple", "expression_list", "pattern_list", "tuple_pattern"})
_BARE: Final = _TUPLES | {
    *("parenthesized_expression", "parenthesized_list_splat", "generator_expression", "with_clause"),
    *("import_from_statement", "future_import_statement"),
}
PYTHON: Final = ShapeRules(
    silent=_SILENT,
    says=_says,
    expand={
        "argument_list": _arguments,
        "string": _string,
        "concatenated_string": _strings,
        "format_specifier": _format_specifier,
        "tuple": _tuple,
        "expression_list": _tuple,
        "pattern_list": _tuple,
        "tuple_pattern": _tuple_pattern,
        "expression_statement": _statement,
        "case_clause": _case,
        "generic_type": _generic,
        "union_type": _union,
        "binary_operator": _union,
    },
    spell={"integer": number, "float": number},
    labels={"member_type": "attribute", "splat_type": "list_splat"},
    bodies=frozenset({"module", "block"}),
    imports=frozenset({"import_statement", "import_from_statement", "future_import_statement"}),
)
