"""Which decision took the place of which, as the records say it: "Superseded by", "Supersedes", "Amends" and so on.

Two kinds of text are read differently. In the head of a record (front matter, the lines below the title, the status
section, a section called "Supersedes") every record named after such a phrase counts. In running text a sentence must
say that it is this record which supersedes or is superseded: prose also tells what other records did, and what
replaced a library. Either way a record that is the grammatical subject speaks for itself and not for this one.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

import msgspec

from memofs.text.adr_outline import words
from memofs.text.adr_references import MARK, Masked, Reference, bare_numbers, masked, name_alone

__all__ = ["Link", "Reference", "Relation", "head_links", "prose_links", "see_link"]

Relation = Literal["supersedes", "superseded_by", "amends", "amended_by"]


class Link(msgspec.Struct, frozen=True, kw_only=True):
    """One relation of the record to another, with the words that say so.

    `partly`: only a part is superseded. `prose`: said in running text and not in the record's head. `line` is the
    0-based line of the file.
    """

    relation: Relation
    target: Reference
    evidence: str
    line: int = 0
    partly: bool = False
    prose: bool = False


MOST_EVIDENCE = 200
MOST_SENTENCE = 2000
"""What is longer, with its references masked, is no sentence that anybody wrote."""
NEAR_IN_HEAD = 120
NEAR_IN_PROSE = 60
"""Characters of plain text that may stand between a phrase and the record it is about."""
NEXT = 20
"""The same between one record and the next in a list of them."""

_PHRASE = re.compile(
    r"""
      (?P<superseded_by>
          \bsuper[cs]+e+ded(?:\s*:)?(?:\s+by\b)?
        | \b(?:replaced|obsoleted|deprecated|made\s+obsolete)[\s-]+by\b )
    | (?P<supersedes>
          \bsuper[cs]+e+d(?:e?s|e|ing)\b(?:\s+of\b)?
        | \b(?:replaces|replacing|obsoletes|deprecates)\b )
    | (?P<amended_by> \b(?:amended|overridden|modified)[\s-]+by\b )
    | (?P<amends> \b(?:amends|amending|overrides|modifies)\b )
    """,
    re.IGNORECASE | re.VERBOSE,
)
_HINT = re.compile(r"super[cs]e|replac|obsolet|deprecat|amend|overrid|modif", re.IGNORECASE)
_RELATIONS: tuple[Relation, ...] = ("superseded_by", "supersedes", "amended_by", "amends")
_SENTENCE_END = re.compile(r"(?<=[\w)\]\ue001”\"'])[.!?;]+(?=\s|$)|;")
_PARTLY = re.compile(r"\b(?:part(?:ly|ially|ial)?|in\s+part|parts\s+of|some\s+of)\b", re.IGNORECASE)
_ONLY = re.compile(
    r"\W*(?:['’]s\b|\bonly\b|\bin\s+part\b|\bpart(?:ly|ially)\b|\bfor\b|\bwhere\b|§|\bsections?\b)", re.IGNORECASE
)
_UNREAL = re.compile(
    r"\b(?:no|not|never|may|might|could|can|cannot|would|should|will|shall|if|when|whenever|unless|until|once|to\s+be"
    r"|neither|nor|must)\b|n['’]t\b",
    re.IGNORECASE,
)
_THIS = re.compile(
    r"\b(?:this|the\s+present|our)\s+(?:new\s+|latest\s+)?"
    r"(?:M?ADR|architecture\s+decision|decision|record|document|proposal)\b|\bwe\b|^\W*(?:it|this)\b",
    re.IGNORECASE,
)
_WHICH_THIS = re.compile(
    r"\bwhich\s+(?:this|the\s+present)\s+(?:M?ADR|decision|record|document)\s+(?:\w+ly\s+)?$", re.IGNORECASE
)
_SUBJECT = re.compile(
    r"\ue000(\d+)\ue001[\s,\"'”)]*"
    r"(?:(?:which|that|is|was|has|been|now|also|itself|later|then|partly|partially|in\s+part)\s+)*$",
    re.IGNORECASE,
)
_NOTHING = re.compile(r"\W*(?:none|nothing|null|n\W?a|nil|tbd|no)\b", re.IGNORECASE)
_IDLE_BEFORE = frozenset(
    {"accepted", "adopted", "adr", "also", "and", "approved", "been", "but", "by", "caution", "current", "currently"}
    | {"date", "decided", "decision", "has", "implemented", "important", "is", "it", "later", "note", "now", "on"}
    | {"partial", "partially", "partly", "in", "part", "proposed", "record", "rejected", "since", "state", "status"}
    | {"the", "then", "this", "tip", "update", "updated", "warning", "was", "deprecated", "active"}
)
"""Words before "superseded" that do not name a thing of their own."""
_IDLE_SEE = frozenset({"also", "by", "favor", "favour", "in", "of", "please", "refer", "replaced", "see", "to"})
_IDLE_BETWEEN = frozenset(
    {"adr", "adrs", "an", "and", "both", "by", "decision", "decisions", "described", "documented", "earlier", "in"}
    | {"made", "now", "number", "of", "old", "older", "on", "original", "our", "previous", "record", "recorded"}
    | {"records", "taken", "the", "with"}
)
"""Words between "supersedes" and a record that do not name a part of it."""


def head_links(
    texts: Iterable[tuple[int, str]],
    targets: Mapping[str, str],
    own: int | None,
    *,
    relation: Relation | None = None,
    partly: bool = False,
) -> Iterator[Link]:
    """The links that texts of a record's head state. `own` is the record's number.

    With `relation` the texts are what stands under that name: records, or nothing.
    """
    for line, text in texts:
        if relation is None and not _HINT.search(text):
            continue
        said = masked(text, targets)
        phrases = list(_PHRASE.finditer(said.text))
        if relation is not None and not phrases:
            for reference, only in _listed_alone(said):
                yield _link(relation, reference, text, line, partly=partly or only)
        for index, phrase in enumerate(phrases):
            start = phrases[index - 1].end() if index else 0
            until = phrases[index + 1].start() if index + 1 < len(phrases) else len(said.text)
            before = _last_clause(said.text[start : phrase.start()])
            after = _SENTENCE_END.split(said.text[phrase.end() : until], maxsplit=1)[0]
            kind = _relation(phrase)
            # A record named before the second phrase is what the first is about.
            subject = _subject(MARK.sub(" ", before) if index else before, said, own)
            if _UNREAL.search(before) or subject == "other":
                continue
            passive = kind in {"superseded_by", "amended_by"}
            part = partly or _PARTLY.search(before) is not None or (passive and subject == "part")
            for reference, only in _listed(after, said, NEAR_IN_HEAD, passive=passive):
                yield _link(kind, reference, text, line, partly=part or only)


def prose_links(texts: Iterable[tuple[int, str]], targets: Mapping[str, str], own: int | None) -> Iterator[Link]:
    """The links that running text states about the record itself."""
    for line, text in texts:
        if not _HINT.search(text):
            continue
        said = masked(text, targets)
        for sentence in _sentences(said.text):
            for phrase in _PHRASE.finditer(sentence):
                for reference, partly, passing in _said_in(sentence, phrase, said, own):
                    yield _link(_relation(phrase), reference, text, line, partly=partly, prose=passing)


def see_link(line: int, text: str, targets: Mapping[str, str]) -> Link | None:
    """The link that a paragraph below "Superseded" is, if it is nothing but "See ADR 12"."""
    said = masked(text, targets)
    if len(said.references) != 1 or "://" in (said.references[0].path or "") or not _idle(said.text, _IDLE_SEE):
        return None
    return _link("superseded_by", said.references[0], text, line, partly=False)


def _said_in(
    sentence: str, phrase: re.Match[str], said: Masked, own: int | None
) -> Iterator[tuple[Reference, bool, bool]]:
    """The records that stand in the relation of the phrase to this record; "only in part"; "only in passing"."""
    before, after = sentence[: phrase.start()], sentence[phrase.end() :]
    passive = _relation(phrase) in {"superseded_by", "amended_by"}
    if _UNREAL.search(before):
        return
    if _WHICH_THIS.search(before):
        marks = list(MARK.finditer(before))
        if marks and not passive:
            yield said.at(marks[-1]), False, False
        return
    subject = _subject(before, said, own)
    if subject == "other":
        return
    if subject == "part":
        # "These addresses are superseded by ADR 33" is about this record; "Log4j is replaced by …" may be anything.
        sure = phrase[0].casefold().startswith("super") and phrase[0].casefold().endswith("by")
        if not sure or MARK.search(before) or not _idle(MARK.split(after, maxsplit=1)[0], _IDLE_BETWEEN):
            return
    following = _PHRASE.search(after)
    near = after[: following.start()] if following else after
    partly = subject == "part" or _PARTLY.search(before) is not None
    for reference, only in _listed(near, said, NEAR_IN_PROSE, passive=passive):
        if reference.path is None or reference.path.lower().endswith((".md", ".markdown")):
            yield reference, partly or only, subject == "part"


def _subject(before: str, said: Masked, own: int | None) -> Literal["this", "part", "other"]:
    """Who it is that supersedes or is superseded: this record, a part of it (or who knows what), another record."""
    if match := _SUBJECT.search(before):
        return "this" if own is not None and said.at(match).number == own else "other"
    return "this" if _THIS.search(before[-NEAR_IN_PROSE:]) or _idle(before, _IDLE_BEFORE) else "part"


def _listed(after: str, said: Masked, within: int, *, passive: bool) -> Iterator[tuple[Reference, bool]]:
    """The records named one after another, the first of them near, each with "only in part"."""
    marks: list[re.Match[str]] = []
    for mark in MARK.finditer(after):
        if mark.start() - (marks[-1].end() if marks else 0) > (NEXT if marks else within):
            break
        marks.append(mark)
    if not marks:
        yield from ((reference, False) for reference in bare_numbers(after))
        return
    lead = after[: marks[0].start()]
    only = _PARTLY.search(lead) is not None or _ONLY.match(after, marks[-1].end()) is not None
    if not passive:
        only = only or not _idle(lead, _IDLE_BETWEEN)
    yield from ((said.at(mark), only) for mark in marks)


def _listed_alone(said: Masked) -> Iterator[tuple[Reference, bool]]:
    """The records that a text begins with, which stands where records are expected."""
    if _NOTHING.match(said.text):
        return
    first = MARK.search(said.text)
    if first is None:
        yield from ((reference, False) for reference in name_alone(said.text) or bare_numbers(said.text))
    elif _idle(said.text[: first.start()], _IDLE_BETWEEN):
        yield from _listed(said.text, said, NEAR_IN_HEAD, passive=False)


def _idle(text: str, idle: frozenset[str]) -> bool:
    return all(word in idle or word.isdigit() for word in words(MARK.sub(" ", text)))


def _relation(phrase: re.Match[str]) -> Relation:
    return next(relation for relation in _RELATIONS if phrase[relation])


def _last_clause(text: str) -> str:
    return re.split(r"[.;!?](?:\s|$)", text)[-1]


def _sentences(text: str) -> Iterator[str]:
    """The sentences, without what is too long to be one."""
    start = 0
    for end in [*(match.span() for match in _SENTENCE_END.finditer(text)), (len(text), len(text))]:
        if end[0] - start <= MOST_SENTENCE:
            yield text[start : end[0]]
        start = end[1]


def _link(relation: Relation, reference: Reference, text: str, line: int, *, partly: bool, prose: bool = False) -> Link:
    evidence = text[:MOST_EVIDENCE] + ("…" if len(text) > MOST_EVIDENCE else "")
    return Link(
        relation=relation, target=reference, evidence=" ".join(evidence.split()), line=line, partly=partly, prose=prose
    )
