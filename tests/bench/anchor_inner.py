"""Cases inside functions that two releases share: statements, runs of them, blocks, and parts of a line.

Invariant: a statement is the same if it is the only one of its code in both versions of its function; edited if it is
at least half alike, and its head is the only one of its code or it alone stands between neighbours that are the same
and is of the same kind; gone if its neighbours have closed up and nothing new in the function resembles it. An
expression is the same if it is the only one of its code in a statement that is the same or edited.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise, product
from typing import Final

from bench.anchor_cases import Case, alike, lines_of, words
from bench.anchor_outline import Declared, Expression, Outline, Statement, within
from memofs.model.place import Span

__all__ = ["inner_cases"]

EDITED: Final = 0.5
"""From this likeness of their words on, one statement in the place of another is the other one edited."""
LONGEST_RUN: Final = 4
BLOCK_LINES: Final = 3

_Key = Callable[[Statement], str]


def inner_cases(old: str, old_outline: Outline, new: str, new_outline: Outline) -> list[Case]:
    """Return the cases of all functions that are in both texts; where they are is for the caller to add."""
    after = new_outline.unique()
    found: list[Case] = []
    for key, each in old_outline.unique().items():
        now = after.get(key)
        if now is not None and each.kind != "class":
            function = _Function(old, old_outline, each, new, new_outline, now)
            found += function.statements()
            found += function.runs()
            found += function.expressions()
            found += function.gone()
    return found


class _Function:
    """Both versions of a function, and which statements in it correspond."""

    def __init__(
        self, old: str, old_outline: Outline, each: Declared, new: str, new_outline: Outline, now: Declared
    ) -> None:
        self.old, self.new = old, new
        self.before, self.after = old_outline, new_outline
        self.declared, self.now = each, now
        self.old_inside = within(old_outline.statements, each.start, each.end)
        self.new_inside = within(new_outline.statements, now.start, now.end)
        self.same = self._by(lambda statement: statement.code)
        by_head = self._by(lambda statement: statement.head, self.same)
        self.same |= {one: two for one, two in by_head.items() if self._alike(one, two)}
        self.same |= self._in_place()

    def statements(self) -> Iterator[Case]:
        """Yield a case for each statement that has its lines to itself."""
        for number, image in sorted(self.same.items()):
            statement, now = self.before.statements[number], self.after.statements[image]
            region, place = _own_lines(self.old, statement), _own_lines(self.new, now)
            if region is None or place is None:
                continue
            lines = self.old.count("\n", region.start, region.end) + 1
            subject = "line" if lines == 1 else "block" if statement.head or lines >= BLOCK_LINES else "lines"
            yield self._case(subject, region, place, changed=statement.code != now.code, last=(statement, now))

    def runs(self) -> Iterator[Case]:
        """Yield a case for runs of two to four neighbours that are still neighbours."""
        followed = _next(self.after.statements, self.new_inside)
        for members in _blocks(self.before.statements, self.old_inside).values():
            for first, length in product(range(len(members)), range(2, LONGEST_RUN + 1)):
                run = members[first : first + length]
                images = [self.same.get(number, -1) for number in run]
                if len(run) < length or -1 in images:
                    continue
                if any(followed.get(one) != two for one, two in pairwise(images)):
                    continue
                region = _run_lines(self.old, [self.before.statements[number] for number in run])
                place = _run_lines(self.new, [self.after.statements[number] for number in images])
                if region is None or place is None:
                    continue
                pairs = zip(run, images, strict=True)
                changed = any(self.before.statements[a].code != self.after.statements[b].code for a, b in pairs)
                last = (self.before.statements[run[-1]], self.after.statements[images[-1]])
                yield self._case("lines", region, place, changed=changed, last=last)

    def expressions(self) -> Iterator[Case]:
        """Yield a case for each expression that its statement has once, before and now."""
        old, new = _expressions(self.before, self.old_inside), _expressions(self.after, self.new_inside)
        for number, image in sorted(self.same.items()):
            counts = Counter(each.code for each in old[number])
            new_counts = Counter(each.code for each in new[image])
            places = {each.code: each for each in new[image]}
            for each in old[number]:
                if counts[each.code] == 1 and new_counts[each.code] == 1:
                    now = places[each.code]
                    region, place = Span(each.start, each.end), Span(now.start, now.end)
                    if _alone(self.old, region) or _alone(self.new, place):
                        continue
                    yield self._case("expression", region, place, changed=False)

    def gone(self) -> Iterator[Case]:
        """Yield a case for each statement whose neighbours have closed up, and which nothing new resembles."""
        followed = _next(self.after.statements, self.new_inside)
        taken = set(self.same.values())
        came = [number for number in self.new_inside if number not in taken]
        codes = {self.after.statements[number].code for number in self.new_inside}
        for members in _blocks(self.before.statements, self.old_inside).values():
            for before, number, after in zip(members, members[1:], members[2:], strict=False):
                statement = self.before.statements[number]
                if number in self.same or statement.code in codes:
                    continue
                if followed.get(self.same.get(before, -1), -2) != self.same.get(after, -1):
                    continue
                text = self.old[statement.start : statement.end]
                if any(_likeness(text, self._new_text(other)) >= EDITED / 2 for other in came):
                    continue
                region = _own_lines(self.old, statement)
                if region is not None:
                    yield Case(
                        subject="line" if "\n" not in self.old[region.start : region.end] else "lines",
                        change="gone",
                        region=region,
                        places=(),
                        stale=True,
                    )

    def _case(
        self, subject: str, region: Span, place: Span, *, changed: bool, last: tuple[Statement, Statement] | None = None
    ) -> Case:
        """Return a case; `last` is the last statement of a region of whole lines, as it was and as it is."""
        before, after = self.old[region.start : region.end], self.new[place.start : place.end]
        if changed:
            change = "edited"
        elif before == after:
            change = "kept, in a changed function" if self.declared.code != self.now.code else "kept"
        elif [line.strip() for line in before.split("\n")] == [line.strip() for line in after.split("\n")]:
            change = "indented"
        else:
            change = "comments or layout"
        places = [place]
        if subject == "expression":
            if self.new[place.end : place.end + 1] == ";" != self.old[region.end : region.end + 1]:
                # Where an expression is a statement, what ends the statement may be counted in or not.
                places.append(Span(place.start, place.end + 1))
        elif last is not None and region.end == last[0].end:
            # So may a comment that came behind the last line.
            places.append(Span(place.start, last[1].end))
        return Case(
            subject=subject,
            change=change,
            region=region,
            places=tuple(dict.fromkeys(places)),
            stale=changed,
        )

    def _by(self, key: _Key, known: Mapping[int, int] | None = None) -> dict[int, int]:
        """Return the statements that both versions have once, by a key, leaving out those known."""
        known = known or {}
        taken = set(known.values())
        sides: list[dict[str, int]] = []
        for outline, inside, done in (
            (self.before, self.old_inside, set(known)),
            (self.after, self.new_inside, taken),
        ):
            counts = Counter(key(outline.statements[number]) for number in inside)
            sides.append(
                {
                    name: number
                    for number in inside
                    if number not in done and (name := key(outline.statements[number])) and counts[name] == 1
                }
            )
        return {number: sides[1][name] for name, number in sides[0].items() if name in sides[1]}

    def _in_place(self) -> dict[int, int]:
        """Return the statements that stand alone between neighbours which are the same, if they are alike."""
        found: dict[int, int] = {}
        new_blocks = _blocks(self.after.statements, self.new_inside)
        taken = set(self.same.values())
        for members in _blocks(self.before.statements, self.old_inside).values():
            for before, number, after in zip(members, members[1:], members[2:], strict=False):
                if number in self.same or before not in self.same or after not in self.same:
                    continue
                first, last = self.same[before], self.same[after]
                siblings = new_blocks[self.after.statements[first].block]
                if last not in siblings or siblings.index(last) - siblings.index(first) != 2:
                    continue
                image = siblings[siblings.index(first) + 1]
                same_type = self.before.statements[number].type == self.after.statements[image].type
                if image in taken or not same_type or not self._alike(number, image):
                    continue
                found[number] = image
        return found

    def _alike(self, number: int, image: int) -> bool:
        statement = self.before.statements[number]
        return _likeness(self.old[statement.start : statement.end], self._new_text(image)) >= EDITED

    def _new_text(self, number: int) -> str:
        statement = self.after.statements[number]
        return self.new[statement.start : statement.end]


def _blocks(statements: Sequence[Statement], inside: Sequence[int]) -> dict[int, list[int]]:
    """Return the statements of each block, in order."""
    blocks: dict[int, list[int]] = defaultdict(list)
    for number in inside:
        blocks[statements[number].block].append(number)
    return blocks


def _next(statements: Sequence[Statement], inside: Sequence[int]) -> dict[int, int]:
    """Return the statement after each, in its block."""
    return {one: two for members in _blocks(statements, inside).values() for one, two in pairwise(members)}


def _expressions(outline: Outline, inside: Sequence[int]) -> dict[int, list[Expression]]:
    wanted = set(inside)
    found: dict[int, list[Expression]] = defaultdict(list)
    for each in outline.expressions:
        if each.statement in wanted:
            found[each.statement].append(each)
    return found


def _own_lines(text: str, statement: Statement) -> Span | None:
    """Return the lines of a statement that shares them with nothing but a comment, else None."""
    return _run_lines(text, [statement])


def _run_lines(text: str, run: Sequence[Statement]) -> Span | None:
    lines = lines_of(text, run[0].start, run[-1].end)
    before, after = text[lines.start : run[0].start], text[run[-1].end : lines.end].lstrip(" \t;,")
    if before.strip() or (after and not after.startswith(("#", "//", "/*"))):
        return None
    return lines


def _alone(text: str, span: Span) -> bool:
    """Say whether a span is all there is in its line."""
    return lines_of(text, span.start, span.end) == span


def _likeness(first: str, second: str) -> float:
    return alike(Counter(words(first)), Counter(words(second)))
