"""What is wrong with a file, as a value: parsing never raises, it returns problems beside what it could read."""

from typing import Literal

import msgspec

__all__ = ["Problem", "Severity"]

Severity = Literal["error", "warning", "info"]


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """One fault in one file.

    `code` is a stable camelCase name (frontMatter, conflictMarkers, duplicateId, unknownKind, badConfidence,
    badStatus, badDate, futureDate, badId, badAnchor, binary, notUtf8, tooLarge, unreadable, outside, tornLine,
    badConfig, badRelation, badNode, sameName, cacheUnwritable).
    `line` is 0-based. An `error` means that the memory could not be read from the file; with a `warning` it was
    read, without what the message names.
    """

    path: str
    code: str
    message: str
    line: int = 0
    hint: str | None = None
    severity: Severity = "error"
