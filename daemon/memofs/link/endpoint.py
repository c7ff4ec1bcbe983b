"""Connecting to an endpoint, and making sure that it is this user's own daemon that answers there."""

import os
import socket
import struct

from memofs.link.client import RemoteError

__all__ = ["connect", "unavailable"]

CONNECT_S = 5.0


def connect(endpoint: str, *, timeout_s: float = CONNECT_S) -> socket.socket:
    """A connected, blocking socket. Raises OSError if nobody answers, RemoteError if somebody else's daemon does."""
    scheme, _, place = endpoint.partition(":")
    if scheme == "unix":
        sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        target: str | tuple[str, int] = place
    elif scheme == "tcp":
        host, _, port = place.rpartition(":")
        if host != "127.0.0.1" or not port.isdecimal() or int(port) > 65_535:
            raise OSError(f"not a loopback endpoint: {endpoint}")
        sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        target = (host, int(port))
    else:
        raise OSError(f"not an endpoint: {endpoint}")
    try:
        sock.settimeout(timeout_s)
        sock.connect(target)
        if scheme == "unix":
            _check_owner(sock)
        else:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.settimeout(None)
    except BaseException:
        sock.close()
        raise
    return sock


def unavailable(message: str, hint: str, *, code: str = "noDaemon") -> RemoteError:
    """The error for a daemon that cannot be reached."""
    return RemoteError(message, family="Unavailable", code=code, hint=hint)


def _check_owner(sock: socket.socket) -> None:
    """Refuse a daemon of another user: it could read what is asked, and answer what it likes."""
    option = getattr(socket, "SO_PEERCRED", None)
    if option is None:
        return
    _, uid, _ = struct.unpack("3i", sock.getsockopt(socket.SOL_SOCKET, option, struct.calcsize("3i")))
    if uid != os.getuid():
        raise unavailable(
            f"the daemon of this workspace belongs to another user (uid {uid})",
            "add --no-daemon to do the work in this process, or let that user run: memofs daemon stop",
            code="otherUser",
        )
