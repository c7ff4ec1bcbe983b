"""Memory text made safe to stand in a briefing: a reader always sees that it is quoted, and all that is there.

A briefing is read by an agent that acts on it, so no memory may pass for a part of the briefing itself. Every line
of memory text that takes up lines of its own begins with `>`, whatever it says, and no line of the briefing's own
does; text within a line of the briefing's own is either plain or stands in straight quotation marks, which it cannot
end. Beyond that, what imitates structure is defused where it stands: headings are demoted below those of sections,
lines that look like an outline or a cursor are escaped, and so are the control tokens of language models.

Invariant: what is returned can be encoded, and has no character that starts a line, moves a cursor, reorders or hides
text: line ends of every kind begin a quoted line of their own, such characters are written out as `<U+202E>`, and
those that show nothing are dropped. Colours, terminals and HTML are for others.
"""

import re
from typing import Final

__all__ = ["QUOTE", "TOP_HEADING", "in_quotes", "one_line", "plain_or_quoted", "quoted"]

QUOTE: Final = ">"
"""What every line of memory text begins with, and no line of a briefing's own."""
TOP_HEADING: Final = 4
"""The highest level that a heading in memory text keeps: those of the briefing's sections are above it."""


def quoted(text: str) -> str:
    """The lines of a text, each behind `> `, without blank ones at both ends; empty if there is nothing to read."""
    lines: list[str] = []
    above = ""
    for line in _LINE_END.split(_readable(text)):
        said = _defused(line.rstrip(), above)
        if said or lines:
            lines.append(f"{QUOTE} {said}" if said else QUOTE)
        above = said
    while lines and lines[-1] == QUOTE:
        lines.pop()
    return "\n".join(lines)


def one_line(text: str) -> str:
    """A text on one line, white space collapsed."""
    if text.isascii() and text.isprintable() and "  " not in text and "<|" not in text:
        return text.strip(" ")
    return " ".join(_TOKEN.sub(r"<\\|", _readable(text)).split())


def in_quotes(text: str, *, most_bytes: int) -> str:
    """A text on one line in straight quotation marks, in at most `most_bytes` with these."""
    line = one_line(text).replace('"', "'").replace("↳", "→")
    data = line.encode()
    if len(data) + 2 > most_bytes:
        line = data[: max(0, most_bytes - 2 - len(_ELLIPSIS))].decode("utf-8", "ignore")
        space = line.rfind(" ", len(line) * 2 // 3)
        line = f"{line[:space] if space > 0 else line}{_ELLIPSIS}"
    return f'"{line}"'


def plain_or_quoted(text: str) -> str:
    """A name as it is if it can only be one (a path, an id, a kind), else in straight quotation marks."""
    line = one_line(text)
    return line if _NAME.fullmatch(line) else f'"{line.replace(chr(34), chr(39))}"'


_ELLIPSIS: Final = "..."

_LINE_END = re.compile("\r\n|[\n\r\v\f\x85\u2028\u2029]")

_SHOWS_NOTHING: Final = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2060-\u2064\u3164\ufe00-\ufe0d\ufeff"
    "\uffa0\U0001d173-\U0001d17a\U000e0100-\U000e01ef"
)
"""Fillers, joiners, marks of direction, selectors of variants: read the same without them, and used to hide bits."""
_DANGEROUS: Final = (
    "\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f"  # control characters that end no line
    "\u202a-\u202e\u2066-\u206f"  # embeddings, overrides, isolates: they reorder what is read
    "\ufff9-\ufffb"  # interlinear annotation: hidden text
    "\ud800-\udfff"  # lone surrogates: not encodable
    "\U000e0000-\U000e007f"  # tags: letters that show nothing
)
_UNSAFE = re.compile(f"[{_SHOWS_NOTHING}]+|[{_DANGEROUS}][{_DANGEROUS}{_SHOWS_NOTHING}]*")
_NOTHING = re.compile(f"[{_SHOWS_NOTHING}]+")
_JOINERS = re.compile("[\u200c\u200d\ufe0e\ufe0f]+")
_SHOWN_UNSAFE: Final = 3
"""Of so many dangerous characters in a row each is written out; of more, the first and how many there are."""

_NAME = re.compile(r"[\w./@+~#:-]+")
_HEADING = re.compile(r" {0,3}(#{1,6})(?=[ \t]|\Z)")
_UNDERLINE = re.compile(r"[ \t]*(?:=+|-+)\Z")
_POSES = re.compile(r"[ \t]*(?:↳|\[(?=omitted|cut|core|no room))", re.IGNORECASE)
_TOKEN = re.compile(r"<\|(?=\w{1,40}\|>)")
"""Control tokens of chat templates: `<|system|>`."""


def _readable(text: str) -> str:
    """The text without what shows nothing, and with what is dangerous written out."""
    if text.isascii() and text.isprintable():
        return text
    text = _UNSAFE.sub(_written_out, text)
    return _JOINERS.sub(_joined, text)


def _written_out(match: re.Match[str]) -> str:
    found = _NOTHING.sub("", match.group())
    if len(found) > _SHOWN_UNSAFE:
        return f"<U+{ord(found[0]):04X} and {len(found) - 1} more hidden characters>"
    return "".join(f"<U+{ord(char):04X}>" for char in found)


def _joined(match: re.Match[str]) -> str:
    """Joiners as they make emoji and join the letters of some scripts; elsewhere, and more of them, they only hide."""
    run, (start, end) = match.group(), match.span()
    if start == 0 or match.string[start - 1].isascii():
        return ""
    kept = run if run == "\ufe0f\u200d" else run[0]
    followed = end < len(match.string) and not match.string[end].isascii()
    return kept if followed else kept.rstrip("\u200c\u200d")


def _defused(line: str, above: str) -> str:
    """A line that cannot be taken for a part of the briefing; `above` is the one before it."""
    if heading := _HEADING.match(line):
        return f"{'#' * min(6, len(heading[1]) + TOP_HEADING - 1)}{line[heading.end() :]}"
    if (above and _UNDERLINE.fullmatch(line)) or _POSES.match(line):
        said = line.lstrip()
        line = f"{line[: len(line) - len(said)]}\\{said}"
    return _TOKEN.sub(r"<\\|", line)
