"""The mark of an anchor: one line that says what its region was.

    1:<hash>:<shape>:<blob>:<fingerprint>

`hash` is of the normalised text (digest.py), `shape` names its rules and grammar and then its hash, `blob` is git's id
of the file, `fingerprint` what the region is found by without the old text (fingerprint.py). Binary parts are base64
for URLs, without padding.

Invariant: encode and decode are inverse. Reading never raises: a mark that cannot be read is a `BadMark`, and of one
that is damaged in part the rest is used, with what is wrong named in `faults`.
"""

import base64
import binascii
import re
from typing import Final, Literal

import msgspec

from memofs.anchors.digest import DIGEST_BYTES
from memofs.anchors.fingerprint import Fingerprint, pack, unpack

__all__ = ["BadMark", "Mark", "MarkedShape", "decode", "encode"]

VERSION: Final = "1"


class MarkedShape(msgspec.Struct, frozen=True, kw_only=True):
    """The hash of a region's shape, and the version of the rules and the grammar that made it."""

    version: str
    digest: bytes


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """What an anchor's mark says; whatever it lacks is None. `faults` are the parts that could not be read."""

    digest: bytes
    shape: MarkedShape | None = None
    blob: str | None = None
    fingerprint: Fingerprint | None = None
    faults: tuple[Literal["shape", "blob", "fingerprint"], ...] = ()


class BadMark(msgspec.Struct, frozen=True, kw_only=True):
    """A mark that says nothing: not one of ours, cut short, or of a newer version than this program's."""

    reason: Literal["malformed", "newer"]


def encode(mark: Mark) -> str:
    """Return a mark as it stands in a memory's front matter."""
    shape = f"{_clean(mark.shape.version)}/{_text(mark.shape.digest)}" if mark.shape else ""
    print_ = _text(pack(mark.fingerprint)) if mark.fingerprint else ""
    return ":".join((VERSION, _text(mark.digest), shape, mark.blob or "", print_))


def decode(text: str) -> Mark | BadMark:
    """Return what a mark says."""
    version, *parts = text.strip().split(":")
    if version.isdecimal() and len(version) < 6 and int(version) > int(VERSION):
        return BadMark(reason="newer")
    digest = _bytes(parts[0]) if parts else None
    if version != VERSION or digest is None or len(digest) != DIGEST_BYTES:
        return BadMark(reason="malformed")
    shape_text, blob, print_text = (*parts[1:4], "", "", "")[:3]
    faults: list[Literal["shape", "blob", "fingerprint"]] = []
    shape = _shape(shape_text) if shape_text else None
    if shape_text and shape is None:
        faults.append("shape")
    if blob and not _BLOB.fullmatch(blob):
        faults.append("blob")
        blob = ""
    packed = _bytes(print_text) if print_text else None
    fingerprint = unpack(packed) if packed else None
    if print_text and fingerprint is None:
        faults.append("fingerprint")
    return Mark(digest=digest, shape=shape, blob=blob or None, fingerprint=fingerprint, faults=tuple(faults))


_BLOB: Final = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_UNFIT: Final = re.compile(r"[^\w.+@ -]")


def _shape(text: str) -> MarkedShape | None:
    version, _, digest_text = text.rpartition("/")
    digest = _bytes(digest_text)
    if not version or digest is None or len(digest) != DIGEST_BYTES:
        return None
    return MarkedShape(version=version, digest=digest)


def _clean(version: str) -> str:
    """Return a version without what would end it in a mark."""
    return _UNFIT.sub("_", version)


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def _bytes(text: str) -> bytes | None:
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return None
