"""Noun phrases of a sentence, and whether they name an entity.

An entity is what has a name: code, a file, what the trade knows, a word with capitals inside, an acronym, capitalised
words where a sentence does not begin. "The booking service" may be one, if another memory, a tag or a person calls it
so. "It", "this approach" and "the code" are none.

Invariant: a phrase that is more than the name in it is no name: "API keys" is not "API".
"""

import re
from collections.abc import Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from memofs.graph.names import MOST_LABEL, is_file, known_names, known_spellings, name_key
from memofs.graph.prose import Sentence, is_title_case
from memofs.graph.word_lists import word_list
from memofs.text.stop_words import STOP_WORDS

__all__ = ["Looks", "Phrase", "is_no_subject", "may_name", "names_in", "phrase_at"]

Looks: TypeAlias = Literal["named", "first", "known"]
"""named: it looks like an entity; first: it may, being capitalised, but so is every word that opens a sentence; known:
it is one only where it is one anyway."""


class Phrase(NamedTuple):
    """A noun phrase that ends before token `end`."""

    label: str
    looks: Looks
    end: int


def phrase_at(sentence: Sentence, at: int, *, opens: bool, until: int | None = None) -> Phrase | None:
    """The noun phrase that begins at a token and ends before token `until`; None if there is none that may be a name.

    `opens` says that a sentence or a clause begins there too.
    """
    words = sentence.words[:until]
    start = at
    while at < len(words) and words[at].casefold() in _DETERMINERS:
        at += 1
    if at >= len(words) or (at > start and words[at - 1].casefold() in _INDEFINITE):
        return None
    named = _named(words, at, sentence, opens=opens and at == start)
    if named is None:
        return _described(words, at)
    return _with_heads(words, named)


def may_name(word: str) -> bool:
    """Whether a word as it is written may be part of a name: a quick look, which misses none."""
    return word[0] in "`@" or not word.islower() or word in known_spellings() or "/" in word


def is_no_subject(label: str) -> bool:
    """Whether a label that is capitalised because it opens a sentence is an ordinary word and no entity."""
    return label.casefold() in _NO_SUBJECT or label.casefold() in _OPENS_NO_NAME


def names_in(sentence: Sentence) -> list[str]:
    """The labels of everything in a sentence that looks like an entity, or may as it opens it, each once."""
    words = sentence.words
    found: list[str] = []
    at = 0
    while at < len(words):
        if not may_name(words[at]):
            at += 1
            continue
        named = _named(words, at, sentence, opens=at == 0)
        if named is not None and (named.looks == "named" or (at == 0 and not is_no_subject(named.label))):
            found.append(named.label)
        at = at + 1 if named is None else named.end
    return list(dict.fromkeys(found))


_DETERMINERS: Final = word_list("determiners")
_INDEFINITE: Final = word_list("indefinite")
_HEADS: Final = word_list("heads")
"""Nouns that say what sort of thing a name is, and are no part of it."""
_COMMON: Final = word_list("common")
"""Acronyms that say what sort of thing something is: names where one stands for a thing of the project."""
_SHOUTED: Final = word_list("shouted")

_NO_CODE: Final = word_list("no code")
_NO_NAME: Final = word_list("no name")
"""Capitalised without being a name."""
_NO_SUBJECT: Final = word_list("no subject")
"""Words that open a sentence and are no entity by themselves."""
_OPENS_NO_NAME: Final = word_list("opens no name")
_NO_NOUN: Final = word_list("no noun")

_CODE: Final = re.compile(r"[A-Za-z_@$][\w.$:/@#-]{0,79}(?:\(\))?(?:<\w{1,20}>)?")
_ACRONYM: Final = re.compile(r"[A-Z](?:[/&.-]?[A-Z0-9])+(?:s|\.)?")
_INNER_CAPITAL: Final = re.compile(
    r"[A-Za-z]+(?:[a-z0-9][A-Z]|[A-Z][A-Z]+[a-z])\w*(?:\.\w+)*|[A-Z]\w*\.[A-Z]\w*|[a-z]{1,2}[A-Z]\w+"
)
_DIGIT_NAME: Final = re.compile(r"(?=\w*[A-Z])(?=\w*\d)[A-Za-z][A-Za-z0-9]*")
_CAPITALISED: Final = re.compile(r"[A-Z][a-z][A-Za-z]*(?:-[A-Z][a-z]+)*")
_VERSION: Final = re.compile(r"v?\d+(?:\.(?:\d+|x))*\+?")
_NOUN: Final = re.compile(r"[a-z]{2,}(?:-[a-z]+)*")
_MOST_DESCRIBED_WORDS: Final = 3


def _named(words: Sequence[str], at: int, sentence: Sentence, *, opens: bool) -> Phrase | None:
    """The longest name that begins exactly at a token."""
    word = words[at]
    if word.isalpha() and not may_name(word):
        return None
    if word.startswith("`"):
        return _code(word, at)
    if is_file(word) or (word.startswith("@") and name_key(word).startswith("@")):
        return Phrase(word, "named", at + 1)
    end, looks = at, set[Looks]()
    while end < len(words):
        known = _known(words, end)
        seen = "named" if known else _looks(words[end], sentence, opens=opens and end == at)
        if seen is None or (end == at and _is_ordinary(words[end], opens=opens)):
            break
        looks.add(seen)
        end += known or 1
        if _is_possessive(words, end):
            return None
    label = " ".join(words[at:end])
    if not label or len(label) > MOST_LABEL:
        return None
    if label.casefold() in _COMMON:
        stands_for_one = opens or (at > 0 and words[at - 1].casefold() == "the")
        return Phrase(label, "first" if stands_for_one else "known", end)
    return Phrase(label, "named" if "named" in looks else "first", end)


def _is_ordinary(word: str, *, opens: bool) -> bool:
    """Whether the first word of a name would be one that is capitalised for another reason."""
    return word.casefold() in _NO_NAME or (opens and word.casefold() in _OPENS_NO_NAME)


def _known(words: Sequence[str], at: int) -> int:
    """How many tokens make up a name that the trade knows, spelled as it may be; 0 if none do."""
    for spelling in known_spellings().get(words[at].casefold(), ()):
        count = len(spelling)
        if count > 1 and tuple(word.casefold() for word in words[at : at + count]) != spelling:
            continue
        spelled = " ".join(words[at : at + count])
        known = known_names().get(name_key(spelled))
        if known is not None and (not known.spelled or spelled in known.spelled):
            return count
    return 0


def _code(span: str, at: int) -> Phrase | None:
    """The name in a code span; a word of a language is none, and a command with its arguments neither."""
    inner = span.strip("` ")
    if _CODE.fullmatch(inner) is None or inner.casefold() in _NO_CODE or inner.casefold() in STOP_WORDS:
        return None
    return Phrase(inner, "named", at + 1) if len(name_key(inner)) > 1 else None


def _looks(word: str, sentence: Sentence, *, opens: bool) -> Looks | None:
    """How much a single word looks like a name."""
    folded = word.casefold()
    if folded in _SHOUTED or folded in STOP_WORDS or folded in _NO_PART or not word[0].isalpha():
        return None
    if "-" in word and word.rpartition("-")[2].islower():
        return None  # "AWS-managed" says something of another noun
    if _ACRONYM.fullmatch(word):
        return "named"
    if _INNER_CAPITAL.fullmatch(word) or _DIGIT_NAME.fullmatch(word):
        return "named"
    if _CAPITALISED.fullmatch(word) is None:
        return None
    in_title = is_title_case(sentence.words)
    return None if in_title and word.endswith("ly") else "first" if opens or in_title else "named"


def _is_possessive(words: Sequence[str], at: int) -> bool:
    """Whether the name that ends here is only whose thing is spoken of."""
    return words[at - 1].endswith(("'s", "’s", "s'", "s’")) or (at < len(words) and words[at] in ("'", "’"))


def _with_heads(words: Sequence[str], named: Phrase) -> Phrase | None:
    """A name with a noun that says what it is, which is no part of it; None if it only qualifies another noun."""
    end = named.end
    while end < len(words) and _VERSION.fullmatch(words[end]):
        end += 1
    heads = 0
    while end < len(words) and words[end] in _HEADS and heads < 2:
        end += 1
        heads += 1
    looks: Looks = (
        "named" if heads and named.looks == "first" and named.label.casefold() not in _NO_SUBJECT else named.looks
    )
    if end < len(words) and not heads and (_is_noun(words[end]) or _goes_on(words[end])):
        return None
    return Phrase(named.label, looks, end)


def _goes_on(word: str) -> bool:
    """Whether a name goes on with a word that is none of a name's: "Flow Based Programming"."""
    return word[0].isupper() and word.casefold() not in STOP_WORDS


def _described(words: Sequence[str], at: int) -> Phrase | None:
    """One to three plain words that another memory may know as an entity's name."""
    end = at
    while (
        end < len(words)
        and end - at <= _MOST_DESCRIBED_WORDS
        and _is_noun(words[end].lower() if end == at else words[end])
    ):
        end += 1
    if end == at or end - at > _MOST_DESCRIBED_WORDS or words[end - 1].lower() in _NO_NOUN:
        return None
    if words[at].casefold() in _NO_SUBJECT and end == at + 1:
        return None
    return Phrase(" ".join(words[at:end]), "known", end)


def _is_noun(word: str) -> bool:
    """Whether a word may be a noun: most words may, but not those that join or qualify."""
    return (
        _NOUN.fullmatch(word) is not None
        and word not in STOP_WORDS
        and word not in _NO_PART
        and not word.endswith("ly")
    )


_NO_PART: Final = word_list("no part")
"""Words that end a noun phrase."""
