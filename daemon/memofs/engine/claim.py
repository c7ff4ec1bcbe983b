"""Whether two texts claim the same thing, beyond sharing most of their words. Pure."""

import re

__all__ = ["same_claim"]

_WORD = re.compile(r"\w+(?:['’]t\b)?")
_NEGATIONS = frozenset(
    ["no", "not", "never", "none", "without", "cannot", "nor", "neither", "except", "unless", "instead"]
)


def same_claim(one: str, other: str) -> bool:
    """True unless the texts differ in a number, a name with digits, or a negation.

    Two long texts that share 85 % of their words are near-duplicates by count, but "timeout 5000" beside "timeout
    8000", or "use" beside "do not use", is a correction, and refusing it would lose what was just learnt.
    """
    return _telling(one) == _telling(other)


def _telling(text: str) -> frozenset[str]:
    words = {word.casefold().replace("’", "'") for word in _WORD.findall(text)}
    return frozenset(
        word for word in words if word in _NEGATIONS or word.endswith("n't") or any(char.isdigit() for char in word)
    )
