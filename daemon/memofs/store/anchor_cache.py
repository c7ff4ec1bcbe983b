"""What was found out about anchors: `.memofs/indexes/anchors.msgpack`.

Invariant: a cache. It says what some files were when they were last read, and what became of anchors in files of these
contents; losing it means looking again. Whether an entry still holds is left to engine/anchoring.py.
"""

from typing import Final

import msgspec

import memofs
from memofs.model.memory import Anchor
from memofs.model.place import AnchorState
from memofs.model.problem import Problem
from memofs.store.cache import Stamp, load_sealed, save_sealed
from memofs.store.layout import Layout

__all__ = ["AnchorCache", "FileSeen", "Known", "load_anchors", "save_anchors"]

_NAME: Final = "anchors.msgpack"
_FORMAT: Final = f"memofs anchors 2 {memofs.__version__}"


class FileSeen(msgspec.Struct, frozen=True, array_like=True):
    """A code file when it was last read. `blob` is its content (code_files.py); `read_ns` the clock just before."""

    stamp: Stamp
    read_ns: int
    blob: str


class Known(msgspec.Struct, frozen=True, array_like=True):
    """What became of an anchor. It holds while `blob` is the content of its file (empty: no file).

    `elsewhere` are other files that it depends on, with their contents; `search` is what the search for a lost one
    was made in, empty where none was made.
    """

    anchor: Anchor
    blob: str
    state: AnchorState
    elsewhere: tuple[tuple[str, str], ...] = ()
    search: str = ""


class AnchorCache(msgspec.Struct, frozen=True, array_like=True):
    """All of it: files by path, what is known of anchors, and the setting under which it was found out."""

    files: dict[str, FileSeen] = {}
    known: tuple[Known, ...] = ()
    probable: str = ""


_DECODER = msgspec.msgpack.Decoder(AnchorCache)


def load_anchors(layout: Layout) -> AnchorCache:
    """What the last save held, if it was made by this version; empty otherwise. Never raises."""
    data = load_sealed(layout, _NAME, format_=_FORMAT)
    if data is None:
        return AnchorCache()
    try:
        return _DECODER.decode(data)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return AnchorCache()


def save_anchors(layout: Layout, cache: AnchorCache) -> Problem | None:
    """Write it in one step; a Problem if that cannot be done."""
    return save_sealed(layout, _NAME, msgspec.msgpack.encode(cache), format_=_FORMAT)
