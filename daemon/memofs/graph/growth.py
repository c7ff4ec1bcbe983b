"""How a graph comes from the one before: memories that say something else, and what follows from that.

Invariant: only what a change can concern is made anew, and comes out as it would in a graph built at once: the names
whose entity may be another now, the edges of every memory that uses such a name, and the nodes of both.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

import msgspec

from memofs.graph.draft import Draft
from memofs.graph.edges import replace
from memofs.graph.fact import SELF, Facts
from memofs.graph.names import known_names, name_key, slug_of_key, split_id, type_of_key
from memofs.graph.naming import (
    DECLARED,
    NAMED,
    SPOKEN,
    Claim,
    Naming,
    claims_of,
    label_among,
    namings_of,
    plural,
    singular,
)
from memofs.graph.state import Graph, Said, is_succession, succession
from memofs.graph.written import keys_of, with_curated
from memofs.model.graph import NOT_CURATED, Curated, Edge, Node
from memofs.text.identity import is_id
from memofs.text.slug import dashed

__all__ = ["Grown", "build", "changed", "recurated", "shorts_of"]

_PERSON: Final = ""
"""The id under which stands what persons wrote down."""
_MOST_ALIASES: Final = 16


class Grown(msgspec.Struct, frozen=True, kw_only=True):
    """The graph after a change, and the ids of the nodes that are new, differ or are gone."""

    graph: Graph
    touched: frozenset[str]


def build(said: Mapping[str, Said], *, curated: Curated = NOT_CURATED) -> Graph:
    """The graph of what memories say, by id, and of what persons wrote down."""
    return _Growth(with_curated(curated)).changed({_PERSON: _NOTHING_SAID, **said}, ()).graph


def changed(graph: Graph, *, put: Mapping[str, Said], removed: Collection[str] = ()) -> Grown:
    """The graph with what these memories say now in the place of what they said; an id in both is put."""
    return _Growth(graph).changed(put, [id_ for id_ in removed if id_ not in put])


def recurated(graph: Graph, curated: Curated) -> Grown:
    """The graph with something else written down by persons.

    Statements cost no more than a memory's do. Where nodes differ, all is made anew: a name may be theirs now.
    """
    if curated == graph.curated:
        return Grown(graph=graph, touched=frozenset())
    empty = with_curated(curated)
    if (empty.written, empty.fixed) == (graph.written, graph.fixed):
        return _Growth(msgspec.structs.replace(graph, curated=curated), was=graph).changed({_PERSON: _NOTHING_SAID}, ())
    after = build({id_: said for id_, said in graph.said.items() if id_ != _PERSON}, curated=curated)
    touched = {id_ for id_ in {*graph.nodes, *after.nodes} if graph.nodes.get(id_) != after.nodes.get(id_)}
    return Grown(graph=after, touched=frozenset(touched))


def shorts_of(claims: Mapping[str, Iterable[Claim]]) -> dict[str, tuple[str, ...]]:
    """The names that are said to be short for a name, by its key."""
    found: dict[str, set[str]] = defaultdict(set)
    for key, each in claims.items():
        for claim in each:
            found[claim.long].add(key)
    return {long: tuple(sorted(keys)) for long, keys in found.items()}


_NOTHING_SAID: Final = Said(facts=Facts())


class _Growth:
    """One change in the making. Invariant: `graph` stays what it was."""

    def __init__(self, graph: Graph, was: Graph | None = None) -> None:
        """Begin with a graph; `was` is what it was before persons wrote down something else."""
        self._graph = graph
        self._was = was or graph
        self._said = Draft(graph.said)
        self._stated = Draft(graph.stated)
        self._namings = Draft(graph.namings)
        self._claims = Draft(graph.claims)
        self._shorts = Draft(graph.shorts)
        self._outgoing = Draft(graph.outgoing)
        self._incoming = Draft(graph.incoming)
        self._nodes = Draft(graph.nodes)
        self._names = Draft(graph.names)
        self._superseding = set(graph.succession.said)
        self._entities: dict[str, _Entity | None] = {}

    def changed(self, put: Mapping[str, Said], removed: Iterable[str]) -> Grown:
        """The graph with these in the place of what was said."""
        new: dict[str, Said | None] = {**dict.fromkeys(removed), **put}
        told = [id_ for id_, said in new.items() if id_ == _PERSON or said != self._graph.said.get(id_)]
        old_names = [_names_said(self._was, id_, self._graph.said.get(id_)) for id_ in told]
        new_names = [_names_said(self._graph, id_, new[id_]) for id_ in told]
        concerned = self._below({key for names in (*old_names, *new_names) for key in names.keys})
        before = {key: self._entity(key) for key in concerned}
        for id_ in told:
            self._said.put(id_, new[id_])
        self._name(set(told), new_names, old_names)
        self._entities.clear()
        after = {key: self._entity(key) for key in concerned}
        moved = [key for key in concerned if before[key] != after[key]]
        speaking = {naming.memory for key in moved for naming in self._namings.get(key) or () if naming.sort >= SPOKEN}
        entities = {entity for entity in (*before.values(), *after.values()) if entity is not None}
        entities |= self._state({*told, *speaking})
        for key in concerned:
            if after[key] is None or not self._is_there(key):
                self._names.put(key, None)
        touched = frozenset(entity.id for entity in entities if self._make(entity))
        return Grown(graph=self._done(), touched=touched)

    # --- who names what -------------------------------------------------------------------------------------------

    def _name(self, told: Collection[str], new: Iterable["_Names"], old: Iterable["_Names"]) -> None:
        """Put what these memories name now in the place of what they named."""
        namings: dict[str, list[Naming]] = {key: [] for names in old for key, _ in names.namings}
        claims: dict[str, list[Claim]] = {key: [] for names in old for key, _ in names.claims}
        for names in new:
            for key, naming in names.namings:
                namings.setdefault(key, []).append(naming)
            for key, claim in names.claims:
                claims.setdefault(key, []).append(claim)
        for key, added in namings.items():
            kept = [naming for naming in self._namings.get(key) or () if naming.memory not in told]
            self._namings.put(key, tuple(sorted((*kept, *added))) or None)
        shorts: dict[str, set[str]] = {}
        for key, made in claims.items():
            was = self._claims.get(key) or ()
            now = tuple(sorted({*(claim for claim in was if claim.memory not in told), *made}))
            self._claims.put(key, now or None)
            longs = {claim.long for claim in now}
            for long in longs.union(claim.long for claim in was):
                short = shorts.setdefault(long, set(self._shorts.get(long) or ()))
                short.add(key) if long in longs else short.discard(key)
        for long, short in shorts.items():
            self._shorts.put(long, tuple(sorted(short)) or None)

    # --- which entity a name is -----------------------------------------------------------------------------------

    def _entity(self, key: str) -> "_Entity | None":
        """The entity that a name stands for; None if it is no entity's."""
        if key not in self._entities:
            self._entities[key] = self._found_entity(key)
        return self._entities[key]

    def _found_entity(self, key: str) -> "_Entity | None":
        line = [key]
        while line[-1] not in self._graph.fixed:
            above = self._parent(line[-1])
            if above is None:
                break
            if above in line:  # each is short for another: they are one entity, called by the first
                line.append(min(line[line.index(above) :]))
                break
            line.append(above)
        root = line[-1]
        if root in self._graph.fixed:
            return _Entity(self._graph.fixed[root], "")
        return _Entity(f"{type_of_key(root)}:{slug_of_key(root)}", root) if self._is_known(root) else None

    def _parent(self, key: str) -> str | None:
        """The name that this one is another form of."""
        claims = self._claims.get(key) or ()
        told = {claim.long for claim in claims if not claim.by_initials}
        if told:
            return told.pop() if len(told) == 1 else None
        one = singular(key)
        if one is not None and (one in self._graph.fixed or self._is_known(one) or self._claims.get(one)):
            return one
        guessed = {claim.long for claim in claims}
        return guessed.pop() if len(guessed) == 1 else None

    def _is_known(self, key: str) -> bool:
        return any(naming.sort >= NAMED for naming in self._namings.get(key) or ())

    def _is_there(self, key: str) -> bool:
        """Whether somebody calls something by the name."""
        return bool(self._namings.get(key) or self._claims.get(key)) or key in self._graph.fixed

    def _children(self, key: str) -> Iterator[str]:
        """The names that may be other forms of this one."""
        yield from self._shorts.get(key) or ()
        more = plural(key)
        if singular(more) == key and self._is_there(more):
            yield more

    def _below(self, keys: Iterable[str]) -> set[str]:
        """The keys and all that may be another form of one of them."""
        found = set(keys)
        waiting = list(found)
        while waiting:
            for child in self._children(waiting.pop()):
                if child not in found:
                    found.add(child)
                    waiting.append(child)
        return found

    # --- what is stated -------------------------------------------------------------------------------------------

    def _state(self, memories: Iterable[str]) -> set["_Entity"]:
        """Make the edges of these memories anew; the entities that they may have an end at."""
        gone: list[Edge] = []
        new: list[Edge] = []
        entities: set[_Entity] = set()
        for id_ in memories:
            before, after = self._stated.get(id_) or (), tuple(self._edges_of(id_))
            if before != after:
                self._stated.put(id_, after or None)
                gone += before
                new += after
                keys = (key for key, _ in _names_said(self._graph, id_, self._said.get(id_)).namings)
                entities |= {entity for key in keys if (entity := self._entity(key)) is not None}
            if id_ == _PERSON:
                entities |= {_Entity(written, "") for written in self._graph.written}
        replace(self._outgoing, gone, new, lambda edge: edge.source)
        replace(self._incoming, gone, new, lambda edge: edge.target)
        self._superseding.difference_update(gone)
        self._superseding.update(edge for edge in new if is_succession(edge))
        return entities

    def _edges_of(self, id_: str) -> Iterator[Edge]:
        """The edges that a memory states, each fact once."""
        said = self._said.get(id_)
        if said is None:
            return
        found: dict[tuple[str, str, str, bool], Edge] = {}
        for edge in self._curated_edges() if id_ == _PERSON else self._extracted_edges(id_, said):
            if edge.source != edge.target:
                found.setdefault((edge.source, edge.relation, edge.target, edge.ended), edge)
        yield from found.values()

    def _curated_edges(self) -> Iterator[Edge]:
        for edge in self._graph.curated.edges:
            source, target = self._curated_end(edge.source), self._curated_end(edge.target)
            if source and target:
                yield msgspec.structs.replace(edge, source=source, target=target)

    def _curated_end(self, end: str) -> str | None:
        if is_id(end) or end in self._graph.written:
            return end
        parts = split_id(end)
        entity = self._entity(name_key(parts[1] if parts is not None else end))
        return None if entity is None else entity.id

    def _extracted_edges(self, id_: str, said: Said) -> Iterator[Edge]:
        for target in said.supersedes:
            yield Edge(
                source=id_, relation="supersedes", target=target, confidence=1.0, memory=id_, said_ms=said.said_ms
            )
        for statement in said.facts.statements:
            source, target = self._end(id_, statement.source), self._end(id_, statement.target)
            if source is not None and target is not None:
                yield Edge(
                    source=source,
                    relation=statement.relation,
                    target=target,
                    memory=id_,
                    line=statement.line,
                    ended=statement.ended,
                    said_ms=said.said_ms,
                )

    def _end(self, id_: str, label: str) -> str | None:
        if label == SELF:
            return id_
        entity = self._entity(name_key(label))
        return None if entity is None else entity.id

    # --- nodes ----------------------------------------------------------------------------------------------------

    def _make(self, entity: "_Entity") -> bool:
        """Make the node of an entity anew; whether it is another now."""
        members = self._members(entity)
        namings = [naming for key in members for naming in self._namings.get(key) or ()]
        stated = (*(self._outgoing.get(entity.id) or ()), *(self._incoming.get(entity.id) or ()))
        written = self._graph.written.get(entity.id)
        exists = written is not None or (members and (stated or any(naming.sort >= DECLARED for naming in namings)))
        node = self._node(entity, members, namings, stated) if exists else None
        for key in members:
            self._names.put(key, entity.id if node is not None else None)
        before = self._nodes.get(entity.id)
        self._nodes.put(entity.id, node)
        return node != before

    def _members(self, entity: "_Entity") -> list[str]:
        """The keys of all names of an entity, its main one first."""
        written = self._graph.written.get(entity.id)
        roots = [entity.root] if written is None else keys_of(written)
        found = dict.fromkeys(key for key in roots if self._entity(key) == entity)
        waiting = list(found)
        while waiting:
            for child in self._children(waiting.pop()):
                if child not in found and self._entity(child) == entity:
                    found[child] = None
                    waiting.append(child)
        return list(found)

    def _node(
        self, entity: "_Entity", members: Collection[str], namings: Collection[Naming], stated: Collection[Edge]
    ) -> Node:
        written = self._graph.written.get(entity.id)
        sources = {naming.memory for naming in namings if naming.memory != _PERSON}
        sources.update(ref for edge in stated if edge.curated for ref in edge.refs)
        spoken = [naming for naming in namings if naming.sort >= SPOKEN]
        label, aliases = self._called(entity, members, spoken)
        if written is not None:
            return msgspec.structs.replace(
                written, label=label, aliases=aliases, sources=tuple(sorted(sources.union(written.sources)))
            )
        type_ = type_of_key(entity.root)
        return Node(id=entity.id, type=type_, label=label, aliases=aliases, sources=tuple(sorted(sources)))

    def _called(
        self, entity: "_Entity", members: Collection[str], spoken: Collection[Naming]
    ) -> tuple[str, tuple[str, ...]]:
        """The label of an entity and its aliases: those of a person first, then other spellings by their letters."""
        written = self._graph.written.get(entity.id)
        first = next(iter(members), "")
        own = [naming for naming in self._namings.get(first) or () if naming.sort >= SPOKEN] or spoken
        label = written.label if written is not None else ""
        label = label or (label_among(first, own) if own else slug_of_key(first))
        aliases = list(written.aliases) if written is not None else []
        more = {naming.label for naming in spoken}
        more.update(alias for key in members if key in known_names() for alias in known_names()[key].aliases)
        aliases += sorted(more)
        different: dict[str, str] = {dashed(label): label}
        for alias in aliases:
            different.setdefault(dashed(alias), alias)
        for spelled in [spelled for spelled in different if singular(spelled) in different]:
            del different[spelled]
        return label, tuple(alias for alias in different.values() if alias != label)[:_MOST_ALIASES]

    def _done(self) -> Graph:
        superseding = self._superseding
        is_same = superseding == set(self._graph.succession.said)
        return msgspec.structs.replace(
            self._graph,
            nodes=self._nodes.done(),
            outgoing=self._outgoing.done(),
            incoming=self._incoming.done(),
            names=self._names.done(),
            succession=self._graph.succession if is_same else succession(superseding),
            said=self._said.done(),
            stated=self._stated.done(),
            namings=self._namings.done(),
            claims=self._claims.done(),
            shorts=self._shorts.done(),
        )


class _Entity(NamedTuple):
    """A node that may be: its id, and the key of its main name, empty for one that a person wrote down."""

    id: str
    root: str


class _Names(NamedTuple):
    """What one memory names, by key."""

    namings: tuple[tuple[str, Naming], ...]
    claims: tuple[tuple[str, Claim], ...]

    @property
    def keys(self) -> Iterator[str]:
        """Every key that one of them is about."""
        yield from (key for key, _ in self.namings)
        for key, claim in self.claims:
            yield key
            yield claim.long


def _names_said(graph: Graph, id_: str, said: Said | None) -> _Names:
    """What a memory names, or what persons do."""
    if said is None:
        return _Names((), ())
    if id_ == _PERSON:
        labels = [label for edge in graph.curated.edges for label in _labels_of(graph, edge)]
        namings = {key: Naming(_PERSON, label, DECLARED) for label in labels if (key := name_key(label))}
        return _Names(tuple(namings.items()), ())
    return _Names(tuple(namings_of(id_, said.facts)), tuple(claims_of(id_, said.facts)))


def _labels_of(graph: Graph, edge: Edge) -> Iterator[str]:
    """The ends of a curated edge that are names, and no ids of memories or of nodes that are written down."""
    for end in (edge.source, edge.target):
        if not is_id(end) and end not in graph.written:
            parts = split_id(end)
            yield parts[1] if parts is not None else end
