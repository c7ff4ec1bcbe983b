"""Step 5: a named declaration goes where its qualified name goes, or, renamed, where its header and body go.

Invariant: a declaration is matched to one of its own sort, function or not. A name that is unique on both sides
decides alone; where overloads share it, their parameter types; else likeness does, and another name beats the same
name only by a clear lead.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from memofs.anchors.pair import Pair
from memofs.anchors.ranges import claimed
from memofs.anchors.resolve.kinds import sort_of
from memofs.anchors.resolve.matching import ElementMatch, Matching
from memofs.anchors.source import line_at
from memofs.anchors.symbols import Declaration
from memofs.anchors.tokens import Bag, dice
from memofs.model.place import Span

__all__ = ["enclosing", "match_element"]

_SAME_NAME: Final = 0.35
_OTHER_NAME: Final = 0.45
_OTHER_DATA: Final = 0.65
_CLAIMED: Final = 0.3
_MOST_CLAIMED: Final = 0.5
_WEAK: Final = 0.6
"""Below this a match by name has to stand against elements of other names."""
_LEAD: Final = 0.1
_RIVAL_LEAD: Final = 0.15
_TELLING_NAME: Final = 6
_LONE_FLOOR: Final = 0.8
_NO_ELEMENT: Final = ElementMatch(None, 0.0, 0.0)


def enclosing(elements: Sequence[Declaration], region: Span) -> Declaration | None:
    """Return the innermost element around a region, other than one that is the region."""
    best: Declaration | None = None
    for element in elements:
        if element.dressed.start > region.start:
            break
        if element.dressed.end >= region.end and region not in (element.core, element.dressed):
            best = element
    return best


def match_element(matching: Matching, element: Declaration) -> ElementMatch:
    """Return what became of an element of the old text."""
    key = element.core.start
    known = matching.elements.get(key)
    if known is None:
        known = matching.elements[key] = _matched(matching, element)
    return known


def _matched(matching: Matching, element: Declaration) -> ElementMatch:
    peers = [other for other in matching.new_elements if sort_of(other.kind) == sort_of(element.kind)]
    same = [other for other in peers if other.qualified == element.qualified]
    namesakes = matching.old_names[element.qualified, sort_of(element.kind)]
    if len(same) == 1 and namesakes == 1:
        return ElementMatch(same[0], 1.0)
    best = _by_signature(matching, element, same) or _by_likeness(matching, element, same, _SAME_NAME)
    if best.element is not None and best.score >= _WEAK:
        return best
    free = [
        other
        for other in peers
        if other.qualified != element.qualified
        and matching.old_names[other.qualified, sort_of(other.kind)]
        < matching.new_names[other.qualified, sort_of(other.kind)]
    ]
    renamed = _by_likeness(matching, element, free, _OTHER_NAME)
    if sort_of(element.kind) == "data" and (renamed.score < _OTHER_DATA or _is_common(matching.pair, element)):
        # A key or a field has little to be told by; another one with a like value is another one.
        renamed = _NO_ELEMENT
    if renamed.element is None and best.element is None:
        renamed = _moved_out(matching, element, free)
    if renamed.element is not None and (best.element is None or renamed.score > best.score + _LEAD):
        return renamed
    return best


def _moved_out(matching: Matching, element: Declaration, free: Sequence[Declaration]) -> ElementMatch:
    """Return the only declaration of the same last name, if what is around it changed, however much it did too."""
    heirs = [other for other in free if other.name == element.name]
    namesakes = sum(
        1
        for other in matching.old_elements
        if other.name == element.name and sort_of(other.kind) == sort_of(element.kind)
    )
    if len(heirs) != 1 or namesakes != 1 or len(element.name) < _TELLING_NAME:
        return _NO_ELEMENT
    return ElementMatch(heirs[0], _OTHER_NAME + 0.05, 0.1)


def _by_signature(matching: Matching, element: Declaration, same: Sequence[Declaration]) -> ElementMatch | None:
    """Return the overload with the same parameter types, if there is exactly one on both sides."""
    if not element.signature:
        return None
    alike = [other for other in same if other.node.type == element.node.type and other.signature == element.signature]
    rivals = [
        other
        for other in matching.old_elements
        if other.qualified == element.qualified
        and other.node.type == element.node.type
        and other.signature == element.signature
    ]
    return ElementMatch(alike[0], 0.95) if len(alike) == 1 and len(rivals) == 1 else None


def _by_likeness(
    matching: Matching, element: Declaration, candidates: Sequence[Declaration], least: float
) -> ElementMatch:
    if not candidates:
        return _NO_ELEMENT
    pair = matching.pair
    same_name = least == _SAME_NAME
    header, body, lines = _old_header(pair, element), _old_body(pair, element), _carried_lines(pair, element)
    scored: list[tuple[float, float, int]] = []
    place = element.core.start / max(1, len(pair.old.text))
    for index, other in enumerate(candidates):
        score = (
            0.3 * dice(header, _new_header(pair, other))
            + 0.4 * dice(body, _new_body(pair, other))
            + 0.2 * _line_support(pair, lines, other)
            + 0.1 * (other.name == element.name)
            + 0.05 * (_parent_name(other) == _parent_name(element))
            + 0.02 * (other.node.type == element.node.type)
            - _CLAIMED * _taken(pair, element, other)
        )
        scored.append((score, -abs(other.core.start / max(1, len(pair.new.text)) - place), -index))
    scored.sort(reverse=True)
    score, _, index = scored[0]
    best = candidates[-index]
    namesakes = matching.old_names[element.qualified, sort_of(element.kind)]
    if same_name and len(candidates) == 1 and namesakes == 1:
        return ElementMatch(best, max(score, _LONE_FLOOR))
    margin = score - scored[1][0] if len(scored) > 1 else 0.5
    if score < least:
        return ElementMatch(None, score, margin)
    if same_name and namesakes > 1 and _has_better_suitor(matching, element, best):
        return _NO_ELEMENT
    return ElementMatch(best, score, margin)


def _is_common(pair: Pair, element: Declaration) -> bool:
    """Return whether the text of an element stands in the old text more than once."""
    return pair.old.text.count(pair.old.text[element.core.start : element.core.end]) > 1


def _taken(pair: Pair, element: Declaration, candidate: Declaration) -> float:
    """Return the share of a candidate's lines that are the continuation of others than the element's, if it is most."""
    old_lines = line_at(pair.old, element.core.start), line_at(pair.old, max(0, element.core.end - 1))
    new_lines = line_at(pair.new, candidate.core.start), line_at(pair.new, max(0, candidate.core.end - 1))
    share = claimed(pair, new_lines, old_lines)
    return share if share > _MOST_CLAIMED else 0.0


def _has_better_suitor(matching: Matching, element: Declaration, candidate: Declaration) -> bool:
    """Return whether another old element of the same name fits the candidate clearly better."""
    pair = matching.pair
    header, body = _new_header(pair, candidate), _new_body(pair, candidate)
    own = dice(_old_header(pair, element), header) + dice(_old_body(pair, element), body)
    rivals: Iterable[Declaration] = (
        other
        for other in matching.old_elements
        if other.qualified == element.qualified
        and sort_of(other.kind) == sort_of(element.kind)
        and other.core.start != element.core.start
    )
    return any(
        dice(_old_header(pair, rival), header) + dice(_old_body(pair, rival), body) > own + _RIVAL_LEAD
        for rival in rivals
    )


def _parent_name(element: Declaration) -> str:
    return element.qualified.removesuffix(element.name)


def _old_body(pair: Pair, element: Declaration) -> Bag:
    return pair.old_bag(element.core.start, element.core.end)


def _new_body(pair: Pair, element: Declaration) -> Bag:
    return pair.new_bag(element.core.start, element.core.end)


def _old_header(pair: Pair, element: Declaration) -> Bag:
    return pair.old_bag(element.core.start, _header_end(element))


def _new_header(pair: Pair, element: Declaration) -> Bag:
    return pair.new_bag(element.core.start, _header_end(element))


def _header_end(element: Declaration) -> int:
    return element.body.start if element.body is not None else element.core.end


def _carried_lines(pair: Pair, element: Declaration) -> tuple[int, list[int]]:
    """Return how many lines with text the element has, and where the diff carries those that it carries."""
    first, last = line_at(pair.old, element.core.start), line_at(pair.old, element.core.end - 1)
    lines = [line for line in range(first, last + 1) if len(pair.old.keys[line]) > 2]
    return len(lines), [pair.diff.forward[line] for line in lines if pair.diff.forward[line] >= 0]


def _line_support(pair: Pair, lines: tuple[int, list[int]], candidate: Declaration) -> float:
    """Return the dice of lines: those carried from the one to the other."""
    count, targets = lines
    first, last = line_at(pair.new, candidate.core.start), line_at(pair.new, candidate.core.end - 1)
    carried = sum(first <= line <= last for line in targets)
    total = count + sum(len(pair.new.keys[line]) > 2 for line in range(first, last + 1))
    return 2 * carried / total if total else 0.0
