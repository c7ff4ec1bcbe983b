"""What a World offers to a briefing: sections of candidates, best first, for a question or for the start of a session.

Invariant: only what holds is offered (no superseded, retired or pending memory, no entity that is over), every memory
with its flags of today; the same World, question and time give the same offers. What fits is left to briefing/pack.py.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

import msgspec

from memofs.briefing.render import entity_item, memory_item
from memofs.briefing.safe import plain_or_quoted
from memofs.briefing.sections import offer
from memofs.graph.resolve import Match, matches
from memofs.graph.state import state_line
from memofs.model.briefing import Detail, Item, Offer, SectionName
from memofs.model.graph import Node
from memofs.model.memory import Memory
from memofs.model.place import Place
from memofs.model.query import Hit, Recall, TaskType
from memofs.recall.index import slot_of, terms_of
from memofs.recall.rewrite import Expansion, rewrite
from memofs.recall.tasks import task
from memofs.text.analyzer import WHOLE, Word
from memofs.world.pick import anchors_now, binding, here, newest, to_check
from memofs.world.recall import LONGEST_QUERY
from memofs.world.state import World, flags

__all__ = ["CANDIDATES", "Wanted", "item_of_memory", "item_of_node", "offers", "with_wholes"]

CANDIDATES: Final[Mapping[Detail, int]] = MappingProxyType({"compact": 24, "full": 48})
"""Memories that answer a question, as many as a briefing and its expansions show."""
_ENTITIES: Final = 200
_TIED: Final = 500
"""Memories anchored to one place, or binding for changed files; a folder may have thousands."""
_TO_CHECK: Final = 50
_NOTES: Final = 24
_RECENT: Final = 3
_RECENT_FULL: Final = 10
_ROOM_FOR_RECENT: Final = 4_096
"""Where less can be shown, all of it goes to what answers the question."""
_RECENT_OF_SESSION: Final = 24

_RECENT_WEIGHT_OF_SESSION: Final = 3
"""Where nothing was asked, what is new is what there is to say."""

_MOST_COMPACT: Final[Mapping[SectionName, int]] = MappingProxyType(
    {"here": 8, "constraints": 8, "stale": 5, "entities": 8, "recall": 8, "recent": 8}
)
_LONGEST_PHRASE: Final = 3
_MOST_WORDS: Final = 64
"""Words of a question by which entities are sought; a whole log pasted as one is still answered in time."""
_ABOUT: Final = 80
"""Code points of a question or a path that a heading repeats."""
_FOUND: Final[Mapping[str, str]] = MappingProxyType({"byLexicon": "by related words only"})
"""Flags of an answer that say how far it is to be trusted, in words."""
_WHOLE_SECTIONS: Final[tuple[SectionName, ...]] = ("here", "constraints", "recall", "recent")
"""Whose memories are worth showing whole where room is left."""


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """What a briefing is for: a question, or without one the start of a session; no `sections` means all."""

    text: str = ""
    task_type: TaskType | None = None
    max_bytes: int = 8_192
    detail: Detail = "compact"
    place: Place | None = None
    sections: frozenset[SectionName] = frozenset()

    def has(self, name: SectionName) -> bool:
        """Whether the section may be in the briefing."""
        return not self.sections or name in self.sections


def offers(
    world: World,
    wanted: Wanted,
    *,
    now_ms: int,
    found: Recall | None = None,
    notes: Recall | None = None,
    changed: Collection[str] = (),
) -> tuple[Offer, ...]:
    """The sections for what is wanted, in the order in which they are shown; those with nothing in them left out.

    `found` is the answer to the question, None at the start of a session; `notes` what else of kind note touches it.
    `changed` are the files that git's working tree has changed; folders end in a slash.
    """
    made: list[Offer] = []
    if wanted.place is not None and wanted.has("here"):
        made.append(_here(world, wanted, wanted.place, now_ms=now_ms))
    if found is None:
        made += _of_session(world, wanted, changed=changed, now_ms=now_ms)
    else:
        made += _of_question(world, wanted, found, notes, known=_keys(made), now_ms=now_ms)
    return tuple(each for each in made if each.items)


def with_wholes(
    world: World,
    made: Sequence[Offer],
    shown: Mapping[SectionName, Collection[str]],
    hits: Sequence[Hit],
    *,
    room_bytes: int,
    now_ms: int,
) -> tuple[Offer, ...]:
    """The offers with the best of what is shown made whole, as far as this takes no more than `room_bytes`.

    `shown` are the keys that a briefing of these offers shows in each section, `hits` those of the answer in it.
    """
    by_id = {hit.id: hit for hit in hits}
    found: list[Offer] = []
    for each in made:
        items = list(each.items)
        keys = shown.get(each.name, ()) if each.name in _WHOLE_SECTIONS else ()
        for place, item in enumerate(items if keys else ()):
            memory = world.memories.get(item.key)
            if memory is None or item.key not in keys or len(memory.body) > len(item.text) + room_bytes:
                continue
            hit = by_id.get(item.key) if each.name == "recall" else None
            whole = item_of_memory(world, memory, detail="full", now_ms=now_ms, hit=hit)
            more_bytes = len(whole.text.encode()) - len(item.text.encode())
            if 0 < more_bytes <= room_bytes:
                room_bytes -= more_bytes
                items[place] = whole
        found.append(msgspec.structs.replace(each, items=tuple(items)))
    return tuple(found)


def item_of_memory(world: World, memory: Memory, *, detail: Detail, now_ms: int, hit: Hit | None = None) -> Item:
    """A memory as it is shown, with its flags and where its anchors are now; `hit` is how a question found it."""
    slot = slot_of(world.index, memory.id)
    told = list(flags(world, memory, now_ms))
    if hit is not None:
        told += [words for flag, words in _FOUND.items() if flag in hit.flags]
        told += [f"related to {hit.via}"] if hit.via else []
    return memory_item(
        memory,
        terms=frozenset() if slot is None else terms_of(world.index, slot),
        flags=told,
        anchors=anchors_now(world, memory),
        passage=(hit.snippet.text or None) if hit is not None else None,
        detail=detail,
    )


def item_of_node(world: World, node: Node, *, now_ms: int) -> Item | None:
    """An entity as it is shown, with what holds of it now; None where there is nothing to say of it but its name."""
    state = state_line(world.graph, node.id, now_ms=now_ms)
    return entity_item(node, state=state) if state or node.summary else None


def _of_question(
    world: World, wanted: Wanted, found: Recall, notes: Recall | None, *, known: frozenset[str], now_ms: int
) -> Iterator[Offer]:
    expansion = rewrite(wanted.text[:LONGEST_QUERY], task(wanted.task_type), project=world.config.lexicon)
    if wanted.has("entities"):
        nodes = _entities(world, wanted.text, expansion, now_ms=now_ms)
        items = [item for node in nodes[:_ENTITIES] if (item := item_of_node(world, node, now_ms=now_ms)) is not None]
        about = f"the {_ENTITIES} nearest of more" if len(nodes) > _ENTITIES else ""
        yield _offer(wanted, "entities", items, about=about)
    known |= {hit.id for hit in found.hits}
    if wanted.has("recall"):
        yield _offer(wanted, "recall", _hits(world, found.hits, wanted, now_ms=now_ms))
    if wanted.has("recent") and (wanted.sections or wanted.max_bytes >= _ROOM_FOR_RECENT):
        most = _RECENT_FULL if wanted.detail == "full" else _RECENT
        memories = newest(world, most=most, without=known, now_ms=now_ms)
        known |= {memory.id for memory in memories}
        yield _offer(wanted, "recent", _items(world, memories, wanted, now_ms=now_ms))
    if wanted.has("notes") and notes is not None:
        others = [hit for hit in notes.hits if hit.id not in known][:_NOTES]
        yield _offer(wanted, "notes", _hits(world, others, wanted, now_ms=now_ms))


def _of_session(world: World, wanted: Wanted, *, changed: Collection[str], now_ms: int) -> Iterator[Offer]:
    if wanted.has("constraints"):
        memories = binding(world, changed, now_ms=now_ms)
        about = f"of the {_counted(len(changed), 'path')} changed in git's working tree{_some_of(memories)}"
        yield _offer(wanted, "constraints", _items(world, memories[:_TIED], wanted, now_ms=now_ms), about=about)
    if wanted.has("recent"):
        steering = task(wanted.task_type)
        kinds = steering.kinds if steering else ()
        memories = newest(world, most=_RECENT_OF_SESSION, kinds=kinds, now_ms=now_ms)
        recent = _offer(wanted, "recent", _items(world, memories, wanted, now_ms=now_ms))
        yield msgspec.structs.replace(recent, weight=_RECENT_WEIGHT_OF_SESSION)
    if wanted.has("stale"):
        memories = to_check(world, most=_TO_CHECK, now_ms=now_ms)
        titles = [msgspec.structs.replace(memory, body="") if memory.title else memory for memory in memories]
        about = "check these against the code before you rely on them"
        yield _offer(wanted, "stale", _items(world, titles, wanted, now_ms=now_ms), about=about)


def _here(world: World, wanted: Wanted, place: Place, *, now_ms: int) -> Offer:
    memories = here(world, place, now_ms=now_ms)
    lines = "" if place.lines is None else f":{place.lines.first}-{place.lines.last}"
    about = f"{plain_or_quoted(place.path[-_ABOUT:])}{lines}{_some_of(memories)}"
    return _offer(wanted, "here", _items(world, memories[:_TIED], wanted, now_ms=now_ms), about=about)


def _offer(wanted: Wanted, name: SectionName, items: Iterable[Item], *, about: str = "") -> Offer:
    return offer(name, items, most=_MOST_COMPACT.get(name) if wanted.detail == "compact" else None, about=about)


def _items(world: World, memories: Iterable[Memory], wanted: Wanted, *, now_ms: int) -> list[Item]:
    return [item_of_memory(world, _bounded(memory, wanted), detail=wanted.detail, now_ms=now_ms) for memory in memories]


def _hits(world: World, hits: Iterable[Hit], wanted: Wanted, *, now_ms: int) -> list[Item]:
    return [
        item_of_memory(world, _bounded(world.memories[hit.id], wanted), detail=wanted.detail, now_ms=now_ms, hit=hit)
        for hit in hits
    ]


def _bounded(memory: Memory, wanted: Wanted) -> Memory:
    """The memory with no more text than makes it too large to be shown whole."""
    if len(memory.body) <= wanted.max_bytes:
        return memory
    return msgspec.structs.replace(memory, body=memory.body[: wanted.max_bytes + 1])


def _entities(world: World, text: str, expansion: Expansion, *, now_ms: int) -> list[Node]:
    """The entities that a question speaks of: by its own words, by what they may stand for, by the task's words.

    The task's are many and common, so they have to be a word of the entity's name and not just a part of one. More
    than `_ENTITIES` means that there are others.
    """
    words = expansion.words[:_MOST_WORDS]
    own = [*_phrases(text, words), *(word.term for word in words)]
    others = [each.text for each in expansion.expanded[:_MOST_WORDS]]
    tasks = [each.text for each in expansion.task]
    found: dict[str, Node] = {}
    for terms, whole in ((own, False), (others, False), (tasks, True)):
        for match in matches(world.graph, terms, limit=_ENTITIES + 1, now_ms=now_ms):
            if not whole or _is_word_of(match):
                found.setdefault(match.node.id, match.node)
    return list(found.values())


def _phrases(text: str, words: Sequence[Word]) -> Iterator[str]:
    """The words of a question as they are written, and up to three that follow one another."""
    places = [(word.start, word.end) for word in words if word.role != WHOLE]
    for at, (start, _) in enumerate(places):
        for _, end in places[at : at + _LONGEST_PHRASE]:
            yield text[start:end]


def _is_word_of(match: Match) -> bool:
    pattern = re.compile(rf"\b{re.escape(match.term)}\b", re.IGNORECASE)
    return any(pattern.search(name) for name in (match.node.label, *match.node.aliases))


def _some_of(memories: Sequence[Memory]) -> str:
    """What to say where not all of the memories are offered."""
    return f" (the first {_TIED} of {len(memories):,} memories)" if len(memories) > _TIED else ""


def _keys(made: Iterable[Offer]) -> frozenset[str]:
    return frozenset(item.key for each in made for item in each.items)


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
