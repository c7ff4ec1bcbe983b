"""What a mark holds of a region and its neighbourhood, so that it can be found without the old text.

Invariant: a fingerprint fits a budget of bytes once packed. The region is held word for word with as many lines around
it as fit; of a region too large for that its first and last lines are, and 16-bit hashes of those between. Reading one
never raises: what cannot be read is None.
"""

import hashlib
import zlib
from collections.abc import Sequence
from typing import Final

import msgspec

from memofs.anchors.copies import copies
from memofs.anchors.source import Source, line_at, stripped
from memofs.anchors.symbols import Declaration, declarations
from memofs.model.place import Span

__all__ = ["BUDGET", "GENEROUS", "Fingerprint", "Part", "fingerprint", "key_hash", "pack", "part_of", "unpack"]

BUDGET: Final = 420
"""Bytes: some 560 characters of the mark."""
GENEROUS: Final = 3_000
"""Bytes where the old text will not be had elsewhere: the region and eight lines around it, most often."""
MOST_LINES_AROUND: Final = 8
MOST_HASHES: Final = 64
_FEWEST_AROUND: Final = 3
_MOST_UNPACKED: Final = 1 << 20

Part = str
"""Which span of a declaration a region is: "core", "dressed", "span"; "" if it is none."""


class Fingerprint(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """A region and what stands around it, line ends as LF.

    `before` and `after` are whole lines; `head` and `rest` what stands before and after the region on its first and
    last line. `text` is the region; or only its beginning, if `left_out` counts lines before its `tail` for which
    there are at most `hashes` (two bytes a line). `label` names the declaration that the region is, as its `part`,
    `kind` says which, `namesakes` how many had that label; `within` names the one around it. `copies` says how often
    else the region's lines stood in the file, `number` how many of those came before it; the line `above` of those
    before it (1 is the nearest), and `below` of those after it, tells it from all of them, 0 if none held does.
    """

    before: str
    head: str
    text: str
    rest: str
    after: str
    within: str = ""
    label: str = ""
    part: Part = ""
    hashes: bytes = b""
    left_out: int = 0
    tail: str = ""
    namesakes: int = 1
    kind: str = ""
    copies: int = 0
    number: int = 0
    above: int = 0
    below: int = 0


def fingerprint(source: Source, region: Span, budget: int = BUDGET) -> Fingerprint:
    """Return the fingerprint of a region of a plain source that packs into `budget` bytes, with the most around it."""
    bare = stripped(source.text, region)
    full = _made(source, bare)
    for around in range(MOST_LINES_AROUND, _FEWEST_AROUND - 1, -1):
        full = _narrowed(full, around)
        if len(pack(full)) <= budget:
            return full
    lines = full.text.split("\n")
    fewest, most = 1, len(lines) // 2
    best = _shortened(full, lines, fewest)
    while fewest < most:
        kept = (fewest + most + 1) // 2
        one = _shortened(full, lines, kept)
        if len(pack(one)) <= budget:
            fewest, best = kept, one
        else:
            most = kept - 1
    return best if len(pack(best)) <= budget else _cut(best)


def pack(one: Fingerprint) -> bytes:
    """Return a fingerprint as bytes: MessagePack, deflated."""
    compressor = zlib.compressobj(9, zlib.DEFLATED, -15, 9)
    return compressor.compress(msgspec.msgpack.encode(one)) + compressor.flush()


def unpack(data: bytes) -> Fingerprint | None:
    """Return the fingerprint in `data`, None if there is none to be read; at most 1 MB is unpacked."""
    try:
        inflater = zlib.decompressobj(-15)
        return msgspec.msgpack.decode(inflater.decompress(data, _MOST_UNPACKED), type=Fingerprint)
    except (zlib.error, msgspec.DecodeError, ValueError):
        return None


def key_hash(key: str) -> bytes:
    """Return the two bytes that stand for a line's key."""
    return hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=2).digest()


def part_of(declaration: Declaration, region: Span) -> Part:
    """Return which span of a declaration a region is."""
    if region == declaration.dressed:
        return "dressed"
    if region == declaration.span:
        return "span"
    return "core" if region == declaration.core else ""


def _made(source: Source, region: Span) -> Fingerprint:
    around = MOST_LINES_AROUND
    first, last = line_at(source, region.start), line_at(source, max(region.start, region.end - 1))
    declared, within, namesakes = _named(source, region)
    others = copies(source, region)
    return Fingerprint(
        before="\n".join(source.lines[max(0, first - around) : first]),
        head=source.text[source.starts[first] : region.start],
        text=source.text[region.start : region.end],
        rest=source.text[region.end : source.index.ends[last]],
        after="\n".join(source.lines[last + 1 : last + 1 + around]),
        within=within,
        label=declared.label if declared else "",
        part=part_of(declared, region) if declared else "",
        namesakes=namesakes,
        kind=declared.kind if declared else "",
        copies=len(others),
        number=sum(other < (first, last) for other in others),
        above=_telling(source, first, [other[0] for other in others], -1),
        below=_telling(source, last, [other[1] for other in others], 1),
    )


def _telling(source: Source, line: int, others: Sequence[int], step: int) -> int:
    """Return how many lines away, in a direction, the last of the other places is told from `line`; 0 if too far."""
    keys = source.keys
    alike = [other for other in others if other != line]
    for distance in range(1, MOST_LINES_AROUND + 1) if alike else ():
        at = line + distance * step
        if not 0 <= at < len(keys):
            return 0
        alike = [other for other in alike if _key_at(keys, other + distance * step) == keys[at]]
        if not alike and keys[at]:
            return distance
    return 0


def _key_at(keys: Sequence[str], line: int) -> str | None:
    return keys[line] if 0 <= line < len(keys) else None


def _narrowed(one: Fingerprint, around: int) -> Fingerprint:
    """Return a fingerprint with at most `around` lines on either side."""
    before = one.before.split("\n")[-around:]
    after = one.after.split("\n")[:around]
    return msgspec.structs.replace(one, before="\n".join(before), after="\n".join(after))


def _named(source: Source, region: Span) -> tuple[Declaration | None, str, int]:
    """Return the declaration that the region is, the label of the one around it, and how many are called as it is."""
    declared: Declaration | None = None
    within = ""
    for one in declarations(source):
        if one.span.start > region.start:
            break
        if part_of(one, region):
            declared = declared or one
        elif region.end <= one.span.end:
            within = one.label
    if declared is None:
        return None, within, 1
    return declared, within, sum(one.label == declared.label for one in declarations(source))


def _shortened(full: Fingerprint, lines: list[str], kept: int) -> Fingerprint:
    """Return the fingerprint with `kept` lines of the region at either end, hashes of those between."""
    middle = lines[kept : len(lines) - kept]
    picked = (
        middle if len(middle) <= MOST_HASHES else [middle[i * len(middle) // MOST_HASHES] for i in range(MOST_HASHES)]
    )
    return msgspec.structs.replace(
        full,
        text="\n".join(lines[:kept]),
        tail="\n".join(lines[len(lines) - kept :]) if len(lines) > 1 else "",
        hashes=b"".join(key_hash("".join(line.split())) for line in picked),
        left_out=len(middle),
    )


def _cut(one: Fingerprint) -> Fingerprint:
    """Return a fingerprint of very long lines with each piece cut to what matters most: where it meets the region."""
    return msgspec.structs.replace(
        one,
        left_out=max(1, one.left_out),
        before=one.before[-60:],
        head=one.head[-60:],
        text=one.text[:120],
        tail=one.tail[-60:],
        rest=one.rest[:60],
        after=one.after[:60],
        within=one.within[:60],
        label=one.label[:60],
    )
