"""Which entity or memory a person means, and what to tell who means none that there is.

Invariant: a name that fits several is never guessed at; what is not there is answered with the names most like it.
"""

import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Final

from memofs.engine.lookup import LEAST_SUFFIX, find_one
from memofs.graph.names import MOST_LABEL, name_key, split_id
from memofs.graph.resolve import find
from memofs.graph.state import Graph
from memofs.model.errors import InvalidRequest, NotFound
from memofs.model.graph import Node
from memofs.model.memory import Memory
from memofs.text.identity import ID_PREFIX
from memofs.world.state import World

__all__ = ["checked_end", "known_end", "known_entity", "near"]

_ID_PART: Final = re.compile(rf"[0-9a-z]{{{LEAST_SUFFIX},}}")
_SHOWN: Final = 3
_LIKE: Final = 0.7
"""Of difflib's ratio: "Postgress" is like "PostgreSQL", "Redux" is not like "Redis"."""


def known_entity(world: World, text: str) -> Node:
    """The entity that a text names. Raises NotFound with the names most like it, InvalidRequest for what is no name."""
    said = _checked(text)
    node = find(world.graph, said)
    if isinstance(node, Node):
        return node
    likely = near(world.graph, said)
    hint = f"did you mean {' or '.join(likely)}?" if likely else "memofs graph show lists those of which most is said"
    raise NotFound("entity", f"there is no entity {said!r}", hint)


def known_end(world: World, text: str) -> str:
    """The id of the entity or the memory that a text names. Raises NotFound, InvalidRequest."""
    memory = _memory(world, text)
    return memory.id if memory is not None else known_entity(world, text).id


def checked_end(world: World, text: str) -> str:
    """What an end of a statement is to be looked up as: the id of the memory that is meant, else the name itself.

    A name may be new. Raises NotFound and InvalidRequest for an id that no memory has, or several, and for no name.
    """
    memory = _memory(world, text)
    return memory.id if memory is not None else _checked(text)


def near(graph: Graph, text: str) -> tuple[str, ...]:
    """The labels of entities that whoever typed a text may have meant, best first."""
    found = find(graph, text)
    likely = [node.label for node in found] if isinstance(found, tuple) else []
    if len(likely) < _SHOWN:
        named: Mapping[str, str] = graph.names
        keys = get_close_matches(name_key(text), named, n=_SHOWN, cutoff=_LIKE)
        likely += [graph.nodes[named[key]].label for key in keys]
    return tuple(dict.fromkeys(likely))[:_SHOWN]


def _memory(world: World, text: str) -> Memory | None:
    """The memory that a text names by its id or a part of it; an entity of that name comes first."""
    said = text.strip()
    if said.lower().startswith(ID_PREFIX):
        return find_one(world.memories, said, problems=world.problems)
    if _ID_PART.fullmatch(said) is None or isinstance(find(world.graph, said), Node):
        return None
    try:
        return find_one(world.memories, said)
    except NotFound:
        return None


def _checked(text: str) -> str:
    """The text as a name: one line, no characters that drive a terminal or hide. Raises InvalidRequest."""
    said = text.strip()
    parts = split_id(said)
    key = name_key(parts[1] if parts is not None else said)
    if not key or not said.isprintable() or len(said) > MOST_LABEL:
        raise InvalidRequest(
            "badEntity",
            f"{text[:40]!r} is no name of an entity",
            "a name has a letter or a digit, is one line without control characters, and has at most "
            f"{MOST_LABEL} characters",
        )
    return said
