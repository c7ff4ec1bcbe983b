"""Where an editor says that its project is: the first message of a language client, read before anybody is connected.

Invariant: every byte that was read is given back, so that whoever is connected then sees the stream whole; a message
that says nothing, or is no message, is no error.
"""

import os
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import msgspec

from memofs.wire.framing import FrameBuffer, FramingError

__all__ = ["first_message", "folder_of"]

CHUNK_BYTES = 1 << 16


class _Initialize(msgspec.Struct, rename="camel"):
    workspace_folders: Any = None
    root_uri: Any = None
    root_path: Any = None


class _Message(msgspec.Struct):
    method: Any = None
    params: Any = None


def first_message(source: int) -> tuple[bytes, bytes | None]:
    """All that was read, and the body of the first message; None where the stream ended or is no such stream."""
    frames = FrameBuffer()
    read = bytearray()
    try:
        while data := os.read(source, CHUNK_BYTES):
            read += data
            if bodies := frames.feed(data):
                return bytes(read), bodies[0]
    except FramingError:
        pass
    return bytes(read), None


def folder_of(body: bytes) -> Path | None:
    """The first folder that an `initialize` names and that is there."""
    try:
        message = msgspec.json.decode(body, type=_Message)
        if message.method != "initialize":
            return None
        params = msgspec.convert(message.params, _Initialize)
        folders = msgspec.convert(params.workspace_folders or [], list[dict[str, Any]])
    except (msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError):
        return None
    named = [_path(each.get("uri")) for each in folders] + [_path(params.root_uri)]
    if isinstance(params.root_path, str) and os.path.isabs(params.root_path):  # noqa: PTH117
        named.append(Path(params.root_path))
    return next((each for each in named if each is not None and _is_folder(each)), None)


def _path(uri: object) -> Path | None:
    if not isinstance(uri, str):
        return None
    try:
        parts = urlsplit(uri)
        path = unquote(parts.path, errors="strict")
    except (ValueError, UnicodeDecodeError):
        return None
    local = parts.scheme == "file" and parts.netloc in ("", "localhost")
    return Path(path) if local and path.startswith("/") and "\0" not in path else None


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:
        return False
