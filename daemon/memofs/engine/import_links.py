"""Which imported record takes the place of which: references found among the records, claims weighed. Pure.

Invariant: the links that come out form no cycle and none leads to itself. What a record says of itself ("superseded
by") counts at once; what it says of another counts once it is more than a proposal; what is said in passing must
agree with the order of the records.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from memofs.text.adr import Link, Reference
from memofs.text.adr_names import name_parts, number_in_name
from memofs.text.adr_outline import words

__all__ = ["Candidate", "Claim", "Doubt", "Weighed", "weigh"]

NOT_YET = frozenset({"proposed", "draft", "rejected"})
"""States in which a record does not take the place of another, whatever it intends."""

ALIKE = 0.5
"""The share of a reference's words that a record must have to be meant by its number after its file was renamed."""


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """A record that a reference can mean. `state` is its status word, None for one that is not read in this run."""

    id: str
    path: str
    title: str
    number: int | None = None
    created_ms: int | None = None
    state: str | None = None
    links: tuple[Link, ...] = ()


class Claim(msgspec.Struct, frozen=True, kw_only=True):
    """That the record `new` supersedes the record `old` (ids), and the paths of the records that say so."""

    new: str
    old: str
    said_by: frozenset[str]


class Doubt(msgspec.Struct, frozen=True, kw_only=True):
    """Something a person should look at, and the paths of the records it is about."""

    text: str
    paths: frozenset[str]


class Weighed(msgspec.Struct, frozen=True, kw_only=True):
    """The claims that hold, by ids of the newer and the older, and what there is to doubt."""

    claims: tuple[Claim, ...]
    doubts: tuple[Doubt, ...]


class _Said(msgspec.Struct, frozen=True, kw_only=True):
    """One record's statement; `of_itself` when it is the old one that speaks."""

    new: Candidate
    old: Candidate
    of_itself: bool
    link: Link


def weigh(candidates: Sequence[Candidate], known: Iterable[tuple[str, str]]) -> Weighed:
    """The supersedes relations among the candidates. `known` are the pairs (new, old) that hold already."""
    said, doubts = _statements(candidates)
    claims: list[Claim] = []
    older: dict[str, set[str]] = {}
    for new_id, old_id in known:
        older.setdefault(new_id, set()).add(old_id)
    for statements in sorted(said, key=_strength):
        new, old = statements[0].new, statements[0].old
        partly = all(statement.link.partly for statement in statements)
        if reason := _objection(statements):
            doubts.append(_doubt(reason, new, old))
            continue
        if _reaches(older, old.id, new.id):
            doubts.append(_doubt(f"{new.path} and {old.path} would supersede each other: ignored", new, old))
            continue
        if partly:
            doubts.append(_doubt(f"{new.path} supersedes only a part of {old.path}: see what still holds", new, old))
        older.setdefault(new.id, set()).add(old.id)
        claims.append(Claim(new=new.id, old=old.id, said_by=_speakers(statements)))
    return Weighed(
        claims=tuple(sorted(claims, key=lambda claim: (claim.new, claim.old))),
        doubts=tuple(sorted(doubts, key=lambda doubt: doubt.text)),
    )


def _statements(candidates: Sequence[Candidate]) -> tuple[list[list[_Said]], list[Doubt]]:
    """What the records say, gathered by the pair it is about, and what leads nowhere."""
    said: dict[tuple[str, str], list[_Said]] = {}
    doubts: list[Doubt] = []
    index = _Index(candidates)
    for record in candidates:
        for link in record.links:
            if link.relation not in {"supersedes", "superseded_by"}:
                continue
            found = index.find(link.target, record)
            if isinstance(found, str):
                if not link.prose:
                    doubts.append(_doubt(f"{record.path}: {_phrase(link)} {_name(link.target)}: {found}", record))
            elif found.id == record.id:
                doubts.append(_doubt(f"{record.path}: {_phrase(link)} itself: ignored", record))
            else:
                of_itself = link.relation == "superseded_by"
                new, old = (found, record) if of_itself else (record, found)
                statement = _Said(new=new, old=old, of_itself=of_itself, link=link)
                said.setdefault((new.id, old.id), []).append(statement)
    return list(said.values()), doubts


class _Index:
    """Candidates by path, folder and number, so that a reference costs no scan of all records."""

    def __init__(self, candidates: Iterable[Candidate]) -> None:
        self._by_path: dict[str, Candidate] = {}
        self._by_name: dict[str, list[Candidate]] = {}
        self._by_folder: dict[str, list[Candidate]] = {}
        for candidate in candidates:
            self._by_path[candidate.path.casefold()] = candidate
            self._by_name.setdefault(name_parts(candidate.path)[1].casefold(), []).append(candidate)
            self._by_folder.setdefault(_folder(candidate.path), []).append(candidate)

    def find(self, reference: Reference, source: Candidate) -> Candidate | str:
        """The record that `source` means, or why there is none."""
        near = self._by_folder.get(_folder(source.path), [])
        if reference.path is not None and (found := self._by_way(reference.path, _folder(source.path))):
            return found
        if reference.title is not None:
            title = words(reference.title)
            same = [candidate for candidate in near if words(candidate.title) == title]
            if len(same) == 1:
                return same[0]
        if reference.path is not None and "://" in reference.path:
            return "not among the imported records"
        numbered = [candidate for candidate in near if candidate.number == reference.number is not None]
        telling = _telling(reference)
        if telling:
            numbered = [candidate for candidate in numbered if _alike(telling, candidate)]
        if len(numbered) > 1:
            return f"{len(numbered)} records have that number"
        return numbered[0] if numbered else "not among the imported records"

    def _by_way(self, path: str, folder: str) -> Candidate | None:
        """The record that lies where the path leads, or has its file name when the folder has changed since."""
        name = path.rstrip("/").rpartition("/")[2].casefold()
        stem = name.removesuffix(".md").removesuffix(".markdown").removesuffix(".html")
        if "://" not in path:
            way = _joined("" if path.startswith("/") else folder, path).casefold()
            bare = way.removesuffix(".html")
            for end in (way, f"{bare}.md", f"{bare}/readme.md", f"{bare}/index.md"):
                if found := self._by_path.get(end):
                    return found
        named = self._by_name.get(stem, [])
        beside = [candidate for candidate in named if _folder(candidate.path) == folder]
        if "://" in path or beside:
            return beside[0] if len(beside) == 1 else None
        return named[0] if len(named) == 1 else None


def _objection(statements: list[_Said]) -> str | None:
    """Why a claim is not taken, if it is not."""
    new, old = statements[0].new, statements[0].old
    if not any(statement.of_itself for statement in statements) and new.state in NOT_YET:
        return f"{new.path} is {new.state}, so it does not supersede {old.path} yet"
    if all(statement.link.prose for statement in statements) and _comes_before(new, old):
        return f"{new.path} is older than {old.path}, so it does not supersede it: {statements[0].link.evidence}"
    return None


def _strength(statements: list[_Said]) -> tuple[bool, bool, bool, str, str]:
    """Sorts first what both say, then what heads say, then what fits the order of the records."""
    new, old = statements[0].new, statements[0].old
    return (
        len({statement.of_itself for statement in statements}) < 2,
        all(statement.link.prose for statement in statements),
        _comes_before(new, old),
        new.path,
        old.path,
    )


def _doubt(text: str, *about: Candidate) -> Doubt:
    return Doubt(text=text, paths=frozenset(candidate.path for candidate in about))


def _comes_before(one: Candidate, other: Candidate) -> bool:
    if one.number is not None and other.number is not None and _folder(one.path) == _folder(other.path):
        return one.number < other.number
    if one.created_ms is None or other.created_ms is None:
        return False
    return one.created_ms < other.created_ms


def _speakers(statements: Iterable[_Said]) -> frozenset[str]:
    return frozenset((said.old if said.of_itself else said.new).path for said in statements)


def _reaches(older: Mapping[str, set[str]], start: str, goal: str) -> bool:
    """Whether `start` supersedes `goal`, at once or through others."""
    seen, waiting = {start}, [start]
    while waiting:
        for next_ in older.get(waiting.pop(), ()):
            if next_ == goal:
                return True
            if next_ not in seen:
                seen.add(next_)
                waiting.append(next_)
    return False


def _telling(reference: Reference) -> frozenset[str]:
    """The words by which a number can be checked: those of the title, else of the file's name."""
    if reference.title is not None:
        return frozenset(words(reference.title))
    if reference.path is None:
        return frozenset()
    return frozenset(_name_words(reference.path))


def _alike(telling: frozenset[str], candidate: Candidate) -> bool:
    has = {*words(candidate.title), *_name_words(candidate.path)}
    return len(telling & has) >= ALIKE * len(telling)


def _name_words(path: str) -> Iterator[str]:
    stem = name_parts(path)[1].replace("_", " ")
    return (word for word in words(stem) if not word.isdigit() and word not in {"adr", "madr", "record", "decision"})


def _folder(path: str) -> str:
    """The folder the record lies in; for a record that is a folder of its own, the one above."""
    folder, _, name = path.rpartition("/")
    if name.casefold() in {"readme.md", "index.md"} and number_in_name(folder.rpartition("/")[2]) is not None:
        return folder.rpartition("/")[0]
    return folder


def _joined(folder: str, path: str) -> str:
    parts = [part for part in folder.split("/") if part]
    for part in path.split("/"):
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        elif part and part != ".":
            parts.append(part)
    return "/".join(parts)


def _phrase(link: Link) -> str:
    return "says it is superseded by" if link.relation == "superseded_by" else "says it supersedes"


def _name(reference: Reference) -> str:
    if reference.path is not None:
        return reference.path
    return f"number {reference.number}" if reference.number is not None else (reference.title or "a record")
