"""Memories and entities as a briefing shows them.

A memory is one line of the briefing's own, with what is needed to cite, trust and open it, and its words quoted below;
an entity is one quoted line, since all of it comes from what memories say. Invariant: a memory's or entity's own words
stand in quoted lines, or in quotation marks where a line of the briefing's own has to name them; what is returned is
safe to place in a briefing as it is.
"""

from collections.abc import Sequence
from typing import Final

from memofs.briefing.safe import QUOTE, one_line, plain_or_quoted, quoted
from memofs.model.briefing import Detail, Item
from memofs.model.graph import Node
from memofs.model.memory import Anchor, Memory
from memofs.text.passage import passage as beginning
from memofs.text.times import format_iso

__all__ = ["entity_item", "estimated_tokens", "memory_item"]


def memory_item(
    memory: Memory,
    *,
    terms: frozenset[str] = frozenset(),
    flags: Sequence[str] = (),
    superseded_by: str | None = None,
    anchors: Sequence[Anchor] | None = None,
    passage: str | None = None,
    detail: Detail = "compact",
) -> Item:
    """A memory with its kind, date, confidence, flags, anchors and id.

    `anchors` say where they are now, else they are the memory's own. Compact, it shows the whole of a short body, else
    `passage` (what a question found in it) or its beginning; full, the whole body, up to a size that a page of an
    expansion can hold.
    """
    head = [memory.id, plain_or_quoted(memory.kind)]
    newest_ms = max(
        (ms for ms in (memory.verified_ms, memory.updated_ms, memory.created_ms) if ms is not None), default=None
    )
    if newest_ms is not None:
        head.append(format_iso(newest_ms)[:_DATE])
    if memory.confidence is not None:
        head.append(f"confidence {memory.confidence:.2g}")
    head += [
        f"superseded by {superseded_by}" if flag == "superseded" and superseded_by else one_line(flag) for flag in flags
    ]
    if places := _places(memory.anchors if anchors is None else anchors):
        head.append(places)
    title = one_line(memory.title)
    body = _without_heading(memory.body, title)
    said, rest = _full(memory, body) if detail == "full" else (_compact(body, passage), "")
    if title and not _begins_with(said, title):
        said = f"**{title}**\n{said}"
    lines = [f"- {' · '.join(head)}", quoted(said), rest]
    return Item(
        key=memory.id,
        title=title or one_line(said[:_TITLE]) or memory.id,
        text="\n".join(line for line in lines if line),
        terms=terms,
    )


def entity_item(node: Node, *, state: str = "", terms: frozenset[str] = frozenset()) -> Item:
    """An entity with its type, aliases and what is said of it now: `currently: uses OAuth; supersedes JWT`."""
    label = one_line(node.label) or node.id
    also = ", ".join([alias for alias in map(one_line, node.aliases) if alias][:_ALIASES])
    kind = f"{label} ({node.type}; also {also})" if also else f"{label} ({node.type})"
    said = [kind, _clipped(one_line(state), _STATE), _clipped(one_line(node.summary), _SUMMARY)]
    return Item(
        key=node.id,
        title=f"{label} ({node.type})",
        text=f"{QUOTE} - {' — '.join(part for part in said if part)}",
        terms=terms,
    )


def estimated_tokens(text_bytes: int) -> int:
    """About how many tokens a language model reads a text of so many bytes in UTF-8 as: an estimate, rounded up.

    Source: https://help.openai.com/en/articles/4936856 ("1 token is about 4 characters" of English), read in bytes so
    that a script of three bytes a character counts three quarters of a token for each.
    """
    return -(-text_bytes // _BYTES_A_TOKEN)


_BYTES_A_TOKEN: Final = 4
_DATE: Final = len("2027-01-14")
_WHOLE: Final = 360
"""A body of at most so many code points is shown whole in a compact briefing."""
_BEGINNING: Final = 320
_READ: Final = 8_000
"""Code points of a body that are read for its beginning."""
_FULL: Final = 60_000
"""Code points of a body that are shown in full: a page of an expansion holds as much."""
_TITLE: Final = 80
_ANCHORS: Final = 3
_LONGEST_PLACE: Final = 160
_ALIASES: Final = 3
_STATE: Final = 300
_SUMMARY: Final = 160


def _places(anchors: Sequence[Anchor]) -> str:
    """Where a memory is anchored: `src/a.py:12-40, src/b.py and 2 more`; a place that is too long only counts."""
    shown: list[str] = []
    for anchor in anchors[:_ANCHORS]:
        place = _place(anchor)
        if len(place) <= _LONGEST_PLACE:
            shown.append(place)
    if not shown:
        return f"{len(anchors)} anchors" if len(anchors) > 1 else "1 anchor" if anchors else ""
    more = len(anchors) - len(shown)
    return f"{', '.join(shown)}{f' and {more} more' if more else ''}"


def _place(anchor: Anchor) -> str:
    path = plain_or_quoted(anchor.path)
    if anchor.lines is None:
        return f"{path}#{plain_or_quoted(anchor.symbol)}" if anchor.symbol else path
    first, last = anchor.lines.first, anchor.lines.last
    return f"{path}:{first}" if first == last else f"{path}:{first}-{last}"


def _compact(body: str, passage: str | None) -> str:
    """The words of a memory that a compact briefing shows."""
    if len(body) <= _WHOLE:
        return body.strip()
    return passage or beginning(body[:_READ], frozenset(), width=_BEGINNING).text


def _full(memory: Memory, body: str) -> tuple[str, str]:
    """The whole body, and a line that says what is missing where it is too long for that."""
    if len(body) <= _FULL:
        return body, ""
    return body[:_FULL], f"[cut: {len(body):,} characters, read {plain_or_quoted(memory.path)} for the rest]"


def _without_heading(body: str, title: str) -> str:
    """The body without a heading in front that says the title again."""
    first, _, rest = body.lstrip().partition("\n")
    return rest if title and first.startswith("#") and one_line(first.strip("# \t\r")) == title else body


def _begins_with(said: str, title: str) -> bool:
    return one_line(said[: 2 * len(title) + _TITLE]).casefold().startswith(title.casefold())


def _clipped(line: str, most: int) -> str:
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"
