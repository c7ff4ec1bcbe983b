"""Whether a short name may stand for a long one, by its letters alone.

Invariant: pure spelling. That letters fit proves nothing; who says that one stands for the other is `recall.suggest`'s
concern.
"""

import re
from collections.abc import Sequence

from memofs.text.stop_words import STOP_WORDS

__all__ = ["clipped", "initials_fit", "numeronym"]

_VOWELS = frozenset("aeiou")
_FEWEST_LEFT_OUT = 3
_FEWEST_COUNTED = 5
_NUMERONYM = re.compile(r"([a-z])(\d{1,2})([a-z])")
_INFLECTION = re.compile(
    r"able|ably|ance|ations?|ed|ence|ers?|es|ful|ible|ings?|ions?|ise|ised|ism|ist|ity|ive|ized?|izer|less|ly|ments?"
    r"|ness|ship|ted|ters?|ting"
)


def clipped(short: str, long: str) -> bool:
    """Whether a lower-case word is another one cut short: its beginning (repo) or its consonants (cfg, mgr, idx).

    A beginning must leave more than an ending out, which would make it the same word (format, formatting), and stops
    after a consonant, or an o (repo), as clipped words do and "data" does not.
    """
    if len(short) < 2 or len(long) - len(short) < 2 or short[0] != long[0]:
        return False
    rest = long.removeprefix(short)
    if len(rest) < len(long):
        if len(short) < 3 or len(rest) < _FEWEST_LEFT_OUT or short[-1] in "aeiu":
            return False
        return not _INFLECTION.fullmatch(rest)
    if _VOWELS & set(short[1:]):
        return False
    letters = iter(long)
    return all(letter in letters for letter in short) and short[-1] in _last_letters(long)


def numeronym(short: str, long: str) -> bool:
    """Whether a lower-case word is another one with its middle counted: k8s, i18n (but e2e is not ease)."""
    found = _NUMERONYM.fullmatch(short)
    if found is None or int(found[2]) < _FEWEST_COUNTED:
        return False
    return (found[1], int(found[2]), found[3]) == (long[:1], len(long) - 2, long[-1:])


def initials_fit(short: str, words: Sequence[str]) -> bool:
    """Whether the short name has the first letter of every word but the small ones, in order, and begins with one.

    The words are those of the long name; "I/O" and "PostgreSQL" have no business in one.
    """
    informative = [word.casefold() for word in words if word.casefold() not in STOP_WORDS]
    letters = iter(short.casefold())
    return (
        len(informative) >= 2
        and all(word.isalnum() for word in informative)
        and informative[0][0] == short[:1].casefold()
        and all(word[0] in letters for word in informative)
    )


def _last_letters(long: str) -> set[str]:
    """What an abbreviation may end with: the last letter, and the last two consonants (svc, ctx)."""
    consonants = [letter for letter in long if letter not in _VOWELS]
    return {long[-1], *consonants[-2:]}
