"""Text as it is compared: compatibility forms resolved (NFKC), marks dropped, odd hyphens and quotes made plain.

Case is kept, because the analyzer reads it (`getUserById`); it folds case term by term. Folding changes lengths, so
`fold_with_offsets` also says where every folded code point stands in the original.

Invariant: `fold(text) == fold_with_offsets(text).text`; ASCII text is its own fold.
"""

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

__all__ = ["Folded", "fold", "fold_with_offsets"]


class Folded(NamedTuple):
    """Folded text; its code point `i` comes from original code points `starts[i]` to `ends[i]` (end excluded)."""

    text: str
    starts: range | list[int]
    ends: range | list[int]


def fold(text: str) -> str:
    """Return `text` folded."""
    if text.isascii():
        return text
    return _NOT_ASCII.sub(lambda match: _fold_run(match.group())[0], text)


def fold_with_offsets(text: str) -> Folded:
    """Return `text` folded, with the original place of every code point."""
    if text.isascii():
        return Folded(text, range(len(text)), range(1, len(text) + 1))
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    done = 0
    for match in _NOT_ASCII.finditer(text):
        at, end = match.span()
        pieces.append(text[done:at])
        starts.extend(range(done, at))
        ends.extend(range(done + 1, at + 1))
        folded, lengths = _fold_run(match.group())
        pieces.append(folded)
        for source, produced in lengths:
            starts.extend([at] * produced)
            at += source
            ends.extend([at] * produced)
            if not produced and ends:
                ends[-1] = at  # a mark belongs to the letter before it
        done = end
    pieces.append(text[done:])
    starts.extend(range(done, len(text)))
    ends.extend(range(done + 1, len(text) + 1))
    return Folded("".join(pieces), starts, ends)


_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")

# Hangul vowels and finals, and the voicing marks of kana, join the letter before them although most are letters.
_JOINING = frozenset([*map(chr, range(0x1160, 0x1200)), "\u3099", "\u309a", "\uff9e", "\uff9f"])

_LONGEST_CLUSTER = 32
"""Marks beyond are a prank or an attack: putting n of them in order costs n²."""

# Marks that are letters of their script (vowel signs, voicing marks), not accents: they stay.
_LETTER_MARKS = (
    range(0x0900, 0x10A0),
    range(0x1700, 0x18B0),
    range(0x1900, 0x1AB0),
    range(0x1B00, 0x1D00),
    range(0x3099, 0x309B),
    range(0xA800, 0xAC00),
    range(0x10A00, 0x12000),
)

# Trade marks and ellipses end a word instead of growing letters ("TM", "...") at its end.
_BEFORE = str.maketrans(dict.fromkeys("™©®℠…", " "))
_AFTER = str.maketrans({"\u2010": "-", "\u2212": "-", "\u2018": "'", "\u2019": "'", "\u02bc": "'"})


def _fold_run(run: str) -> tuple[str, list[tuple[int, int]]]:
    """Return a run without ASCII folded, and for each cluster of it the code points taken and given."""
    pieces: list[str] = []
    lengths: list[tuple[int, int]] = []
    start = 0
    for end in range(1, len(run) + 1):
        if end < len(run) and end - start < _LONGEST_CLUSTER and _joins(run[end]):
            continue
        folded = _fold_cluster(run[start:end])
        pieces.append(folded)
        lengths.append((end - start, len(folded)))
        start = end
    return "".join(pieces), lengths


def _joins(character: str) -> bool:
    return unicodedata.category(character)[0] == "M" or character in _JOINING


@lru_cache(maxsize=8192)
def _fold_cluster(cluster: str) -> str:
    composed = unicodedata.normalize("NFKC", cluster.translate(_BEFORE)).translate(_AFTER)
    kept = [character for character in unicodedata.normalize("NFD", composed) if not _dropped(character)]
    return unicodedata.normalize("NFC", "".join(kept))


def _dropped(character: str) -> bool:
    """Whether `character` is an accent, or a format character (soft hyphen, joiner, byte order mark)."""
    category = unicodedata.category(character)
    if category in ("Mn", "Me"):
        return not any(ord(character) in marks for marks in _LETTER_MARKS)
    return category == "Cf"
