"""The clauses of a sentence around its verbs: who does it, and to what.

A subject fills a clause from its beginning to the verb; objects follow the verb, and a list of them is read to its end
or not at all. Nothing is found where the verb is denied, possible or wished for.

Invariant: what is found is whole: no part of a phrase that goes on.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from memofs.graph.fact import SELF
from memofs.graph.phrase import Looks, Phrase, is_no_subject, phrase_at
from memofs.graph.prose import Sentence
from memofs.graph.verbs import HINDERS, LEADS, VERBS

__all__ = ["BE", "OURSELVES", "Clauses", "Subject"]

BE: Final = frozenset({"is", "are", "isn't", "aren't"})
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
_WE: Final = frozenset({"we", "we've", "we'll", "we're"})
_PROJECT: Final = frozenset({"project", "codebase", "repository", "repo", "product"})
_LISTING: Final = frozenset({",", "and", "&", "+"})
_BEFORE_OBJECT: Final = frozenset(
    {"only", "also", "both", "mainly", "mostly", "directly", "internally", "currently", "now"}
)
_HELPING: Final = frozenset({"will", "shall", "must", "to", "we'll"})


class Subject(NamedTuple):
    """The ends that a clause speaks of; `is_sure` where each of them is named without doubt, and not as code.

    One that is named only because it opens the sentence counts where what it is said of is named itself.
    """

    ends: tuple[tuple[str, Looks], ...]
    is_sure: bool = True


OURSELVES: Final = Subject(((SELF, "named"),))
"""We, the project: the memory speaks of itself."""


class Clauses:
    """One sentence, its words as they are and in lower case.

    `_subject` is that of the clause before, which "and depends on …" goes on with.
    """

    def __init__(self, sentence: Sentence, words: list[str]) -> None:
        self.sentence = sentence
        self.words = words
        self.folded = [word.casefold() for word in words]
        self._subject: Subject | None = None
        self._subjects: dict[tuple[int, bool], Subject | None] = {}

    def go_on_with(self, subject: Subject) -> None:
        """Take a subject for that of the clauses that follow without one."""
        self._subject = subject
        self._subjects.clear()

    # --- subjects --------------------------------------------------------------------------------------------------

    def subject_before(self, verb: int, *, plain: bool) -> Subject | None:
        """The subject of the verb at a token; None if there is none that can be read, or the verb is hindered."""
        if (verb, plain) not in self._subjects:
            self._subjects[verb, plain] = self._found_subject(verb, plain=plain)
        return self._subjects[verb, plain]

    def _found_subject(self, verb: int, *, plain: bool) -> Subject | None:
        end = verb
        while end > 0 and (self.folded[end - 1] in LEADS or self.folded[end - 1] in HINDERS):
            if self.folded[end - 1] in HINDERS:
                return None
            end -= 1
        if "going" in self.folded[end:verb] and self.folded[end - 1 : end] in (["are"], ["is"]):
            end -= 1
        start = end
        while start > 0 and self.folded[start - 1] not in _BOUNDARIES and self.folded[start - 1] not in _DEPENDENT:
            start -= 1
        is_we = end == start + 1 and self.folded[start] in _WE
        if not self._opens_clause(start, far=is_we):
            return None
        if start == end:
            goes_on = start > 0 and self.folded[start - 1] in ("and", "but", ",")
            return self._subject if goes_on else None
        subject = self._subject_at(start, end)
        if subject is not None and plain and start > 1 and self.folded[start - 1] == "and":
            before = self._coordinated(start - 1)
            if before is not None:
                return Subject((*before.ends, *subject.ends), before.is_sure and subject.is_sure)
        return subject

    def takes_plain(self, subject: Subject, verb: int) -> bool:
        """Whether the plain form of a verb agrees with its subject: several things, or after "will"."""
        leads = verb
        while leads > 0 and self.folded[leads - 1] in LEADS:
            leads -= 1
        if any(word in _HELPING for word in self.folded[leads:verb]):
            return True
        return len(subject.ends) > 1 or self.folded[leads - 1].strip("`").endswith("s")

    def _opens_clause(self, start: int, *, far: bool = False) -> bool:
        """Whether the clause that begins at a token states something by itself.

        What stands before a comma is read as a circumstance where it is short, or `far` says that "we" follow.
        """
        if start == 0:
            return True
        before = self.folded[start - 1]
        if before in _DEPENDENT:
            return False
        if before == "," and start - 1 > _MOST_BEFORE_COMMA and self._subject is None and not far:
            return False
        lead = self.folded[: start - 1]
        return not any(word in _DEPENDENT or word == "if" for word in lead[-_MOST_BEFORE_COMMA:] if before == ",")

    def _subject_at(self, start: int, end: int) -> Subject | None:
        """The noun phrase that fills the tokens from start to end."""
        folded = self.folded[start:end]
        if len(folded) == 1 and folded[0] in _WE:
            return OURSELVES
        if len(folded) == 2 and folded[0] in ("the", "this", "our") and folded[1] in _PROJECT:
            return OURSELVES
        opens = start == 0 or self.folded[start - 1] in (":", ";", '"', "“", "(")
        phrase = phrase_at(self.sentence, start, opens=opens, until=end)
        if phrase is None or phrase.end != end:
            return None
        if phrase.looks == "first" and is_no_subject(phrase.label):
            return None
        is_sure = phrase.looks == "named" and not any(word.startswith("`") for word in self.words[start:end])
        return Subject(((phrase.label, phrase.looks),), is_sure)

    def _coordinated(self, at: int) -> Subject | None:
        """The phrase that "and" at a token joins to what follows it."""
        start = at
        while start > 0 and self.folded[start - 1] not in _BOUNDARIES and self.folded[start - 1] not in _DEPENDENT:
            start -= 1
        if start == at or not self._opens_clause(start):
            return None
        return self._subject_at(start, at)

    # --- objects ---------------------------------------------------------------------------------------------------

    def objects(self, at: int, *, known: bool) -> tuple[list[Phrase], int]:
        """The phrases listed from a token on, and where they end; none where it is left open which of them."""
        while at < len(self.words) and self.folded[at] in _BEFORE_OBJECT:
            at += 1
        if at >= len(self.words):
            return [], at
        first = phrase_at(self.sentence, at, opens=False)
        if first is None or (first.looks == "known" and not known):
            return [], at
        found, end = [first], first.end
        while end < len(self.words) and len(found) < _MOST_OBJECTS and self.folded[end] in _LISTING:
            following = end + 1
            if following < len(self.words) and self.folded[following] == "and":
                following += 1
            if following >= len(self.words):
                break
            more = phrase_at(self.sentence, following, opens=False)
            if more is None and not self.words[following][0].islower():
                return [], end  # "JS and CSS bundling": what is listed is not what was read
            if more is None or more.looks != "named" or self._goes_on_as_clause(more.end):
                break
            found.append(more)
            end = more.end
        follows = self.folded[end] if end < len(self.words) else ""
        if follows in ("or", "/") or (follows == "," and self.folded[end + 1 : end + 2] == ["or"]):
            return [], end
        if follows in ("if", "unless", "where", "whenever"):
            return [], end
        return found, end

    def _goes_on_as_clause(self, at: int) -> bool:
        """Whether a verb follows, so that the phrase before is the subject of another clause."""
        while at < len(self.words) and self.folded[at] in LEADS:
            at += 1
        word = self.folded[at] if at < len(self.words) else ""
        return word in VERBS or word in BE or word in HINDERS or word in ("has", "have", "was", "were", "will", "does")

    def instead_of(self, after: int) -> list[Phrase]:
        """What is named after "instead of" or "rather than" in the rest of a clause."""
        for at in range(after, min(after + _REACH, len(self.words) - 2)):
            word, following = self.folded[at], self.folded[at + 1]
            if (word, following) in (("instead", "of"), ("rather", "than")):
                phrases, _ = self.objects(at + 2, known=False)
                return phrases
            if word in VERBS and at > after:
                break
        return []

    def word(self, at: int) -> str:
        """The word at a place, in lower case; nothing beyond the end."""
        return self.folded[at] if at < len(self.folded) else ""

    def following(self, at: int, wanted: Sequence[str]) -> int | None:
        """Where the words end that begin at a token, if they are the wanted ones."""
        end = at + len(wanted)
        return end if self.folded[at:end] == list(wanted) else None
