"""What Prettier leaves alone in JavaScript and TypeScript.

Silent: `;`, parentheses that change nothing, trailing commas but an array's holes, leading `|` and `&`, the
separators of interfaces, `new A` for `new A()`, `x =>` for `(x) =>`, quotes of strings and keys, how numbers are
written, the order of a pattern's flags. Unions are flat; operators.py has the operators.
"""

import re
from collections.abc import Sequence
from typing import Final

from tree_sitter import Node

from memofs.anchors.shape.jsx import jsx_attribute, jsx_element
from memofs.anchors.shape.literals import number, unescaped
from memofs.anchors.shape.operators import assertion, awaited, binary
from memofs.anchors.shape.rules import Expand, Part, ShapeRules, exact, group, is_trailing, raw
from memofs.anchors.source import Source, text_of

__all__ = ["ECMASCRIPT"]


def _says(_source: Source, node: Node, children: Sequence[Node], index: int) -> bool:
    match children[index].type:
        case ",":
            return _comma_says(node, children, index)
        case "(" | ")":
            return node.type not in _BARE or (node.type == "parenthesized_expression" and _ends_chain(node))
        case "arguments":
            return node.type != "new_expression" or any(one.is_named for one in children[index].children)
        case _:
            return True


def _comma_says(node: Node, children: Sequence[Node], index: int) -> bool:
    """Tell whether a comma separates, or stands for a hole in an array."""
    if node.type in ("interface_body", "object_type"):
        return False
    if not is_trailing(children, index, _SILENT):
        return True
    before = next((one.type for one in reversed(children[:index]) if one.type not in _SILENT), "")
    return node.type in ("array", "array_pattern") and before in ("[", ",")


def _ends_chain(node: Node) -> bool:
    """Tell whether parentheses end a chain of `?.`: `(a?.b).c` is not `a?.b.c`."""
    around = node.parent
    if around is None or around.type not in _LINKS or around.children[0] != node:
        return False
    inner = next((one for one in node.named_children if one.type not in _SILENT), None)
    while inner is not None and inner.type in _LINKS:
        if any(one.type == "optional_chain" for one in inner.children):
            return True
        inner = inner.children[0]
    return False


def _union(kind: str, sign: str) -> Expand:
    """Return what makes a union or intersection flat; one of a single type is that type."""

    def expand(_source: Source, node: Node, _parts: list[Part]) -> Sequence[Part]:
        members: list[Part] = []
        left = [node]
        while left:
            one = left.pop()
            bare = one
            while bare.type == "parenthesized_type" and len(bare.named_children) == 1:
                bare = bare.named_children[0]
            if bare.type == kind:
                left.extend(part for part in reversed(bare.named_children) if part.type not in _SILENT)
            else:
                members.append(one)
        return members if len(members) == 1 else group(kind, [sign, *members])

    return expand


def _parameters(_source: Source, _node: Node, parts: list[Part]) -> Sequence[Part]:
    return group("parameters", parts)


def _arrow(_source: Source, node: Node, parts: list[Part]) -> Sequence[Part]:
    """Return an arrow function; a bare parameter is a list of one."""
    alone = node.child_by_field_name("parameter")
    written: list[Part] = []
    for part in parts:
        written += group("parameters", [part]) if part == alone else [part]
    return group("arrow_function", written)


def _keyed(source: Source, node: Node, parts: list[Part]) -> Sequence[Part]:
    """Return a member whose name is the same with quotes and without."""
    named = (node.child_by_field_name(field) for field in ("key", "name", "property"))
    key = next((one for one in named if one is not None), None)
    if key is None or key.type not in ("string", "number"):
        return group(node.type, parts) if len(parts) > 1 else parts
    written = [_key(source, part) if part == key and not isinstance(part, str) else part for part in parts]
    return group(node.type, written) if len(written) > 1 else written


def _key(source: Source, key: Node) -> str:
    text = text_of(source, key)
    return unescaped(text[1:-1]) if key.type == "string" else text.lower()


def _string(source: Source, node: Node, _parts: list[Part]) -> Sequence[Part]:
    return (f"'{unescaped(raw(source, node)[1:-1])}",)


def _template(source: Source, node: Node, _parts: list[Part]) -> Sequence[Part]:
    """Return a template: its text, where every blank counts, and what is substituted.

    In a language that Prettier formats inside templates, such as CSS, the text is taken word by word.
    """
    parts = exact(source, node, ["template_substitution"], skip=1)
    if _is_formatted_inside(source, node):
        loose = [_WORDS.findall(part[1:]) if isinstance(part, str) else [part] for part in parts]
        parts = [piece for pieces in loose for piece in pieces]
    return group("template", parts)


def _is_formatted_inside(source: Source, node: Node) -> bool:
    around = node.parent
    tag = around.child_by_field_name("function") if around is not None and around.type == "call_expression" else None
    return tag is not None and _EMBEDDED.match(text_of(source, tag)) is not None


def _number(text: str) -> str:
    """Return a number by value; those that end in n are integers, all others floats."""
    return number(text, "apart" if text.endswith("n") else "alike")


def _flags(text: str) -> str:
    return "".join(sorted(text))


_SILENT: Final = frozenset({";", "comment", "html_comment", "empty_statement"})
_BARE: Final = frozenset({"parenthesized_expression", "parenthesized_type", "formal_parameters"})
_LINKS: Final = frozenset({"member_expression", "subscript_expression", "call_expression", "non_null_expression"})
_EMBEDDED: Final = re.compile(
    r"(?:styled\b|css\b|keyframes$|injectGlobal$|createGlobalStyle$|graphql$|gql$|html$|svg$|markdown$|md$)"
)
_WORDS: Final = re.compile(r"\w+|[^\w\s;'\"]")
ECMASCRIPT: Final = ShapeRules(
    silent=_SILENT,
    says=_says,
    expand={
        "string": _string,
        "template_string": _template,
        "formal_parameters": _parameters,
        "arrow_function": _arrow,
        "binary_expression": binary,
        "as_expression": assertion,
        "satisfies_expression": assertion,
        "await_expression": awaited,
        "union_type": _union("union_type", "|"),
        "intersection_type": _union("intersection_type", "&"),
        "jsx_element": jsx_element,
        "jsx_attribute": jsx_attribute,
        **dict.fromkeys(
            (
                *("pair", "pair_pattern", "property_signature", "method_signature", "method_definition"),
                *("public_field_definition", "field_definition", "enum_assignment", "abstract_method_signature"),
            ),
            _keyed,
        ),
    },
    spell={"number": _number, "regex_flags": _flags},
    roles={"for_statement": frozenset({"initializer", "condition", "increment"})},
    imports=frozenset({"import_statement"}),
    bodies=frozenset({"program"}),
    groups="sound",
)
