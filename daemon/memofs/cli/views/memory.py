"""What `show`, `list` and `history` print."""

from collections.abc import Sequence

from memofs.cli.dates import ago, day, minute
from memofs.cli.style import Cell, Style, count, paint, table
from memofs.cli.views.words import anchor_place, decimal, field_rows, flag_words, join, paragraphs, problem_lines
from memofs.wire.memory import EventView, MemoryView
from memofs.wire.read import GetResult, HistoryResult, ListResult

__all__ = ["render_history", "render_list", "render_memory", "shown_of"]


def render_memory(result: GetResult, style: Style) -> str:
    """One memory: title, facts, body, and what is wrong with its file."""
    memory = result.memory
    lines = [paint(style, "title", memory.title), *_facts(memory, style)]
    if memory.body:
        lines += ["", *paragraphs(memory.body.strip("\n"), style)]
    if result.problems:
        lines += ["", *(line for problem in result.problems for line in problem_lines(problem, style))]
    return "\n".join(lines) + "\n"


def render_list(result: ListResult, style: Style) -> str:
    """One memory a line: id, kind, date of its last change, title, tags, flags. Nothing for an empty list."""
    rows = [_row(memory) for memory in result.memories]
    return "".join(f"{line}\n" for line in table(rows, style, fit=True))


def render_history(result: HistoryResult, style: Style) -> str:
    """One write a line, newest first."""
    if not result.events:
        return "No writes on this machine yet.\n"
    return "".join(f"{line}\n" for line in table([_event(event) for event in result.events], style, fit=True))


def _facts(memory: MemoryView, style: Style) -> list[str]:
    line = f":{memory.line + 1}" if memory.line else ""
    fields: Sequence[tuple[str, str]] = (
        ("id", memory.id),
        ("kind", memory.kind),
        ("status", memory.status),
        ("flags", join(flag_words(memory.flags, memory.superseded_by))),
        ("confidence", "" if memory.confidence is None else decimal(memory.confidence)),
        ("tags", ", ".join(memory.tags)),
        ("aliases", ", ".join(memory.aliases)),
        ("created", _when(memory.created, style)),
        ("updated", _when(memory.updated, style)),
        ("verified", _when(memory.verified, style)),
        ("author", memory.author or ""),
        ("source", memory.source or ""),
        ("supersedes", ", ".join(memory.supersedes)),
        ("superseded by", memory.superseded_by or ""),
        ("anchors", "\n".join(anchor_place(anchor, style) for anchor in memory.anchors)),
        ("file", style.path(memory.path) + line + ("" if memory.editable else " (read-only: `memofs migrate`)")),
    )
    return table(field_rows(_one_a_line(fields)), style, indent="  ")


def _one_a_line(fields: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    return [
        (name if index == 0 else " ", value)
        for name, values in fields
        for index, value in enumerate(values.split("\n"))
    ]


def _when(iso: str | None, style: Style) -> str:
    if iso is None:
        return ""
    distance = ago(iso, style.now_ms)
    return f"{minute(iso)} ({distance})" if distance else minute(iso)


def _row(memory: MemoryView) -> list[Cell]:
    when = memory.updated or memory.created
    tags = f"  [{', '.join(memory.tags)}]" if memory.tags else ""
    flags = f"  ({', '.join(memory.flags)})" if memory.flags else ""
    return [
        (memory.id, "id"),
        memory.kind,
        (day(when) if when else "-", "dim"),
        memory.title + tags + flags,
    ]


def _event(event: EventView) -> list[Cell]:
    undone = "  (undone)" if event.undone else ""
    return [
        (minute(event.timestamp), "dim"),
        event.type,
        (event.memory or "-", "id"),
        (event.actor, "dim"),
        event.summary + undone,
    ]


def shown_of(shown: int, total: int) -> str:
    """What a list left out: `50 of 627 memories; --all lists every one`."""
    return f"{shown:,} of {count(total, 'memory', 'memories')}; --all lists every one, --limit N more"
