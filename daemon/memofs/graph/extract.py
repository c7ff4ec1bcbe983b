"""What a memory says of entities, by rules: of its text sentence by sentence, of its front matter, of parentheses.

Invariant: depends on the memory alone; nothing is asserted that its text denies, asks or only supposes. Precision
comes before completeness: what is not read as a whole is not read.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from memofs.graph.fact import End, Facts, Statement
from memofs.graph.names import MOST_LABEL, known_names, name_key
from memofs.graph.phrase import may_name, names_in, phrase_at
from memofs.graph.prose import Paragraph, Sentence, paragraphs, sentences
from memofs.graph.statements import stated
from memofs.graph.verbs import DROPS, GOING, MOVES, PASSIVES, REPLACES, SELF_VERBS, VERBS
from memofs.model.memory import Memory
from memofs.model.relation import RelationType
from memofs.text.abbreviations import initials_fit
from memofs.text.acronyms import aliases
from memofs.text.stop_words import STOP_WORDS

__all__ = ["MOST_STATEMENTS", "extract"]

MOST_STATEMENTS: Final = 100
"""Of one memory."""

_MOST_BODY: Final = 200_000
"""Code points of a body that are read."""
_MOST_NAMES: Final = 100
_NUMBER: Final = re.compile(r"\s*(?:ADR|RFC|PEP)?[\s#:-]*\d+\s*(?:[.:)–—-]+\s*|(?=\s))", re.IGNORECASE)
"""What numbers a record in front of its title."""
_DECIDING: Final = frozenset({"decision", "constraint", "preference"})
"""Kinds of memories in which "use B" says that B is used."""
_ARROWS: Final = frozenset({"->", "=>", "→", "⇒"})
_MOST_ARROWS: Final = 2
_LONGEST_PART: Final = 6
_NEAR: Final = 6
"""Words from a verb to the name that it is about."""
_SHORT: Final = 50
"""Code points of a sentence in which things that do not look like names may be related."""
_LONGEST_NAME: Final = 6
_WORDS: Final = re.compile(r"[\s./-]+")
_VERBS: Final = frozenset(
    {*VERBS, *SELF_VERBS, *PASSIVES, *MOVES, *DROPS, *REPLACES, *GOING, *_ARROWS} - {"go", "run", "own", "build"}
)
"""Words one of which any statement has; those left out have a longer form of their own, or say little alone."""


def extract(memory: Memory) -> Facts:
    """What the memory says: statements, names, aliases."""
    body = memory.body[:_MOST_BODY]
    statements = [*_of_title(memory), *_of_body(body, imperative=memory.kind in _DECIDING)]
    titled = [label for sentence in sentences(memory.title) for label in names_in(sentence)]
    known = [label for label in titled if name_key(label) in known_names()]
    declared = (*memory.tags, *memory.aliases, *known)
    return Facts(
        statements=tuple(dict.fromkeys(statements))[:MOST_STATEMENTS],
        names=tuple(dict.fromkeys(name for name in declared if _is_name(name)))[:_MOST_NAMES],
        mentions=tuple(dict.fromkeys((*titled, *(anchor.path for anchor in memory.anchors))))[:_MOST_NAMES],
        aliases=tuple(_aliases(f"{memory.title}\n{body}")),
    )


def _of_title(memory: Memory) -> Iterator[Statement]:
    number = _NUMBER.match(memory.title)
    title = memory.title[number.end() if number else 0 :]
    if _may_state(title):
        for sentence in sentences(title):
            yield from stated(sentence, 0, imperative=True)


def _of_body(body: str, *, imperative: bool) -> Iterator[Statement]:
    if not any(map(_may_state, body.split("\n"))):
        return
    found = 0
    for paragraph in paragraphs(body):
        for sentence in sentences(paragraph.text, _may_state):
            line = paragraph.line_at(sentence.at)
            for statement in _by_arrows(sentence, paragraph, line) or stated(sentence, line, imperative=imperative):
                yield statement
                found += 1
        if found >= MOST_STATEMENTS:
            return


def _may_state(text: str) -> bool:
    """Whether a line or a sentence may state something: a quick look, which misses nothing that the rules find.

    It has a verb for it with a name near by, or it is short. A verb near the end counts, as lines are wrapped.
    """
    words = text.split()
    folded = text.casefold().split()
    if _VERBS.isdisjoint(folded):
        return False
    if len(text) <= _SHORT:
        return True
    for at, word in enumerate(folded):
        if word in _VERBS:
            first = max(0, at - _NEAR) if word in PASSIVES else at + 1
            if at + _NEAR >= len(words) or any(may_name(each) for each in words[first : at + 1 + _NEAR]):
                return True
    return False


def _by_arrows(sentence: Sentence, paragraph: Paragraph, line: int) -> list[Statement]:
    """What a line that is nothing but names and arrows says: "A -> B", "A -> uses -> B", "A -> B -> C"."""
    places = [place for place, word in enumerate(sentence.words) if word in _ARROWS]
    if not 0 < len(places) <= _MOST_ARROWS or len(list(sentences(paragraph.text))) > 1:
        return []
    edges = [-1, *places, len(sentence.words)]
    parts = [sentence.words[edges[i] + 1 : edges[i + 1]] for i in range(len(edges) - 1)]
    if not all(0 < len(part) <= _LONGEST_PART for part in parts):
        return []
    texts = [" ".join(part) for part in parts]
    if len(texts) == 3 and (texts[1].islower() or _relation(texts[1]) is not None):
        ends = _arrow_ends(sentence, [(edges[0] + 1, edges[1]), (edges[2] + 1, edges[3])])
        relation = _relation(texts[1]) or "related_to"
        return (
            [] if ends is None else [Statement(ends[0][0], relation, ends[1][0], line, False, ends[0][1], ends[1][1])]
        )
    ends = _arrow_ends(sentence, [(edges[i] + 1, edges[i + 1]) for i in range(len(parts))])
    if ends is None:
        return []
    return [
        Statement(source[0], "related_to", target[0], line, False, source[1], target[1])
        for source, target in pairwise(ends)
        if name_key(source[0]) != name_key(target[0])
    ]


def _arrow_ends(sentence: Sentence, spans: list[tuple[int, int]]) -> list[tuple[str, End]] | None:
    """The names that fill these spans of tokens; None if one of them is filled by none."""
    ends: list[tuple[str, End]] = []
    for start, end in spans:
        alone = sentence.words[start]
        if end == start + 1 and len(alone) == 1 and alone.isupper():
            ends.append((alone, "named"))
            continue
        phrase = phrase_at(sentence, start, opens=False, until=end)
        if phrase is None or phrase.end != end:
            return None
        ends.append((phrase.label, "known" if phrase.looks == "known" else "named"))
    return ends


def _relation(text: str) -> RelationType | None:
    words = text.casefold().replace("_", " ").replace("-", " ").split()
    for verb in VERBS.get(words[0], ()) if words else ():
        if list(verb.then) == words[1:]:
            return verb.relation
    return "related_to" if words == ["related", "to"] else None


def _aliases(text: str) -> Iterator[tuple[str, str]]:
    """The short names that parentheses introduce, whose letters are those of the long name's words."""
    if "(" in text:
        for long, short in aliases(text):
            if _is_name(long) and _is_name(short) and _abbreviates(short, long):
                yield short, long


def _abbreviates(short: str, long: str) -> bool:
    """Whether the short name is made of the initials of a long one of a few words."""
    words = [word for word in _WORDS.split(long) if word]
    informative = sum(word.casefold() not in STOP_WORDS for word in words)
    return informative <= _LONGEST_NAME and initials_fit(short, words)


def _is_name(label: str) -> bool:
    return 0 < len(label) <= MOST_LABEL and bool(name_key(label)) and "\n" not in label
