"""Text of memories made safe for a terminal, and measured in its cells.

Invariant: what `neutral_line` and `neutral_block` return holds no character that moves the cursor, starts an escape
sequence, reorders or hides text, so that a memory can never drive the terminal of who reads it. Colour is added
afterwards, by `style`.
"""

import re

__all__ = ["cells", "clip", "neutral_block", "neutral_line", "pad", "wrap"]

_DANGEROUS = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 (but tab and line feed), DEL, C1: escape sequences, backspace, bell
    "\u2028\u2029"  # line and paragraph separator: a line of their own in some terminals
    "\u202a-\u202e\u2066-\u206f"  # bidirectional embeddings, overrides, isolates: they reorder what is read
    "\ufff9-\ufffb"  # interlinear annotation: hidden text
    "\ud800-\udfff"  # lone surrogates: not encodable
    "\U000e0000-\U000e007f"  # tags: invisible letters
)
_UNSAFE = re.compile(f"[{_DANGEROUS}]")
_GAP = re.compile("[\t\n\v\f\r\x85\u2028\u2029]+")


def neutral_line(text: str) -> str:
    """One line: line breaks and tabs become a space, dangerous characters are written out as `<U+001B>`."""
    if text.isascii() and text.isprintable():
        return text
    return _UNSAFE.sub(_written_out, _GAP.sub(" ", text))


def neutral_block(text: str) -> str:
    """Lines ended by line feeds, tabs kept, dangerous characters written out as `<U+001B>`."""
    return _UNSAFE.sub(_written_out, text.replace("\r\n", "\n"))


def cells(text: str) -> int:
    """The terminal columns that `text` takes: two for wide East Asian characters and emoji, none for marks."""
    if text.isascii():
        return len(text)
    from unicodedata import category, east_asian_width

    return sum(
        0 if category(char) in {"Mn", "Me", "Cf"} else 2 if east_asian_width(char) in {"W", "F"} else 1 for char in text
    )


def clip(text: str, width: int | None) -> str:
    """`text` in at most `width` columns, with `…` where something was cut off; `None` cuts nothing."""
    if width is None or cells(text) <= width:
        return text
    kept = text[:width]
    while kept and cells(kept) > width - 1:
        kept = kept[:-1]
    return f"{kept.rstrip()}…" if width > 0 else ""


def pad(text: str, width: int, *, right: bool = False) -> str:
    """`text` filled with spaces to `width` columns, at its end, or with `right` at its start."""
    gap = " " * max(0, width - cells(text))
    return gap + text if right else text + gap


def wrap(text: str, width: int | None) -> tuple[str, ...]:
    """The lines of a paragraph, broken at spaces to at most `width` columns; a longer word stays whole."""
    if width is None or cells(text) <= width:
        return (text,)
    lines: list[str] = []
    line, used = "", 0
    for word in text.split(" "):
        wide = cells(word)
        if line and used + 1 + wide > width:
            lines.append(line)
            line, used = word, wide
        else:
            line, used = (f"{line} {word}", used + 1 + wide) if line else (word, wide)
    return (*lines, line)


def _written_out(match: re.Match[str]) -> str:
    return f"<U+{ord(match.group()):04X}>"
