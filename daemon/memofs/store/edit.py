"""What is to be written, and what was: the values of the write path."""

from collections.abc import Callable, Sequence

import msgspec

__all__ = ["Committed", "Edit", "Progress", "Undone"]

Progress = Callable[[int, int], None]
"""Called with the number of files done and of all."""


class Edit(msgspec.Struct, frozen=True, kw_only=True):
    """One file to create, replace or delete.

    `path` is workspace-relative, below `.memofs/`. `before_digest` is the SHA-256 of the bytes that the caller saw,
    None if the file must not exist. `after` are the new bytes, None to delete the file.
    """

    path: str
    before_digest: str | None
    after: bytes | None
    memory_id: str | None = None
    summary: str = ""


class Committed(msgspec.Struct, frozen=True, kw_only=True):
    """A write that is on the disk: its batch (None if there was nothing to do) and the files that changed, in order."""

    batch: str | None
    paths: tuple[str, ...] = ()

    @staticmethod
    def of(batch: str, edits: Sequence[Edit]) -> "Committed":
        """The write of these edits."""
        return Committed(batch=batch, paths=tuple(edit.path for edit in edits))


class Undone(msgspec.Struct, frozen=True, kw_only=True):
    """What was taken back: type, summary and time (ISO 8601) of the write, and the files as they are put back."""

    type: str
    summary: str
    timestamp: str
    batch: str
    paths: tuple[str, ...]
