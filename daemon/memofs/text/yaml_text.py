"""Values as YAML that every reader takes for the same string. Pure.

Invariant: reading what is printed here gives the value back, with our literal reader and with any YAML 1.1 or 1.2
reader alike, save for the numbers and times of `PLAIN_KEYS`, which are meant to be read as such.
"""

import re
from collections.abc import Mapping

from memofs.text.yaml_tree import Tree

__all__ = ["entry_lines", "inline", "scalar"]

PLAIN_KEYS = frozenset({"confidence", "created", "updated", "verified", "lines", "columns"})
"""Numbers, times and ranges: printed bare, as a person would write them."""
QUOTED_KEYS = frozenset({"mark", "quote", "imported"})
"""Machine strings: always quoted."""

_BARE_NUMBER = re.compile(r"[0-9][0-9TZ:.+-]*(?:e-?[0-9]+)?")
# Begins with a letter and holds nothing that YAML could take for a sign of its own; ":" and "#" only inside a word.
_BARE = re.compile(r"[^\W\d_](?:[\w ./()+*'=~^$%;,!@&-]|:(?=[\w/.])|(?<=\w)#(?=\w))*")
_BARE_ITEM = re.compile(r"[^\W\d_](?:[\w ./()+*'=~^$%;!@&-]|(?<=\w)#(?=\w))*")
_WORDS = frozenset(["y", "n", "yes", "no", "on", "off", "true", "false", "null", "inf", "nan"])
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_SHOWN = frozenset("\u200d\u3000")
"""Not printable by Unicode's book, but parts of ordinary emoji and Japanese text."""


def entry_lines(key: str, value: Tree, *, newline: str, column: int = 0) -> str:
    """The key and its value as whole lines, the last one ended, indented by `column` spaces."""
    margin = " " * column
    text = inline(key, value)
    if text is not None:
        return f"{margin}{scalar(key)}: {text}{newline}"
    return f"{margin}{scalar(key)}:{newline}{block(value, newline=newline, column=column + 2)}"


def inline(key: str, value: Tree) -> str | None:
    """The value on one line, or None if it needs a block of lines (a list that holds mappings)."""
    if isinstance(value, str):
        return _scalar_of(key, value)
    if isinstance(value, dict):
        return None if value else "{}"
    items: list[str] = []
    for item in value:
        if not isinstance(item, str):
            return None
        items.append(scalar(item, flow=True))
    return f"[{', '.join(items)}]"


def block(value: Tree, *, newline: str, column: int) -> str:
    """A list or mapping as whole lines, indented by `column` spaces."""
    margin = " " * column
    if isinstance(value, dict):
        return "".join(entry_lines(key, item, newline=newline, column=column) for key, item in value.items())
    if isinstance(value, str):
        return f"{margin}{scalar(value)}{newline}"
    lines: list[str] = []
    for item in value:
        if isinstance(item, Mapping) and item:
            first = block(item, newline=newline, column=column + 2)
            lines.append(f"{margin}- {first[column + 2 :]}")
        else:
            lines.append(f"{margin}- {inline('', item) or '[]'}{newline}")
    return "".join(lines)


def scalar(text: str, *, flow: bool = False) -> str:
    """The string, bare if nobody could read it otherwise, else in double quotes on one line.

    `flow`: inside brackets, where commas and braces mean something.
    """
    bare = _BARE_ITEM if flow else _BARE
    if bare.fullmatch(text) and text[-1] != " " and "  " not in text and text.lower() not in _WORDS:
        return text
    return quoted(text)


def quoted(text: str) -> str:
    """The string in double quotes, with whatever would not show escaped."""
    return f'"{"".join(_ESCAPES.get(char) or _shown(char) for char in text)}"'


def _scalar_of(key: str, value: str) -> str:
    if key in QUOTED_KEYS:
        return quoted(value)
    if key in PLAIN_KEYS and _BARE_NUMBER.fullmatch(value):
        return value
    return scalar(value)


def _shown(char: str) -> str:
    code = ord(char)
    if char.isprintable() or char in _SHOWN or 0xD800 <= code < 0xE000:
        return char  # half a surrogate pair is no text: encoding it fails, as it should
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
