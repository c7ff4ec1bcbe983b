"""Short names that a text gives to long ones: initials, and what stands in parentheses.

Invariant: nothing is looked up; whatever comes back is spelled out by the text itself.
"""

import re
from typing import Final

from memofs.text.fold import fold
from memofs.text.stop_words import STOP_WORDS

__all__ = ["acronyms", "aliases", "initials"]

_MOST_WORDS: Final = 5


def acronyms(text: str) -> list[str]:
    """Return the initials of every run of two to five capitalised words, lower-case, each once.

    "JSON Web Token" gives jwt. A stop word ends a run. The first word of a sentence may be no part of the name, so
    "Use JSON Web Tokens" gives jwt beside ujwt.
    """
    return list(dict.fromkeys(letters for letters, _, _ in initials(fold(text))))


def initials(folded: str) -> list[tuple[str, int, int]]:
    """Return (initials, start, end) of every such run of folded text, offsets in `folded`."""
    found: list[tuple[str, int, int]] = []
    for match in _RUN.finditer(folded):
        names = [(name.group(), match.start() + name.start()) for name in _NAME.finditer(match.group())]
        may_open = not names[0][0].isupper() and _opens_sentence(folded, match.start())
        opening = names[0][1] if may_open else -1
        run: list[tuple[str, int]] = []
        for name, start in [*names, ("", match.end())]:
            if name and name.casefold() not in STOP_WORDS:
                run.append((name, start))
                continue
            _add_run(run, found)
            if run and run[0][1] == opening:
                _add_run(run[1:], found)
            run = []
    return found


def aliases(text: str) -> list[tuple[str, str]]:
    """Return pairs (long name, short name) that `text` introduces with parentheses, either in front, each once.

    Source: A. S. Schwartz and M. A. Hearst, "A simple algorithm for identifying abbreviation definitions in
    biomedical text", Pacific Symposium on Biocomputing 8 (2003), pp. 451–462.
    """
    found: dict[tuple[str, str], None] = {}
    for match in _PARENTHESIS.finditer(text):
        inner, before = match.group(1).strip(), text[max(0, match.start() - 200) : match.start()].rstrip()
        if _SHORT.fullmatch(inner):
            long_name = _long_name(inner, before)
            if long_name:
                found[long_name, inner] = None
            continue
        last = before.split()[-1:]
        if last and _SHORT.fullmatch(last[0]) and _long_name(last[0], inner) == inner:
            found[inner, last[0]] = None
    return list(found)


_CAPITALS = "A-ZΑ-ΩА-Я"
_NAME = re.compile(rf"[{_CAPITALS}][^\W\d_]*")
_RUN = re.compile(
    rf"(?<![\w.'-])[{_CAPITALS}][^\W\d_]*"
    rf"(?:(?:[ \t]|-|[ \t]*\r?\n[ \t]*)[{_CAPITALS}][^\W\d_]*(?![\w'-]|\.\w))+"
)
_SENTENCE_ENDS = ".!?:;|\r\n"

_PARENTHESIS = re.compile(r"\(([^()\r\n]{2,80})\)")
_SHORT = re.compile(r"(?=(?:[^A-Z]*[A-Z]){2})[A-Za-z0-9][A-Za-z0-9/&.-]{1,9}")


def _opens_sentence(text: str, start: int) -> bool:
    before = text[max(0, start - 8) : start].rstrip(" \t*_>#-(\"'`")
    return not before or before[-1] in _SENTENCE_ENDS


def _add_run(run: list[tuple[str, int]], found: list[tuple[str, int, int]]) -> None:
    letters = "".join(name[0] for name, _ in run).casefold()
    if 2 <= len(letters) <= _MOST_WORDS and letters not in STOP_WORDS:
        last, start = run[-1]
        found.append((letters, run[0][1], start + len(last)))


def _long_name(short: str, before: str) -> str | None:
    """Return the end of `before` that `short` abbreviates: its letters in order, the first one beginning a word."""
    words = before.split()
    letters = [character for character in short.casefold() if character.isalnum()]
    window = " ".join(words[-min(len(letters) + 5, 2 * len(letters)) :])
    folded = window.casefold()
    if len(folded) != len(window):
        return None
    at = len(folded)
    for place in range(len(letters) - 1, -1, -1):
        at = folded.rfind(letters[place], 0, at)
        while place == 0 and at > 0 and folded[at - 1].isalnum():
            at = folded.rfind(letters[0], 0, at)
        if at < 0:
            return None
    name = window[at:]
    return name if len(name) > len(short) and " " in name else None
