"""The standard streams: text and JSON out, notes on standard error, answers in.

Invariant: a closed pipe (`memofs list | head`) raises `OutputClosed` and nothing else, and text that the terminal's
encoding lacks is replaced, never an exception.
"""

import os
import re
import sys
from typing import TextIO

__all__ = [
    "OutputClosed",
    "ask_yes",
    "close_quietly",
    "prepare_streams",
    "read_all",
    "settle",
    "write_error",
    "write_json",
    "write_text",
]

_NEEDS_ESCAPE = re.compile("[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u206f\ufff9-\ufffb]")


class OutputClosed(Exception):
    """Whoever read our output went away: there is nobody left to write for."""


def prepare_streams() -> None:
    """Let both streams replace what their encoding cannot say."""
    if sys.stdout is None:  # pyright: ignore[reportUnnecessaryComparison] - `>&-` gives none
        sys.stdout = _nowhere()
    if sys.stderr is None:  # pyright: ignore[reportUnnecessaryComparison]
        sys.stderr = _nowhere()
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def _nowhere() -> TextIO:
    return open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123 - lives as long as the process


def write_text(text: str) -> None:
    """Write to standard output and flush."""
    _write(sys.stdout, text)


def write_error(text: str) -> None:
    """Write to standard error and flush."""
    _write(sys.stderr, text)


def write_json(document: bytes) -> None:
    """Write one JSON document and a line end to standard output, in UTF-8 whatever the locale.

    On a terminal, characters that could drive it are written as JSON escapes: the same document, and harmless.
    """
    if sys.stdout.isatty():
        text = document.decode()
        document = _NEEDS_ESCAPE.sub(lambda match: f"\\u{ord(match.group()):04x}", text).encode()
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(document + b"\n")
        sys.stdout.buffer.flush()
    except BrokenPipeError as error:
        raise OutputClosed from error


def read_all() -> bytes:
    """All of standard input; nothing where there is none."""
    return b"" if sys.stdin is None else sys.stdin.buffer.read()  # pyright: ignore[reportUnnecessaryComparison]


def ask_yes(question: str) -> bool:
    """Whether the person answers yes; the question goes to standard error, no answer is no."""
    write_error(f"{question} [y/N] ")
    return sys.stdin.readline().strip().lower() in {"y", "yes"}


def close_quietly() -> None:
    """Point standard output at nothing, so that the interpreter's last flush finds no broken pipe."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def settle() -> None:
    """Flush standard output for the last time, so that the interpreter finds nothing left that could fail."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        close_quietly()


def _write(stream: TextIO, text: str) -> None:
    try:
        stream.write(text)
        stream.flush()
    except BrokenPipeError as error:
        raise OutputClosed from error
