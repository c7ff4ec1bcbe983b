"""What a sentence states of two things, and what it says is over.

A statement is a subject, a verb and an object within one clause: the subject begins the clause and is a whole noun
phrase, the object follows the verb. What is denied, asked, wished for, possible or only so under a condition is not
stated; "no longer", "instead of" and "replaced … with" end what was. Rather nothing than half a sentence: a subject or
an object that cannot be read as a whole is left alone.

Invariant: time is linear in the sentence's length times its verbs, of which the first few are read.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from memofs.graph.clauses import BE, OURSELVES, Clauses, Subject
from memofs.graph.fact import SELF, End, Statement
from memofs.graph.names import name_key
from memofs.graph.phrase import Looks, Phrase
from memofs.graph.prose import Sentence
from memofs.graph.verbs import (
    DROPS,
    GOING,
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

_VERBS: Final = frozenset({*VERBS, *SELF_VERBS, *GOING, *BE, *MOVES, *DROPS, *REPLACES})
_PURPOSES: Final = (["for"], ["to"], ["in"], ["as"], ["on"], ["across"], ["throughout"], ["everywhere"])


def stated(sentence: Sentence, line: int, *, imperative: bool = False) -> list[Statement]:
    """The statements of a sentence; `imperative` says that what it tells to do is done."""
    words = [word.replace("’", "'") if "’" in word else word for word in sentence.words]
    if not words or words[0].casefold() in OPENS_NO_STATEMENT:
        return []
    return list(dict.fromkeys(_Reader(sentence, words, line, imperative=imperative).read()))


class _Reader:
    """One sentence, verb by verb."""

    def __init__(self, sentence: Sentence, words: list[str], line: int, *, imperative: bool) -> None:
        self._clauses = Clauses(sentence, words)
        self._line = line
        self._imperative = imperative

    def read(self) -> Iterator[Statement]:
        """Every statement, in order of their verbs."""
        read = 0
        for at, word in enumerate(self._clauses.words):
            folded = word if at else self._clauses.folded[0]  # "Block" within a title is no verb
            if folded not in _VERBS or (folded not in MOVES and self._clauses.word(at + 1) in NO_OBJECT):
                continue
            found: list[Statement] = []
            if folded in BE:
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
        for verb in VERBS.get(self._clauses.folded[at], ()):
            after = self._clauses.following(at + 1, verb.then)
            if after is None:
                continue
            is_plain = verb.form == "plain"
            subject = self._clauses.subject_before(at, plain=is_plain)
            if subject is None or SELF in (label for label, _ in subject.ends):
                continue
            if is_plain and not self._clauses.takes_plain(subject, at):
                continue  # "block retention" is a noun
            yield from self._facts(subject, verb.relation, after)
            return

    def _by_self(self, at: int) -> Iterator[Statement]:
        """Of "we use B", and "use B" where that is a decision."""
        verb = SELF_VERBS.get(self._clauses.folded[at])
        after = None if verb is None else self._clauses.following(at + 1, verb.then)
        if verb is None or after is None:
            return
        if at == 0 and self._imperative and verb.form == "plain":
            subject: Subject | None = OURSELVES
        else:
            subject = self._clauses.subject_before(at, plain=True)
        if subject is not None and subject == OURSELVES:
            yield from self._facts(subject, verb.relation, after, known=False)

    def _no_longer(self, at: int) -> Iterator[Statement]:
        """Of "A no longer uses B", "we stopped using B"."""
        word = self._clauses.folded[at]
        ended_at = at
        if self._clauses.folded[max(0, at - 2) : at] == ["no", "longer"]:
            ended_at = at - 2
        elif word.endswith("ing") and at and self._clauses.folded[at - 1] in ("stopped", "stop", "quit"):
            ended_at = at - 1
        if ended_at == at:
            return
        subject = self._clauses.subject_before(ended_at, plain=True)
        verbs: Sequence[Verb] = VERBS.get(word, ()) or (
            Verb("uses", "plain", ("on",) if word.startswith("rel") else ()),
        )
        for verb in verbs:
            after = self._clauses.following(at + 1, verb.then)
            if subject is not None and after is not None:
                for phrase in self._clauses.objects(after, known=True)[0]:
                    yield from self._each(subject, verb.relation, phrase, ended=True)
                return

    def _by_passive(self, at: int) -> Iterator[Statement]:
        """Of "A is owned by B", "A is built on B", "A is used for sessions"."""
        after = at + 1
        while after < len(self._clauses.words) and self._clauses.folded[after] in LEADS:
            after += 1
        if after >= len(self._clauses.words) or self._clauses.words[at].endswith("n't"):
            return
        participle = self._clauses.folded[after]
        subject = self._clauses.subject_before(at, plain=True)
        if subject is None or SELF in (label for label, _ in subject.ends):
            return
        for passive in PASSIVES.get(participle, ()):
            start = self._clauses.following(after + 1, passive.then)
            if start is None:
                continue
            phrases, _ = self._clauses.objects(start, known=True)
            for phrase in phrases:
                if not passive.turned:
                    yield from self._each(subject, passive.relation, phrase)
                else:
                    for label, end in subject.ends:
                        yield from self._one(phrase.label, phrase.looks, passive.relation, label, end)
            return
        if participle == "used" and subject.is_sure and self._clauses.folded[after + 1 : after + 2] in _PURPOSES:
            for label, end in subject.ends:
                yield from self._one(SELF, "named", "uses", label, end)

    def _by_move(self, at: int) -> Iterator[Statement]:
        """Of "we moved from A to B", "we dropped A (in favour of B)"."""
        if at == 0 and self._imperative:
            subject: Subject | None = OURSELVES
        else:
            subject = self._clauses.subject_before(at, plain=True)
        if subject is None:
            return
        if self._clauses.folded[at] in DROPS:
            dropped, after = self._clauses.objects(at + 1, known=False)
            dropped = [] if any(word.startswith("`") for word in self._clauses.words[at:after]) else dropped
            for phrase in dropped:
                yield from self._each(subject, "uses", phrase, ended=True)
            gained = self._clauses.following(after, ("in", "favour", "of")) or self._clauses.following(
                after, ("in", "favor", "of")
            )
            if dropped and gained is not None:
                for phrase in self._clauses.objects(gained, known=False)[0]:
                    yield from self._each(subject, "uses", phrase)
            return
        after = at + 1
        lost: list[Phrase] = []
        if self._clauses.following(after, ("from",)) is not None:
            lost, after = self._clauses.objects(after + 1, known=False)
            if not lost:
                return
        if self._clauses.following(after, ("to",)) is None:
            return
        gained_phrases, after = self._clauses.objects(after + 1, known=False)
        if gained_phrases and not lost and self._clauses.following(after, ("from",)) is not None:
            lost, _ = self._clauses.objects(after + 1, known=False)
        for phrase in gained_phrases:
            yield from self._each(subject, "uses", phrase)
            for old in lost:
                yield from self._each(subject, "uses", old, ended=True)

    def _by_replacing(self, at: int) -> Iterator[Statement]:
        """Of "we replaced A with B": what A was used for, B is used for now."""
        if at == 0 and self._imperative:
            subject: Subject | None = OURSELVES
        else:
            subject = self._clauses.subject_before(at, plain=True)
        if subject is None:
            return
        old, after = self._clauses.objects(at + 1, known=False)
        start = self._clauses.following(after, ("with",)) or self._clauses.following(after, ("by",))
        if not old or start is None:
            return
        new, _ = self._clauses.objects(start, known=False)
        for phrase in new:
            yield from self._each(subject, "uses", phrase)
        for phrase in old if new else ():
            yield from self._each(subject, "uses", phrase, ended=True)

    # --- facts -----------------------------------------------------------------------------------------------------

    def _facts(
        self, subject: Subject, relation: RelationType, after: int, *, known: bool = True
    ) -> Iterator[Statement]:
        """What a subject does to the objects that begin at a token, and what it no longer does instead."""
        phrases, end = self._clauses.objects(after, known=known)
        if not phrases:
            return
        self._clauses.go_on_with(subject)
        for phrase in phrases:
            yield from self._each(subject, relation, phrase)
        for phrase in self._clauses.instead_of(end):
            yield from self._each(subject, relation, phrase, ended=True)

    def _each(
        self, subject: Subject, relation: RelationType, phrase: Phrase, *, ended: bool = False
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


def _end(looks: Looks, other: Looks) -> End:
    """How much an end counts: what is capitalised only where a sentence opens needs another that is named."""
    return "named" if looks == "named" or (looks == "first" and other == "named") else "known"
