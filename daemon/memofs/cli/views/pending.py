"""What waits for a person, as text."""

from memofs.cli.style import Style, count, paint
from memofs.cli.terminal_text import neutral_line
from memofs.cli.views.words import anchor_place, page
from memofs.wire.memory import MemoryView
from memofs.wire.read import ListResult

__all__ = ["render_pending"]

MOST_LINES = 12


def render_pending(result: ListResult, style: Style) -> str:
    """Every pending memory with its text, and what to do about it."""
    if not result.memories:
        return "Nothing waits for you.\n"
    lines = [line for memory in result.memories for line in (*_memory(memory, style), "")]
    what = count(result.total, "memory waits", "memories wait")
    return page(*lines, f"{what} for you: memofs accept ID, or memofs reject ID.")


def _memory(memory: MemoryView, style: Style) -> list[str]:
    said = (memory.body or "").splitlines()
    shown = [f"  {neutral_line(line)}".rstrip() for line in said[:MOST_LINES]]
    if len(said) > MOST_LINES:
        shown.append(paint(style, "dim", f"  {count(len(said) - MOST_LINES, 'more line')}: memofs show {memory.id}"))
    whence = f"{memory.kind} from {memory.source or 'an unknown source'}, {(memory.created or '')[:10]}"
    return [
        f"{paint(style, 'id', memory.id)}  {paint(style, 'title', memory.title)}",
        f"  {paint(style, 'dim', whence)}",
        *(f"  at {paint(style, 'path', anchor_place(anchor, style))}" for anchor in memory.anchors),
        *(f"  {paint(style, 'warning', f'supersedes {id_}')}" for id_ in memory.supersedes),
        *shown,
    ]
