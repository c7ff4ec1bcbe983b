"""Cases from two releases of a package: what became of each declaration of the old one.

Invariant: truth comes from the outlines alone (Python's `ast`, TypeScript's printer). A declaration is the same if its
qualified name is, in the file of the same path, or in another file where both releases have that name once. It was
renamed if one new declaration of the file has the same statements in it; it is gone if nothing in the new release
resembles it. What cannot be told so is left out, and counted. Regions inside functions: anchor_inner.py.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from bench.anchor_cases import Case, FilePair, Other, alike, comment_above, comment_behind, language_group, words
from bench.anchor_inner import inner_cases
from bench.anchor_outline import Declared, Outline
from memofs.model.place import Span

__all__ = ["Histories", "Sides", "histories"]

RESEMBLES: Final = 0.5
"""From this likeness on a new declaration may be what an old one of another name became."""
INNER_PER_FILE: Final[Mapping[str, int]] = {"kept": 1, "kept, in a changed function": 2}
"""Regions inside functions that are taken of a file, by change; five of those not named."""
GONE_FILES: Final = 3
"""Files without a successor whose declarations are looked for, in each pair of releases."""
OTHERS: Final = 12
"""Files of the new release that are searched for a declaration gone from its own."""


class Sides(msgspec.Struct, frozen=True, kw_only=True):
    """A release: its texts and outlines by path."""

    texts: Mapping[str, str]
    outlines: Mapping[str, Outline]


class Histories(msgspec.Struct, frozen=True, kw_only=True):
    """The file pairs of two releases, and how many declarations were left out, by reason."""

    pairs: tuple[FilePair, ...]
    left_out: Mapping[str, int]


def histories(package: str, old: Sides, new: Sides, seed: int) -> Histories:
    """Return what became of every declaration of the old release, and of a sample of regions in its functions."""
    reader = _Reader(package, old, new, seed)
    pairs = [pair for path in sorted(old.outlines) if (pair := reader.pair(path)) is not None]
    return Histories(pairs=tuple(pairs), left_out=dict(reader.left_out))


class _Known(msgspec.Struct, frozen=True):
    """A declaration of the new release and where it is."""

    path: str
    declared: Declared


class _Reader:
    def __init__(self, package: str, old: Sides, new: Sides, seed: int) -> None:
        self.package = package
        self.old, self.new = old, new
        self.random = random.Random(f"{seed} {package}")
        self.left_out: Counter[str] = Counter()
        self.gone_files = 0
        self.old_names = Counter(each.key for outline in old.outlines.values() for each in outline.declared)
        self.new_places: dict[tuple[str, str, str], list[_Known]] = defaultdict(list)
        for path, outline in new.outlines.items():
            for each in outline.declared:
                self.new_places[each.key].append(_Known(path, each))
        self.new_words = {
            path: [(each, Counter(words(new.texts[path][each.start : each.end]))) for each in outline.declared]
            for path, outline in new.outlines.items()
        }

    def pair(self, path: str) -> FilePair | None:
        """Return the cases of one old file, None if it has none."""
        old_text, new_text = self.old.texts[path], self.new.texts.get(path)
        if path in self.new.texts and path not in self.new.outlines:
            return None
        if new_text == old_text:
            self.left_out["in a file that is the same"] += len(self.old.outlines[path].declared)
            return None
        if new_text is None:
            if self.gone_files == GONE_FILES:
                return None
            self.gone_files += 1
        cases: list[Case] = []
        searched = False
        for each in self.old.outlines[path].declared:
            case = self.case(path, each)
            if case is not None:
                cases.append(case)
                searched = searched or not case.places or case.path != path
        if new_text is not None:
            inner = inner_cases(old_text, self.old.outlines[path], new_text, self.new.outlines[path])
            cases += [msgspec.structs.replace(each, path=path) for each in self.sampled(inner)]
        if not cases:
            return None
        return FilePair(
            group="history",
            package=self.package,
            language=language_group(path),
            path=path,
            old=old_text,
            new=new_text,
            cases=tuple(cases),
            others=self.others(path, cases) if searched else {},
        )

    def case(self, path: str, each: Declared) -> Case | None:
        """Return what became of a declaration, None where that cannot be told."""
        same_name = [other for other in self.old.outlines[path].declared if other.key == each.key]
        outline = self.new.outlines.get(path, Outline())
        named = [other for other in outline.declared if other.name == each.name]
        same = [other for other in named if other.key == each.key]
        if len(same_name) > 1 or len(same) > 1:
            return self.leave_out("the same name twice")
        if same:
            return self.found(path, each, path, same[0], "")
        if named:
            return self.leave_out("the same name, another kind")
        elsewhere = self.new_places[each.key]
        if elsewhere:
            return self.elsewhere(path, each, elsewhere)
        renamed = self.renamed(path, each)
        if renamed is not None:
            return self.found(path, each, path, renamed, "renamed, ")
        if self.resembled(path, each):
            return self.leave_out("perhaps renamed")
        return Case(
            subject=each.kind,
            change="gone" if path in self.new.texts else "gone with its file",
            region=Span(each.documented, comment_behind(self.old.texts[path], each.end)),
            places=(),
            stale=True,
            symbol=each.name,
            path=path,
        )

    def elsewhere(self, path: str, each: Declared, places: Sequence[_Known]) -> Case | None:
        """Return the case of a declaration whose name is now in another file."""
        new_path, now = places[0].path, places[0].declared
        there_before = self.old.outlines.get(new_path, Outline()).declared
        if len(places) > 1 or self.old_names[each.key] > 1 or any(other.key == each.key for other in there_before):
            return self.leave_out("the same name in several files")
        if language_group(new_path) != language_group(path):
            return self.leave_out("in another language")
        return self.found(path, each, new_path, now, "other file, ")

    def leave_out(self, reason: str) -> None:
        """Count what is left out."""
        self.left_out[reason] += 1

    def found(self, path: str, each: Declared, new_path: str, now: Declared, prefix: str) -> Case:
        """Return the case of a declaration that is still there."""
        old_text, new_text = self.old.texts[path], self.new.texts[new_path]
        # A person takes whole lines: what is behind the last sign of a declaration goes with it.
        end, new_end = comment_behind(old_text, each.end), comment_behind(new_text, now.end)
        before = old_text[each.documented : end]
        places = [Span(now.documented, new_end)]
        if each.documented == each.start:
            # A comment that came before it may be counted in or not, as may one behind its last line.
            places.append(Span(now.start, new_end))
            if comment_above(old_text, each.start) == each.start:
                places.append(Span(comment_above(new_text, now.start), new_end))
        if end == each.end:
            places += [Span(place.start, now.end) for place in places]
        places = list(dict.fromkeys(places))
        if any(before == new_text[place.start : place.end] for place in places):
            same_line = old_text.count("\n", 0, each.documented) == new_text.count("\n", 0, places[0].start)
            change = "unchanged" if prefix or same_line else "shifted"
        elif each.code == now.code:
            change = "comments or layout"
        else:
            change = "changed"
        if prefix.startswith("renamed"):
            change = "body kept"
        return Case(
            subject=each.kind,
            change=prefix + change,
            region=Span(each.documented, end),
            places=tuple(places),
            stale=each.code != now.code,
            symbol=each.name,
            path=new_path,
        )

    def sampled(self, inner: Sequence[Case]) -> list[Case]:
        """Return some of each kind: most regions are as they were, and few of those are enough."""
        kinds: dict[tuple[str, str], list[Case]] = defaultdict(list)
        for case in inner:
            kinds[case.subject, case.change].append(case)
        return [
            case
            for (_, change), cases in sorted(kinds.items())
            for case in self.random.sample(cases, min(len(cases), INNER_PER_FILE.get(change, 5)))
        ]

    def renamed(self, path: str, each: Declared) -> Declared | None:
        """Return the one new declaration of the file with the same statements in it, if there is one."""
        if path not in self.new.outlines:
            return None
        inside = _statements(self.old.outlines[path], each)
        if not inside:
            return None
        known = {other.key for other in self.old.outlines[path].declared}
        outline = self.new.outlines[path]
        came = [
            other
            for other in outline.declared
            if other.kind == each.kind and other.key not in known and _statements(outline, other) == inside
        ]
        return came[0] if len(came) == 1 else None

    def resembled(self, path: str, each: Declared) -> bool:
        """Say whether anything in the new release is like a declaration that has gone."""
        bag = Counter(words(self.old.texts[path][each.start : each.end]))
        return any(
            alike(bag, other) >= RESEMBLES
            for new_path, declared in self.new_words.items()
            if language_group(new_path) == language_group(path)
            for _, other in declared
        )

    def others(self, path: str, cases: Sequence[Case]) -> dict[str, Other]:
        """Return the files in which what left `path` may be: those it went to, and others that changed or came."""
        wanted = sorted({case.path for case in cases if case.places and case.path != path})
        came = [
            name
            for name, text in self.new.texts.items()
            if name != path
            and name not in wanted
            and language_group(name) == language_group(path)
            and self.old.texts.get(name) != text
        ]
        sampled = self.random.sample(sorted(came), min(OTHERS, len(came)))
        return {name: Other(now=self.new.texts[name], before=self.old.texts.get(name)) for name in (*wanted, *sampled)}


def _statements(outline: Outline, each: Declared) -> tuple[str, ...]:
    """Return the codes of the statements directly in a declaration."""
    number = next(
        (
            place
            for place, statement in enumerate(outline.statements)
            if (statement.start, statement.end) == (each.start, each.end)
        ),
        None,
    )
    return tuple(
        statement.code for statement in outline.statements if number is not None and statement.parent == number
    )
