"""Anchors in a text that somebody is typing: carried along by arithmetic, judged anew where an edit touched them.

Invariant: a `Live` is a value: the text of one moment and where its anchors are in it. `edited` costs arithmetic and
nothing else; `settled` gives what looking at each anchor afresh in that text would give, but looks only at those that
an edit touched, and at lost ones, which any edit may bring back. Other files are not searched: a save does that.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, TypeAlias

import msgspec

from memofs.anchors.mark import Mark, decode
from memofs.anchors.source import Source
from memofs.anchors.spans import span_at
from memofs.anchors.track import TextEdit, Tracked, apply, track
from memofs.engine.anchor_look import FILE_ONLY, Looker, source_of
from memofs.engine.anchor_place import place_of
from memofs.engine.buffers import Buffers, Held, States
from memofs.model.config import AnchorSettings
from memofs.model.memory import Anchor
from memofs.model.place import AnchorState, Span
from memofs.store.blobs import Blobs
from memofs.store.code_files import code_file_of
from memofs.store.layout import Layout
from memofs.store.seen_files import SeenFiles
from memofs.text.document import plain
from memofs.world.state import World

__all__ = [
    "AnchoredIn",
    "Live",
    "LiveAnchor",
    "Parsed",
    "anchored_in",
    "begun",
    "edited",
    "judged",
    "renewed",
    "settled",
    "states_in",
]

_LOST: Final = ("missing",)
_FILE_ONLY: Final = frozenset(FILE_ONLY)

AnchoredIn: TypeAlias = Mapping[str, tuple[tuple[str, int], ...]]
"""By path: (memory, index among its anchors), in the order of the memories."""


class LiveAnchor(msgspec.Struct, frozen=True, kw_only=True):
    """One anchor of one memory in a text. `tracked` is where it is, None while that is not known.

    `state` is what was found when it was last looked at, None if it never was. `reach` is all that a changed one may
    have been, carried along too: what was found may be a part of it, and an edit beside that part may bring it back.
    """

    memory: str
    index: int
    anchor: Anchor
    tracked: Tracked | None = None
    state: AnchorState | None = None
    reach: Tracked | None = None

    @property
    def is_due(self) -> bool:
        """Whether it has to be looked at before its state can be told."""
        if self.state is None or self.tracked is None or self.state.verdict in _LOST:
            return True
        if self.tracked.dirty or (self.reach is not None and self.reach.dirty):
            return True
        # What was known by the hash of the file alone was not followed: the text may be one to look into again.
        return not _FILE_ONLY.isdisjoint(self.state.degraded)


class Live(msgspec.Struct, frozen=True, kw_only=True):
    r"""The text of the file at `path`, its line ends "\n", and its anchors. `version` is the client's."""

    path: str
    text: str
    version: int
    anchors: tuple[LiveAnchor, ...] = ()


class Parsed(msgspec.Struct, kw_only=True, eq=False):
    """Trees of one document from call to call: of old versions by their blob, and of the text last judged."""

    olds: dict[str, Source] = msgspec.field(default_factory=dict[str, Source])
    last: Source | None = None


def anchored_in(world: World) -> AnchoredIn:
    """Which anchors are, or were last seen, in which file. Costs a look at every memory: keep it for the World."""
    found: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for memory in world.memories.values():
        if memory.status == "retired" or memory.id in world.superseded_by:
            continue
        states = world.anchors.get(memory.id, ())
        for index, anchor in enumerate(memory.every_anchor):
            place = states[index].place if index < len(states) else None
            found[place.path if place is not None else anchor.path].append((memory.id, index))
    return MappingProxyType({path: tuple(each) for path, each in found.items()})


def begun(world: World, path: str, text: str, *, version: int, anchored: AnchoredIn) -> Live:
    """The text with the anchors that `anchored` names for this file; none is looked at yet."""
    anchors = tuple(
        LiveAnchor(memory=id_, index=index, anchor=world.memories[id_].every_anchor[index])
        for id_, index in anchored.get(path, ())
    )
    return Live(path=path, text=text, version=version, anchors=anchors)


def renewed(live: Live, fresh: Live) -> Live:
    """The anchors of `fresh`, the same text as of a newer World, with what `live` knows of those that it has too."""
    known = {(each.memory, each.anchor): each for each in live.anchors}
    anchors: list[LiveAnchor] = []
    for each in fresh.anchors:
        old = known.get((each.memory, each.anchor))
        anchors.append(each if old is None else msgspec.structs.replace(old, index=each.index))
    return msgspec.structs.replace(fresh, anchors=tuple(anchors))


def edited(live: Live, edits: Sequence[TextEdit], *, version: int) -> Live:
    """The text after the edits, its anchors carried along."""
    spans = [one for each in live.anchors for one in (each.tracked, each.reach) if one is not None]
    carried = iter(track(live.text, spans, edits))
    anchors = tuple(
        each
        if each.tracked is None and each.reach is None
        else msgspec.structs.replace(
            each,
            tracked=next(carried) if each.tracked is not None else None,
            reach=next(carried) if each.reach is not None else None,
        )
        for each in live.anchors
    )
    return Live(path=live.path, text=apply(live.text, edits), version=version, anchors=anchors)


def settled(live: Live, blobs: Blobs, settings: AnchorSettings, *, files: SeenFiles, parsed: Parsed) -> Live:
    """The same text with every anchor's state. `parsed` is kept between calls for one document."""
    if not any(each.is_due for each in live.anchors):
        return live
    file = code_file_of(live.path, live.text)
    source = source_of(live.path, live.text, parsed.last)
    looker = Looker(files, blobs, settings, olds=parsed.olds, source=source)
    anchors: list[LiveAnchor] = []
    for each in live.anchors:
        if not each.is_due:
            anchors.append(each)
            continue
        mark = decode(each.anchor.mark) if each.anchor.mark else None
        state = looker.state(each.anchor, mark if isinstance(mark, Mark) else None, file)
        found = _found(state, each, source)
        reach = _reach(each, found, source) if state.verdict == "changed" else None
        anchors.append(msgspec.structs.replace(each, state=state, tracked=found, reach=reach))
    parsed.last = source
    return msgspec.structs.replace(live, anchors=tuple(anchors))


def states_in(live: Live) -> States:
    """The states by memory and place among its anchors, each where arithmetic says it is now."""
    source: Source | None = None
    found: dict[str, dict[int, Held]] = {}
    for each in live.anchors:
        state = each.state
        if state is None:
            continue
        if state.place is not None and each.tracked is not None:
            source = source or source_of(live.path, live.text)
            state = msgspec.structs.replace(state, place=place_of(source, each.tracked.span, live.path))
        found.setdefault(each.memory, {})[each.index] = Held(each.anchor, state)
    return found


def judged(buffers: Buffers, world: World, ids: Iterable[str], blobs: Blobs, layout: Layout) -> Buffers:
    """The same documents with the states of these memories' anchors in them, as the World has them."""
    wanted: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for id_ in ids:
        memory = world.memories.get(id_)
        for index, anchor in enumerate(memory.every_anchor if memory is not None else ()):
            if anchor.path in buffers.documents:
                wanted[anchor.path].append((id_, index))
    if not wanted:
        return buffers
    states = {id_: dict(each) for id_, each in buffers.states.items()}
    for path, anchored in wanted.items():
        document = buffers.documents[path]
        live = begun(world, path, plain(document), version=document.version, anchored={path: tuple(anchored)})
        live = settled(live, blobs, world.config.anchors, files=SeenFiles(layout, {}), parsed=Parsed())
        for id_, each in states_in(live).items():
            states.setdefault(id_, {}).update(each)
    return msgspec.structs.replace(buffers, states=states)


def _found(state: AnchorState, before: LiveAnchor, source: Source) -> Tracked | None:
    """Where an anchor that was looked at is; a lost one stays where it was, as far as that is left."""
    place = state.place
    if place is not None and place.lines is not None:
        span = span_at(source, place.lines, place.columns)
        return None if span is None else Tracked(span=span)
    if place is None and before.tracked is not None:
        return msgspec.structs.replace(before.tracked, dirty=False)
    if place is None and before.anchor.lines is not None:
        span = span_at(source, before.anchor.lines, before.anchor.columns)
        return None if span is None else Tracked(span=span)
    return Tracked(span=Span(0, len(source.text))) if place is not None else None


def _reach(before: LiveAnchor, found: Tracked | None, source: Source) -> Tracked | None:
    """What was found and what was there before: as it was carried along, or else as the memory has it."""
    known = [each.span for each in (found, before.reach or before.tracked) if each is not None]
    if before.tracked is None and before.anchor.lines is not None:
        recorded = span_at(source, before.anchor.lines, before.anchor.columns)
        known += [recorded] if recorded is not None else []
    if not known:
        return None
    return Tracked(span=Span(min(each.start for each in known), max(each.end for each in known)))
