"""What tools take. Lines count from 1 and include the last, as agents see them; paths are the workspace's, or absolute.

Invariant: an argument that no tool knows, or of the wrong type, is an error that names it; the descriptions here are
what agents read in the schema.
"""

from typing import Annotated

import msgspec
from msgspec import Meta

from memofs.wire.context import Detail, SectionName
from memofs.wire.read import Precision, TaskType

__all__ = [
    "MOST_CHARACTERS",
    "AnchorArgument",
    "ChangesArguments",
    "ContextArguments",
    "EntitiesArguments",
    "HereArguments",
    "IdsArguments",
    "RecallArguments",
    "RememberArguments",
    "StaleArguments",
    "UpdateArguments",
]

MOST_CHARACTERS = 100_000
MOST_LIMIT = 100

Line = Annotated[int, Meta(ge=1, le=100_000_000)]
Query = Annotated[str, Meta(max_length=10_000)]
Id = Annotated[
    str,
    Meta(min_length=4, max_length=100, description="A memory's id (mem_…), or a part of it that fits only one memory."),
]
Ids = Annotated[tuple[Id, ...], Meta(min_length=1, max_length=200, description="Ids of memories.")]
Path = Annotated[str, Meta(min_length=1, max_length=4_096)]
Body = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=MOST_CHARACTERS,
        description="The text, in markdown: what was decided or must hold, and why. Without secrets.",
    ),
]
Title = Annotated[str, Meta(max_length=200, description="One line that says it; taken from the body if left out.")]
Kind = Annotated[
    str,
    Meta(
        max_length=100,
        description="decision, constraint, preference, note, reference, goal, summary, or one of the project's own.",
    ),
]
Labels = Annotated[tuple[str, ...], Meta(max_length=50)]
Confidence = Annotated[float, Meta(ge=0, le=1, description="How sure it is, 0 to 1.")]


class _Arguments(msgspec.Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    pass


class AnchorArgument(_Arguments, frozen=True, kw_only=True):
    """Code that a memory is about: a file, a symbol in it, or lines of it."""

    path: Path
    symbol: Annotated[str, Meta(max_length=1_000, description="A function, class or constant: Pool.open")] | None = None
    first_line: Line | None = None
    last_line: Line | None = None


Anchors = Annotated[
    tuple[AnchorArgument, ...],
    Meta(max_length=50, description="The code it is about; MemoFS follows it and says when it no longer fits."),
]


class ContextArguments(_Arguments, frozen=True, kw_only=True):
    """A briefing for a task; without a query, for the start of a session. With `expand`, what one left out."""

    query: Annotated[Query, Meta(description="The task, in a few words.")] | None = None
    task_type: TaskType | None = None
    path: Annotated[Path, Meta(description="The file you are at: what is tied to it comes first.")] | None = None
    first_line: Line | None = None
    last_line: Line | None = None
    max_bytes: Annotated[int, Meta(ge=1_024, le=262_144, description="The briefing is never longer.")] = 8_192
    detail: Detail = "compact"
    sections: Annotated[tuple[SectionName, ...], Meta(description="Only these; empty means all that belong.")] = ()
    section: (
        Annotated[SectionName, Meta(description="With expand: the section that the cursor stands under.")] | None
    ) = None
    expand: (
        Annotated[str, Meta(max_length=1_000, description="A cursor of a briefing: shows what it left out.")] | None
    ) = None


class RecallArguments(_Arguments, frozen=True, kw_only=True):
    """What to find: plain words, a question, or an exact name."""

    query: Query
    limit: Annotated[int, Meta(ge=1, le=MOST_LIMIT)] = 8
    task_type: TaskType | None = None
    kinds: Annotated[tuple[str, ...], Meta(max_length=50, description="Only these kinds.")] = ()
    tags: Annotated[tuple[str, ...], Meta(max_length=50, description="Only with all of these tags.")] = ()
    paths: Annotated[
        tuple[Path, ...], Meta(max_length=50, description="Only what is tied to these files, folders or globs.")
    ] = ()
    precision: (
        Annotated[Precision, Meta(description="strict, balanced (the usual), or all: weaker matches too.")] | None
    ) = None
    include_retired: bool = False


class RememberArguments(_Arguments, frozen=True, kw_only=True):
    """A new memory. What is said already is not written again: the answer is the memory that says it."""

    body: Body
    kind: Kind = "note"
    title: Title | None = None
    tags: Labels = ()
    aliases: Annotated[tuple[str, ...], Meta(max_length=50, description="Other names by which to find it.")] = ()
    confidence: Confidence | None = None
    supersedes: Annotated[tuple[Id, ...], Meta(max_length=50, description="Memories that no longer hold by this.")] = ()
    anchors: Anchors = ()


class UpdateArguments(_Arguments, frozen=True, kw_only=True):
    """Fields to change; what is left out stays."""

    id: Id
    body: Body | None = None
    title: Title | None = None
    kind: Kind | None = None
    tags: Labels | None = None
    aliases: Labels | None = None
    confidence: Confidence | None = None
    supersedes: Annotated[tuple[Id, ...], Meta(max_length=50)] | None = None
    anchors: Anchors | None = None
    expected_hash: (
        Annotated[
            str, Meta(max_length=100, description="The hash as you saw it: a memory changed since is left alone.")
        ]
        | None
    ) = None


class IdsArguments(_Arguments, frozen=True, kw_only=True):
    """Which memories."""

    ids: Ids


class HereArguments(_Arguments, frozen=True, kw_only=True):
    """A file, or lines of it, or a folder."""

    path: Path
    first_line: Line | None = None
    last_line: Line | None = None


class StaleArguments(_Arguments, frozen=True, kw_only=True):
    """Where to look; everywhere if nothing is named."""

    paths: Annotated[tuple[Path, ...], Meta(max_length=100, description="Files, folders or globs.")] = ()
    since: (
        Annotated[str, Meta(max_length=200, description="A git revision: only files that differ from it.")] | None
    ) = None


class ChangesArguments(_Arguments, frozen=True, kw_only=True):
    """Which anchor of which memory; without an index the first that is stale."""

    id: Id
    anchor_index: Annotated[int, Meta(ge=0, le=10_000)] | None = None


class EntitiesArguments(_Arguments, frozen=True, kw_only=True):
    """One entity by `name`, those that a `query` speaks of, or those of which most is said."""

    name: Annotated[str, Meta(min_length=1, max_length=300)] | None = None
    query: Query | None = None
    limit: Annotated[int, Meta(ge=1, le=MOST_LIMIT)] = 20
