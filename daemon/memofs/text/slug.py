"""The readable half of a memory's file name. Pure.

Invariant: a slug holds only lower-case letters, digits and single dashes, is 1 to 60 characters long, and is no
name that Windows reserves.
"""

import re
import unicodedata

__all__ = ["MOST_SLUG", "dashed", "slug"]

MOST_SLUG = 60

_FALLBACK = "memory"
_RESERVED = frozenset(
    ["con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(10))]
)
_SPELLED = str.maketrans(
    {
        "ß": "ss", "ẞ": "ss", "æ": "ae", "Æ": "ae", "œ": "oe", "Œ": "oe", "ø": "o", "Ø": "o", "ł": "l", "Ł": "l",
        "đ": "d", "Đ": "d", "ð": "d", "Ð": "d", "þ": "th", "Þ": "th", "ı": "i", "ħ": "h", "Ħ": "h", "ŋ": "n", "Ŋ": "n",
        "'": "", "’": "", "&": " and ",
    }
)  # fmt: skip
"""Letters that do not decompose into a Latin letter and an accent, and signs inside words."""
_CPP = re.compile(r"\bc\+\+", re.IGNORECASE)
_SHARP = re.compile(r"\b([cf])#", re.IGNORECASE)
_SIGNS = re.compile(r"[^a-z0-9]+")


def slug(title: str) -> str:
    """The title as a file name: Latin letters without accents, other scripts as they are, a dash for the rest.

    Cut at a word where one ends in the second half; `memory` when nothing is left.
    """
    name = _cut(dashed(title))
    if not name:
        return _FALLBACK
    return f"{name}-{_FALLBACK}" if name in _RESERVED else name


def dashed(title: str) -> str:
    """The words of the title spelled as in a slug, joined by dashes: of any length, and nothing where it has none."""
    if title.isascii() and "+" not in title and "#" not in title:
        plain = title.lower() if "'" not in title and "&" not in title else title.lower().translate(_SPELLED)
        return _SIGNS.sub("-", plain).strip("-")
    named = _SHARP.sub(r"\1sharp", _CPP.sub("cpp", unicodedata.normalize("NFC", title)))
    return "-".join("".join(_plain(char) for char in named.translate(_SPELLED)).split())


def _plain(char: str) -> str:
    if char.isascii():
        return char.lower() if char.isalnum() else " "
    first, *rest = unicodedata.normalize("NFKD", char)
    if first.isascii():
        # "é" gives "e", "ﬁ" gives "fi", "½" gives "1 2".
        return "".join(part.lower() if part.isalnum() else " " for part in (first, *rest) if _shows(part))
    kept = unicodedata.normalize("NFC", char).lower()
    if all(part.isalnum() or unicodedata.category(part) in {"Mn", "Mc"} for part in kept):
        return kept
    return " "


def _shows(char: str) -> bool:
    return not unicodedata.combining(char)


def _cut(name: str) -> str:
    if len(name) > MOST_SLUG:
        at = name.rfind("-", MOST_SLUG // 2, MOST_SLUG + 1)
        name = name[: at if at > 0 else MOST_SLUG]
    return name.strip("-")
