"""Errors a person or a client can act on. Anything else that is raised is a bug."""

from typing import ClassVar

__all__ = [
    "Cancelled",
    "Conflict",
    "InvalidRequest",
    "MemoError",
    "NotFound",
    "Refused",
    "Unavailable",
]


class MemoError(Exception):
    """An expected failure: `message` says what is wrong, `hint` what to do about it.

    `code` is a stable camelCase name within the family, for clients that want to tell cases apart.
    """

    family: ClassVar[str] = "MemoError"

    def __init__(self, code: str, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint


class InvalidRequest(MemoError):
    """The request itself is wrong: the message names the field and why."""

    family = "InvalidRequest"


class NotFound(MemoError):
    """No such memory, file, snapshot or workspace."""

    family = "NotFound"


class Conflict(MemoError):
    """What is on disk is not what the caller last saw, or cannot be changed in place."""

    family = "Conflict"


class Unavailable(MemoError):
    """Something needed cannot be reached now: the store is read-only, the disk is full, a lock is held."""

    family = "Unavailable"


class Refused(MemoError):
    """A rule forbids it (a secret, a path outside the workspace). The message names the rule, never the secret."""

    family = "Refused"


class Cancelled(Exception):
    """The caller no longer wants the answer."""
