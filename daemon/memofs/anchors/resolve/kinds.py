"""What the types of syntax nodes say about matching them.

Invariant: only names of node types are looked at; a type of a language not thought of here behaves like an expression.
"""

from typing import Final, Literal, TypeAlias

from tree_sitter import Node

from memofs.anchors.declared.rules import FUNCTIONS, Kind

__all__ = ["Sort", "is_bare_block", "is_comment", "is_parameter", "is_standing", "is_statement", "kin", "sort_of"]

Sort: TypeAlias = Literal["function", "type", "data"]
"""Declarations turn into others of their sort: a class into an interface, a field into a constant."""

_GROUPS: Final[tuple[frozenset[str], ...]] = (
    frozenset(
        {
            "for_statement",
            "enhanced_for_statement",
            "for_range_loop",
            "foreach_statement",
            "for_in_statement",
            "while_statement",
            "do_statement",
            "for_expression",
            "while_expression",
            "loop_expression",
        }
    ),
    frozenset({"if_statement", "elif_clause", "elsif", "else_if_clause", "if"}),
    frozenset({"local_variable_declaration", "resource"}),
    frozenset({"formal_parameter", "catch_formal_parameter", "spread_parameter"}),
    frozenset({"try_statement", "try_with_resources_statement"}),
    frozenset({"lexical_declaration", "variable_declaration"}),
    frozenset({"switch_expression", "switch_statement"}),
)
"""Types that turn into one another when code is edited: a `for` into a `while`, a `var` into a `const`."""
_STANDING: Final = (
    "statement",
    "declaration",
    "parameter",
    "clause",
    "definition",
    "assignment",
    "item",
    "specifier",
    "block",
    "body",
    "property",
    "element",
    "case",
    "directive",
    "declarator",
    "pair",
)
"""Endings of types that can be told by what is in them, unlike an operand or an argument."""
_ALSO_STANDING: Final = frozenset({"resource", "import_from_statement"})
_STATEMENTS: Final = ("statement", "declaration", "parameter", "clause", "definition", "assignment", "item", "pair")
_TYPES: Final[frozenset[Kind]] = frozenset(
    {"class", "enum", "impl", "interface", "namespace", "struct", "trait", "type"}
)
_PARAMETER_LISTS: Final = ("parameters", "parameter_list")
_BLOCKS: Final = frozenset({"block", "body_statement"})
_COMMENTS: Final = frozenset(
    {"comment", "line_comment", "block_comment", "html_comment", "doc_comment", "multiline_comment"}
)


def kin(node: Node) -> frozenset[str]:
    """Return the types that a node of this type may have become."""
    if node.is_named:
        for group in _GROUPS:
            if node.type in group:
                return group
    return frozenset({node.type})


def sort_of(kind: Kind) -> Sort:
    """Return the sort of a declaration."""
    return "function" if kind in FUNCTIONS else "type" if kind in _TYPES else "data"


def is_standing(node: Node) -> bool:
    """Return whether a node can be told by its own text: a statement, a declaration, a block, an element of a list."""
    return node.type.endswith(_STANDING) or node.type in _ALSO_STANDING


def is_statement(node: Node) -> bool:
    """Return whether a node is the one in which its parts have their roles."""
    return node.type.endswith(_STATEMENTS) or node.type in _ALSO_STANDING


def is_parameter(node: Node) -> bool:
    """Return whether a node is one parameter of a function, whatever its language calls it."""
    parent = node.parent
    return node.is_named and parent is not None and parent.type.endswith(_PARAMETER_LISTS) and not is_comment(node)


def is_bare_block(node: Node) -> bool:
    """Return whether a node is nothing but the statements in it, without braces or words around them."""
    children = node.children
    return node.type in _BLOCKS and bool(children) and children[0].is_named


def is_comment(node: Node) -> bool:
    """Return whether a node is a comment."""
    return node.type in _COMMENTS
