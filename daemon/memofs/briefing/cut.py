"""An item that is shown in part: its beginning, and a line that says so.

Invariant: what is cut ends at a line, or at a word where one ends near, never within a character; no line of a
briefing's own is torn (half an id or path would lie), only quoted ones.
"""

from typing import Final

from memofs.briefing.safe import QUOTE

__all__ = ["CUT_MARK", "cut", "torn"]

CUT_MARK: Final = "[cut to fit: expand shows the whole]"


def cut(text: str, room_bytes: int, *, least_bytes: int, mark: str = CUT_MARK) -> str | None:
    """The beginning of an item's text with `mark` below, in at most `room_bytes`.

    None where it would hold fewer than `least_bytes` of what is quoted, or where nothing has to be cut for it.
    """
    room = room_bytes - len(mark.encode()) - 1
    kept: list[str] = []
    used = quoted_bytes = 0
    for line in text[: max(0, room + 1)].split("\n"):
        break_bytes = 1 if kept else 0
        is_quoted = line.startswith(QUOTE)
        whole = used + break_bytes + len(line.encode()) <= room
        part = line if whole else torn(line, room - used - break_bytes) if is_quoted else ""
        if part:
            kept.append(part)
            used += break_bytes + len(part.encode())
            quoted_bytes += len(part.encode()) - len(QUOTE) if is_quoted else 0
        if not whole:
            return "\n".join([*kept, mark]) if quoted_bytes >= max(1, least_bytes) else None
    return None


def torn(line: str, room_bytes: int) -> str:
    """The beginning of a quoted line with an ellipsis behind; empty if nothing of it fits."""
    kept = line.encode()[: max(0, room_bytes - len(_ELLIPSIS.encode()))].decode("utf-8", "ignore")
    space = kept.rfind(" ", max(0, len(kept) - _LONGEST_WORD))
    if space > len(QUOTE):
        kept = kept[:space]
    kept = kept.rstrip()
    return f"{kept}{_ELLIPSIS}" if len(kept) > len(QUOTE) else ""


_ELLIPSIS: Final = "…"
_LONGEST_WORD: Final = 24
"""Characters. Where no space is this near (scripts without them, long names), a line is torn within a word."""
