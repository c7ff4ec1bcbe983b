"""Pages of what a briefing left out: each item whole, in order, and a cursor to what is beyond.

Invariant: the pages that follow one another by their cursors hold every item of the list once, in its order; every
page has one at least, and none is larger than its budget.
"""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Final

import msgspec

from memofs.briefing.cursor import HANDLE_BYTES
from memofs.briefing.cut import cut
from memofs.briefing.outline import TITLE_BYTES, expand_line, title
from memofs.briefing.safe import QUOTE
from memofs.model.briefing import Item, SectionName

__all__ = ["PAGE_BYTES", "Page", "page"]

PAGE_BYTES: Final = 65_536


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """`shown` are the keys of the items on it, `rest` those beyond, to which `cursor` leads; None if there are none."""

    section: SectionName
    text: str
    bytes: int
    shown: tuple[str, ...]
    rest: tuple[str, ...] = ()
    cursor: str | None = None


def page(
    *,
    section: SectionName,
    heading: str,
    items: Sequence[Item],
    cursor_for: Callable[[SectionName, tuple[str, ...]], str],
    max_bytes: int = PAGE_BYTES,
    cursor_bytes: int = HANDLE_BYTES,
) -> Page:
    """The first page of these items, best first; `heading` is the section's.

    `cursor_for` is asked for a handle to the keys beyond, if there are any. An item larger than a whole page is cut
    there, and a line says so. `max_bytes` is 1,024 at the least.
    """
    room = max_bytes - len(heading.encode()) - 1
    more = len(_more(section, len(items), "x" * cursor_bytes).encode())
    fitting = _fitting([len(item.text.encode()) + 1 for item in items], room, more)
    texts = [item.text for item in items[:fitting]]
    if items and not fitting:
        fitting, texts = 1, [_cut(items[0], room - more - 1)]
    rest = tuple(item.key for item in items[fitting:])
    cursor = cursor_for(section, rest) if rest else None
    end = _more(section, len(rest), cursor) if cursor else ""
    text = "\n".join([heading, *texts, end])
    return Page(
        section=section,
        text=text,
        bytes=len(text.encode()),
        shown=tuple(item.key for item in items[:fitting]),
        rest=rest,
        cursor=cursor,
    )


_MARK: Final = "[cut to fit a page: memofs show has the whole]"


def _fitting(sizes: Sequence[int], room_bytes: int, more_bytes: int) -> int:
    """How many of the items fit, with the line that leads to those beyond if there are any."""
    if sum(sizes) <= room_bytes:
        return len(sizes)
    return bisect_right(list(accumulate(sizes)), room_bytes - more_bytes)


def _more(section: SectionName, count: int, cursor: str) -> str:
    return f"\n{expand_line(section, f'{count} more', cursor)}\n"


def _cut(item: Item, room_bytes: int) -> str:
    """An item that is larger than a page; where all of it is a line of the briefing's own, its title."""
    return cut(item.text, room_bytes, least_bytes=1, mark=_MARK) or f"{QUOTE} {title(item.title, TITLE_BYTES)}\n{_MARK}"
