"""What else a word may be called: the original's table, our own everyday one, and a project's.

Invariant: keys are sequences of analysed terms, so that `deps`, `Deps` and `dep` are one key; stop words count in
them, so that `log in` is not `log`. A lookup is one step: expansions are not expanded again.
"""

import pkgutil
from collections.abc import Mapping, Sequence
from functools import cache

import msgspec

from memofs.text.analyzer import WHOLE, query_words, words

__all__ = ["Lexicon", "Table", "built_in", "everyday", "lexicon", "look_up", "original", "terms_of"]

Table = Mapping[str, Sequence[str]]
"""A word or a few, and what to look for beside it, most likely first."""


class Lexicon(msgspec.Struct, frozen=True, kw_only=True):
    """`entries` by the terms of their keys; `longest` is the number of terms in the longest key."""

    entries: Mapping[tuple[str, ...], tuple[str, ...]]
    longest: int


def lexicon(*tables: Table) -> Lexicon:
    """Return one lexicon of several tables; where keys meet, expansions of earlier tables come first."""
    entries: dict[tuple[str, ...], dict[str, None]] = {}
    for table in tables:
        for key, expansions in table.items():
            terms = tuple(word.term for word in words(key) if word.role != WHOLE)
            if terms:
                entries.setdefault(terms, {}).update(dict.fromkeys(expansions))
    return Lexicon(
        entries={terms: tuple(expansions) for terms, expansions in entries.items()},
        longest=max(map(len, entries), default=0),
    )


def look_up(known: Lexicon, terms: tuple[str, ...]) -> tuple[str, ...]:
    """Return the expansions of a sequence of analysed terms, stop words among them; none if it is no key."""
    return known.entries.get(terms, ())


def terms_of(text: str) -> tuple[str, ...]:
    """Return the terms to look for where a word or phrase is meant: no wholes, no stop words."""
    return tuple(word.term for word in query_words(text) if word.role != WHOLE)


@cache
def built_in() -> Lexicon:
    """Return the original's lexicon followed by ours."""
    return lexicon(original(), everyday())


@cache
def original() -> Mapping[str, tuple[str, ...]]:
    """Return the original's table as it is."""
    return _read("lexicon.json")


@cache
def everyday() -> Mapping[str, tuple[str, ...]]:
    """Return our table of abbreviations and near-synonyms of software."""
    return _read("lexicon_more.json")


def _read(name: str) -> Mapping[str, tuple[str, ...]]:
    data = pkgutil.get_data("memofs.recall", f"data/{name}")
    if data is None:  # only a loader without data support can cause this
        raise FileNotFoundError(f"memofs/recall/data/{name}")
    return msgspec.json.decode(data, type=dict[str, tuple[str, ...]])
