"""The state of a decision, in one word, from whatever its authors wrote under "Status"."""

import re
from collections.abc import Iterable
from typing import Literal

from memofs.text.adr_outline import plain

__all__ = ["Status", "status_in_title", "status_of"]

Status = Literal["accepted", "proposed", "draft", "rejected", "deprecated", "superseded", "unknown"]

LOOK_BACK = 40

_WORDS: dict[Status, str] = {
    "superseded": r"super[cs]+e+ded|replaced\s+by|obsoleted\s+by",
    "rejected": r"rejected|declined|withdrawn|abandoned|cancell?ed|dropped|dismissed|denied|vetoed|won'?t\s+(?:do|fix)",
    "deprecated": r"deprecated|obsolete|retired|outdated|expired|no\s+longer\s+(?:valid|relevant|in\s+force|in\s+use)",
    "accepted": r"accepted|approved|adopted|agreed|ratified|active|decided|implemented|implementing|final(?:i[sz]ed)?"
    r"|done|completed?|in\s+(?:force|effect|use)|enacted",
    "proposed": r"proposed|proposal|proposing|pending|(?:in|under|for|awaiting)\s+(?:review|discussion|consideration)"
    r"|open|rfc|request(?:ed)?\s+for\s+comments?|undecided|to\s+be\s+decided|tbd|deferred|on\s+hold",
    "draft": r"draft(?:ed)?|wip|work\s+in\s+progress|incomplete|idea",
}
_ALL = re.compile(
    r"\b(?:" + "|".join(f"(?P<{name}>{pattern})" for name, pattern in _WORDS.items()) + r")\b", re.IGNORECASE
)
_NOT = re.compile(
    r"(?:\bnot(?:\s+(?:yet|been|be|formally|fully))*|\bno|\bnever|\bun|n't(?:\s+be(?:en)?)?|\bto\s+be|\bif|\bonce|\bwhen"
    r"|\buntil|\bwill\s+be|\bmay\s+be|\bnon)[\s-]+$",
    re.IGNORECASE,
)
_PARTLY = re.compile(
    r"(?:\bpart(?:ly|ially|ial)?|\bin\s+part|\bsome\s+of|\bparts\s+of)[\s-]*(?:been\s+)?$", re.IGNORECASE
)
_LEAD = re.compile(
    r"^(?:\W|\d|\b(?:status|state|current(?:ly)?|decision|date|on|as\s+of|since|the|this|adr|is|was|has|been|now"
    r"|jan\w*|feb\w*|mar\w*|apr\w*|may|june?|july?|aug\w*|sep\w*|oct\w*|nov\w*|dec\w*)\b)*",
    re.IGNORECASE,
)
_PARTLY_AFTER = re.compile(r"\W*(?:in\s+part|part(?:ly|ially))\b", re.IGNORECASE)
_JOINED = re.compile(r"(?:^|[^\w\s]|\b(?:and|but|now|later|then|since|has\s+been|was|is))\s*$", re.IGNORECASE)
_BY = re.compile(r"\W*(?:[\d./-]+\s+)?by\b|\W*$", re.IGNORECASE)
_STRUCK = re.compile(r"~~.*?~~")
_BOX = re.compile(r"\[([ xX])\]")
_IN_TITLE = re.compile(r"^\s*[\[(]([^\[\]()]{3,60})[\])]\s*[:–-]?\s*|\s*[\[(]([^\[\]()]{3,60})[\])]\s*$")


def status_of(lines: Iterable[str]) -> Status:
    """The state in one word; `lines` are the value or the paragraphs of the status section, in order.

    The first that names a state counts; a later one counts if it begins with a state that ends the earlier:
    "Proposed", "Accepted", "Superseded by …". A template's list of choices says nothing. What is superseded in part
    stays accepted.
    """
    found: Status = "unknown"
    texts = [line for line in lines if line.strip()]
    if any(_BOX.search(line) and "[ ]" not in line for line in texts):
        texts = [line for line in texts if "[ ]" not in line]
    for text in texts:
        if text.lstrip().startswith(">"):
            continue
        clean = plain(_STRUCK.sub(" ", _BOX.sub(" ", text)))
        if _is_choice(clean):
            continue
        first = _first(clean)
        if first is None:
            continue
        word, at = first
        if found == "unknown":
            found = word
        elif (lead := _LEAD.match(clean)) and at <= lead.end():
            found = _later(found, word)
        if word != "superseded" and found == word and _says_superseded(clean):
            found = "superseded"
    return found


def status_in_title(title: str) -> tuple[str, Status]:
    """The title without a state in brackets before or after it, and that state."""
    match = _IN_TITLE.search(title)
    if not match:
        return title, "unknown"
    inside = (match[1] or match[2]).strip()
    word = _ALL.match(inside)
    if not word or not (word.end() == len(inside) or inside[word.end()].isspace() or inside[word.end()] in ":,"):
        return title, "unknown"
    rest = (title[: match.start()] + title[match.end() :]).strip()
    return (rest, _name(word)) if rest else (title, "unknown")


def _first(text: str) -> tuple[Status, int] | None:
    """The first state the text names, and where."""
    for match in _ALL.finditer(text):
        before = _before(text, match)
        name = _name(match)
        if _NOT.search(before):
            if name == "accepted" and match[0].casefold() in {"accepted", "approved", "agreed", "adopted", "ratified"}:
                return "proposed", match.start()
            continue
        if name == "superseded" and (_PARTLY.search(before) or _PARTLY_AFTER.match(text, match.end())):
            return "accepted", match.start()
        return name, match.start()
    return None


def _before(text: str, match: re.Match[str]) -> str:
    """The few words before the match."""
    return text[max(0, match.start() - LOOK_BACK) : match.start()]


def _says_superseded(text: str) -> bool:
    """True for "Accepted; superseded by …": a line that begins with one state and goes on to its end."""
    return any(
        _name(match) == "superseded"
        and (match[0].casefold().endswith("by") or _BY.match(text, match.end()))
        and _JOINED.search(_before(text, match))
        and not _PARTLY_AFTER.match(text, match.end())
        for match in _ALL.finditer(text)
    )


def _later(found: Status, word: Status) -> Status:
    if word in {"superseded", "deprecated", "rejected"}:
        return word
    if found in {"proposed", "draft"} and word in {"accepted", "proposed"}:
        return word
    return found


def _is_choice(text: str) -> bool:
    """True for "proposed | accepted | …" and the like: nobody chose yet."""
    parts = [part for part in re.split(r"[|/]", text.strip(" {}[]<>")) if part.strip()]
    return len(parts) > 1 and sum(1 for part in parts if _ALL.match(part.strip(" `*\"'"))) > 1


def _name(match: re.Match[str]) -> Status:
    for name in _WORDS:
        if match[name]:
            return name
    raise AssertionError(match)
