"""A memory as the index sees it: its fields, their weights, its names and facets.

Invariant: the result depends on the memory and the analyzer alone, so that a stored row can be used again for as
long as the memory's signature and `FINGERPRINT` are the same.
"""

import zlib
from collections.abc import Callable, Iterable, Mapping
from typing import Final, NamedTuple

from memofs.model.memory import Anchor, Memory
from memofs.recall.eligible import facets_of
from memofs.recall.named import name_key
from memofs.recall.postings import Posting
from memofs.recall.segment import ACTIVE, NO_DATE, PENDING, RETIRED, Document, Part
from memofs.text.analyzer import PIECE, WHOLE, document_terms, words
from memofs.text.sections import sections
from memofs.text.stop_words import STOP_WORDS

__all__ = ["CODE", "FINGERPRINT", "TAG_WEIGHT", "TITLE_WEIGHT", "Analyzer", "document_of", "signature_of", "weigh"]

TITLE_WEIGHT: Final = 3.0
TAG_WEIGHT: Final = 2.0
LONG_WORDS: Final = 150
"""From so many words on, stop words not counted, the sections of a memory are searched by themselves too."""

_STATUS: Final[Mapping[str, int]] = {"active": ACTIVE, "pending": PENDING, "retired": RETIRED}


class Analyzer(NamedTuple):
    """How text is read: `terms` with roles, the stop words of a title, and the key of a name."""

    terms: Callable[[str], Iterable[tuple[str, int]]]
    stop_words: Callable[[str], Iterable[str]]
    name: Callable[[str], str | None]


def _stop_words(text: str) -> list[str]:
    return [word.term for word in words(text) if word.term in STOP_WORDS]


CODE: Final = Analyzer(terms=document_terms, stop_words=_stop_words, name=name_key)
"""The analyzer of `memofs.text`. Titles keep their stop words: a question of nothing else is matched with them."""


def document_of(memory: Memory, analyzer: Analyzer = CODE) -> Document:
    """What the index keeps of `memory`: title and aliases count three times, tags twice, the rest once."""
    titles = [text for text in (memory.title, *memory.aliases) if text]
    tags = [(term, role) for tag in memory.tags for term, role in analyzer.terms(tag)]
    title = [(term, role) for text in titles for term, role in analyzer.terms(text)]
    rest = list(analyzer.terms(memory.body))
    for anchor in memory.every_anchor:
        rest += analyzer.terms(anchor.path)
        if anchor.symbol:
            rest += analyzer.terms(anchor.symbol)
    dates = [ms for ms in (memory.verified_ms, memory.updated_ms, memory.created_ms) if ms is not None]
    title_words = weigh([(title, 1.0)])
    for text in titles:
        for term in analyzer.stop_words(text):
            title_words[term] = (title_words.get(term, (0.0, False))[0] + 1.0, False)
    return Document(
        id=memory.id,
        signature=signature_of(memory),
        words=weigh([(title, TITLE_WEIGHT), (tags, TAG_WEIGHT), (rest, 1.0)]),
        title=title_words,
        length=_length(title) + _length(tags) + _length(rest),
        title_length=_length(title),
        names=tuple(dict.fromkeys(key for text in titles if (key := analyzer.name(text)) is not None)),
        facets=facets_of(memory),
        parts=_parts(memory.body, _length(rest), analyzer),
        status=_STATUS[memory.status],
        newest_ms=max(dates, default=NO_DATE),
        checked_ms=dates[0] if dates else NO_DATE,
        confidence=float("nan") if memory.confidence is None else memory.confidence,
    )


def signature_of(memory: Memory) -> str:
    """A text that changes whenever anything the index keeps of a memory does.

    The digest covers the file; title and dates may come from its name and its times instead.
    """
    outside = (memory.title, memory.created_ms, memory.updated_ms, memory.verified_ms)
    return f"{memory.digest}:{zlib.crc32(repr(outside).encode()):08x}"


def weigh(fields: Iterable[tuple[Iterable[tuple[str, int]], float]]) -> dict[str, Posting]:
    """The weighted frequency of every term, and whether it stands there only as a piece of a camelCase word."""
    weighted: dict[str, Posting] = {}
    for terms, weight in fields:
        for term, role in terms:
            before = weighted.get(term)
            if before is None:
                weighted[term] = (weight, role == PIECE)
            else:
                weighted[term] = (before[0] + weight, before[1] and role == PIECE)
    return weighted


def _parts(body: str, length: int, analyzer: Analyzer) -> tuple[Part, ...]:
    if length < LONG_WORDS:
        return ()
    found = sections(body)
    if len(found) < 2:
        return ()
    parts: list[Part] = []
    for section in found:
        terms = list(analyzer.terms(body[section.start : section.end]))
        parts.append(Part(words=weigh([(terms, 1.0)]), length=_length(terms)))
    return tuple(parts)


def _length(terms: Iterable[tuple[str, int]]) -> int:
    return sum(role != WHOLE for _, role in terms)


FINGERPRINT: Final = zlib.crc32(
    repr(
        document_of(
            Memory(
                id="mem_fingerprint",
                kind="decision",
                title="Use getUserById, not HTTPServer",
                body="The naïve user_id of src/auth/jwt.ts: v2.0, E1042, oauth2, C++, .NET and iOS's tokens.\n"
                "--no-verify, 2024-01-15, café Straße 缓存必须先预热 JSON Web Token (JWT) ERR_CONN_RESET aren't.\n",
                path="",
                digest="",
                tags=("database",),
                aliases=("users by id",),
                created_ms=0,
                anchors=(Anchor(path="src/users.py", symbol="UserStore.byId"),),
                said_anchors=(Anchor(path="src/said.py"),),
            )
        )
    ).encode()
)
"""Changes with how text is read, so that an index stored by another version is not mixed with this one's."""
