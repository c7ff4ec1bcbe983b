"""A chunk of text without spaces, read as the words it is made of and as a whole.

`src/auth/userToken.ts` is the words src, auth, user, token and ts, the compounds `userToken` and `userToken.ts`, and
the path. Wholes are spelled without the signs between the parts, so that `user_id`, `user-id`, `userId` and `userid`
share one; a path keeps its slashes, and digits keep the dots and hyphens between them.

Invariant: the chunk is folded (`text.fold`) and holds no scripts that write without spaces. Every part has at least
one letter or digit, and lies within the chunk. Every whole is preceded by its parts.
"""

import re
from typing import Final, NamedTuple

from memofs.text.plural import stem
from memofs.text.scripts import INDIC
from memofs.text.stop_words import STOP_WORDS

__all__ = ["LONGEST", "PIECE", "WHOLE", "WORD", "Part", "parts"]

WORD: Final = 0
"""A word of its own, also where it is joined to others by a sign (`user` in `user_id`)."""

PIECE: Final = 1
"""A mere piece of a camelCase word."""

WHOLE: Final = 2
"""Another reading of a place that is already read: a compound as one, a word without its number, initials."""

LONGEST: Final = 128
"""Code points of the longest term. A longer word is cut, a longer whole is not kept."""


class Part(NamedTuple):
    """One term of a chunk; `start` and `end` are offsets into it."""

    term: str
    start: int
    end: int
    role: int


def parts(chunk: str) -> list[Part]:
    """Return the terms of `chunk` in order, each whole after its parts."""
    found: list[Part] = []
    if chunk.isalpha() and (chunk[1:].islower() or chunk.isupper()):  # most chunks, and all that they need
        _add_word(chunk, 0, len(chunk), WORD, found)
        return found
    names: list[str] = []
    for match in _COMPONENT.finditer(chunk):
        if _read_component(match.group(), match.start(), found):
            names.append(match.group().casefold())
    if len(names) > 1:
        _add_whole("/".join(names), 0, len(chunk), found)
    if chunk.startswith("--") and found:
        _add_whole(chunk.casefold(), 0, len(chunk), found)
    return found


class _Atom(NamedTuple):
    """A run of letters and digits, or a version; `before` is what stands between it and the atom before."""

    text: str
    start: int
    end: int
    before: str


_COMPONENT = re.compile(r"(?:[^/\\]|\\(?=[_-]))+")  # "\_" is an escaped sign of markdown

_VERSION = r"\d+(?:\.\d+)+"
_ATOM = re.compile(
    rf"(?:(?<![^\W_])[vV])?({_VERSION})"  # v2.0 is 2.0
    rf"|(?:(?:[^\W\d_]+|(?!{_VERSION})\d+)[{INDIC}]*)+(?:\+\+|\#)?"
)

_CONTRACTED = frozenset({"s", "d", "m", "ll", "re", "ve"})
_NEGATED = {"ca": "can", "wo": "will", "sha": "shall"}

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z](?!s(?![a-z]))[a-z])")
_ACRONYMS = re.compile(r"[A-Z][A-Z0-9]*[A-Z]s")
_LETTERS = re.compile(r"\D+")
_LEADING_WORD = re.compile(r"([a-z]{4,})\d[a-z0-9]*")


def _read_component(component: str, at: int, found: list[Part]) -> bool:
    """Add the terms of what stands between two slashes; say whether there are any."""
    atoms = _atoms(component)
    if not atoms:
        return False
    if component.casefold() == ".net":
        found.append(Part(".net", at, at + len(component), WORD))
        return True
    groups: list[list[_Atom]] = []
    spelled: list[str] = []
    for atom in atoms:
        if not groups or "." in atom.before:
            groups.append([])
        groups[-1].append(atom)
    for group in groups:
        names = [_read_atom(atom, at, found) for atom in group]
        spelled.append(_spell(group, names))
        if len(group) > 1:
            _add_whole(spelled[-1], at + group[0].start, at + group[-1].end, found)
        if group is not groups[0] and names[0] == "net":
            found.append(Part(".net", at + group[0].start, at + group[0].end, WHOLE))
    if len(groups) > 1:
        _add_whole(_spell([group[0] for group in groups], spelled), at + atoms[0].start, at + atoms[-1].end, found)
    if component[0] == "." and atoms[0].start == 1 and atoms[0].text[0].isalpha():
        _add_whole(component.casefold(), at, at + len(component), found)
    return True


def _atoms(component: str) -> list[_Atom]:
    """Return the atoms of `component`, contractions and possessives taken off."""
    atoms: list[_Atom] = []
    done = 0
    for match in _ATOM.finditer(component):
        start, end = match.span()
        before, done = component[done:start], end
        text = match.group(1) or match.group()
        if before == "'" and atoms:
            tail, last = text.casefold(), atoms[-1]
            if tail in _CONTRACTED:
                continue
            if tail == "t" and last.text[-1] in "nN" and len(last.text) > 1:
                verb = last.text[:-1]
                atoms[-1] = last._replace(text=_NEGATED.get(verb.casefold(), verb), end=last.end - 1)
                continue
        if text[-1] in "+#":
            letters = text.rstrip("+#")
            if len(letters) != 1 or not letters.isalpha():  # C++ is a name, count++ is not
                text, end = letters, start + len(letters)
        atoms.append(_Atom(text, start, end, before))
    return atoms


def _read_atom(atom: _Atom, at: int, found: list[Part]) -> str:
    """Add the terms of one atom; return it as it is spelled in wholes."""
    text = atom.text
    start, end = at + atom.start, at + atom.end
    humps = _humps(text)
    if len(humps) > 1:
        for hump in humps:
            _add_word(hump, start, start + len(hump), PIECE, found)
            start += len(hump)
        _add_whole(text.casefold(), at + atom.start, end, found)
    else:
        _add_word(text, start, end, WORD, found)
    return text.casefold()


def _humps(text: str) -> list[str]:
    """Return the pieces of a camelCase word; a piece of one letter stays with its neighbour (iOS, OAuth, getX)."""
    if text.islower() or text.isupper():
        return [text]
    humps: list[str] = []
    lone = ""
    for hump in _HUMP.split(text):
        if len(hump) == 1:
            lone += hump
        else:
            humps.append(lone + hump)
            lone = ""
    if lone:
        humps[-1:] = ["".join([*humps[-1:], lone])]
    return humps


def _add_word(text: str, start: int, end: int, role: int, found: list[Part]) -> None:
    folded = text.casefold()[:LONGEST]
    if folded in STOP_WORDS:
        found.append(Part(folded, start, end, role))
        return
    term = stem(folded)
    if _ACRONYMS.fullmatch(text):  # "JWTs", "IDs": the capitals say that the s is a plural's, however short
        found.append(Part(folded[:-1], start, end, role))
        if term != folded[:-1]:
            found.append(Part(term, start, end, WHOLE))
        return
    found.append(Part(term, start, end, role))
    leading = _LEADING_WORD.fullmatch(folded)
    if leading:
        letters = _LETTERS.match(text)  # folding may have lengthened them
        found.append(Part(stem(leading[1]), start, start + (letters.end() if letters else 0), WHOLE))


def _add_whole(term: str, start: int, end: int, found: list[Part]) -> None:
    """Add a compound as one term, and as the term it is when somebody writes it as a word (getUsers, getusers)."""
    if len(term) > LONGEST:
        return
    for spelling in (term, stem(term)):
        whole = Part(spelling, start, end, WHOLE)
        if whole not in found[-2:]:
            found.append(whole)


def _spell(atoms: list[_Atom], names: list[str]) -> str:
    """Return atoms as one word: joined, but with the sign between two digits (2024-01-15 is not 20240115)."""
    pieces = names[:1]
    for atom, name in zip(atoms[1:], names[1:], strict=True):
        if atom.before in ("-", ".") and pieces[-1][-1:].isdigit() and name[0].isdigit():
            pieces.append(atom.before)
        pieces.append(name)
    return "".join(pieces)
