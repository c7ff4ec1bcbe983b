"""What this machine's person does not want to be shown, in `.memofs/indexes/mutes.json`.

Invariant: never shared and never needed: a file that is damaged or gone means that everything is shown.
"""

import contextlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

import filelock
import msgspec

from memofs.model.errors import MemoError, Unavailable
from memofs.model.mute import Mute
from memofs.store.disk import read_regular, replace_file
from memofs.store.layout import Layout

__all__ = ["Mutes"]

_MOST_BYTES: Final = 4 << 20
_LOCK_WAIT_S: Final = 10.0
_decoder = msgspec.json.Decoder(tuple[Mute, ...])


class Mutes:
    """The wishes of one workspace. Safe for threads; `current` reads the file again only when it is another."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._read: tuple[tuple[int, int, int] | None, tuple[Mute, ...]] = (None, ())

    @property
    def path(self) -> Path:
        """The file."""
        return self._layout.indexes / "mutes.json"

    def current(self) -> tuple[Mute, ...]:
        """The wishes of this moment, those that have ended among them."""
        try:
            state = os.stat(self.path)  # noqa: PTH116 - asked at every keystroke's end
        except OSError:
            return ()
        stamp = (state.st_mtime_ns, state.st_size, state.st_ino)
        known = self._read
        if known[0] != stamp:
            known = self._read = (stamp, self._load())
        return known[1]

    def change(self, change: Callable[[tuple[Mute, ...]], tuple[Mute, ...]]) -> tuple[Mute, ...]:
        """What is muted after the change. Raises Unavailable where it cannot be written down."""
        try:
            self._layout.make(self._layout.indexes)
            with filelock.FileLock(self.path.with_suffix(".lock"), timeout=_LOCK_WAIT_S, mode=0o600):
                after = change(self._load())
                data = msgspec.json.format(msgspec.json.encode(after), indent=1) + b"\n"
                replace_file(self.path, data, mode=0o600)
        except (OSError, filelock.Timeout, MemoError) as error:
            raise Unavailable(
                "mutes", f"{self.path} cannot be written: {error}", "mute it in the editor's own settings"
            ) from error
        return after

    def _load(self) -> tuple[Mute, ...]:
        with contextlib.suppress(OSError, msgspec.DecodeError, UnicodeDecodeError):
            data, _ = read_regular(self.path, most_bytes=_MOST_BYTES)
            return _decoder.decode(data)
        return ()
