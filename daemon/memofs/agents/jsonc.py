"""Changing JSON with comments by splicing: everything but the change stays as it is, byte for byte. Pure.

Comments and trailing commas are read, since agents' settings have them; what is written is plain JSON, indented as the
file is.

Invariant: the result parses, and differs in value from what was only where asked.
"""

import json
import re
from collections.abc import Sequence
from typing import Any, Final

import msgspec

__all__ = ["JsoncError", "append", "drop", "parse", "put", "value_at"]

Path = Sequence[str | int]

_SPACE = re.compile(r"(?:[ \t\r\n]+|//[^\n]*|/\*.*?\*/)+", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_SCALAR = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null")
_INDENT = re.compile(r"[{\[][ \t]*\r?\n([ \t]+)[\"{\[]")
_DEEPEST: Final = 200


class JsoncError(ValueError):
    """The text is no JSON, also not with comments, or is not of the shape that is needed; `line` counts from 1."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.message = message
        self.line = line


class _Node(msgspec.Struct, frozen=True, kw_only=True):
    """A value at [start, end); `parts` are the members of an object (with their keys) or the items of an array."""

    start: int
    end: int
    kind: str
    value: Any = None
    parts: "tuple[_Part, ...]" = ()


class _Part(msgspec.Struct, frozen=True, kw_only=True):
    """A member or an item: where it starts (the key, in an object), and its value."""

    start: int
    key: str | int
    node: _Node


def parse(text: str) -> Any:
    """The value. Raises JsoncError."""
    return _value(_read(text))


def value_at(text: str, path: Path) -> Any:
    """The value at the path, None where there is nothing. Raises JsoncError."""
    node = _find(_read(text), path)
    return None if node is None else _value(node)


def put(text: str, path: Path, value: Any) -> str:
    """The text with the value at the path, objects on the way made where they are missing.

    Raises JsoncError where something else stands on the way.
    """
    node = _read(text)
    for depth, key in enumerate(path):
        found = _part(node, key)
        if found is None:
            for missing in reversed(path[depth + 1 :]):
                value = {missing: value}
            if node.kind != "object" or not isinstance(key, str):
                where = ".".join(map(str, path[:depth])) or "the file"
                raise JsoncError(f"{where} holds no object", _line(text, node.start))
            return _insert(text, node, f"{json.dumps(key, ensure_ascii=False)}: ", value)
        node = found.node
    if _value(node) == value:
        return text
    printed = _printed(text, value, _base(text, node.start))
    return text[: node.start] + printed + text[node.end :]


def append(text: str, path: Path, value: Any) -> str:
    """The text with one more item in the array at the path, made where it is missing. Raises JsoncError."""
    node = _find(_read(text), path)
    if node is None:
        return put(text, path, [value])
    if node.kind != "array":
        raise JsoncError(f"{'.'.join(map(str, path))} is no list", _line(text, node.start))
    return _insert(text, node, "", value)


def drop(text: str, path: Path) -> str:
    """The text without the member or item at the path; unchanged where there is none. Raises JsoncError."""
    parent = _find(_read(text), path[:-1])
    place = None if parent is None else next((i for i, each in enumerate(parent.parts) if each.key == path[-1]), None)
    if parent is None or place is None:
        return text
    part = parent.parts[place]
    start, end = part.start, part.node.end
    after = _skip(text, end)
    if text[after : after + 1] == ",":
        end = after + 1
    elif place:
        comma = text.index(",", _skip(text, parent.parts[place - 1].node.end))
        text = text[:comma] + text[comma + 1 :]
        start, end = start - 1, end - 1
    line_start = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", end)
    rest = text[end : line_end if line_end >= 0 else len(text)]
    if not text[line_start:start].strip() and not rest.strip() and line_end >= 0:
        return text[:line_start] + text[line_end + 1 :]
    return text[:start].rstrip(" \t") + text[end:]


def _read(text: str) -> _Node:
    node, at = _node(text, _skip(text, 0), 0)
    at = _skip(text, at)
    if at < len(text):
        raise JsoncError(f"{text[at]!r} where the file should end", _line(text, at))
    return node


def _node(text: str, at: int, depth: int) -> tuple[_Node, int]:
    if depth > _DEEPEST:
        raise JsoncError("nested too deeply", _line(text, at))
    sign = text[at : at + 1]
    if sign in ("{", "["):
        return _container(text, at, depth, is_object=sign == "{")
    if sign == '"':
        value, end = _string(text, at)
        return _Node(start=at, end=end, kind="scalar", value=value), end
    match = _SCALAR.match(text, at)
    if match is None:
        raise JsoncError(f"{sign!r} where a value should be" if sign else "the file ends too soon", _line(text, at))
    return _Node(start=at, end=match.end(), kind="scalar", value=json.loads(match[0])), match.end()


def _container(text: str, start: int, depth: int, *, is_object: bool) -> tuple[_Node, int]:
    closing = "}" if is_object else "]"
    parts: list[_Part] = []
    at = _skip(text, start + 1)
    while text[at : at + 1] != closing:
        part_start, key = at, len(parts)
        if is_object:
            key, at = _string(text, at)
            at = _skip(text, at)
            if text[at : at + 1] != ":":
                raise JsoncError(f"no colon behind {key!r}", _line(text, at))
            at = _skip(text, at + 1)
        node, at = _node(text, at, depth + 1)
        parts.append(_Part(start=part_start, key=key, node=node))
        at = _skip(text, at)
        if text[at : at + 1] == ",":
            at = _skip(text, at + 1)
        elif text[at : at + 1] != closing:
            raise JsoncError(f"no comma or {closing} behind a value", _line(text, at))
    kind = "object" if is_object else "array"
    return _Node(start=start, end=at + 1, kind=kind, parts=tuple(parts)), at + 1


def _string(text: str, at: int) -> tuple[str, int]:
    match = _STRING.match(text, at)
    if match is None:
        raise JsoncError("no text in quotes where one should be", _line(text, at))
    try:
        return json.loads(match[0]), match.end()
    except json.JSONDecodeError as error:
        raise JsoncError(error.msg, _line(text, at)) from error


def _value(node: _Node) -> Any:
    if node.kind == "object":
        return {each.key: _value(each.node) for each in node.parts}
    if node.kind == "array":
        return [_value(each.node) for each in node.parts]
    return node.value


def _find(node: _Node, path: Path) -> _Node | None:
    for key in path:
        part = _part(node, key)
        if part is None:
            return None
        node = part.node
    return node


def _part(node: _Node, key: str | int) -> _Part | None:
    """Of members with one key the last counts, as it does for whoever reads the file."""
    return next((each for each in reversed(node.parts) if each.key == key), None)


def _insert(text: str, node: _Node, lead: str, value: Any) -> str:
    close = node.end - 1
    base = _base(text, node.start)
    indent = base + _unit(text)
    new_line = "\r\n" if "\r\n" in text else "\n"
    before = text[:close]
    if node.parts:
        last = node.parts[-1]
        first_line = text.rfind("\n", 0, node.parts[0].start) + 1
        if not text[first_line : node.parts[0].start].strip():
            indent = text[first_line : node.parts[0].start]
        after = _skip(text, last.node.end)
        if text[after : after + 1] != ",":
            before = text[: last.node.end] + "," + text[last.node.end : close]
    kept = before.rstrip()
    closing = before[before.rfind("\n") + 1 :] if "\n" in before[len(kept) :] else base
    return f"{kept}{new_line}{indent}{lead}{_printed(text, value, indent)}{new_line}{closing}{text[close:]}"


def _printed(text: str, value: Any, indent: str) -> str:
    lines = json.dumps(value, indent=_unit(text), ensure_ascii=False).split("\n")
    return ("\r\n" if "\r\n" in text else "\n").join([lines[0], *(indent + line for line in lines[1:])])


def _unit(text: str) -> str:
    match = _INDENT.search(text)
    return match[1] if match else "  "


def _base(text: str, at: int) -> str:
    """The indentation of the line on which something stands."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return at if match is None else match.end()


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1
