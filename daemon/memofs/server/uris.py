"""`file:` URIs of clients as paths of the workspace.

Invariant: a URI names what it names whichever way its characters are escaped, and the workspace's folder counts as
it is spelled by the client or with its links followed.
"""

import functools
import os.path
import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

from memofs.model.errors import InvalidRequest, Refused

__all__ = ["canonical", "path_in"]

_DRIVE = re.compile(r"^/[A-Za-z]:")


@functools.lru_cache(maxsize=4096)
def canonical(uri: str) -> str:
    """What all spellings of a `file:` URI have in common, however they escape it; another URI is itself."""
    try:
        parts = urlsplit(uri)
        path = unquote(parts.path, errors="strict")
    except (ValueError, UnicodeDecodeError):
        return uri
    if parts.scheme != "file" or parts.query or parts.fragment:
        return uri
    if _DRIVE.match(path):
        path = path[:2].lower() + path[2:]
    host = "" if parts.netloc == "localhost" else parts.netloc
    return f"file://{host}{path}"


def path_in(root: Path, uri: str) -> str:
    """The path of a `file:` URI relative to the workspace, POSIX. Raises InvalidRequest, Refused outside of it."""
    try:
        parts = urlsplit(uri)
        path = unquote(parts.path, errors="strict")
    except (ValueError, UnicodeDecodeError) as error:
        raise InvalidRequest("uri", f"not a URI: {uri!r}", _HINT) from error
    if parts.scheme != "file" or parts.netloc not in {"", "localhost"} or not path.startswith("/") or "\0" in path:
        raise InvalidRequest("uri", f"{uri!r} names no file of this machine", _HINT)
    named = Path(os.path.normpath(path))
    for base, inside in ((root, named), (root.resolve(), named), (root.resolve(), _resolved(named))):
        if inside.is_relative_to(base):
            return inside.relative_to(base).as_posix()
    raise Refused("outside", f"{uri!r} lies outside of the workspace", "use a file of the workspace")


_HINT = "give a file: URI, such as file:///home/ada/project/src/a.py"


def _resolved(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError):  # a loop of links
        return path
