"""A memory in an editor's words: one line for a lens or a message, a few for a hover.

Invariant: what a memory says is shown and never acted on: in markdown every sign of it is escaped, so that it holds no
link, image, command or heading; control characters are dropped.
"""

import re
from collections.abc import Callable, Sequence

from memofs.engine.view import View
from memofs.model.memory import Memory
from memofs.server.editor.places import Shown
from memofs.text.times import format_iso

__all__ = [
    "MOST_HOVERED",
    "hover_markdown",
    "hover_plain",
    "lens_title",
    "line_of",
    "markdown_of",
    "message_of",
    "paragraph",
]

MOST_HOVERED = 8
MOST_CHARS = 600
_MARKUP = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~&$:@/])")
_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_FLAGS = {"stale": "the code changed", "unverified": "not verified lately"}


def lens_title(every: Sequence[Shown]) -> str:
    """`decision: Use D1 for tenant metadata`, or `3 memories, 1 stale`."""
    memories = {each.memory.id: each.memory for each in every}
    stale = len({each.memory.id for each in every if each.is_stale})
    if len(memories) == 1:
        memory = every[0].memory
        return f"{memory.kind}: {line_of(memory.title)}{' (stale)' if stale else ''}"
    return f"{len(memories)} memories{f', {stale} stale' if stale else ''}"


def message_of(each: Shown) -> str:
    """What a diagnostic says: the title, what happened to the code, and since when the memory stands."""
    since = _day(each.memory.verified_ms or each.memory.updated_ms or each.memory.created_ms)
    what = {
        "changed": "the code has changed since it was written or verified",
        "missing": "the code it is tied to is not here any more",
    }[each.state.verdict or "missing"]
    return f"{line_of(each.memory.title)}: {what}{f' ({since})' if since else ''}"


def hover_markdown(view: View, every: Sequence[Shown], uri_of: Callable[[Memory], str]) -> str:
    """Every memory: title with a link to its file, kind, date, confidence, flags, first paragraph."""
    parts = [
        f"**[{markdown_of(line_of(each.memory.title))}]({uri_of(each.memory)})**  \n"
        f"{markdown_of(_about(view, each))}\n\n{markdown_of(paragraph(each.memory.body, but=each.memory.title))}"
        for each in every[:MOST_HOVERED]
    ]
    return "\n\n---\n\n".join([*parts, *_more(every)])


def hover_plain(view: View, every: Sequence[Shown]) -> str:
    """The same for a client that shows no markdown."""
    parts = [
        f"{line_of(each.memory.title)}\n{_about(view, each)}\n\n{paragraph(each.memory.body, but=each.memory.title)}"
        for each in every[:MOST_HOVERED]
    ]
    return "\n\n".join([*parts, *_more(every)])


def line_of(text: str) -> str:
    """The text on one line, without what is not seen."""
    return " ".join(_UNSEEN.sub("", text).split())


def paragraph(body: str, *, but: str = "") -> str:
    """The first paragraph that is neither a heading nor `but`, on one line, shortened at a word."""
    for block in re.split(r"\n\s*\n", body):
        text = line_of("\n".join(line for line in block.splitlines() if not line.lstrip().startswith("#")))
        if text and text != line_of(but):
            return text if len(text) <= MOST_CHARS else f"{text[:MOST_CHARS].rsplit(' ', 1)[0]}…"
    return ""


def _about(view: View, each: Shown) -> str:
    memory: Memory = each.memory
    day = _day(memory.created_ms)
    verified = _day(memory.verified_ms)
    said = [memory.kind, day, f"verified {verified}" if verified and verified != day else ""]
    said.append(f"confidence {memory.confidence:g}" if memory.confidence is not None else "")
    said += [_FLAGS.get(flag, flag) for flag in view.flags(memory)]
    if each.state.verdict in ("moved", "reformatted"):
        said.append(f"the code was {each.state.verdict}")
    said += [f"followed by the file alone: {name}" for name in each.state.degraded if name in _FILE_ALONE]
    said.append(memory.id)
    return " · ".join(part for part in said if part)


_FILE_ALONE = ("binary", "tooLarge", "generated")


def _day(ms: int | None) -> str:
    return "" if ms is None else format_iso(ms)[:10]


def _more(every: Sequence[Shown]) -> list[str]:
    return [f"and {len(every) - MOST_HOVERED} more"] if len(every) > MOST_HOVERED else []


def markdown_of(text: str) -> str:
    """The text as markdown that shows just it."""
    return _MARKUP.sub(r"\\\1", text)
