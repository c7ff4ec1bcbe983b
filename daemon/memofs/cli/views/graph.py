"""Entities and what is said of them, as people read it."""

from collections.abc import Iterable, Mapping, Sequence

from memofs.cli.style import Cell, Style, count, paint, table
from memofs.cli.terminal_text import cells, neutral_line, wrap
from memofs.cli.views.words import flag_words, join, page, remarks
from memofs.cli.views.writes import TAKE_BACK
from memofs.wire.graph import (
    EndView,
    EntitiesResult,
    EntityView,
    ExportGraphResult,
    GraphWriteResult,
    NamedBy,
    PathResult,
    Relation,
    StatementView,
)

__all__ = [
    "render_entities",
    "render_entity",
    "render_exported",
    "render_linked",
    "render_merged",
    "render_path",
    "render_unlinked",
]

_WORDS: Mapping[Relation, str] = {
    "uses": "uses",
    "prefers": "prefers",
    "depends_on": "depends on",
    "supersedes": "supersedes",
    "blocks": "blocks",
    "owns": "owns",
    "related_to": "is related to",
}


def render_entities(result: EntitiesResult, style: Style) -> str:
    """How much there is, and an entity a line with how often it is spoken of and what holds of it."""
    if not result.total:
        return page("No entities yet: memories name none. `memofs graph link A uses B` writes one down.")
    entities = count(result.total, "entity", "entities")
    by_hand = f", {result.total_curated:,} written down in .memofs/graph/" if result.total_curated else ""
    lines = [paint(style, "heading", f"{entities}, {count(result.total_statements, 'statement')}{by_hand}")]
    rows: list[list[Cell]] = [
        [
            (each.label, "title"),
            (each.type, "dim"),
            count(each.statements, "statement"),
            f"in {count(each.memories, 'memory', 'memories')}",
            (each.state, "dim"),
        ]
        for each in result.entities
    ]
    lines += table(rows, style, indent="  ", right=frozenset({2}), fit=True)
    if result.more:
        lines.append(paint(style, "dim", f"{result.more:,} more (--limit N shows more, memofs graph show ENTITY one)"))
    return page(*lines)


def render_entity(result: EntitiesResult, style: Style, *, limit: int) -> str:
    """One entity: names and state, what is said of it and by whom, and the memories that name it."""
    lines: list[str] = []
    for entity in result.entities:
        lines += _head(entity, style)
    true = [each for each in result.statements if each.holds]
    over = [each for each in result.statements if not each.holds]
    own = frozenset(entity.id for entity in result.entities if entity.type == "memory")
    lines += _section("What is said:", _statement_rows(true, own), style, limit)
    lines += _section("What no longer holds:", _statement_rows(over, own), style, limit)
    lines += _section("Memories that name it:", [_memory_row(each) for each in result.memories], style, limit)
    if not result.statements and not result.memories:
        lines += ["", "Nothing is said of it."]
    return page(*lines)


def render_linked(result: GraphWriteResult, style: Style, *, relation: Relation) -> str:
    """What was linked, and where it was written."""
    said = _between(result, relation)
    if not result.changed:
        return page("It says so already; nothing was written:", f"  {said}")
    return page(f"{paint(style, 'good', 'Linked:')} {said}", *_written(result, style))


def render_unlinked(result: GraphWriteResult, style: Style, *, relation: Relation | None) -> str:
    """What holds no longer, and the memories that still say it."""
    said = _between(result, relation, other="from")
    if not result.changed:
        return page("That was taken back already; nothing was written:", f"  {said}")
    lines = [f"{paint(style, 'good', 'Unlinked:')} {said}"]
    saying = [each for each in result.statements if each.memory is not None and not each.ended]
    denied = [each for each in saying if not each.holds]
    if denied:
        lines += ["  memories still say so; it no longer counts:"]
        lines += _rows(_statement_rows(denied), style, indent="    ")
    return page(*lines, *_written(result, style))


def render_merged(result: GraphWriteResult, style: Style, *, other: str) -> str:
    """The one entity that two have become."""
    lines = [f"{paint(style, 'good', 'Merged:')} {neutral_line(other)} is another name of {_label(result.entities[0])}"]
    for entity in result.entities:
        lines += _head(entity, style)[1:]
    return page(*lines, *_written(result, style))


def render_path(result: PathResult, style: Style) -> str:
    """The way from one to the other, a statement a line with who says it."""
    ends = f"{_label(result.source)} and {_label(result.target)}"
    if not result.found:
        return page(f"Nothing that holds now joins {ends}.")
    if not result.steps:
        return page(f"{ends} are one and the same.")
    head = f"{_label(result.source)} to {_label(result.target)}, {count(len(result.steps), 'step')}:"
    rows = [[_sentence(each.statement), *_who(each.statement)] for each in result.steps]
    return page(paint(style, "heading", head), *_rows(rows, style))


def render_exported(result: ExportGraphResult, _style: Style, *, path: str) -> str:
    """Where the export went, and how much of it."""
    entities, statements = count(result.entities, "entity", "entities"), count(result.statements, "statement")
    return page(f"Wrote {entities} and {statements} to {neutral_line(path)}")


def _head(entity: EntityView, style: Style) -> list[str]:
    kind = paint(style, "dim", entity.type)
    lines = [f"{paint(style, 'title', entity.label)}  {kind}  {paint(style, 'id', entity.id)}"]
    if entity.aliases:
        lines.append(f"  also called {neutral_line(', '.join(entity.aliases))}")
    if not entity.live:
        why = "out of its time" if entity.status == "active" else entity.status
        why = why if entity.successor is None else f"superseded by {_label(entity.successor)}"
        lines.append(f"  {paint(style, 'warning', f'not current: {why}')}")
    elif entity.status != "active":
        lines.append(f"  {paint(style, 'warning', entity.status)}")
    lines += [f"  {neutral_line(text)}" for text in (entity.summary, entity.state) if text]
    return lines


def _section(heading: str, rows: Sequence[Sequence[Cell]], style: Style, limit: int) -> list[str]:
    if not rows:
        return []
    lines = ["", paint(style, "heading", heading), *_rows(rows[:limit], style)]
    if len(rows) > limit:
        lines.append(paint(style, "dim", f"  {len(rows) - limit:,} more (--limit {len(rows)} shows all)"))
    return lines


def _rows(rows: Sequence[Sequence[Cell]], style: Style, *, indent: str = "  ") -> list[str]:
    """The rows in columns; where the first takes half a terminal, each of it on a line of its own above the rest."""
    if style.width is None or all(cells(_text(row[0])) <= style.width // 2 for row in rows):
        return table(rows, style, indent=indent, fit=True)
    lines: list[str] = []
    for row in rows:
        first = neutral_line(_text(row[0]))
        lines += [indent + line for line in wrap(first, style.width - len(indent))] if first else []
        lines += table([row[1:]], style, indent=f"{indent}  ", fit=True)
    return lines


def _text(cell: Cell) -> str:
    return cell if isinstance(cell, str) else cell[0]


def _statement_rows(statements: Iterable[StatementView], own: frozenset[str] = frozenset()) -> list[list[Cell]]:
    """A row for each statement; what several say is spelled out once, and they follow below.

    `own` is the memory that is shown, whose title need not be said again.
    """
    grouped: dict[str, list[StatementView]] = {}
    for each in statements:
        grouped.setdefault(_sentence(each, own), []).append(each)
    return [
        [sentence if number == 0 else "", *_who(each)]
        for sentence, group in grouped.items()
        for number, each in enumerate(group)
    ]


def _sentence(statement: StatementView, own: frozenset[str] = frozenset()) -> str:
    """What is said, in words; a memory that speaks of itself or of "us" is not named, the row says which it is."""
    words = _WORDS.get(statement.relation, statement.relation)
    is_own = statement.memory == statement.source.id or statement.source.id in own
    subject = "" if is_own else f"{_label(statement.source)} "
    target = "this memory" if statement.target.id in own else _label(statement.target)
    return f"{'no longer: ' if statement.ended else ''}{subject}{words} {target}"


def _who(statement: StatementView) -> list[Cell]:
    if statement.memory is None:
        return [("by hand", "dim"), (f"{statement.path.rpartition('/')[2]}:{statement.line + 1}", "path")]
    return [(statement.memory, "id"), statement.title or ""]


def _memory_row(memory: NamedBy) -> list[Cell]:
    words = join(flag_words(memory.flags))
    return [(memory.id, "id"), (memory.kind, "dim"), f"{memory.title} ({words})" if words else memory.title]


def _between(result: GraphWriteResult, relation: Relation | None, *, other: str = "and") -> str:
    """The statement in words; with `other` between the two where it is not one relation."""
    source, target = result.entities
    words = other if relation is None else _WORDS.get(relation, relation)
    return f"{_label(source)} {words} {_label(target)}"


def _written(result: GraphWriteResult, style: Style) -> list[str]:
    new = [entity for entity in result.entities if entity.id in result.created]
    lines = [f"  new: {_label(each)}, {paint(style, 'dim', each.type)} {paint(style, 'id', each.id)}" for each in new]
    lines += [f"  {paint(style, 'path', style.path(path))}" for path in result.paths]
    return [*lines, *remarks(result.remarks, style), TAKE_BACK]


def _label(end: EndView | EntityView) -> str:
    """A label on one line; the title of a memory in quotes."""
    label = neutral_line(end.label)
    return f"“{label}”" if end.type == "memory" and label != end.id else label
