"""Curated relations between memories, from the lines of `graph/edges.jsonl`. Pure.

Invariant: never raises; a line that cannot be read costs that line. Lines with an end that is no memory's id belong to
the graph of entities and are passed over, and so are those whose `status` says that they no longer hold.
"""

from typing import Final, Literal

import msgspec

from memofs.model.problem import Problem
from memofs.model.relation import Relation, RelationType
from memofs.text.identity import is_id

__all__ = ["MOST_BYTES", "Relations", "parse_relations"]

MOST_BYTES: Final = 16 * 1024 * 1024
_MOST_PROBLEMS: Final = 20
_HINT: Final = 'a line is {"from": id, "to": id, "type": "depends_on"}; types: ' + ", ".join(
    ("uses", "prefers", "depends_on", "supersedes", "blocks", "owns", "related_to")
)


class Relations(msgspec.Struct, frozen=True, kw_only=True):
    """What the file says, in its order and each relation once, and what is wrong with it."""

    relations: tuple[Relation, ...] = ()
    problems: tuple[Problem, ...] = ()


class _Line(msgspec.Struct, frozen=True, kw_only=True):
    source: str = msgspec.field(name="from")
    target: str = msgspec.field(name="to")
    type: RelationType
    status: Literal["active", "deprecated", "conflicted", "deleted", "archived"] = "active"


_decoder = msgspec.json.Decoder(_Line)


def parse_relations(path: str, data: bytes) -> Relations:
    """The relations between memories in the file's bytes; `path` is for its problems."""
    if len(data) > MOST_BYTES:
        message = f"more than {MOST_BYTES:,} bytes, so none of it is read"
        return Relations(problems=(Problem(path=path, code="tooLarge", message=message, severity="warning"),))
    found: dict[tuple[str, str, str], Relation] = {}
    faults: list[tuple[int, str]] = []
    for number, line in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n")):
        if not line.strip():
            continue
        try:
            said = _decoder.decode(line)
        except (msgspec.DecodeError, RecursionError) as error:
            faults.append((number, str(error)))
            continue
        if said.status != "active" or not is_id(said.source) or not is_id(said.target):
            continue
        if said.source == said.target:
            faults.append((number, f"{said.source} is related to itself"))
            continue
        relation = Relation(source=said.source, target=said.target, type=said.type, line=number)
        found.setdefault((said.source, said.target, said.type), relation)
    return Relations(relations=tuple(found.values()), problems=tuple(_problem(path, *each) for each in _few(faults)))


def _few(faults: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """The first faults; a file that is none of ours has one in every line."""
    if len(faults) <= _MOST_PROBLEMS:
        return faults
    number, told = faults[_MOST_PROBLEMS - 1]
    more = len(faults) - _MOST_PROBLEMS
    return [*faults[: _MOST_PROBLEMS - 1], (number, f"{told}; {more:,} more lines cannot be read")]


def _problem(path: str, line: int, told: str) -> Problem:
    message = f"the relation is passed over: {told[:1].lower()}{told[1:]}"
    return Problem(path=path, code="badRelation", message=message, line=line, hint=_HINT, severity="warning")
