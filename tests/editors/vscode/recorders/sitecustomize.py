"""Loaded into every Python process of the editor: writes down where it connects to and which names it asks for."""

import os
import socket
import sys
from pathlib import Path

_FOLDER = os.environ.get("MEMOFS_TEST_CONNECTIONS")


def _note(event: str, args: tuple[object, ...]) -> None:
    if event in {"socket.connect", "socket.sendto"}:
        end, address = args
        if isinstance(end, socket.socket) and end.family == socket.AF_UNIX:
            _write("unix")
        else:
            _write(f"tcp {address[0] if isinstance(address, tuple) else address}")
    elif event == "socket.getaddrinfo":
        _write(f"name {args[0]}")


def _write(what: str) -> None:
    with Path(f"{_FOLDER}/python-{os.getpid()}").open("a", encoding="utf-8") as file:
        file.write(f"{what}\n")


if _FOLDER:
    _write(f"started {' '.join(sys.orig_argv[1:4])}")
    sys.addaudithook(_note)
