"""Where a file's front matter and body stand, and what its keys hold, literally. Pure.

Invariant: `Document.text` is the file, every character of it; offsets point into it, so that whoever changes a
file replaces spans and leaves the rest. A file without front matter is a document without entries. What the keys
mean is left to text/fields.py, changing them to text/splice.py.
"""

import re

import msgspec

from memofs.text.yaml_tree import Entry, Fault, Mapping, Tree, read_mapping

__all__ = ["BOM", "Document", "canonical_body", "line_of", "newline_of", "read_document"]

BOM = "\ufeff"
MOST_FRONT_MATTER = 256 * 1024

_OPEN = re.compile(r"\ufeff?---[ \t]*(?:\r\n|\n|\r)")
_CLOSE = re.compile(r"(?:(?<=\n)|(?<=\r))---[ \t]*(?:\r\n|\n|\r|\Z)")
_KEY = re.compile(r"[A-Za-z_][\w-]*[ \t]*:(?:\s|\Z)")
_NEWLINE = re.compile(r"\r\n|\n|\r")
_LEADING = re.compile(r"(?:[ \t]*(?:\r\n|\n|\r))*")


class Document(msgspec.Struct, frozen=True, kw_only=True):
    """A file's text and its parts.

    The keys stand in `text[yaml_at:yaml_end]`, the body in `text[body_at:body_end]`, without the blank lines around
    it. `fault` says why front matter that is there cannot be read; there are no entries then.
    """

    text: str
    newline: str
    yaml_at: int
    yaml_end: int
    body_at: int
    body_end: int
    entries: tuple[Entry, ...] = ()
    has_front_matter: bool = False
    in_braces: bool = False
    fault: Fault | None = None

    @property
    def body(self) -> str:
        """The body with LF line ends and no blank lines around it."""
        return canonical_body(self.text[self.body_at : self.body_end])

    def values(self) -> dict[str, Tree]:
        """What each key says; where one is repeated, its last value."""
        return {entry.key: entry.value for entry in self.entries}

    def last(self, key: str) -> Entry | None:
        """The entry that decides what `key` says."""
        return next((entry for entry in reversed(self.entries) if entry.key == key), None)


def read_document(text: str) -> Document:
    """The file's parts. Front matter that is malformed or never closed is a document with a `fault`."""
    opened = _OPEN.match(text)
    if opened is None:
        return _plain(text)
    closed = _close(text, opened.end())
    if closed is None:
        if _KEY.match(text, opened.end()) is None:
            return _plain(text)  # a thematic break on the first line
        fault = Fault(message="the front matter is opened with --- but never closed", offset=opened.start())
        return _document(text, opened.end(), len(text), len(text), fault=fault)
    yaml_at, yaml_end, after = opened.end(), closed.start(), closed.end()
    if yaml_end - yaml_at > MOST_FRONT_MATTER:
        fault = Fault(message=f"the front matter is longer than {MOST_FRONT_MATTER:,} characters", offset=yaml_at)
        return _document(text, yaml_at, yaml_end, after, fault=fault)
    mapping = read_mapping(text[yaml_at:yaml_end], at=yaml_at)
    if isinstance(mapping, Fault):
        return _document(text, yaml_at, yaml_end, after, fault=mapping)
    return _document(text, yaml_at, yaml_end, after, mapping=mapping)


def canonical_body(text: str) -> str:
    """The text with LF line ends, without blank lines before it and white space after it."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = text.rstrip(" \t\n")
    match = _LEADING.match(text)
    return text[match.end() :] if match else text


def newline_of(text: str) -> str:
    """The line end that the file's first line has; LF if it has none."""
    match = _NEWLINE.search(text)
    return match.group() if match else "\n"


def line_of(text: str, offset: int) -> int:
    """The 0-based line in which the offset lies."""
    return sum(1 for _ in _NEWLINE.finditer(text, 0, offset))


def _close(text: str, start: int) -> re.Match[str] | None:
    # A file of a megabyte that merely begins with a thematic break is not searched to its end.
    limit = min(len(text), start + 2 * MOST_FRONT_MATTER)
    match = _CLOSE.search(text, start, limit)
    return None if match is None or (match.end() == limit < len(text)) else match


def _plain(text: str) -> Document:
    start = 1 if text.startswith(BOM) else 0
    return _document(text, start, start, start, has_front_matter=False)


def _document(
    text: str,
    yaml_at: int,
    yaml_end: int,
    after: int,
    *,
    mapping: Mapping | None = None,
    fault: Fault | None = None,
    has_front_matter: bool = True,
) -> Document:
    leading = _LEADING.match(text, after)
    body_at = leading.end() if leading else after
    body_end = max(body_at, len(text.rstrip(" \t\r\n")))
    return Document(
        text=text,
        newline=newline_of(text),
        yaml_at=yaml_at,
        yaml_end=yaml_end,
        body_at=body_at,
        body_end=body_end,
        entries=mapping.entries if mapping else (),
        has_front_matter=has_front_matter,
        in_braces=mapping.flow if mapping else False,
        fault=fault,
    )
