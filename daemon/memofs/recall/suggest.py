"""What a project's lexicon could hold: short names that its memories and its code themselves explain.

A short name is explained where parentheses introduce it ("JSON Web Token (JWT)"), where a memory that has it also
spells it out, where an identifier says shortly what a memory says in full (`tenantMgr`, "tenant manager"), where
code gives a value the short form of its name (`cfg = Config()`), and where an alias abbreviates the title.

Invariant: pure. Only what a text says is offered, with who says it; what the lexicon knows already is not. Few and
right rather than many: a wrong expansion costs every question that has the word.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, pairwise
from typing import Final, Literal, NamedTuple, TypeVar

import msgspec

from memofs.model.cancel import NEVER, CancelToken
from memofs.model.memory import Memory
from memofs.recall.lexicon import Lexicon, Table, built_in, lexicon, look_up, terms_of
from memofs.text.abbreviations import clipped, initials_fit, numeronym
from memofs.text.acronyms import aliases
from memofs.text.plural import stem
from memofs.text.stop_words import STOP_WORDS

__all__ = ["Code", "Suggestion", "suggestions"]

T = TypeVar("T")

Source = Literal["parentheses", "spelledOut", "identifier", "assignment", "alias"]

MOST_EXAMPLES: Final = 3
MOST_EXPANSIONS: Final = 2
_MOST_NAME_WORDS: Final = 5
_LONGEST: Final = 60
_SHORTEST_PIECE: Final = 3
_MOST_CHARACTERS: Final = 70_000
_MOST_ACRONYMS: Final = 50
"""Of one memory: what is read of it, and what is looked for in it."""
_CHECK_EVERY: Final = 64


class Code(msgspec.Struct, frozen=True, kw_only=True):
    """A file that memories are anchored in, and which ones."""

    path: str
    text: str
    memories: tuple[str, ...] = ()


class Suggestion(msgspec.Struct, frozen=True, kw_only=True):
    """A word and what it may stand for, likeliest first; `why` says who says so, for a person to judge.

    `memories` are some that show it, `count` is the number of all.
    """

    word: str
    expansions: tuple[str, ...]
    source: Source
    why: str
    memories: tuple[str, ...]
    count: int


def suggestions(
    memories: Iterable[Memory],
    code: Iterable[Code] = (),
    *,
    project: Table | None = None,
    cancel: CancelToken = NEVER,
) -> tuple[Suggestion, ...]:
    """What could be added to the project's lexicon, surest first. Raises Cancelled."""
    told = tuple(memories)
    files = tuple(code)
    prose = _prose(told, cancel)
    found = _Found(prose)
    _from_parentheses(told, files, found, cancel)
    _from_spelling(told, found, cancel)
    _from_aliases(told, found)
    _from_identifiers(told, files, found, cancel)
    _from_assignments(told, files, found, cancel)
    return found.offered(built_in(), lexicon(project or {}))


def _prose(memories: Sequence[Memory], cancel: CancelToken) -> Mapping[str, int]:
    """In how many memories each word stands in lower case."""
    counts: Counter[str] = Counter()
    for memory in _checked(memories, cancel):
        counts.update(set(_LOWER.findall(_text(memory))))
    return counts


class _Place(NamedTuple):
    source: Source
    why: str
    memory: str


class _Found:
    """Pairs of a word and an expansion, with where each was seen; words that are ordinary ones are let go."""

    def __init__(self, prose: Mapping[str, int]) -> None:
        self._prose = prose
        self._places: dict[str, dict[str, list[_Place]]] = defaultdict(lambda: defaultdict(list))

    def add(self, short: str, long: str, source: Source, why: str, memory: str) -> None:
        if plural := _PLURAL_SHORT.fullmatch(short):
            head, space, last = long.rpartition(" ")
            among = _PLURAL_SHORT.fullmatch(last)
            short, long = plural[1], head + space + (among[1] if among else stem(last.casefold()))
        word, expansion = (" ".join(text.casefold().split()) for text in (short, long))
        if word in STOP_WORDS or len(expansion) > _LONGEST or terms_of(word) == terms_of(expansion):
            return
        same = next((each for each in self._places[word] if terms_of(each) == terms_of(expansion)), expansion)
        self._places[word][same].append(_Place(source, why, memory))

    def is_compound(self, piece: str, long: str) -> bool:
        """Whether what is left of a word without its beginning is a word too: it is made of two, and not cut short."""
        return long.startswith(piece) and long.removeprefix(piece) in self._prose

    def is_ordinary(self, word: str) -> bool:
        """Whether people write the word for itself: in more memories than have it as a short name."""
        short = {place.memory for places in self._places[word].values() for place in places}
        return self._prose.get(word, 0) > len(short)

    def offered(self, *lexicons: Lexicon) -> tuple[Suggestion, ...]:
        made: list[Suggestion] = []
        for word, expansions in self._places.items():
            new = {
                expansion: places
                for expansion, places in expansions.items()
                if not any(_covers(each, word, expansion) for each in lexicons)
            }
            if new and not self.is_ordinary(word):
                made.append(_suggestion(word, new))
        return tuple(sorted(made, key=lambda each: (_SUREST.index(each.source), -each.count, each.word)))


_SUREST: Final[Sequence[Source]] = ("parentheses", "alias", "spelledOut", "identifier", "assignment")


def _suggestion(word: str, expansions: Mapping[str, Sequence[_Place]]) -> Suggestion:
    """The likeliest expansion, and others that are as likely."""
    memories = {each: tuple(dict.fromkeys(place.memory for place in places)) for each, places in expansions.items()}
    best = {each: min(places, key=lambda place: _SUREST.index(place.source)) for each, places in expansions.items()}
    ranked = sorted(best, key=lambda each: (_SUREST.index(best[each].source), -len(memories[each]), each))
    first = ranked[0]
    chosen = [each for each in ranked if len(memories[each]) >= len(memories[first])][:MOST_EXPANSIONS]
    seen_in = tuple(dict.fromkeys(memory for each in chosen for memory in memories[each]))
    return Suggestion(
        word=word,
        expansions=tuple(chosen),
        source=best[first].source,
        why=best[first].why,
        memories=seen_in[:MOST_EXAMPLES],
        count=len(seen_in),
    )


def _covers(known: Lexicon, word: str, expansion: str) -> bool:
    wanted = terms_of(expansion)
    return any(terms_of(each) == wanted for each in look_up(known, terms_of(word)))


# --- who says so --------------------------------------------------------------------------------------------------

_LOWER = re.compile(r"(?<![\w-])[a-z]{2,}(?![\w-])")
_PLURAL_SHORT = re.compile(r"([A-Z][A-Za-z0-9]*[A-Z0-9])s")
_WORD = re.compile(r"[A-Za-z]+")
_SHORT_IN_PROSE = re.compile(r"\b([a-z]{5,20}) \(`?([a-z][a-z0-9]{1,4})`?\)")
_ACRONYM = re.compile(r"(?<![\w-])[A-Z]{3,6}(?=s?(?![\w-]))")
_NUMERONYMS = re.compile(r"\b[a-z]\d{1,2}[a-z]\b")
_IDENTIFIER = re.compile(r"\b[A-Za-z]+(?:_[A-Za-z]+)+\b|\b[a-z]+(?:[A-Z][a-z]+)+\b|\b(?:[A-Z][a-z]+){2,}\b")
_CAPITAL_AFTER = re.compile(r"[ -][A-Z]")
_CAPITAL_BEFORE = re.compile(r"(?<![.!?:] )\b[A-Z][a-z]+[ -]\Z")
_PIECES = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_ASSIGNED = re.compile(
    r"^[ \t]*(?:(?:const|let|var|final|auto)[ \t]+)?([a-z]{2,5})[ \t]*(?::[ \t]*([\w.]+)[ \t]*)?=(?!=)(.+)$", re.M
)


def _from_parentheses(memories: Sequence[Memory], code: Sequence[Code], found: _Found, cancel: CancelToken) -> None:
    for memory in _checked(memories, cancel):
        for long, short in _introduced(_text(memory)):
            found.add(short, long, "parentheses", f"“{long} ({short})” in “{memory.title}”", memory.id)
    for file in _checked(code, cancel):
        for long, short in _introduced(file.text):
            for memory in file.memories:
                found.add(short, long, "parentheses", f"“{long} ({short})” in {file.path}", memory)


def _introduced(text: str) -> Iterator[tuple[str, str]]:
    """The names that parentheses introduce in a text: (long, short)."""
    if "(" not in text:
        return
    for long, short in aliases(text):
        words = long.split()
        if len(words) <= _MOST_NAME_WORDS and initials_fit(short, words):
            yield long, short
    for match in _SHORT_IN_PROSE.finditer(text):
        if clipped(match[2], match[1]) or numeronym(match[2], match[1]):
            yield match[1], match[2]


def _from_spelling(memories: Sequence[Memory], found: _Found, cancel: CancelToken) -> None:
    """Acronyms and numeronyms that a memory has, and what has these letters in the same one."""
    for memory in _checked(memories, cancel):
        text = _text(memory)
        shorts = dict.fromkeys(match.group() for match in _ACRONYM.finditer(text))
        for short in islice(shorts, _MOST_ACRONYMS):
            for long in _spelled(short, text):
                found.add(short, long, "spelledOut", f"“{memory.title}” has both", memory.id)
        counted = {match.group() for match in _NUMERONYMS.finditer(text)}
        if counted:
            for word in {word.casefold() for word in _WORD.findall(text)}:
                for short in counted:
                    if numeronym(short, word):
                        found.add(short, word, "spelledOut", f"“{memory.title}” has both", memory.id)


def _spelled(short: str, text: str) -> Iterator[str]:
    """Names of capitalised words with these initials, and other words with them that stand there more than once."""
    words = "[ -]".join(rf"({letter}|{letter.lower()})[a-z]{{2,}}" for letter in short)
    counts: Counter[str] = Counter()
    for found in re.finditer(rf"(?<![\w-]){words}(?![\w-])", text):
        spelled = [word.casefold() for word in _WORD.findall(found.group())]
        if not STOP_WORDS.isdisjoint(spelled):
            continue
        is_name = all(initial.isupper() for initial in found.groups())
        if is_name and (
            _CAPITAL_AFTER.match(text, found.end())
            or _CAPITAL_BEFORE.search(text[max(0, found.start() - _LONGEST) : found.start()])
        ):
            continue  # a part of a longer name
        counts[" ".join(spelled)] += 2 if is_name else 1
    yield from (long for long, count in counts.items() if count >= 2)


def _from_aliases(memories: Sequence[Memory], found: _Found) -> None:
    """Aliases of the front matter that abbreviate the title or a part of it."""
    for memory in memories:
        words = _WORD.findall(memory.title)
        for alias in memory.aliases:
            why = f"an alias of “{memory.title}”"
            short = alias.strip().casefold()
            if not short.isalnum() or len(short) > 6:
                continue
            for word in words:
                if clipped(short, word.casefold()) or numeronym(short, word.casefold()):
                    found.add(short, word, "alias", why, memory.id)
            for first in range(len(words)):
                run = words[first : first + len(short)]
                if len(run) == len(short) >= 2 and initials_fit(short, run):
                    found.add(short, " ".join(run), "alias", why, memory.id)


def _from_identifiers(memories: Sequence[Memory], code: Sequence[Code], found: _Found, cancel: CancelToken) -> None:
    """Two words in a row of a memory that an identifier has, one of them cut short.

    A memory that is tied to the code with the identifier is enough; else two have to say so, since letters and a
    neighbour in common may be chance.
    """
    before: dict[str, dict[str, _Name]] = defaultdict(dict)
    after: dict[str, dict[str, _Name]] = defaultdict(dict)
    for name, tied in _identifiers(memories, code, cancel):
        pieces = [piece.casefold() for piece in _PIECES.findall(name)]
        for left, right in pairwise(pieces):
            if len(left) >= _SHORTEST_PIECE and len(right) >= _SHORTEST_PIECE:
                one = after[left].setdefault(right, _Name(name, set()))
                one.tied.update(tied)
                before[right][left] = one
    said: dict[tuple[str, str], list[tuple[_Place, bool]]] = defaultdict(list)
    for memory in _checked(memories, cancel):
        words = [word.casefold() for word in _WORD.findall(_text(memory))]
        for left, right in set(pairwise(words)):
            for long, names in ((right, after.get(left)), (left, before.get(right))):
                for piece, name in names.items() if names else ():
                    if clipped(piece, long) and long not in STOP_WORDS and not found.is_compound(piece, long):
                        why = f"{name.text} in code, “{left} {right}” in “{memory.title}”"
                        said[piece, long].append((_Place("identifier", why, memory.id), memory.id in name.tied))
    for (piece, long), places in said.items():
        if any(is_tied for _, is_tied in places) or len({place.memory for place, _ in places}) > 1:
            for place, _ in sorted(places, key=lambda each: not each[1]):
                found.add(piece, long, place.source, place.why, place.memory)


class _Name(NamedTuple):
    """An identifier, and the memories that are tied to where it stands."""

    text: str
    tied: set[str]


def _identifiers(
    memories: Sequence[Memory], code: Sequence[Code], cancel: CancelToken
) -> Iterator[tuple[str, Sequence[str]]]:
    for memory in memories:
        for anchor in memory.every_anchor:
            if anchor.symbol:
                yield from ((name, (memory.id,)) for name in _IDENTIFIER.findall(anchor.symbol))
    for file in _checked(code, cancel):
        yield from ((name, file.memories) for name in dict.fromkeys(_IDENTIFIER.findall(file.text)))


def _from_assignments(memories: Sequence[Memory], code: Sequence[Code], found: _Found, cancel: CancelToken) -> None:
    """Short names of values whose type or maker has the long name, if a memory of the file says that one."""
    by_id = {memory.id: memory for memory in memories}
    said: dict[str, frozenset[str]] = {}
    for file in _checked(code, cancel):
        pairs: set[tuple[str, str]] = set()
        for match in _ASSIGNED.finditer(file.text):
            short, right = match[1], f"{match[2] or ''} {match[3]}"
            for long in {piece.casefold() for piece in _PIECES.findall(right[:200])}:
                if clipped(short, long) and long not in STOP_WORDS:
                    pairs.add((short, long))
        for short, long in sorted(pairs):
            for id_ in file.memories:
                if id_ in by_id and id_ not in said:
                    text = _text(by_id[id_])
                    said[id_] = frozenset(word.casefold() for word in _WORD.findall(text))
                if long in said.get(id_, ()):
                    why = f"`{short}` is a {long} in {file.path}, where “{by_id[id_].title}” is anchored"
                    found.add(short, long, "assignment", why, id_)


def _text(memory: Memory) -> str:
    return f"{memory.title}\n{memory.body}"[:_MOST_CHARACTERS]


def _checked(items: Sequence[T], cancel: CancelToken) -> Iterator[T]:
    for number, item in enumerate(items):
        if number % _CHECK_EVERY == 0:
            cancel.check()
        yield item
