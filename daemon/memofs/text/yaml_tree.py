"""A block of YAML read literally: every scalar a string, and where each key and value stands. Pure.

Invariant: no tag is honoured, nothing is constructed, and neither depth nor aliases can make the tree much larger
than the text. What the keys mean is left to text/fields.py, how to change the text to text/splice.py.
"""

from collections.abc import Sequence
from typing import Literal, Protocol, TypeAlias, cast

import msgspec
import yaml

__all__ = ["Entry", "Fault", "Mapping", "Tree", "read_mapping"]

Tree: TypeAlias = str | list["Tree"] | dict[str, "Tree"]

MOST_DEPTH = 10
MOST_NODES = 20_000


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """Why the text is not a YAML mapping, and the offset where that shows."""

    message: str
    offset: int


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One key of the top level. Offsets count code points.

    `value_end` is the end of what the value says, without the comment or blank lines after it; `next_at` is where
    something else may begin (after the blank lines that belong to a `|+` scalar). `form`: inline values are scalars
    and flow collections, literal ones `|` and `>` scalars, block ones collections over several lines. `shared` values
    are aliases.
    """

    key: str
    value: Tree
    key_at: int
    key_end: int
    column: int
    value_at: int
    value_end: int
    next_at: int
    form: Literal["inline", "literal", "block"]
    shared: bool


class Mapping(msgspec.Struct, frozen=True, kw_only=True):
    """The entries in the order of the text, repeated keys included; `flow` if they stand in braces."""

    entries: tuple[Entry, ...]
    flow: bool = False


def read_mapping(text: str, *, at: int = 0) -> Mapping | Fault:
    """The mapping that `text` is, or why it is none; empty text is an empty mapping. `at` is added to all offsets."""
    try:
        root = _compose(text)
        if root is None:
            return Mapping(entries=())
        if root.id != "mapping":
            return Fault(message=f"expected `key: value` lines, found a {root.id}", offset=at)
        budget = _Budget()
        pairs = cast("Sequence[tuple[_Node, _Node]]", root.value)
        entries = tuple(_entry(key, value, text, at, budget) for key, value in pairs)
        return Mapping(entries=entries, flow=root.flow_style is True)
    except yaml.MarkedYAMLError as error:
        problem = cast("_Marked", error)
        what = problem.problem or problem.context or "not valid YAML"
        mark = problem.problem_mark or problem.context_mark
        return Fault(message=what, offset=at + (mark.index if mark else 0))
    except yaml.YAMLError as error:
        return Fault(message="a character that YAML does not allow", offset=at + _position(error, text))
    except RecursionError:
        return Fault(message="nested too deeply", offset=at)
    except _TooMuch as error:
        return Fault(message=str(error), offset=at)


class _Mark(Protocol):
    index: int
    column: int


class _Node(Protocol):
    id: str
    value: object
    start_mark: _Mark
    end_mark: _Mark
    style: str | None
    flow_style: bool | None


class _Marked(Protocol):
    problem: str | None
    context: str | None
    problem_mark: _Mark | None
    context_mark: _Mark | None


class _Loader(Protocol):
    def get_single_node(self) -> _Node | None: ...


class _TooMuch(Exception):
    """The tree is deeper or larger than a memory's front matter has reason to be."""


class _Budget:
    """Counts nodes while a tree is built, so that aliases of aliases cannot blow it up."""

    def __init__(self) -> None:
        self.left = MOST_NODES

    def spend(self, depth: int) -> None:
        self.left -= 1
        if self.left < 0:
            raise _TooMuch("too many values")
        if depth > MOST_DEPTH:
            raise _TooMuch("nested too deeply")


def _no_tag(*_: object) -> str:
    return ""


# libyaml where the wheel has it (it limits nesting to 1,000 by itself), PyYAML's own loader elsewhere. The methods
# that would resolve tags are taken out: what a scalar looks like decides nothing.
_IS_C = hasattr(yaml, "CBaseLoader")
_LiteralLoader = type(
    "_LiteralLoader",
    (yaml.CBaseLoader if _IS_C else yaml.BaseLoader,),
    {"resolve": _no_tag, "descend_resolver": _no_tag, "ascend_resolver": _no_tag},
)
_LITERAL = ("|", ">")


def _compose(text: str) -> _Node | None:
    return cast("_Loader", _LiteralLoader(text)).get_single_node()


def _position(error: yaml.YAMLError, text: str) -> int:
    position: object = getattr(error, "position", 0)
    if not isinstance(position, int):
        return 0
    return len(text.encode()[:position].decode(errors="ignore")) if _IS_C else position


def _entry(key: _Node, value: _Node, text: str, at: int, budget: _Budget) -> Entry:
    value_end, next_at = _end(value, text)
    return Entry(
        key=_key(key),
        value=_tree(value, 1, budget),
        key_at=at + key.start_mark.index,
        key_end=at + key.end_mark.index,
        column=key.start_mark.column,
        value_at=at + value.start_mark.index,
        value_end=at + value_end,
        next_at=at + next_at,
        form="block" if _is_block(value) else "literal" if _is_literal(value) else "inline",
        shared=value.start_mark.index < key.end_mark.index,
    )


def _key(node: _Node) -> str:
    if not isinstance(node.value, str):
        raise _TooMuch("a key must be a plain name")
    return node.value


def _tree(node: _Node, depth: int, budget: _Budget) -> Tree:
    budget.spend(depth)
    value = node.value
    if isinstance(value, str):
        return value
    if node.id == "sequence":
        return [_tree(item, depth + 1, budget) for item in cast("Sequence[_Node]", value)]
    pairs = cast("Sequence[tuple[_Node, _Node]]", value)
    return {_key(key): _tree(item, depth + 1, budget) for key, item in pairs}


def _is_block(node: _Node) -> bool:
    return node.id != "scalar" and node.flow_style is not True


def _is_literal(node: _Node) -> bool:
    return node.id == "scalar" and node.style in _LITERAL


def _end(node: _Node, text: str) -> tuple[int, int]:
    """Where the last thing that the node says ends, and where something else may begin.

    A block collection's own mark lies after the comments below it, so its last leaf is what counts; a literal
    scalar's mark lies after its blank lines.
    """
    while _is_block(node):
        items = cast("Sequence[_Node | tuple[_Node, _Node]]", node.value)
        if not items:
            break
        tail = items[-1]
        node = tail[1] if isinstance(tail, tuple) else tail
    mark = node.end_mark.index
    if _is_literal(node):
        return len(text[:mark].rstrip(" \t\r\n")), mark
    return mark, mark
