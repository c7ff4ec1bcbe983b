"""What the commands that write print: what was written and where, and how to take it back."""

from collections.abc import Sequence

from memofs.cli.style import Style, count, paint
from memofs.cli.terminal_text import neutral_line
from memofs.cli.views.words import anchor_place, flag_words, join, memory_line, memory_lines, page, remarks
from memofs.wire.memory import MemoryView
from memofs.wire.write import ForgetResult, MemoriesResult, MemoryResult, RememberResult, UndoResult

__all__ = ["render_forgotten", "render_memories", "render_remembered", "render_undone", "render_updated"]

TAKE_BACK = "`memofs undo` takes it back."


def render_remembered(result: RememberResult, style: Style) -> str:
    """The new memory, or the one that says the same already."""
    if result.duplicate_of is not None:
        return page(
            paint(style, "heading", "Already remembered; nothing was written:"),
            f"  {memory_line(result.duplicate_of, style)}",
            f"  {paint(style, 'path', style.path(result.duplicate_of.path))}",
            *_flags(result.duplicate_of),
            *remarks(result.remarks, style),
            "--allow-duplicate writes it a second time.",
        )
    if result.memory is None:
        return "Nothing was written.\n"
    return page(
        f"{paint(style, 'good', 'Remembered:')} {paint(style, 'title', result.memory.title)}",
        f"  {paint(style, 'dim', result.memory.kind)}  {paint(style, 'id', result.memory.id)}",
        f"  {paint(style, 'path', style.path(result.memory.path))}",
        *(f"  at {paint(style, 'path', anchor_place(anchor, style))}" for anchor in result.memory.anchors),
        *remarks(result.remarks, style),
        TAKE_BACK,
    )


def render_updated(result: MemoryResult, style: Style) -> str:
    """The memory after an edit."""
    if not result.changed:
        return page("No change; nothing was written:", f"  {memory_line(result.memory, style)}")
    return page(
        paint(style, "good", "Updated:"),
        f"  {memory_line(result.memory, style)}",
        f"  {paint(style, 'path', style.path(result.memory.path))}",
        TAKE_BACK,
    )


def render_memories(result: MemoriesResult, style: Style, *, done: str, already: str) -> str:
    """The memories that a command went through: `done` those it changed, `already` those that were so before."""
    same = frozenset(result.unchanged)
    changed = [memory for memory in result.memories if memory.id not in same]
    known = {memory.id: memory_line(memory, style) for memory in result.memories}
    unchanged = [f"  {known.get(id_) or paint(style, 'id', id_)}" for id_ in result.unchanged]
    lines: list[str] = []
    if changed:
        what = count(len(changed), "memory", "memories")
        lines += [paint(style, "good", f"{done} {what}:"), *memory_lines(changed, style)]
    if unchanged:
        lines += [paint(style, "dim", f"{already}:"), *unchanged]
    if not lines:
        lines.append("No memory matches; nothing was changed.")
    lost = [memory for memory in changed if "stale" in memory.flags]
    if lost:
        head = f"{count(len(lost), 'memory is', 'memories are')} stale still: code that they are about is not found"
        lines += [paint(style, "warning", f"{head} (memofs stale):"), *memory_lines(lost, style)]
    lines += remarks(result.remarks, style)
    if changed:
        lines.append(TAKE_BACK)
    return page(*lines)


def render_forgotten(result: ForgetResult, style: Style) -> str:
    """What was removed for good, and what git still knows."""
    lines = [
        paint(style, "good", f"Forgot {count(len(result.forgotten), 'memory', 'memories')} for good:"),
        *memory_lines(result.forgotten, style),
    ]
    if result.in_git:
        lines.append(paint(style, "warning", "The history of git still has:"))
        lines += [f"  {paint(style, 'path', style.path(path))}" for path in result.in_git]
    if result.in_archives:
        lines.append(paint(style, "warning", "The migrated log still says it; delete it there by hand:"))
        lines += [f"  {paint(style, 'path', style.path(path))}" for path in result.in_archives]
    return page(*lines)


def render_undone(result: UndoResult, style: Style) -> str:
    """What was taken back, file by file."""
    return page(
        f"{paint(style, 'good', 'Undone:')} {neutral_line(result.type)} {neutral_line(result.summary)}".rstrip(),
        *(f"  {paint(style, 'path', path)}" for path in result.files),
    )


def _flags(memory: MemoryView) -> Sequence[str]:
    words = flag_words(memory.flags, memory.superseded_by)
    return [f"  {neutral_line(join(words))}"] if words else []
