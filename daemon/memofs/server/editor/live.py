"""The anchors in an editor's open documents, while somebody types.

Invariant: an edit costs arithmetic on the loop; judging waits until the typing pauses, runs in the read lane on values
of that moment, and is dropped if the text has moved on meanwhile. Whoever shows anchors is told when what they say may
have changed.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable
from typing import Final

import msgspec

from memofs.anchors.track import TextEdit
from memofs.engine.buffers import Buffers, Held
from memofs.engine.engine import Changed, Engine
from memofs.engine.live import AnchoredIn, Live, Parsed, anchored_in, begun, edited, renewed, settled, states_in
from memofs.engine.view import View
from memofs.model.errors import MemoError
from memofs.server.editor.documents import Documents
from memofs.server.uris import path_in
from memofs.store.seen_files import SeenFiles
from memofs.text.document import Document, PlainEdit, plain
from memofs.text.lines import LineIndex, line_index
from memofs.world.state import World

__all__ = ["LiveDocuments", "Seen"]

log = logging.getLogger("memofs.editor")

QUIET_S: Final = 0.1
LONGEST_S: Final = 0.5
"""Somebody who types without a pause is answered after so long all the same; in a large file after longer."""
LEAST_SHARE: Final = 20
"""Judging again and again takes at most a twentieth of the time: it slows down the handling of edits meanwhile."""
_TRIES: Final = 2
"""A request waits for the judging that runs and for one that knows its text; not for a person who goes on typing."""


class Seen(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """A document whose anchors are known: what features show. `live.version` is the document's."""

    uri: str
    live: Live
    view: View
    document: Document
    lines: LineIndex


class _Open(msgspec.Struct, kw_only=True, eq=False):
    """What goes on in one document."""

    path: str
    live: Live | None = None
    seen: Seen | None = None
    timer: asyncio.TimerHandle | None = None
    first_s: float | None = None
    cost_s: float = 0.0
    task: asyncio.Task[None] | None = None
    parsed: Parsed = msgspec.field(default_factory=Parsed)


class LiveDocuments:
    """One editor's. `on_seen` is called on the loop with every document whose anchors were judged anew.

    `on_close` is called with the URI of one that is the disk's again, `on_memory` with the URI and path of a memory
    file that was opened or edited, or stands among other memories than before.
    """

    def __init__(
        self,
        engine: Engine,
        documents: Documents,
        *,
        on_seen: Callable[[Seen], None],
        on_close: Callable[[str], None],
        on_memory: Callable[[str, str], None],
    ) -> None:
        self._engine = engine
        self._documents = documents
        self._on_seen = on_seen
        self._on_close = on_close
        self._on_memory = on_memory
        self._memory_files: dict[str, str] = {}
        self._open: dict[str, _Open] = {}
        self._anchored: tuple[object, object, AnchoredIn] | None = None
        self._loop = asyncio.get_running_loop()
        documents.on_open = self._opened
        documents.on_edit = self._edited
        documents.on_close = self._closed
        engine.watchers.append(self._changed)

    def close(self) -> None:
        """Stop following."""
        self._engine.watchers.remove(self._changed)
        for each in self._open.values():
            _cancel(each)
        self._open.clear()

    def seen(self, uri: str) -> Seen | None:
        """The document as it was last judged; its positions may be some edits old."""
        found = self._open.get(uri)
        return found.seen if found is not None else None

    async def current(self, uri: str) -> Seen | None:
        """The document judged as it is now, waiting for what is under way; None if it is not open or not ours."""
        uri = self._documents.named(uri)
        while self._engine.initialized and (found := self._open.get(uri)) is not None:
            document = self._documents.get(uri)
            if found.seen is not None and document is not None and found.seen.live.version == document.version:
                return found.seen
            self._settle_now(uri, found)
            task = found.task
            if task is None:
                return found.seen
            await asyncio.wait({task})
        return None

    async def settle(self) -> None:
        """Return once what was typed before is judged; what is typed meanwhile is not waited for."""
        if not self._engine.is_open:
            return
        for uri, found in tuple(self._open.items()):
            for _ in range(_TRIES):
                document = self._documents.get(uri)
                known = found.seen.live.version if found.seen is not None else None
                if self._open.get(uri) is not found or document is None or known == document.version:
                    break
                self._settle_now(uri, found)
                if found.task is not None:
                    await asyncio.wait({found.task})

    def unsaved(self) -> Buffers:
        """The open documents and the states of anchors in them: how this editor sees them."""
        documents: dict[str, Document] = {}
        merged: dict[str, dict[int, Held]] = {}
        for uri, each in self._open.items():
            document = self._documents.get(uri)
            if document is not None:
                documents[each.path] = document
            if each.live is not None:
                for memory, states in states_in(each.live).items():
                    merged.setdefault(memory, {}).update(states)
        return Buffers(documents=documents, states=merged)

    def memory_path(self, uri: str) -> str | None:
        """The path of an open memory file, None for any other document."""
        return self._memory_files.get(self._documents.named(uri))

    def refresh(self) -> None:
        """Judge every open document again: what is on disk, or in the memory, has changed."""
        for uri, found in self._open.items():
            self._schedule(uri, found, QUIET_S)

    def _opened(self, uri: str, document: Document) -> None:
        self._closed(uri)
        try:
            path = path_in(self._engine.root, uri)
        except MemoError:
            return
        if path.startswith(".memofs/"):
            if path.endswith(".md"):
                self._memory_files[uri] = path
                self._on_memory(uri, path)
            return
        found = self._open[uri] = _Open(path=path)
        self._settle_now(uri, found)
        del document

    def _edited(self, uri: str, edits: tuple[PlainEdit, ...], document: Document) -> None:
        found = self._open.get(uri)
        if found is None:
            if (path := self._memory_files.get(uri)) is not None:
                self._on_memory(uri, path)
            return
        if found.live is not None:
            changes = [TextEdit(each.start, each.end, each.text) for each in edits]
            found.live = edited(found.live, changes, version=document.version)
        self._schedule(uri, found, QUIET_S)

    def _closed(self, uri: str) -> None:
        found = self._open.pop(uri, None)
        if found is not None:
            _cancel(found)
        if found is not None or self._memory_files.pop(uri, None) is not None:
            self._on_close(uri)

    def _changed(self, changed: Changed) -> None:
        del changed
        with contextlib.suppress(RuntimeError):  # the loop is closed already
            self._loop.call_soon_threadsafe(self._renew)

    def _renew(self) -> None:
        for uri, path in self._memory_files.items():
            self._on_memory(uri, path)
        for uri, found in self._open.items():
            self._schedule(uri, found, 0.0)

    def _schedule(self, uri: str, found: _Open, delay_s: float) -> None:
        now_s = self._loop.time()
        if found.timer is not None:
            found.timer.cancel()
        found.first_s = now_s if found.first_s is None else found.first_s
        longest_s = max(LONGEST_S, LEAST_SHARE * found.cost_s)
        at_s = min(now_s + delay_s, found.first_s + longest_s)
        found.timer = self._loop.call_at(at_s, self._settle_now, uri, found)

    def _settle_now(self, uri: str, found: _Open) -> None:
        if self._open.get(uri) is not found:
            return
        if found.timer is not None:
            found.timer.cancel()
            found.timer = None
        if found.task is None or found.task.done():
            found.first_s = None
            found.task = self._loop.create_task(self._settle(uri, found))
        else:
            found.task.add_done_callback(lambda _: self._settle_now(uri, found))

    async def _settle(self, uri: str, found: _Open) -> None:
        document = self._documents.get(uri)
        if document is None or not self._engine.initialized:
            return
        before, begun_s = found.live, self._loop.time()
        try:
            live, view, lines = await self._engine.lanes.read(lambda: self._judge(found, before, document))
        except MemoError as error:
            log.warning("anchors of an open document were not judged: %s", error.message)
            return
        found.cost_s = self._loop.time() - begun_s
        if self._open.get(uri) is not found:
            return
        now = self._documents.get(uri)
        if found.live is not before or now is not document:
            if found.live is None:  # the first look; edits came meanwhile, so it has to be made anew
                self._schedule(uri, found, 0.0)
            return
        found.live = live
        found.seen = Seen(uri=uri, live=live, view=view, document=document, lines=lines)
        self._on_seen(found.seen)

    def _judge(self, found: _Open, before: Live | None, document: Document) -> tuple[Live, View, LineIndex]:
        """In the read lane."""
        view = self._engine.view()
        anchored = self._anchored_in(view.world)
        fresh = begun(view.world, found.path, plain(document), version=document.version, anchored=anchored)
        live = fresh if before is None or before.text != fresh.text else renewed(before, fresh)
        anchoring = self._engine.anchoring
        live = settled(
            live,
            anchoring.blobs,
            view.world.config.anchors,
            files=SeenFiles(anchoring.layout, {}),
            parsed=found.parsed,
        )
        return (
            live,
            view.seeing(Buffers(documents={live.path: document}, states=states_in(live))),
            line_index(live.text),
        )

    def _anchored_in(self, world: World) -> AnchoredIn:
        """Which anchors are where, worked out once for every World that differs in that."""
        known = self._anchored
        if known is None or known[0] is not world.memories or known[1] is not world.anchors:
            known = self._anchored = (world.memories, world.anchors, anchored_in(world))
        return known[2]


def _cancel(found: _Open) -> None:
    if found.timer is not None:
        found.timer.cancel()
    if found.task is not None:
        found.task.cancel()
