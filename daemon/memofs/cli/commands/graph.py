"""`memofs graph`: the entities that memories name, what is said of them, and what persons write down about it."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click
import msgspec

from memofs.cli.arguments import CONFIDENCE, choices
from memofs.cli.command import Group
from memofs.cli.session import Session
from memofs.cli.terminal_text import neutral_block
from memofs.cli.views.graph import (
    render_entities,
    render_entity,
    render_exported,
    render_linked,
    render_merged,
    render_path,
    render_unlinked,
)
from memofs.wire.graph import (
    EntitiesParams,
    EntitiesResult,
    ExportGraphParams,
    ExportGraphResult,
    GraphFormat,
    GraphWriteResult,
    LinkParams,
    MergeParams,
    PathParams,
    PathResult,
    Relation,
    UnlinkParams,
)

if TYPE_CHECKING:
    RelationType = click.ParamType[Relation]
else:  # generic for type checkers only: click 8.2 cannot be subscripted
    RelationType = click.ParamType

__all__ = ["graph"]

RELATIONS: tuple[Relation, ...] = get_args(Relation)
_LISTED = ", ".join(RELATIONS)


class _Relation(RelationType):
    name = "relation"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Relation:
        """The relation, however it is spelled: `depends on` is `depends_on`."""
        name = "_".join(str(value).replace("-", " ").replace("_", " ").lower().split())
        for relation in RELATIONS:
            if relation == name:
                return relation
        self.fail(f"{value!r} is no relation; there are {_LISTED}", param, ctx)


RELATION = _Relation()


@click.group(
    "graph",
    cls=Group,
    examples=(
        "memofs graph show",
        "memofs graph show 'Session store'",
        "memofs graph link 'Session store' uses Redis",
        "memofs graph path 'Session store' EdDSA",
        "memofs graph export --format mermaid",
    ),
)
def graph() -> None:
    """Show entities and what is said of them; link, merge and draw them.

    Entities are what memories name: tools, concepts, decisions, persons, files. What memories say of them ("A uses B",
    "no longer uses C") is read from their text; what you link, unlink and merge is written to .memofs/graph/, for
    everybody who works with the project, and counts more.
    """


@graph.command(
    "show",
    examples=("memofs graph show", "memofs graph show JWT", "memofs graph show tool:redis", "memofs graph show q2xh"),
)
@click.argument("entity", metavar="[ENTITY]...", nargs=-1)
@click.option("-n", "--limit", type=click.IntRange(1, 1_000), default=20, show_default=True, help="At most so many.")
@click.pass_obj
def show(session: Session, entity: tuple[str, ...], limit: int) -> None:
    """Show an entity: what it is called, what holds of it now, what is said of it and where.

    ENTITY is a label, an alias or an id; the id of a memory, or a part of it, shows what that memory says. Without one:
    the entities of which most is said.
    """
    params = EntitiesParams(name=" ".join(entity) or None, limit=limit)
    result = session.ask("memofs/entities", params, EntitiesResult)
    session.show(result, partial(render_entity, limit=limit) if entity else render_entities)


@graph.command(
    "link",
    examples=(
        "memofs graph link 'Session store' uses Redis",
        "memofs graph link OAuth supersedes 'Basic auth'",
        "memofs graph link person:ada owns Billing",
        "memofs graph link mem_01k9d3 depends_on q2xh",
    ),
)
@click.argument("source", metavar="A")
@click.argument("relation", metavar="REL", type=RELATION)
@click.argument("target", metavar="B")
@click.option("--confidence", metavar="0..1", type=CONFIDENCE, default=1.0, help="How sure it is (1).")
@click.pass_obj
def link(session: Session, source: str, relation: Relation, target: str, confidence: float) -> None:
    """Write down that A is related to B.

    REL is uses, prefers, depends_on, supersedes, blocks, owns or related_to. A and B are entities by label, alias or
    id, or memories by id or a part of it. A name that is new becomes an entity; TYPE:NAME says what it is: concept,
    tool, decision, person or file.
    """
    params = LinkParams(source=source, relation=relation, target=target, confidence=confidence)
    result = session.ask("memofs/link", params, GraphWriteResult)
    session.show(result, partial(render_linked, relation=relation))


@graph.command(
    "unlink", examples=("memofs graph unlink 'Session store' uses Redis", "memofs graph unlink Billing Redis")
)
@click.argument("words", metavar="A [REL] B", nargs=-1, required=True)
@click.pass_obj
def unlink(session: Session, words: tuple[str, ...]) -> None:
    """Take back that A is related to B, or with no REL everything said from A to B.

    A line that was written down goes; where memories say it, a line says that it does not hold. Their text stays.
    """
    if len(words) not in {2, 3}:
        raise click.UsageError("name two entities, with the relation between them or without: A [REL] B")
    context = click.get_current_context()
    relation = None if len(words) == 2 else RELATION.convert(words[1], None, context)
    params = UnlinkParams(source=words[0], relation=relation, target=words[-1])
    result = session.ask("memofs/unlink", params, GraphWriteResult)
    session.show(result, partial(render_unlinked, relation=relation))


@graph.command("merge", examples=("memofs graph merge PostgreSQL 'the main database'",))
@click.argument("into", metavar="A")
@click.argument("other", metavar="B")
@click.pass_obj
def merge(session: Session, into: str, other: str) -> None:
    """Make B another name of A: what memories say of B they say of A from then on."""
    result = session.ask("memofs/merge", MergeParams(into=into, source=other), GraphWriteResult)
    session.show(result, partial(render_merged, other=other))


@graph.command("path", examples=("memofs graph path 'Session store' EdDSA", "memofs graph path q2xh Redis"))
@click.argument("source", metavar="A")
@click.argument("target", metavar="B")
@click.pass_obj
def path(session: Session, source: str, target: str) -> None:
    """Show how A and B hang together: the fewest statements that lead from one to the other."""
    session.show(session.ask("memofs/path", PathParams(source=source, target=target), PathResult), render_path)


@graph.command(
    "export",
    examples=(
        "memofs graph export --format mermaid",
        "memofs graph export --format dot | dot -Tsvg > graph.svg",
        "memofs graph export --around 'Session store' --steps 1 --format dot",
        "memofs graph export --format json --output graph.json",
    ),
)
@click.option(
    "-f",
    "--format",
    "format_",
    type=choices(get_args(GraphFormat)),
    default="json",
    help="dot, mermaid or json (json).",
)
@click.option("--around", metavar="ENTITY", help="Only what lies around it.")
@click.option("--steps", metavar="N", type=click.IntRange(0, 10), help="So many statements away from it (2).")
@click.option("-o", "--output", metavar="FILE", type=click.Path(path_type=Path), help="Write to FILE.")
@click.pass_obj
def export(session: Session, format_: str, around: str | None, steps: int | None, output: Path | None) -> None:
    """Print the graph for other programs: Graphviz, Mermaid, or JSON.

    What no longer holds is dashed, what is retired is grey.
    """
    if steps is not None and around is None:
        raise click.UsageError("--steps goes with --around")
    params = msgspec.convert(
        {"format": format_, "around": around, "steps": 2 if steps is None else steps}, ExportGraphParams
    )
    result = session.ask("memofs/exportGraph", params, ExportGraphResult)
    if output is not None:
        (session.here / output).write_text(result.text, encoding="utf-8", newline="\n")
        session.show(result, partial(render_exported, path=str(output)))
        return
    session.show(result, lambda exported, style: exported.text if style.width is None else neutral_block(exported.text))
