"""Memories that a question names: their whole title, or an alias, stands in it.

A name is the set of informative words of a title or alias, at most five; it is named where they all lie within
words + 1 consecutive informative words of the question. Names are postings of their own, keyed by their sorted
words, so that finding them takes a few hundred look-ups however large the store is.

Invariant: a piece of a camelCase word never names; the whole word does (`TSLint` is not "TS").
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from memofs.recall.lookup import Lookup
from memofs.recall.unknown import Guess
from memofs.text.analyzer import PIECE, WHOLE, Word, words
from memofs.text.stop_words import STOP_WORDS

__all__ = ["LONGEST_NAME", "name_key", "named", "named_keys", "units"]

LONGEST_NAME: Final = 5

_COMMON_SHARE: Final = 0.2
_COMMON_SHARE_OF_ONE: Final = 0.05
_COMMON_LEAST: Final = 3


def name_key(text: str) -> str | None:
    """The key of a title or alias, or None if it has too many informative words to be a name, or none."""
    return _key(units(words(text)))


def named(lookup: Lookup, text: str, guesses: Mapping[str, Guess]) -> dict[int, str]:
    """The slots of the memories that `text` names, each with the key of its name, the longest if several.

    A name is ignored if each of its words is common: in more than three memories and more than a fifth of them, or a
    twentieth if it is a single word ("Import" is a title, and what many questions about Python speak of).
    """
    instead = {word: guess.terms for word, guess in guesses.items() if guess.sort == "typo"}
    keys = named_keys(units(words(text)), instead=instead, known=lambda key: len(lookup.names(key).slots) > 0)
    found: dict[int, str] = {}
    for key in sorted(keys, key=lambda key: (key.count(" "), key)):
        several = key.split(" ")
        share = _COMMON_SHARE if len(several) > 1 else _COMMON_SHARE_OF_ONE
        if min(map(lookup.df, several)) <= max(_COMMON_LEAST, share * lookup.documents):
            found.update(dict.fromkeys(lookup.names(key).slots.tolist(), key))
    return found


def units(found: Iterable[Word]) -> list[str]:
    """The informative words in order, a camelCase word as one."""
    kept: list[str] = []
    pieces: list[Word] = []
    for word in found:
        if word.role == PIECE:
            pieces.append(word)
            continue
        if word.role == WHOLE:
            if pieces and word.start == pieces[0].start and word.end == pieces[-1].end:
                kept.append(word.term)
                pieces.clear()
            continue
        pieces.clear()
        if word.term not in STOP_WORDS:
            kept.append(word.term)
    return kept


def named_keys(asked: Sequence[str], *, instead: Mapping[str, Sequence[str]], known: Callable[[str], bool]) -> set[str]:
    """The keys of all names that `asked`, informative words in order, holds.

    `instead` gives the words that a mistyped one may stand for; `known` says whether a key is a name.
    """
    found: set[str] = set()
    for first in range(len(asked)):
        for count in range(1, min(LONGEST_NAME + 1, len(asked) - first) + 1):
            window = tuple(asked[first : first + count])
            for chosen in (window, *(window[:gap] + window[gap + 1 :] for gap in range(1, count - 1))):
                for spelled in _spellings(chosen, instead):
                    key = _key(spelled)
                    if key is not None and count <= key.count(" ") + 2 and key not in found and known(key):
                        found.add(key)
    return found


def _spellings(chosen: Sequence[str], instead: Mapping[str, Sequence[str]]) -> Iterable[tuple[str, ...]]:
    """The words as they stand, and with each mistyped one put right: one reading at a time, not their product."""
    yield tuple(chosen)
    mistyped = [word for word in chosen if instead.get(word)]
    for choice in range(max((len(instead[word]) for word in mistyped), default=0)):
        yield tuple(instead[word][min(choice, len(instead[word]) - 1)] if word in mistyped else word for word in chosen)


def _key(informative: Iterable[str]) -> str | None:
    different = sorted(set(informative))
    return " ".join(different) if 0 < len(different) <= LONGEST_NAME else None
