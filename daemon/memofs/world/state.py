"""The World: all memories of a workspace and their index, as one value; and how a new one comes from the last.

Invariant: applying changes one by one gives a World that answers every question as one built at once from the same
memories does. Nothing in a World is ever written to; two that follow one another share what did not change.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import pairwise
from types import MappingProxyType

import msgspec
import numpy as np

from memofs.graph.state import Graph
from memofs.model.cancel import NEVER, CancelToken
from memofs.model.change import Change
from memofs.model.config import Config
from memofs.model.graph import NOT_CURATED, Curated
from memofs.model.memory import Memory
from memofs.model.place import STALE_VERDICTS, AnchorState
from memofs.model.problem import Problem
from memofs.model.relation import Relation
from memofs.recall import vectors
from memofs.recall.decay import checked_ms, floors, is_unverified
from memofs.recall.duplicates import alike
from memofs.recall.eligible import MEMORY_FLAGS
from memofs.recall.fields import document_of, signature_of
from memofs.recall.index import (
    EMPTY,
    LexicalIndex,
    change,
    extended,
    locate,
    mark_superseded,
    slot_of,
    vocabulary_size,
)
from memofs.recall.rank import Neighbours
from memofs.recall.segment import Document
from memofs.recall.similarity import DUPLICATE, jaccard
from memofs.recall.vectors import NO_VECTORS, Vectors
from memofs.text.analyzer import document_terms
from memofs.world import cached
from memofs.world import memories as mapping
from memofs.world import supersession as links
from memofs.world.cached import Cached
from memofs.world.entities import NO_ENTITIES, Entities, entities_of, graph_problems, grown
from memofs.world.memories import Memories
from memofs.world.relations import UNRELATED, ByEnd, by_end
from memofs.world.settings import settled
from memofs.world.supersession import Supersession

__all__ = [
    "World",
    "apply",
    "build",
    "configure",
    "drifted",
    "flags",
    "index_bytes",
    "near_duplicate",
    "overlaid",
    "placed",
]

_CHECK_EVERY = 256


class World(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """One moment of the memory.

    `problems` are by path: the files' own (`file_problems`), and those that only all memories together have.
    `stale` are the ids of memories with a drifted anchor. `analysed` counts the memories that had to be read for
    the index when the World was built; the others were taken from its stored bytes. `vectors` of memories that are
    not embedded yet are missing. `relations` are the curated ones, under both their ends. `anchors` are the states of
    each memory's anchors, in their order; a memory that was not looked at yet, or has none, is missing.
    `entities` are the graph of what memories and persons say, and the index of its names.
    """

    revision: int
    config: Config
    memories: Memories
    index: LexicalIndex
    supersession: Supersession
    file_problems: Mapping[str, tuple[Problem, ...]]
    problems: Mapping[str, tuple[Problem, ...]]
    neighbours: Neighbours | None = None
    stale: frozenset[str] = frozenset()
    anchors: Mapping[str, tuple[AnchorState, ...]] = MappingProxyType({})
    vectors: Vectors = NO_VECTORS
    relations: ByEnd = UNRELATED
    entities: Entities = NO_ENTITIES
    analysed: int = 0

    @property
    def graph(self) -> Graph:
        """What memories and persons say of entities."""
        return self.entities.graph

    @property
    def superseded_by(self) -> Mapping[str, str]:
        """The current successor of every superseded memory."""
        return self.supersession.by

    @property
    def terms(self) -> int:
        """How many different terms the index holds, about."""
        return vocabulary_size(self.index)


def build(
    memories: Iterable[Memory],
    *,
    config: Config,
    problems: Iterable[Problem] = (),
    relations: Iterable[Relation] = (),
    curated: Curated = NOT_CURATED,
    index_bytes: bytes | None = None,
    revision: int = 1,
    cancel: CancelToken = NEVER,
) -> World:
    """The World of these memories; the last of two with one id counts.

    Rows of a stored index are used where a memory is what it was; bytes that are damaged or of another version are
    as good as none. Raises Cancelled.
    """
    everything = mapping.memories_of(memories)
    known = cached.from_bytes(index_bytes) if index_bytes else None
    index, unread = _reusable(known.index if known else EMPTY, everything)
    if unread:
        index = extended(index, _documents(unread, cancel))
    linked = links.supersession(everything)
    index = mark_superseded(index, linked.by, superseded=True)
    told = _by_path(problems)
    entities = _entities(known, everything, linked.by, unread, curated=curated, cancel=cancel)
    return World(
        revision=revision,
        config=settled(config),
        memories=everything,
        index=index,
        supersession=linked,
        file_problems=told,
        problems=_all_problems(told, linked, entities.graph, everything),
        neighbours=_neighbours(index, everything),
        relations=by_end(relations),
        entities=entities,
        analysed=len(unread),
    )


def apply(world: World, change_: Change) -> World:
    """The World after a change, with the next revision."""
    put = {memory.id: memory for memory in change_.put}
    removed = [id_ for id_ in change_.removed if id_ not in put]
    everything = mapping.changed(world.memories, put=put.values(), removed=removed)
    index = change(world.index, put=[document_of(memory) for memory in put.values()], removed=removed)
    linked = links.relinked(world.supersession, everything, [*put, *removed])
    before, after = world.supersession.by, linked.by
    index = mark_superseded(index, [id_ for id_ in before if id_ not in after], superseded=False)
    index = mark_superseded(index, [id_ for id_ in after if id_ not in before or id_ in put], superseded=True)
    flipped = before.keys() ^ after.keys()
    entities = grown(world.entities, everything, after, {*put, *removed, *flipped}, curated=change_.curated)
    reanchored = _reanchored(world, put, removed)
    told = world.file_problems
    if change_.paths or change_.problems:
        looked_at = set(change_.paths)
        kept = {path: found for path, found in told.items() if path not in looked_at}
        told = MappingProxyType({**kept, **_by_path(change_.problems)})
    return msgspec.structs.replace(
        world,
        revision=world.revision + 1,
        memories=everything,
        index=index,
        supersession=linked,
        file_problems=told,
        problems=_all_problems(told, linked, entities.graph, everything),
        neighbours=_neighbours(index, everything) if _has_logs(world, put.values()) else None,
        stale=world.stale - reanchored,
        anchors=_without(world.anchors, reanchored),
        vectors=_vectors(world, index, put, removed),
        entities=entities,
        relations=world.relations if change_.relations is None else by_end(change_.relations),
    )


def configure(world: World, config: Config) -> World:
    """The World under other settings, with the next revision."""
    return msgspec.structs.replace(world, config=settled(config), revision=world.revision + 1)


def drifted(world: World, stale: Iterable[str]) -> World:
    """The World in which the anchors of exactly these memories have drifted, with the next revision."""
    return msgspec.structs.replace(world, stale=frozenset(stale), revision=world.revision + 1)


def placed(world: World, states: Mapping[str, tuple[AnchorState, ...]]) -> World:
    """The World in which the anchors are in these states, by memory, and their drift follows; the next revision."""
    known = {id_: each for id_, each in states.items() if id_ in world.memories}
    stale = [id_ for id_, each in known.items() if any(state.verdict in STALE_VERDICTS for state in each)]
    return msgspec.structs.replace(drifted(world, stale), anchors=MappingProxyType(known))


def overlaid(world: World, states: Mapping[str, Mapping[int, AnchorState]]) -> World:
    """The same World as a session with unsaved text sees it: these states, by memory and index, before the others."""
    if not states:
        return world
    known = dict(world.anchors)
    for id_, own in states.items():
        memory = world.memories.get(id_)
        if memory is not None:
            before = known.get(id_, ())
            count = len(memory.every_anchor)
            there = [before[index] if index < len(before) else AnchorState() for index in range(count)]
            known[id_] = tuple(own.get(index, state) for index, state in enumerate(there))
    drifted_ = {id_ for id_ in states if any(each.verdict in STALE_VERDICTS for each in known.get(id_, ()))}
    stale = (world.stale - states.keys()) | drifted_
    return msgspec.structs.replace(world, anchors=MappingProxyType(known), stale=stale)


def index_bytes(world: World) -> bytes:
    """The indexes and the graph as bytes that `build` takes."""
    return cached.to_bytes(world.index, frozenset(world.superseded_by), world.entities)


def flags(world: World, memory: Memory, now_ms: int) -> tuple[str, ...]:
    """What is to be said of a memory whatever was asked: stale, unverified, superseded, retired, pending."""
    checked = checked_ms(memory.verified_ms, memory.updated_ms, memory.created_ms)
    holds = {
        "stale": memory.id in world.stale,
        "unverified": is_unverified(memory.kind, checked, now_ms=now_ms, floors_days=floors(world.config.floors_days)),
        "superseded": memory.id in world.superseded_by,
        "retired": memory.status == "retired",
        "pending": memory.status == "pending",
    }
    return tuple(flag for flag in MEMORY_FLAGS if holds[flag])


def near_duplicate(world: World, title: str, body: str, *, threshold: float = DUPLICATE) -> Memory | None:
    """The memory that says most nearly the same, if it shares at least `threshold` of the terms; ties by id.

    Retired and superseded memories are no duplicates: what they say may be said again.
    """
    terms = _terms(title, body)
    found = (world.memories[id_] for id_ in alike(world.index, terms, threshold))
    scored = ((jaccard(terms, _terms(memory.title, memory.body)), memory) for memory in found)
    near = [(-score, memory.id, memory) for score, memory in scored if score >= threshold]
    return min(near, key=lambda each: each[:2])[2] if near else None


def _terms(title: str, body: str) -> frozenset[str]:
    return frozenset(term for term, _ in [*document_terms(title), *document_terms(body)])


def _reusable(index: LexicalIndex, memories: Mapping[str, Memory]) -> tuple[LexicalIndex, list[Memory]]:
    """The index without what is gone or has changed, and the memories that it lacks."""
    unread: list[Memory] = []
    kept: set[str] = set()
    for id_, memory in memories.items():
        found = locate(index, id_)
        if found is not None and index.segments[found[0]].signatures[found[1]] == signature_of(memory):
            kept.add(id_)
        else:
            unread.append(memory)
    stale = [id_ for segment in index.segments for id_ in segment.ids if id_ not in kept]
    return change(index, removed=stale) if stale else index, unread


def _entities(
    known: Cached | None,
    memories: Mapping[str, Memory],
    superseded: Mapping[str, str],
    unread: Iterable[Memory],
    *,
    curated: Curated,
    cancel: CancelToken,
) -> Entities:
    """The entities of the memories, from the stored ones where there are any."""
    if known is None or known.entities is None:
        return entities_of(memories.values(), superseded, curated=curated, cancel=cancel)
    gone = (id_ for segment in known.index.segments for id_ in segment.ids if id_ not in memories)
    touched = {*gone, *(memory.id for memory in unread), *(known.superseded ^ superseded.keys())}
    return grown(known.entities, memories, superseded, touched, curated=curated, cancel=cancel)


def _documents(memories: Iterable[Memory], cancel: CancelToken) -> Iterator[Document]:
    for number, memory in enumerate(memories):
        if number % _CHECK_EVERY == 0:
            cancel.check()
        yield document_of(memory)


def _by_path(problems: Iterable[Problem]) -> Mapping[str, tuple[Problem, ...]]:
    found: dict[str, list[Problem]] = defaultdict(list)
    for problem in problems:
        found[problem.path].append(problem)
    return MappingProxyType({path: tuple(each) for path, each in found.items()})


def _all_problems(
    told: Mapping[str, tuple[Problem, ...]], linked: Supersession, graph: Graph, memories: Mapping[str, Memory]
) -> Mapping[str, tuple[Problem, ...]]:
    found = [*_circle_problems(linked, memories), *graph_problems(graph, memories)]
    if not found:
        return told
    merged = dict(told)
    for problem in found:
        merged[problem.path] = (*merged.get(problem.path, ()), problem)
    return MappingProxyType(merged)


def _circle_problems(linked: Supersession, memories: Mapping[str, Memory]) -> Iterator[Problem]:
    for circle in linked.circles:
        for id_ in circle:
            others = ", ".join(other for other in circle if other != id_) or "itself"
            yield Problem(
                path=memories[id_].path,
                code="supersedesCircle",
                message=f"{id_} and {others} supersede each other in a circle, so none of these links counts",
                hint="take one of the links out of `supersedes`",
                severity="warning",
            )


def _vectors(world: World, index: LexicalIndex, put: Mapping[str, Memory], removed: Collection[str]) -> Vectors:
    """The vectors in their slots of the new index, without those of a text that is another now."""
    if not world.vectors.parts:
        return world.vectors
    reworded = [
        id_
        for id_, memory in put.items()
        if (old := world.memories.get(id_)) is not None and (old.title, old.body) != (memory.title, memory.body)
    ]
    located = vectors.located(world.vectors, world.index, index, [*put, *removed])
    return vectors.changed(located, index, removed=reworded)


def _reanchored(world: World, put: Mapping[str, Memory], removed: Collection[str]) -> frozenset[str]:
    """The memories that are gone or have other anchors now: what was known of those holds no longer."""
    others = (
        id_
        for id_, memory in put.items()
        if (old := world.memories.get(id_)) is None or old.every_anchor != memory.every_anchor
    )
    return frozenset((*removed, *others))


def _without(
    states: Mapping[str, tuple[AnchorState, ...]], lost: Collection[str]
) -> Mapping[str, tuple[AnchorState, ...]]:
    if not any(id_ in states for id_ in lost):
        return states
    return MappingProxyType({id_: each for id_, each in states.items() if id_ not in lost})


def _has_logs(world: World, put: Iterable[Memory]) -> bool:
    return world.neighbours is not None or any(memory.origin == "log" for memory in put)


def _neighbours(index: LexicalIndex, memories: Mapping[str, Memory]) -> Neighbours | None:
    """Which entries of a log stand next to each other, or None if there is no log."""
    entries = sorted(
        (memory.path, memory.line, memory.id, slot)
        for memory in memories.values()
        if memory.origin == "log" and (slot := slot_of(index, memory.id)) is not None
    )
    if not entries:
        return None
    before = np.full(index.size, -1, dtype=np.int32)
    after = np.full(index.size, -1, dtype=np.int32)
    for (path, _, _, slot), (next_path, _, _, next_slot) in pairwise(entries):
        if path == next_path:
            after[slot] = next_slot
            before[next_slot] = slot
    before.flags.writeable = False
    after.flags.writeable = False
    return Neighbours(before=before, after=after)
