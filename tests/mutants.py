"""Small changes of meaning, made in real code: what a shape must not be silent about.

`mutants` yields each kind of change at each place where it can be made in a region: operators, constants, names,
calls, conditions, order, arguments, parameters, statements, nesting. Whether a change means anything is for the
caller to know: swapping two equal arguments does not.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from tree_sitter import Node

from memofs.anchors.source import Source, text_of
from memofs.model.place import Span

__all__ = ["Mutant", "mutants"]


@dataclass(frozen=True)
class Mutant:
    """A changed text, and where the region that was changed is in it."""

    kind: str
    text: str
    span: Span


def mutants(source: Source, region: Span) -> Iterator[Mutant]:
    """Yield the mutants of the code in a region, kind by kind at each node."""
    root = source.root
    left = [root] if root is not None else []
    while left:
        node = left.pop()
        if node.end_byte <= region.start or node.start_byte >= region.end:
            continue
        if node.start_byte >= region.start and node.end_byte <= region.end:
            for kind, make in _KINDS:
                for start, end, piece in make(source, node):
                    grown = len(piece) - (end - start)
                    text = source.text[:start] + piece + source.text[end:]
                    if kind == "nesting" or piece.split() != source.text[start:end].split():
                        yield Mutant(kind, text, Span(region.start, region.end + grown))
        left.extend(reversed(node.children))


Edits: TypeAlias = Iterator[tuple[int, int, str]]
Make: TypeAlias = Callable[[Source, Node], Edits]


def _operator(_source: Source, node: Node) -> Edits:
    if not node.child_count and node.type in _OPERATORS and node.parent and _computes(node.parent):
        yield node.start_byte, node.end_byte, _OPERATORS[node.type]


def _computes(node: Node) -> bool:
    return node.type.endswith(("expression", "operator", "binary", "assignment")) or node.type == "augmented_assignment"


def _constant(source: Source, node: Node) -> Edits:
    text = text_of(source, node)
    if node.type in _NUMBERS and text.isdecimal():
        yield node.start_byte, node.end_byte, str(int(text) + 1)
    elif node.type in _WORDS and node.is_named:
        yield node.start_byte, node.end_byte, _WORDS[node.type]


def _string(_source: Source, node: Node) -> Edits:
    """Yield a string with a letter more at its end; documentation is none of the code."""
    if node.type in ("string_content", "string_fragment") and not _is_statement(node.parent):
        yield node.end_byte, node.end_byte, "x"


def _is_statement(node: Node | None) -> bool:
    while node is not None and node.type in ("string", "concatenated_string"):
        node = node.parent
    return node is not None and node.type == "expression_statement"


def _name(_source: Source, node: Node) -> Edits:
    if node.type in _NAMES and not node.child_count:
        yield node.end_byte, node.end_byte, "_x"


def _arguments(source: Source, node: Node) -> Edits:
    """Yield a call with its arguments in another order, one less, one more."""
    if node.type in _ARGUMENTS:
        yield from _list(source, node)


def _parameters(source: Source, node: Node) -> Edits:
    if node.type in _PARAMETERS and node.parent and node.parent.type != "lambda":
        yield from _list(source, node)


def _list(source: Source, node: Node) -> Edits:
    parts = [one for one in node.named_children if one.type not in _COMMENTS]
    if len(parts) > 1:
        first, second = parts[:2]
        swapped = text_of(source, second) + source.text[first.end_byte : second.start_byte] + text_of(source, first)
        yield first.start_byte, second.end_byte, swapped
        yield parts[-2].end_byte, parts[-1].end_byte, ""
    if parts:
        yield parts[0].start_byte, parts[0].start_byte, "extra_x, "


def _condition(source: Source, node: Node) -> Edits:
    found = node.child_by_field_name("condition")
    if found is not None and node.type in ("if_statement", "while_statement", "elif_clause"):
        text = text_of(source, found)
        python = source.language == "python"
        yield found.start_byte, found.end_byte, f"not ({text})" if python else f"(!({text}))"


def _statements(source: Source, node: Node) -> Edits:
    """Yield a block with two statements in another order, one less, one twice."""
    if node.type not in _BLOCKS:
        return
    parts = [one for one in node.named_children if one.type not in (*_COMMENTS, "empty_statement")]
    for first, second in pairwise(parts):
        between = source.text[first.end_byte : second.start_byte]
        yield first.start_byte, second.end_byte, text_of(source, second) + between + text_of(source, first)
    for one in parts if len(parts) > 1 else ():
        yield one.start_byte, one.end_byte, "pass" if source.language == "python" else ";"


def _nesting(source: Source, node: Node) -> Edits:
    """Yield a block of Python whose last line stands behind it, not in it."""
    if node.type != "block" or source.language != "python" or node.named_child_count < 2:
        return
    last = node.named_children[-1]
    start = source.text.rfind("\n", 0, last.start_byte) + 1
    margin = source.text[start : last.start_byte]
    if margin and not margin.strip() and "\n" not in text_of(source, last) and node.parent:
        outer = source.text.rfind("\n", 0, node.parent.start_byte) + 1
        around = source.text[outer : node.parent.start_byte]
        if len(around) < len(margin) and not around.strip():
            yield start, last.start_byte, around


def _return(_source: Source, node: Node) -> Edits:
    if node.type == "return_statement" and node.named_child_count:
        value = node.named_children[0]
        yield value.start_byte, value.end_byte, ""


_COMMENTS = frozenset({"comment", "line_comment", "block_comment"})
_NAMES = frozenset(
    {"identifier", "property_identifier", "field_identifier", "type_identifier", "shorthand_property_identifier"}
)
_NUMBERS = frozenset(
    {"integer", "float", "number", "int_literal", "integer_literal", "decimal_integer_literal", "number_literal"}
)
_WORDS = {"true": "false", "false": "true", "True": "False", "none": "0", "null": "0", "self": "other_x"}
_ARGUMENTS = frozenset({"argument_list", "arguments"})
_PARAMETERS = frozenset({"parameters", "formal_parameters", "parameter_list"})
_BLOCKS = frozenset({"block", "statement_block", "compound_statement", "statement_list"})
_OPERATORS = {
    **{"+": "-", "-": "+", "*": "/", "/": "*", "%": "*", "**": "*", "//": "/", "<<": ">>", ">>": "<<"},
    **{"==": "!=", "!=": "==", "===": "!==", "!==": "===", "<": "<=", "<=": "<", ">": ">=", ">=": ">"},
    **{"and": "or", "or": "and", "&&": "||", "||": "&&", "??": "||", "in": "not in", "is": "is not"},
    **{"+=": "-=", "-=": "+=", "=": "+=", "&": "|", "|": "&", "^": "|", "!": "~", "++": "--", "--": "++"},
}
_KINDS: tuple[tuple[str, Make], ...] = (
    ("operator", _operator),
    ("constant", _constant),
    ("string", _string),
    ("name", _name),
    ("argument", _arguments),
    ("parameter", _parameters),
    ("condition", _condition),
    ("statement", _statements),
    ("nesting", _nesting),
    ("return", _return),
)
