"""Changing keys and body of a file by replacing only the spans that say them. Pure.

Invariant: the result is read again and compared: every key that was to change says the new value, every other key
and the body say what they said; else Conflict is raised and nothing is lost. Comments, order, quoting, line ends,
BOM and a missing final newline stay as they were. What the keys mean is left to text/memory_file.py.
"""

from collections.abc import Mapping, Sequence

from memofs.model.errors import Conflict
from memofs.text.front_matter import BOM, Document, canonical_body, line_of, read_document
from memofs.text.yaml_text import block, entry_lines, inline
from memofs.text.yaml_tree import Entry, Tree

__all__ = ["spliced"]

_BY_HAND = "open the file in an editor and change it there"


def spliced(text: str, changes: Mapping[str, Tree | None], *, order: Sequence[str], body: str | None = None) -> str:
    """The file's text with the keys changed (None removes one) and, if given, the body replaced.

    New keys are put where `order` has them among those that are there; a file without front matter gets one. Raises
    Conflict where the front matter is malformed or written in a way that cannot be changed in place.
    """
    before = read_document(text)
    if before.fault is not None:
        line = line_of(text, before.fault.offset) + 1
        raise Conflict("frontMatter", f"the front matter is malformed (line {line}): {before.fault.message}", _BY_HAND)
    result = text
    for key, value in changes.items():
        result = _with_key(read_document(result), key, value, order)
    if body is not None and canonical_body(body) != before.body:
        result = _with_body(read_document(result), canonical_body(body))
    _check(before, read_document(result), changes, body)
    return result


def _with_key(document: Document, key: str, value: Tree | None, order: Sequence[str]) -> str:
    if not document.has_front_matter:
        return document.text if value is None else _with_front_matter(document, key, value)
    if document.in_braces:
        raise Conflict("frontMatter", "front matter in braces cannot be changed in place", _BY_HAND)
    entry = document.last(key)
    if value is None:
        return document.text if entry is None else _without(document, key)
    if entry is None:
        return _inserted(document, key, value, order)
    if entry.value == value:
        return document.text
    if entry.shared:
        raise Conflict("frontMatter", f"`{key}` is a YAML alias and cannot be changed in place", _BY_HAND)
    return _replaced(document, entry, value)


def _with_front_matter(document: Document, key: str, value: Tree) -> str:
    start, newline = document.yaml_at, document.newline
    lines = entry_lines(key, value, newline=newline)
    return f"{document.text[:start]}---{newline}{lines}---{newline}{document.text[start:]}"


def _without(document: Document, key: str) -> str:
    text = document.text
    for entry in reversed(document.entries):
        if entry.key == key:
            text = text[: entry.key_at - entry.column] + text[_next_line(text, entry.value_end) :]
    return text


def _inserted(document: Document, key: str, value: Tree, order: Sequence[str]) -> str:
    text = document.text
    places = {name: place for place, name in enumerate(order)}
    place = places.get(key, len(order))
    earlier = [entry for entry in document.entries if places.get(entry.key, -1) < place and entry.key in places]
    before = max(earlier, key=lambda entry: places[entry.key], default=None)
    if before is None and place == len(order) and document.entries:
        before = document.entries[-1]
    at = document.yaml_at if before is None else _next_line(text, before.next_at, literal=before.form == "literal")
    column = document.entries[0].column if document.entries else 0
    return text[:at] + entry_lines(key, value, newline=document.newline, column=column) + text[at:]


def _replaced(document: Document, entry: Entry, value: Tree) -> str:
    text, newline = document.text, document.newline
    line = inline(entry.key, value)
    if line is not None and entry.form == "inline":
        gap = "" if text[entry.value_at - 1].isspace() else " "
        return text[: entry.value_at] + gap + line + text[entry.value_end :]
    colon = text.index(":", entry.key_end) + 1
    rest = text[colon : _line_end(text, colon)]
    comment = rest if entry.form == "block" and _is_comment(rest) else ""
    if entry.form == "inline" and entry.value_end <= colon + len(rest):
        after = text[entry.value_end : _line_end(text, colon)]
        comment = after if _is_comment(after) else ""
    head = text[:colon] + ("" if line is None else f" {line}") + comment + newline
    lines = "" if line is not None else block(value, newline=newline, column=entry.column + 2)
    return head + lines + text[_next_line(text, entry.value_end) :]


def _with_body(document: Document, body: str) -> str:
    text, newline = document.text, document.newline
    head = text[: document.body_at]
    tail = text[document.body_end :]
    if document.body_at == document.body_end:
        # There was no body: whatever blank lines there are go before the new one, which ends its last line.
        head, tail = head + tail, newline
    if head not in ("", BOM) and not head.endswith(("\n", "\r")):
        head += newline
    return head + body.replace("\n", newline) + tail


def _check(before: Document, after: Document, changes: Mapping[str, Tree | None], body: str | None) -> None:
    wanted = before.values()
    for key, value in changes.items():
        if value is None:
            wanted.pop(key, None)
        else:
            wanted[key] = value
    wanted_body = before.body if body is None else canonical_body(body)
    if after.fault is not None or after.values() != wanted or after.body != wanted_body:
        raise Conflict("frontMatter", "the front matter is written in a way that cannot be changed in place", _BY_HAND)


def _is_comment(rest: str) -> bool:
    return not rest.strip() or (rest[0] in " \t" and rest.lstrip().startswith("#"))


def _line_end(text: str, at: int) -> int:
    ends = [end for end in (text.find("\n", at), text.find("\r", at)) if end >= 0]
    return min(ends, default=len(text))


def _next_line(text: str, at: int, *, literal: bool = False) -> int:
    """Where the line after the one with `at` begins; `at` itself if a literal scalar already ended its line there."""
    if literal and text[at - 1] in "\r\n":
        return at
    end = _line_end(text, at)
    return end + 2 if text.startswith("\r\n", end) else min(end + 1, len(text))
