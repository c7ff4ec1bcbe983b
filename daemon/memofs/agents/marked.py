"""Our own part of a markdown file, between two markers. Pure.

Invariant: what stands outside of the markers stays as it is, byte for byte; writing the same block again changes
nothing, and taking it out leaves what was there before it was put in.
"""

import html
import re
from typing import Final

__all__ = ["BEGIN", "END", "drop_block", "has_block", "project_of", "put_block"]

BEGIN: Final = "<!-- memofs:begin - written by `memofs generate agent`; changes in here are lost, put yours outside -->"
END: Final = "<!-- memofs:end -->"
_BLOCK = re.compile(r"<!-- memofs:begin\b[^\n]*?-->.*?<!-- memofs:end -->", re.DOTALL)
_PROJECT = re.compile(r'<!-- memofs:begin project="([^"\n]*)"')
_OPEN = re.compile(r"<!-- memofs:begin\b")


def has_block(text: str) -> bool:
    """Whether our part is there."""
    return _BLOCK.search(text) is not None


def project_of(text: str) -> str | None:
    """The name that a person gave the project when our part was written."""
    found = _PROJECT.search(text)
    return None if found is None else html.unescape(found[1])


def put_block(text: str, body: str, project: str | None = None) -> str:
    """The text with our part as given: in its place if it is there, else at the end.

    A `project` that a person named is kept in the marker. Raises ValueError if one of the markers is missing.
    """
    new_line = "\r\n" if 2 * text.count("\r\n") > text.count("\n") else "\n"
    begin = BEGIN if project is None else BEGIN.replace("begin", f'begin project="{_attribute(project)}"', 1)
    block = f"{begin}\n{body.strip()}\n{END}".replace("\n", new_line)
    found = _BLOCK.search(text)
    if found is not None:
        return text[: found.start()] + block + text[found.end() :]
    _check(text)
    if not text.strip():
        return block + new_line
    return text + ("" if text.endswith("\n") else new_line) + new_line + block + new_line


def drop_block(text: str) -> str:
    """The text without our part and the blank line before it. Raises ValueError if one of the markers is missing."""
    found = _BLOCK.search(text)
    if found is None:
        _check(text)
        return text
    before, after = text[: found.start()], text[found.end() :]
    after = after.removeprefix("\r\n").removeprefix("\n")
    for blank in ("\r\n\r\n", "\n\n"):
        if before.endswith(blank):
            before = before[: -len(blank) // 2]
            break
    return before + after


def _check(text: str) -> None:
    if _OPEN.search(text) or END in text:
        raise ValueError("one of the markers <!-- memofs:begin … --> and <!-- memofs:end --> is missing")


def _attribute(text: str) -> str:
    """The text for between quotes in a comment, where no comment may end."""
    return html.escape(" ".join(text.split())).replace("--", "-&#45;")
