"""The words that stand for flags, verdicts and missing parts, and the small pieces that several views share."""

from collections.abc import Mapping, Sequence

from memofs.cli.style import Cell, Role, Style, count, paint
from memofs.cli.terminal_text import neutral_block, neutral_line, wrap
from memofs.wire.memory import AnchorView, MemoryView, ProblemView
from memofs.wire.values import Range

__all__ = [
    "DEGRADED",
    "anchor_place",
    "decimal",
    "field_rows",
    "flag_words",
    "join",
    "memory_line",
    "memory_lines",
    "page",
    "paragraphs",
    "place",
    "problem_lines",
    "remarks",
    "size",
]

_FLAGS: Mapping[str, str] = {
    "stale": "stale: its code has changed",
    "unverified": "not verified lately",
    "superseded": "superseded",
    "retired": "retired",
    "pending": "pending: waits to be accepted",
    "wordsOnly": "by words only",
    "byMeaning": "by meaning",
    "byLexicon": "by related words",
    "via": "by relation",
}

DEGRADED: Mapping[str, str] = {
    "embedder": "searched by words only, the model for meaning did not answer: memofs doctor",
    "notAllowed": "config.json names a service that you have not allowed to read memories: memofs model allow",
    "indexing": "some memories are found by words only until they are indexed: memofs index",
    "vectors": "the stored vectors were damaged: what could be read is used, the rest is made again (memofs doctor)",
    "reranker": "the configured reranker failed: the built-in one served",
    "grammar": "a grammar is missing: text rules served for some files",
    "git": "git is missing or failed: no authors and dates from it",
    "unreadable": "some memory files cannot be read and are left out: memofs doctor",
    "settings": "config.json has faults, defaults hold in their place: memofs doctor",
    "anchors": "not all code was looked at in time, some memories may be stale: memofs check",
    "readOnly": "the workspace is read-only: nothing can be written",
    "cache": "the record cache cannot be written: every start reads all files",
}
"""What the answer had to do without, in words; a name that is not here is shown as it is."""

_SEVERITY: Mapping[str, Role] = {"error": "error", "warning": "warning", "info": "dim"}


def flag_words(flags: Sequence[str], superseded_by: str | None = None) -> list[str]:
    """What the flags say; an unknown one as it is."""
    words = [_FLAGS.get(flag, flag) for flag in flags]
    if superseded_by is not None:
        words = [f"superseded by {superseded_by}" if word == "superseded" else word for word in words]
    return words


def place(path: str, range_: Range | None) -> str:
    """`src/db.py`, `src/db.py:12`, `src/db.py:12-40`, or with columns `src/db.py:12:5-12:28`, all from 1."""
    if range_ is None:
        return path
    start, end = range_.start, range_.end
    first = start.line + 1
    if start.character == 0 and end.character == 0 and end.line > start.line:
        return f"{path}:{first}" if end.line == first else f"{path}:{first}-{end.line}"
    return f"{path}:{first}:{start.character + 1}-{end.line + 1}:{end.character + 1}"


def anchor_place(anchor: AnchorView, style: Style) -> str:
    """Where an anchor points: `src/db.py:12-40`, columns, symbol and verdict where they say something."""
    text = style.path(place(anchor.path, anchor.range))
    if anchor.symbol:
        text += f" {anchor.symbol}"
    if anchor.verdict not in {None, "current"}:
        text += f" ({anchor.verdict})"
    return neutral_line(text)


def memory_line(memory: MemoryView, style: Style) -> str:
    """One memory as what a write answers with: id, kind, title."""
    kind = paint(style, "dim", memory.kind)
    return f"{paint(style, 'id', memory.id)}  {kind}  {paint(style, 'title', memory.title)}"


def memory_lines(memories: Sequence[MemoryView], style: Style) -> list[str]:
    """`memory_line` for each, indented."""
    return [f"  {memory_line(memory, style)}" for memory in memories]


def problem_lines(problem: ProblemView, style: Style) -> list[str]:
    """One finding: severity, place, message; below it what to do."""
    place = "" if problem.path is None else f"{style.path(problem.path)}:{problem.line + 1}: "
    done = " (mended)" if problem.fixed else " (can be mended: memofs doctor --fix)" if problem.fixable else ""
    role = "good" if problem.fixed else _SEVERITY.get(problem.severity, "dim")
    head = paint(style, role, f"{'mended' if problem.fixed else problem.severity}:")
    code = paint(style, "dim", f"[{problem.code}]")
    lines = [f"{head} {paint(style, 'path', place)}{neutral_line(problem.message)}{done} {code}"]
    if problem.hint and not problem.fixed:
        lines.append(f"  hint: {neutral_line(problem.hint)}")
    return lines


def remarks(told: Sequence[str], style: Style) -> list[str]:
    """What is to be said about what was done, a note a line."""
    return [f"{paint(style, 'warning', 'note:')} {neutral_line(remark)}" for remark in told]


def paragraphs(text: str, style: Style, *, indent: str = "") -> list[str]:
    """Lines of free text, safe and, on a terminal, wrapped to its width."""
    width = None if style.width is None else max(20, style.width - len(indent))
    return [(indent + piece).rstrip() for line in neutral_block(text).split("\n") for piece in wrap(line, width)]


def page(*lines: str) -> str:
    """The lines as one text, the last one ended too."""
    return "\n".join(lines) + "\n"


def join(parts: Sequence[str]) -> str:
    """The parts that are not empty, a dot between them."""
    return " · ".join(part for part in parts if part)


def decimal(number: float) -> str:
    """At most three places, no trailing zeros: `0.9`, `12.345`, `1`."""
    text = f"{number:.3f}".rstrip("0").rstrip(".")
    return "0" if text in {"-0", ""} else text


def size(number_bytes: int) -> str:
    """Bytes as people read them: `640 bytes`, `12.4 kB`, `118.0 MB`."""
    if number_bytes < 1000:
        return count(number_bytes, "byte")
    amount = float(number_bytes)
    for unit in ("kB", "MB"):
        amount /= 1000
        if amount < 1000:
            return f"{amount:.1f} {unit}"
    return f"{amount / 1000:.1f} GB"


def field_rows(fields: Sequence[tuple[str, str]]) -> list[list[Cell]]:
    """Name and value as table rows, empty values left out."""
    return [[(name, "dim"), value] for name, value in fields if value]
