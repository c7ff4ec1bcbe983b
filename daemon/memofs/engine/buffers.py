"""The text that one session has and the disk has not, as its requests see it.

Invariant: documents and states are of one moment, and a place in a state is a place in the document of the same path.
Only the session that typed it sees it: other sessions, the command line and agents see the disk.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

import msgspec

from memofs.model.memory import Anchor, Memory
from memofs.model.place import AnchorState
from memofs.store.code_files import CodeFile, Unread, code_file_of, read_code
from memofs.store.layout import Layout
from memofs.text.document import Document, plain
from memofs.world.state import World

__all__ = ["NO_BUFFERS", "Buffers", "Held", "States"]


class Held(NamedTuple):
    """An anchor as it was when its state was found."""

    anchor: Anchor
    state: AnchorState


States = Mapping[str, Mapping[int, Held]]
"""By memory and the index among its anchors."""


class Buffers(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """Open documents by workspace-relative path, and the states of the anchors in them that are known."""

    documents: Mapping[str, Document] = MappingProxyType({})
    states: States = MappingProxyType({})

    def read(self, layout: Layout, path: str) -> CodeFile | Unread:
        """The file at a path as the session has it. Never raises."""
        file = read_code(layout, path)
        document = self.documents.get(path)
        if document is None or (isinstance(file, Unread) and file.reason == "outside"):
            return file
        text = plain(document)
        if isinstance(file, CodeFile) and file.text == text:
            return file  # saved: what git may know are the bytes on disk
        return code_file_of(path, text)

    def content(self, layout: Layout, path: str) -> str | None:
        """What tells the session's content of a path from another; None where the disk decides."""
        if path not in self.documents:
            return None
        file = self.read(layout, path)
        return file.blob if isinstance(file, CodeFile) else None

    def over(self, memory: Memory, states: tuple[AnchorState, ...]) -> tuple[AnchorState, ...]:
        """The states of one memory's anchors as the session sees them, where `states` are the disk's."""
        own = self.states.get(memory.id)
        if own is None:
            return states
        there = [states[index] if index < len(states) else AnchorState() for index in range(len(memory.every_anchor))]
        return tuple(
            own[index].state if index in own and own[index].anchor == anchor else there[index]
            for index, anchor in enumerate(memory.every_anchor)
        )

    def states_in(self, world: World) -> Mapping[str, Mapping[int, AnchorState]]:
        """The states of anchors that the World's memories still have."""
        if not self.states:
            return {}
        found: dict[str, dict[int, AnchorState]] = {}
        for id_, states in self.states.items():
            memory = world.memories.get(id_)
            anchors = memory.every_anchor if memory is not None else ()
            for index, (anchor, state) in states.items():
                if index < len(anchors) and anchors[index] == anchor:
                    found.setdefault(id_, {})[index] = state
        return found


NO_BUFFERS: Final = Buffers()
"""Nothing but the disk."""
