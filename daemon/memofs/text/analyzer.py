"""Text as terms: the one analyzer of documents and of queries, and the original system's plain one.

The rules, in order: the text is folded (`text.fold`: compatibility forms, marks); runs of scripts that write
without spaces (Chinese, Japanese, Korean, Thai and their neighbours) become bigrams; everything else is cut into
chunks, and those into words and wholes (`text.compound`); stop words go last.

Invariant: a document and a query are read alike, so that every word of a document, asked for on its own, is one of
its terms, in whatever case. Offsets are code points of the original text.
"""

import re
from collections.abc import Iterator, Sequence, Set
from functools import lru_cache
from typing import NamedTuple

from memofs.text.acronyms import initials
from memofs.text.compound import PIECE, WHOLE, WORD, Part, parts
from memofs.text.fold import fold, fold_with_offsets
from memofs.text.scripts import INDIC, UNSPACED
from memofs.text.stop_words import STOP_WORDS

__all__ = ["PIECE", "WHOLE", "WORD", "Word", "document_terms", "find_terms", "plain", "query_words", "words"]


class Word(NamedTuple):
    """A term, where it stands in the original text, and what it is there: WORD, PIECE or WHOLE.

    A WHOLE is one more reading of a place whose words are there too: it adds to a score, but does not count in the
    length of a document, and a query does not miss it.
    """

    term: str
    start: int
    end: int
    role: int


def words(text: str) -> list[Word]:
    """Return every word of `text` in order, stop words too; a whole follows its parts."""
    folded, starts, ends = fold_with_offsets(text)
    return [
        Word(term, starts[at + start], ends[at + end - 1], role)
        for cut, at, unspaced in _cut(folded)
        for term, start, end, role in (_bigrams(cut) if unspaced else parts(cut))
    ]


def query_words(text: str) -> list[Word]:
    """Return the words a query asks for, in order.

    Stop words go, and single characters of scripts without spaces, unless nothing else remains. What remains has a
    word: where only wholes do ("to-do"), they are the words.
    """
    every = words(text)
    told = [word for word in every if word.term not in STOP_WORDS] or every
    asked = [word for word in told if not _is_single(word)] or told
    if all(word.role == WHOLE for word in asked):
        return [word._replace(role=WORD) for word in asked]
    return asked


def document_terms(text: str) -> list[tuple[str, int]]:
    """Return the terms of a document with their roles, in order: no stop words; single characters, initials too.

    The characters of a run without spaces and the initials of a name ("JSON Web Token": jwt) are wholes.
    """
    folded = fold(text)
    found: list[tuple[str, int]] = []
    if folded.isascii():
        for chunk in _CHUNK_ASCII.findall(folded):
            found += _chunk_terms(chunk)
    else:
        for cut, _, unspaced in _cut(folded):
            found += _run_terms(cut) if unspaced else _chunk_terms(cut)
    found += [(letters, WHOLE) for letters, _, _ in initials(folded)]
    return found


def find_terms(text: str, terms: Set[str]) -> list[Word]:
    """Return the words of `text` that a document with it would be found by when one of `terms` is asked for.

    In order of their starts; they overlap where a name and its parts are both asked for. Initials stand for the
    whole run of words.
    """
    folded, starts, ends = fold_with_offsets(text)
    asked = {(term, role) for term in terms for role in (WORD, PIECE, WHOLE)}
    found: list[tuple[str, int, int, int]] = [
        (letters, start, end, WHOLE) for letters, start, end in initials(folded) if letters in terms
    ]
    for cut, at, unspaced in _cut(folded):
        if unspaced:
            terms_there = [*_bigrams(cut), *_singles(cut)]
        elif asked.isdisjoint(_chunk_terms(cut)):
            continue
        else:
            terms_there = parts(cut)
        found += [(term, at + start, at + end, role) for term, start, end, role in terms_there if term in terms]
    return sorted(
        (Word(term, starts[start], ends[end - 1], role) for term, start, end, role in found),
        key=lambda word: (word.start, word.end),
    )


def plain(text: str, stop_words: frozenset[str]) -> list[str]:
    """Return lower-case runs of a–z and 0–9 that are not stop words: the original system's analyzer."""
    return [term for term in _PLAIN.findall(text.lower()) if term not in stop_words]


_PLAIN = re.compile(r"[a-z0-9]+")

_CACHED_LENGTH = 48
"""Longer chunks are mostly met once, and are not remembered."""


# Nothing that must match comes after an open repetition in these patterns, so that none backtracks far.
def _chunk_pattern(word: str) -> str:
    word += r"(?:\+\+|\#)?"  # C++, C#
    joined = rf"[-./\\']+{word}|(?<=\d),\d\d\d(?!\w)"  # 10,000
    return rf"(?:(?<![\w.-])(?:--|\.))?{word}(?:{joined})*"  # --no-verify, .NET


_CHUNK_ASCII = re.compile(_chunk_pattern(r"\w+"), re.ASCII)
_CHUNK = re.compile(_chunk_pattern(rf"\w+(?:[{INDIC}]+\w*)*"))
_RUN = re.compile(rf"[{UNSPACED}]+")


def _cut(folded: str) -> Iterator[tuple[str, int, bool]]:
    """Yield folded text in chunks and runs of unspaced scripts: each with its offset, and whether it is a run."""
    if folded.isascii():
        for chunk in _CHUNK_ASCII.finditer(folded):
            yield chunk.group(), chunk.start(), False
        return
    done = 0
    for run in _RUN.finditer(folded):
        for chunk in _CHUNK.finditer(folded, done, run.start()):
            yield chunk.group(), chunk.start(), False
        yield run.group(), run.start(), True
        done = run.end()
    for chunk in _CHUNK.finditer(folded, done):
        yield chunk.group(), chunk.start(), False


def _bigrams(run: str) -> list[Part]:
    if len(run) == 1:
        return [Part(run, 0, 1, WORD)]
    return [Part(run[at : at + 2], at, at + 2, WORD) for at in range(len(run) - 1)]


def _singles(run: str) -> list[Part]:
    """Return the characters of a run that has bigrams: further readings of what those cover."""
    return [Part(character, at, at + 1, WHOLE) for at, character in enumerate(run)] if len(run) > 1 else []


def _run_terms(run: str) -> list[tuple[str, int]]:
    return [(part.term, part.role) for part in (*_bigrams(run), *_singles(run))]


def _chunk_terms(chunk: str) -> Sequence[tuple[str, int]]:
    return _read_chunk(chunk) if len(chunk) > _CACHED_LENGTH else _remembered_chunk(chunk)


def _read_chunk(chunk: str) -> tuple[tuple[str, int], ...]:
    return tuple((part.term, part.role) for part in parts(chunk) if part.term not in STOP_WORDS)


# The words of a language repeat; this memory holds the common ones of a store, some 10 MB at the most.
_remembered_chunk = lru_cache(maxsize=1 << 15)(_read_chunk)


def _is_single(word: Word) -> bool:
    return len(word.term) == 1 and _RUN.match(word.term) is not None
