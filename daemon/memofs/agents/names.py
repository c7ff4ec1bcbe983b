"""The tools' names as a client is told them: with dots, or with underscores for clients that refuse dots. Pure.

Invariant: only lines of ours change, and keep their length; what memories say stands behind `>` and stays as it is.
"""

import re
from typing import Final, Literal

__all__ = ["Names", "spoken"]

Names = Literal["dotted", "underscore"]
_TOOL: Final = re.compile(
    r"\bmemofs\.(?=(?:context|recall|remember|update|verify|retire|here|stale|changes|entities)\b)"
)


def spoken(text: str, names: Names) -> str:
    """The text, its own lines with the names that the client knows."""
    if names == "dotted" or "memofs." not in text:
        return text
    return "\n".join(each if each.startswith(">") else _TOOL.sub("memofs_", each) for each in text.split("\n"))
