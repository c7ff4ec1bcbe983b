"""Step 10: a comment goes with the code it belongs to.

Invariant: a comment's owner is the code on its line, else the next code below it. The same words beside other code are
another comment; an edited comment is found only where its owner is, and where most of its words are left.
"""

import re
from typing import Final

import msgspec
from tree_sitter import Node

from memofs.anchors.context import context, context_likeness
from memofs.anchors.pair import Pair
from memofs.anchors.ranges import Carried
from memofs.anchors.resolve.fast import is_framed
from memofs.anchors.resolve.found import Found
from memofs.anchors.resolve.kinds import is_comment
from memofs.anchors.resolve.matching import Matching
from memofs.anchors.resolve.named import enclosing, match_element
from memofs.anchors.resolve.passages import unclaimed
from memofs.anchors.source import Source, line_at
from memofs.anchors.tokens import EMPTY, TOKEN, Bag, bag, dice
from memofs.model.place import Span

__all__ = ["as_comment", "comments_above", "in_comment", "is_comment_text"]

_LEAST: Final = 0.4
_OWNER: Final = 0.45
_FEW_TOKENS: Final = 4
_MOST_LINES_UP: Final = 3
_TRAILING = re.compile(r"(^|\s)(#|//|--).*$|\s*/\*.*$")
_COMMENT_LINE = re.compile(r"#|//|\*|/\*|--")


def in_comment(source: Source, region: Span) -> bool:
    """Return whether a region lies in one comment."""
    root = source.root
    node = root.descendant_for_byte_range(region.start, max(region.start, region.end - 1)) if root is not None else None
    while (
        node is not None and not is_comment(node) and node.parent is not None and node.parent.type.endswith("comment")
    ):
        node = node.parent
    return node is not None and is_comment(node)


def is_comment_text(source: Source, part: Span) -> bool:
    """Return whether nothing but comments and blanks stands in a part of a text."""
    at = part.start
    while at < part.end:
        rest = source.text[at : part.end]
        at += len(rest) - len(rest.lstrip())
        if at >= part.end:
            break
        node = _comment_at(source, at)
        if node is None or node.end_byte <= at:
            return False
        at = node.end_byte
    return True


def comments_above(source: Source, offset: int, line_ends: int = 1) -> int:
    """Return where the comments begin that stand above the code at `offset`; `offset` if there are none.

    `line_ends` says how many line ends may part them from the code; among them there is one.
    """
    start, most = offset, max(1, line_ends)
    while True:
        before = source.text[:start].rstrip()
        if source.text.count("\n", len(before), start) > most or not before:
            return start
        most = 1
        node = _comment_at(source, len(before) - 1)
        if node is None or source.text[source.starts[line_at(source, node.start_byte)] : node.start_byte].strip():
            return start
        start = node.start_byte


def _comment_at(source: Source, offset: int) -> Node | None:
    """Return the comment that the character at `offset` is in."""
    root = source.root
    node = root.descendant_for_byte_range(offset, offset) if root is not None else None
    found: Node | None = None
    while node is not None:
        if is_comment(node):
            found = node
        node = node.parent
    return found


def as_comment(matching: Matching, region: Span, diff: Carried) -> Found:
    """Return where a comment, or a part of one, is."""
    pair = matching.pair
    text = pair.old.text[region.start : region.end]
    owner = _owner(pair.old, region)
    around = context(pair.old, region)
    scored: list[tuple[float, int, _Place]] = []
    for span in unclaimed(pair, region, text):
        if in_comment(pair.new, span):
            place = _Place(
                span=span,
                owner=dice(owner, _owner(pair.new, span)),
                context=context_likeness(around, context(pair.new, span)),
                is_carried=span == diff.span,
            )
            inside = _same_element(matching, region, span)
            scored.append(
                (0.45 * place.owner + 0.15 * inside + 0.2 * place.context + 0.2 * place.is_carried, -span.start, place)
            )
    scored.sort(key=lambda item: item[:2], reverse=True)
    if scored:
        found = _same_text(matching, region, text, scored)
        if found is not None:
            return found
        if diff.span is None or diff.share < 0.6 or pair.new.text[diff.span.start : diff.span.end] == text:
            return Found(span=None, score=scored[0][0], how="gone", rivals=((scored[0][0], scored[0][2].span),))
    return _edited(pair, region, diff, owner)


class _Place(msgspec.Struct, frozen=True, kw_only=True):
    """A place where a comment's words stand: how alike owner and neighbours are, and whether the diff leads there."""

    span: Span
    owner: float
    context: float
    is_carried: bool


def _same_text(matching: Matching, region: Span, text: str, scored: list[tuple[float, int, _Place]]) -> Found | None:
    score, _, place = scored[0]
    alone = len(scored) == 1
    margin = 0.5 if alone else score - scored[1][0]
    rivals = tuple((other, rival.span) for other, _, rival in scored[1:4])
    if (score >= _LEAST and margin > 0.02) or (
        alone and place.owner > _OWNER and _same_element(matching, region, place.span)
    ):
        return Found(
            span=place.span, score=min(1.0, score + 0.3), margin=max(margin, 0.05), how="comment", rivals=rivals
        )
    if alone and matching.pair.old.text.count(text) == 1:
        if place.is_carried:
            return Found(span=place.span, score=0.6, margin=0.5, how="comment", rivals=rivals)
        if len(TOKEN.findall(text)) >= _FEW_TOKENS and (place.owner > 0.3 or place.context > 0.3):
            return Found(span=place.span, score=0.5, margin=0.5, how="comment", rivals=rivals)
    return None


def _edited(pair: Pair, region: Span, diff: Carried, owner: Bag) -> Found:
    if diff.span is None or diff.share < 0.3 or not in_comment(pair.new, diff.span):
        return Found(span=None, how="gone")
    same_owner = dice(owner, _owner(pair.new, diff.span)) >= 0.5
    same_place = context_likeness(context(pair.old, region), context(pair.new, diff.span)) > 0.6
    alike = dice(pair.old_bag(region.start, region.end), pair.new_bag(diff.span.start, diff.span.end))
    framed = same_owner and is_framed(pair, region, diff.span)
    if (same_owner or same_place) and alike >= (0.4 if framed else 0.7):
        return Found(span=diff.span, score=diff.share, margin=0.5, how="comment edited")
    return Found(span=None, score=diff.share, how="gone", rivals=((diff.share, diff.span),))


def _same_element(matching: Matching, region: Span, span: Span) -> bool:
    element = enclosing(matching.old_elements, region)
    if element is None:
        return True
    new = match_element(matching, element).element
    return new is not None and new.dressed.start <= span.start and span.end <= new.dressed.end


def _owner(source: Source, region: Span) -> Bag:
    """Return the tokens of the code that a comment belongs to."""
    line = line_at(source, region.start)
    head = _TRAILING.sub("", source.text[source.starts[line] : region.start])
    if head.strip(" \t*"):
        lines = [head]
        if len(TOKEN.findall(head)) <= _FEW_TOKENS:
            for above in range(line - 1, max(-1, line - 1 - _MOST_LINES_UP), -1):
                if not source.keys[above]:
                    break
                lines.append(source.lines[above])
        return bag("\n".join(lines))
    for below in range(line_at(source, max(region.start, region.end - 1)) + 1, len(source.lines)):
        if source.keys[below] and not _COMMENT_LINE.match(source.keys[below]):
            return bag(_TRAILING.sub("", source.lines[below]))
    return EMPTY
