"""Signed tokens: who is asking, for which harbour, until when. Nothing is stored, so any process can check one.

The format is JSON Web Token with HS256, written out here because the service may use the standard library only.
Three things that go wrong in such code are ruled out by construction: the algorithm is fixed and never read from
the token, signatures are compared in constant time, and claims are decoded only after the signature has held.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import os
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import cast

HEADER = {"alg": "HS256", "typ": "JWT"}

EXPIRY_SECONDS = 24 * 60 * 60
"""A day: long enough for one shift at the desk, short enough that a lost tablet is harmless tomorrow."""

LEEWAY_SECONDS = 30
"""Gate tablets drift. Without this, tokens were refused as issued in the future."""

KEYS_KEPT = 2
"""The newest key signs; the one before it still verifies, so a rotation signs nobody out."""


@dataclass(frozen=True)
class Key:
    kid: str
    secret: bytes


@dataclass(frozen=True)
class Claims:
    """What a valid token says. `role` is "guest" or "staff"."""

    subject: str
    harbour: str
    role: str
    issued_at: int
    expires_at: int


class TokenError(Exception):
    """The token is not valid. The reason is for the log; the caller is told only that it was refused."""


def issue(keys: tuple[Key, ...], subject: str, harbour: str, role: str, now: int) -> str:
    """A token signed with the newest key, valid for `EXPIRY_SECONDS`."""
    key = keys[0]
    header = _encode_json({**HEADER, "kid": key.kid})
    payload = _encode_json({"sub": subject, "aud": harbour, "role": role, "iat": now, "exp": now + EXPIRY_SECONDS})
    signed = f"{header}.{payload}"
    return f"{signed}.{_encode(_signature(key, signed))}"


def verify(keys: tuple[Key, ...], token: str, now: int) -> Claims:
    """The claims of a token, or `TokenError`."""
    parts = token.split(".")
    if len(parts) != 3 or not token.isascii():
        raise TokenError("not three parts of ASCII")
    signed = f"{parts[0]}.{parts[1]}"
    kid = _decode_json(parts[0]).get("kid")
    key = next((key for key in keys if key.kid == kid), None)
    if key is None:
        raise TokenError("signed with a key that is no longer kept")
    if not hmac.compare_digest(_decode(parts[2]), _signature(key, signed)):
        raise TokenError("bad signature")
    claims = _claims(_decode_json(parts[1]))
    if claims.issued_at > now + LEEWAY_SECONDS:
        raise TokenError("issued in the future")
    if claims.expires_at <= now - LEEWAY_SECONDS:
        raise TokenError("expired")
    return claims


def rotate(keys: tuple[Key, ...], now: int) -> tuple[Key, ...]:
    """The keys with a new one in front and all but `KEYS_KEPT` dropped."""
    fresh = Key(f"k{now:x}", secrets.token_bytes(32))
    return (fresh, *keys)[:KEYS_KEPT]


def load_keys(path: Path) -> tuple[Key, ...]:
    """The keys of a data folder, newest first; none if there is no file yet."""
    try:
        entries = json.loads(path.read_text(encoding="ascii"))
    except FileNotFoundError:
        return ()
    return tuple(Key(entry["kid"], bytes.fromhex(entry["hex"])) for entry in entries)


def save_keys(path: Path, keys: tuple[Key, ...]) -> None:
    """Write the keys so that only this user can read them and a crash leaves the old file or the new one."""
    text = json.dumps([{"kid": key.kid, "hex": key.secret.hex()} for key in keys])
    part = path.with_suffix(".part")
    part.unlink(missing_ok=True)
    # The mode is given at creation: a chmod afterwards would leave a moment in which anybody could read it.
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
        file.write(text)
    part.replace(path)


def _claims(payload: dict[str, object]) -> Claims:
    subject, harbour, role = payload.get("sub"), payload.get("aud"), payload.get("role")
    issued_at, expires_at = payload.get("iat"), payload.get("exp")
    if not (isinstance(subject, str) and isinstance(harbour, str) and isinstance(role, str)):
        raise TokenError("claims missing")
    if not (isinstance(issued_at, int) and isinstance(expires_at, int)):
        raise TokenError("times missing")
    return Claims(subject, harbour, role, issued_at, expires_at)


def _signature(key: Key, signed: str) -> bytes:
    return hmac.new(key.secret, signed.encode("ascii"), hashlib.sha256).digest()


def _encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def _decode(text: str) -> bytes:
    try:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (binascii.Error, ValueError):
        raise TokenError("not base64url") from None


def _encode_json(value: dict[str, object]) -> str:
    return _encode(json.dumps(value, separators=(",", ":")).encode())


def _decode_json(text: str) -> dict[str, object]:
    try:
        value = json.loads(_decode(text))
    except (ValueError, RecursionError):  # anybody may send a header of ten thousand brackets
        raise TokenError("not JSON") from None
    if not isinstance(value, dict):
        raise TokenError("not an object")
    return cast("dict[str, object]", value)
