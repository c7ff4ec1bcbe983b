"""What a sentence states of two things, and what it says is over.

A statement is a subject, a verb and an object within one clause: the subject begins the clause and is a whole noun
phrase, the object follows the verb. What is denied, asked, wished for, possible or only so under a condition is not
stated; "no longer", "instead of" and "replaced … with" end what was. Rather nothing than half a sentence: a subject or
an object that cannot be read as a whole is left alone.

Invariant: time is linear in the sentence's length times its verbs, of which the first few are read.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from memofs.graph.fact import SELF, End, Statement
from memofs.graph.names import name_key
from memofs.graph.phrase import Looks, Phrase, is_no_subject, phrase_at
from memofs.graph.prose import Sentence
from memofs.graph.verbs import (
    DROPS,
    GOING,
    HINDERS,
    LEADS,
    MOVES,
    NO_OBJECT,
    OPENS_NO_STATEMENT,
    PASSIVES,
    REPLACES,
    SELF_VERBS,
    VERBS,
    Verb,
)
from memofs.model.relation import RelationType

__all__ = ["stated"]

_MOST_VERBS: Final = 8
_MOST_OBJECTS: Final = 6
_REACH: Final = 12
"""Tokens after a verb among which "instead of" still belongs to it."""
_MOST_BEFORE_COMMA: Final = 6

_BOUNDARIES: Final = frozenset(
    {",", ";", ":", "—", "–", "(", ")", "and", "but", "so", "because", "since", '"', "“", "”"}
)
_DEPENDENT: Final = frozenset(
    {"which", "that", "who", "whose", "where", "when", "if", "unless", "while", "until", "than", "as", "how", "why"}
)
"""Words after which a clause says nothing by itself, or of something that is not named in it."""
_BE: Final = frozenset({"is", "are", "isn't", "aren't"})
_WE: Final = frozenset({"we", "we've", "we'll", "we're"})
_VERBS: Final = frozenset({*VERBS, *SELF_VERBS, *GOING, *_BE, *MOVES, *DROPS, *REPLACES})
_PROJECT: Final = frozenset({"project", "codebase", "repository", "repo", "product"})
_LISTING: Final = frozenset({",", "and", "&", "+"})
_PURPOSES: Final = (["for"], ["to"], ["in"], ["as"], ["on"], ["across"], ["throughout"], ["everywhere"])
_BEFORE_OBJECT: Final = frozenset(
    {"only", "also", "both", "mainly", "mostly", "directly", "internally", "currently", "now"}
)
_HELPING: Final = frozenset({"will", "shall", "must", "to", "we'll"})


class _Subject(NamedTuple):
    """The ends that a clause speaks of; `is_sure` where each of them is named without doubt, and not as code.

    One that is named only because it opens the sentence counts where what it is said of is named itself.
    """

    ends: tuple[tuple[str, Looks], ...]
    is_sure: bool = True


_SELF: Final = _Subject(((SELF, "named"),))


def stated(sentence: Sentence, line: int, *, imperative: bool = False) -> list[Statement]:
    """The statements of a sentence; `imperative` says that what it tells to do is done."""
    words = [word.replace("’", "'") if "’" in word else word for word in sentence.words]
    if not words or words[0].casefold() in OPENS_NO_STATEMENT:
        return []
    return list(dict.fromkeys(_Reader(sentence, words, line, imperative=imperative).read()))


class _Reader:
    """One sentence. `_subject` is that of the clause before, which "and depends on …" goes on with."""

    def __init__(self, sentence: Sentence, words: list[str], line: int, *, imperative: bool) -> None:
        self._sentence = sentence
        self._words = words
        self._folded = [word.casefold() for word in words]
        self._line = line
        self._imperative = imperative
        self._subject: _Subject | None = None
        self._subjects: dict[tuple[int, bool], _Subject | None] = {}

    def read(self) -> Iterator[Statement]:
        """Every statement, in order of their verbs."""
        read = 0
        for at, word in enumerate(self._words):
            folded = word if at else self._folded[0]  # "Block" within a title is no verb
            if folded not in _VERBS or (folded not in MOVES and self._word(at + 1) in NO_OBJECT):
                continue
            found: list[Statement] = []
            if folded in _BE:
                found = list(self._by_passive(at))
            elif folded in MOVES or folded in DROPS:
                found = list(self._by_move(at))
            else:
                found = [*self._by_verb(at), *self._by_self(at), *self._no_longer(at)]
            if not found and folded in REPLACES:
                found = list(self._by_replacing(at))
            yield from found
            read += bool(found)
            if read == _MOST_VERBS:
                return

    # --- the ways to state something -------------------------------------------------------------------------------

    def _by_verb(self, at: int) -> Iterator[Statement]:
        """Of "A uses B", "A and B depend on C"."""
        for verb in VERBS.get(self._folded[at], ()):
            after = self._following(at + 1, verb.then)
            if after is None:
                continue
            is_plain = verb.form == "plain"
            subject = self._subject_before(at, plain=is_plain)
            if subject is None or SELF in (label for label, _ in subject.ends):
                continue
            if is_plain and not self._takes_plain(subject, at):
                continue  # "block retention" is a noun
            yield from self._facts(subject, verb.relation, after)
            return

    def _by_self(self, at: int) -> Iterator[Statement]:
        """Of "we use B", and "use B" where that is a decision."""
        verb = SELF_VERBS.get(self._folded[at])
        after = None if verb is None else self._following(at + 1, verb.then)
        if verb is None or after is None:
            return
        if at == 0 and self._imperative and verb.form == "plain":
            subject: _Subject | None = _SELF
        else:
            subject = self._subject_before(at, plain=True)
        if subject is not None and subject == _SELF:
            yield from self._facts(subject, verb.relation, after, known=False)

    def _no_longer(self, at: int) -> Iterator[Statement]:
        """Of "A no longer uses B", "we stopped using B"."""
        word = self._folded[at]
        ended_at = at
        if self._folded[max(0, at - 2) : at] == ["no", "longer"]:
            ended_at = at - 2
        elif word.endswith("ing") and at and self._folded[at - 1] in ("stopped", "stop", "quit"):
            ended_at = at - 1
        if ended_at == at:
            return
        subject = self._subject_before(ended_at, plain=True)
        verbs: Sequence[Verb] = VERBS.get(word, ()) or (
            Verb("uses", "plain", ("on",) if word.startswith("rel") else ()),
        )
        for verb in verbs:
            after = self._following(at + 1, verb.then)
            if subject is not None and after is not None:
                for phrase in self._objects(after, known=True)[0]:
                    yield from self._each(subject, verb.relation, phrase, ended=True)
                return

    def _by_passive(self, at: int) -> Iterator[Statement]:
        """Of "A is owned by B", "A is built on B", "A is used for sessions"."""
        after = at + 1
        while after < len(self._words) and self._folded[after] in LEADS:
            after += 1
        if after >= len(self._words) or self._words[at].endswith("n't"):
            return
        participle = self._folded[after]
        subject = self._subject_before(at, plain=True)
        if subject is None or SELF in (label for label, _ in subject.ends):
            return
        for passive in PASSIVES.get(participle, ()):
            start = self._following(after + 1, passive.then)
            if start is None:
                continue
            phrases, _ = self._objects(start, known=True)
            for phrase in phrases:
                if not passive.turned:
                    yield from self._each(subject, passive.relation, phrase)
                else:
                    for label, end in subject.ends:
                        yield from self._one(phrase.label, phrase.looks, passive.relation, label, end)
            return
        if participle == "used" and subject.is_sure and self._folded[after + 1 : after + 2] in _PURPOSES:
            for label, end in subject.ends:
                yield from self._one(SELF, "named", "uses", label, end)

    def _by_move(self, at: int) -> Iterator[Statement]:
        """Of "we moved from A to B", "we dropped A (in favour of B)"."""
        if at == 0 and self._imperative:
            subject: _Subject | None = _SELF
        else:
            subject = self._subject_before(at, plain=True)
        if subject is None:
            return
        if self._folded[at] in DROPS:
            dropped, after = self._objects(at + 1, known=False)
            dropped = [] if any(word.startswith("`") for word in self._words[at:after]) else dropped
            for phrase in dropped:
                yield from self._each(subject, "uses", phrase, ended=True)
            gained = self._following(after, ("in", "favour", "of")) or self._following(after, ("in", "favor", "of"))
            if dropped and gained is not None:
                for phrase in self._objects(gained, known=False)[0]:
                    yield from self._each(subject, "uses", phrase)
            return
        after = at + 1
        lost: list[Phrase] = []
        if self._following(after, ("from",)) is not None:
            lost, after = self._objects(after + 1, known=False)
            if not lost:
                return
        if self._following(after, ("to",)) is None:
            return
        gained_phrases, after = self._objects(after + 1, known=False)
        if gained_phrases and not lost and self._following(after, ("from",)) is not None:
            lost, _ = self._objects(after + 1, known=False)
        for phrase in gained_phrases:
            yield from self._each(subject, "uses", phrase)
            for old in lost:
                yield from self._each(subject, "uses", old, ended=True)

    def _by_replacing(self, at: int) -> Iterator[Statement]:
        """Of "we replaced A with B": what A was used for, B is used for now."""
        if at == 0 and self._imperative:
            subject: _Subject | None = _SELF
        else:
            subject = self._subject_before(at, plain=True)
        if subject is None:
            return
        old, after = self._objects(at + 1, known=False)
        start = self._following(after, ("with",)) or self._following(after, ("by",))
        if not old or start is None:
            return
        new, _ = self._objects(start, known=False)
        for phrase in new:
            yield from self._each(subject, "uses", phrase)
        for phrase in old if new else ():
            yield from self._each(subject, "uses", phrase, ended=True)

    # --- facts -----------------------------------------------------------------------------------------------------

    def _facts(
        self, subject: _Subject, relation: RelationType, after: int, *, known: bool = True
    ) -> Iterator[Statement]:
        """What a subject does to the objects that begin at a token, and what it no longer does instead."""
        phrases, end = self._objects(after, known=known)
        if not phrases:
            return
        self._subject = subject
        self._subjects.clear()
        for phrase in phrases:
            yield from self._each(subject, relation, phrase)
        for phrase in self._instead_of(end):
            yield from self._each(subject, relation, phrase, ended=True)

    def _each(
        self, subject: _Subject, relation: RelationType, phrase: Phrase, *, ended: bool = False
    ) -> Iterator[Statement]:
        for label, end in subject.ends:
            yield from self._one(label, end, relation, phrase.label, phrase.looks, ended=ended)

    def _one(
        self,
        source: str,
        source_looks: Looks,
        relation: RelationType,
        target: str,
        target_looks: Looks,
        *,
        ended: bool = False,
    ) -> Iterator[Statement]:
        if source == SELF and target_looks == "known":
            return
        if name_key(source) != name_key(target):
            source_end, target_end = _end(source_looks, target_looks), _end(target_looks, source_looks)
            yield Statement(source, relation, target, self._line, ended, source_end, target_end)

    # --- subjects --------------------------------------------------------------------------------------------------

    def _subject_before(self, verb: int, *, plain: bool) -> _Subject | None:
        """The subject of the verb at a token; None if there is none that can be read, or the verb is hindered."""
        if (verb, plain) not in self._subjects:
            self._subjects[verb, plain] = self._found_subject(verb, plain=plain)
        return self._subjects[verb, plain]

    def _found_subject(self, verb: int, *, plain: bool) -> _Subject | None:
        end = verb
        while end > 0 and (self._folded[end - 1] in LEADS or self._folded[end - 1] in HINDERS):
            if self._folded[end - 1] in HINDERS:
                return None
            end -= 1
        if "going" in self._folded[end:verb] and self._folded[end - 1 : end] in (["are"], ["is"]):
            end -= 1
        start = end
        while start > 0 and self._folded[start - 1] not in _BOUNDARIES and self._folded[start - 1] not in _DEPENDENT:
            start -= 1
        is_we = end == start + 1 and self._folded[start] in _WE
        if not self._opens_clause(start, far=is_we):
            return None
        if start == end:
            goes_on = start > 0 and self._folded[start - 1] in ("and", "but", ",")
            return self._subject if goes_on else None
        subject = self._subject_at(start, end)
        if subject is not None and plain and start > 1 and self._folded[start - 1] == "and":
            before = self._coordinated(start - 1)
            if before is not None:
                return _Subject((*before.ends, *subject.ends), before.is_sure and subject.is_sure)
        return subject

    def _takes_plain(self, subject: _Subject, verb: int) -> bool:
        """Whether the plain form of a verb agrees with its subject: several things, or after "will"."""
        leads = verb
        while leads > 0 and self._folded[leads - 1] in LEADS:
            leads -= 1
        if any(word in _HELPING for word in self._folded[leads:verb]):
            return True
        return len(subject.ends) > 1 or self._folded[leads - 1].strip("`").endswith("s")

    def _opens_clause(self, start: int, *, far: bool = False) -> bool:
        """Whether the clause that begins at a token states something by itself.

        What stands before a comma is read as a circumstance where it is short, or `far` says that "we" follow.
        """
        if start == 0:
            return True
        before = self._folded[start - 1]
        if before in _DEPENDENT:
            return False
        if before == "," and start - 1 > _MOST_BEFORE_COMMA and self._subject is None and not far:
            return False
        lead = self._folded[: start - 1]
        return not any(word in _DEPENDENT or word == "if" for word in lead[-_MOST_BEFORE_COMMA:] if before == ",")

    def _subject_at(self, start: int, end: int) -> _Subject | None:
        """The noun phrase that fills the tokens from start to end."""
        folded = self._folded[start:end]
        if len(folded) == 1 and folded[0] in _WE:
            return _SELF
        if len(folded) == 2 and folded[0] in ("the", "this", "our") and folded[1] in _PROJECT:
            return _SELF
        opens = start == 0 or self._folded[start - 1] in (":", ";", '"', "“", "(")
        phrase = phrase_at(self._sentence, start, opens=opens, until=end)
        if phrase is None or phrase.end != end:
            return None
        if phrase.looks == "first" and is_no_subject(phrase.label):
            return None
        is_sure = phrase.looks == "named" and not any(word.startswith("`") for word in self._words[start:end])
        return _Subject(((phrase.label, phrase.looks),), is_sure)

    def _coordinated(self, at: int) -> _Subject | None:
        """The phrase that "and" at a token joins to what follows it."""
        start = at
        while start > 0 and self._folded[start - 1] not in _BOUNDARIES and self._folded[start - 1] not in _DEPENDENT:
            start -= 1
        if start == at or not self._opens_clause(start):
            return None
        return self._subject_at(start, at)

    # --- objects ---------------------------------------------------------------------------------------------------

    def _objects(self, at: int, *, known: bool) -> tuple[list[Phrase], int]:
        """The phrases listed from a token on, and where they end; none where it is left open which of them."""
        while at < len(self._words) and self._folded[at] in _BEFORE_OBJECT:
            at += 1
        if at >= len(self._words):
            return [], at
        first = phrase_at(self._sentence, at, opens=False)
        if first is None or (first.looks == "known" and not known):
            return [], at
        found, end = [first], first.end
        while end < len(self._words) and len(found) < _MOST_OBJECTS and self._folded[end] in _LISTING:
            following = end + 1
            if following < len(self._words) and self._folded[following] == "and":
                following += 1
            if following >= len(self._words):
                break
            more = phrase_at(self._sentence, following, opens=False)
            if more is None and not self._words[following][0].islower():
                return [], end  # "JS and CSS bundling": what is listed is not what was read
            if more is None or more.looks != "named" or self._goes_on_as_clause(more.end):
                break
            found.append(more)
            end = more.end
        follows = self._folded[end] if end < len(self._words) else ""
        if follows in ("or", "/") or (follows == "," and self._folded[end + 1 : end + 2] == ["or"]):
            return [], end
        if follows in ("if", "unless", "where", "whenever"):
            return [], end
        return found, end

    def _goes_on_as_clause(self, at: int) -> bool:
        """Whether a verb follows, so that the phrase before is the subject of another clause."""
        while at < len(self._words) and self._folded[at] in LEADS:
            at += 1
        word = self._folded[at] if at < len(self._words) else ""
        return word in VERBS or word in _BE or word in HINDERS or word in ("has", "have", "was", "were", "will", "does")

    def _instead_of(self, after: int) -> list[Phrase]:
        """What is named after "instead of" or "rather than" in the rest of a clause."""
        for at in range(after, min(after + _REACH, len(self._words) - 2)):
            word, following = self._folded[at], self._folded[at + 1]
            if (word, following) in (("instead", "of"), ("rather", "than")):
                phrases, _ = self._objects(at + 2, known=False)
                return phrases
            if word in VERBS and at > after:
                break
        return []

    def _word(self, at: int) -> str:
        """The word at a place, in lower case; nothing beyond the end."""
        return self._folded[at] if at < len(self._folded) else ""

    def _following(self, at: int, wanted: Sequence[str]) -> int | None:
        """Where the words end that begin at a token, if they are the wanted ones."""
        end = at + len(wanted)
        return end if self._folded[at:end] == list(wanted) else None


def _end(looks: Looks, other: Looks) -> End:
    """How much an end counts: what is capitalised only where a sentence opens needs another that is named."""
    return "named" if looks == "named" or (looks == "first" and other == "named") else "known"
