"""The steps in order, and which proposal is an answer: see each step's module.

Invariant: an answer on which the diff and the syntax agree, or that a unique name gives, is `sure`; another is
`probable` if it scores at least 0.45 and leads the next best by 0.05; else the region is gone, and what came closest is
offered. A wrong place is worse than none.
"""

from typing import Final

import msgspec
from tree_sitter import Node

from memofs.anchors.copies import copies, line_range
from memofs.anchors.line_edges import to_line_end
from memofs.anchors.pair import Pair
from memofs.anchors.ranges import Carried, carried
from memofs.anchors.resolve.comments import as_comment, in_comment
from memofs.anchors.resolve.fast import is_framed, is_held, is_untouched
from memofs.anchors.resolve.found import ACCEPT, MARGIN, NOTHING, Found
from memofs.anchors.resolve.frame import Frame, frame_of
from memofs.anchors.resolve.gaps import between_kept
from memofs.anchors.resolve.kinds import is_bare_block, is_statement, sort_of
from memofs.anchors.resolve.matching import Matching
from memofs.anchors.resolve.moved import is_another, moved_text, overlap
from memofs.anchors.resolve.named import enclosing, match_element
from memofs.anchors.resolve.owners import Owner, own_copy, owner
from memofs.anchors.resolve.passages import as_text
from memofs.anchors.resolve.runs import as_run, edge_nodes
from memofs.anchors.resolve.syntax import declared_at, match_declared, match_node
from memofs.anchors.source import Source, node_at, span_of, stripped
from memofs.anchors.spans import whole_lines
from memofs.anchors.tokens import TOKEN, dice
from memofs.model.place import Candidate, Certainty, Span

__all__ = ["Located", "locate"]

_FEW_TOKENS: Final = 3
_OWN_NAMES: Final = frozenset({"element", "parameter"})
"""The rules by which something is found by its own name, whatever else looks like it."""
_LEAST_OFFERED: Final = 0.2
_AGREED: Final = 0.5
"""From this score on, or share of the text kept, a place that diff and syntax agree on is sure."""
_LITTLE: Final = 0.3
_HALF: Final = 0.5
_LIKE_LINE: Final = 0.6
_CLEAR: Final = 0.8
_CLEAR_NODE: Final = 0.72
_COPY: Final = 0.9
_CLEAR_LEAD: Final = 0.15
"""With this score and this lead a place is sure without the diff."""


class Located(msgspec.Struct, frozen=True, kw_only=True):
    """Where a region is now. `span` is None if it is gone, or nowhere clearly enough; then `candidates` are guesses.

    `contested` says that the place may as well be what another copy of the region became.
    """

    span: Span | None
    score: float
    certainty: Certainty
    how: str
    candidates: tuple[Candidate, ...] = ()
    contested: bool = False


def locate(matching: Matching, region: Span) -> Located:
    """Return where `region` of the old text is in the new one; blanks at its start come back as there are some."""
    bare = stripped(matching.pair.old.text, region)
    if bare.start >= bare.end:
        return Located(span=None, score=0.0, certainty="sure", how="blank")
    located = _located(matching, bare)
    if located.span is not None and region.start < bare.start:
        span = Span(_with_indent(matching, region, bare, located.span.start), located.span.end)
        return msgspec.structs.replace(located, span=span)
    return located


def _located(matching: Matching, region: Span) -> Located:
    pair = matching.pair
    diff = carried(pair, region)
    if (
        diff.span is not None
        and is_untouched(pair, region, diff)
        and not _belongs_elsewhere(matching, region, diff.span)
    ):
        return Located(span=diff.span, score=0.95, certainty="sure", how="untouched")
    frame = frame_of(matching, region)
    if frame.pair is not pair:
        diff = frame.carried(region)
    found, sure = _searched(matching, frame, region, diff)
    place = None if sure else moved_text(pair, region)
    if place is not None and (not found.accepted or found.span in (None, place) or not overlap(found.span, place)):
        return Located(span=place, score=0.9, certainty="sure", how="moved")
    whose = _whose(matching, region, found)
    if whose == "another":
        copy = own_copy(matching, region)
        if copy is not None:
            return Located(span=copy, score=_COPY, certainty="sure", how="copy")
        if found.span is not None:
            return Located(span=None, score=found.score, certainty="sure", how="another", candidates=_guesses(found))
    if found.span is not None and found.how not in _OWN_NAMES and _is_claimed(frame, region, found.span, diff):
        return Located(span=None, score=found.score, certainty="sure", how="claimed", candidates=_guesses(found))
    if found.span is not None and found.how not in _OWN_NAMES and _is_anothers(pair, region, found.span, diff):
        return Located(span=None, score=found.score, certainty="sure", how="another", candidates=_guesses(found))
    if found.span is not None and found.how not in _OWN_NAMES:
        found = msgspec.structs.replace(found, span=to_line_end(pair, region, found.span))
    if not sure and found.score < _CLEAR and not _has_words(pair.old.text, region):
        # A brace or a comma looks like any other: nothing but what it belongs to tells which one it is.
        guesses = _guesses(found)
        return Located(span=None, score=found.score, certainty="sure", how="only signs", candidates=guesses)
    if found.span is None or found.score < ACCEPT:
        gap = between_kept(pair, region)
        if gap is not None:
            return Located(span=gap, score=max(found.score, ACCEPT), certainty="probable", how="gap")
    if found.span is None or found.score < ACCEPT or found.margin < MARGIN:
        return Located(
            span=None, score=found.score, certainty="sure", how=found.how or "gone", candidates=_guesses(found)
        )
    contested = whose == "open"
    certainty: Certainty = "sure" if sure and not contested else "probable"
    return Located(
        span=found.span,
        score=found.score,
        certainty=certainty,
        how=found.how,
        candidates=_guesses(found),
        contested=contested,
    )


def _searched(matching: Matching, frame: Frame, region: Span, diff: Carried) -> tuple[Found, bool]:
    """Return the best proposal, and whether it is sure."""
    pair = matching.pair
    old_root = pair.old.root if matching.parsed else None
    text = pair.old.text[region.start : region.end]
    same = diff.span is not None and pair.new.text[diff.span.start : diff.span.end] == text
    if old_root is None:
        found = as_text(pair, region, diff)
        return found, _is_sure(matching, region, found, diff)
    stays = same and diff.share == 1 and diff.span is not None and is_held(pair, region, diff.span)
    if in_comment(pair.old, region):
        found = as_comment(matching, region, diff)
        if stays and _is_copy(pair, found.span, diff.span):
            return Found(span=diff.span, score=ACCEPT, margin=0.5, how="diff"), False
        return found, found.span is not None and found.span == diff.span and found.score >= _CLEAR
    declared = match_declared(matching, region)
    if declared is not None:
        agreed = declared.span is not None and declared.span == diff.span
        return declared, agreed or (declared.score >= _CLEAR and declared.margin >= _CLEAR_LEAD)
    nodes = _nodes_of(pair.old, region)
    if nodes:
        if same and diff.share == 1 and pair.old.language == "markdown" and len(TOKEN.findall(text)) > _FEW_TOKENS:
            # A paragraph that is still there word for word has not become the longer one it is part of now.
            return Found(span=diff.span, score=0.9, margin=1.0, how="text"), True
        found = _matched(matching, nodes, diff.span)
        if stays and _is_copy(pair, found.span, diff.span):
            return Found(span=diff.span, score=ACCEPT, margin=0.5, how="diff"), False
        if pair.old.language == "markdown" and _ran_on(pair, found.span, diff):
            return Found(span=diff.span, score=max(diff.share, ACCEPT), margin=0.5, how="diff"), False
        if found.span is not None and found.span == diff.span and (same or found.score >= _AGREED):
            return msgspec.structs.replace(found, score=max(found.score, 0.9 if same else 0.0), margin=1.0), True
        if not found.accepted and same and diff.share == 1 and len(TOKEN.findall(text)) > _FEW_TOKENS:
            return Found(span=diff.span, score=0.5, margin=0.5, how="diff"), False
        clear = found.score >= (_CLEAR_NODE if found.how == "node" else _CLEAR) and found.margin >= _CLEAR_LEAD
        return found, found.how in ("node", "parameter") and clear
    edges = edge_nodes(old_root, region)
    if edges is None:
        found = as_text(pair, region, diff)
    else:
        found = as_run(frame, pair, region, diff, edges, lambda other: match_node(matching, other))
    return found, _is_sure(matching, region, found, diff)


def _belongs_elsewhere(matching: Matching, region: Span, place: Span) -> bool:
    """Return whether text of which there are more copies now was carried out of what its element became."""
    old, new = matching.pair.old.text, matching.pair.new.text
    text = old[region.start : region.end]
    if new.count(text) <= old.count(text) or not matching.parsed:
        return False
    element = enclosing(matching.old_elements, region)
    if element is None:
        return False
    match = match_element(matching, element)
    if match.element is None or match.score < 1:
        return False
    return not (match.element.span.start <= place.start and place.end <= match.element.span.end)


def _whose(matching: Matching, region: Span, found: Found) -> Owner:
    """Return whose the place found is, if the region's lines stood more than once; "another" if none was found."""
    if found.how == "parameter" or not copies(matching.pair.old, region):
        return "own"
    if found.span is None:
        return "another"
    element = declared_at(matching, region) if found.how == "element" else None
    if element is not None and matching.old_names[element.qualified, sort_of(element.kind)] == 1:
        match = match_element(matching, element).element
        if match is not None and match.qualified == element.qualified:
            return "own"
    return owner(matching, region, found.span)


def _is_anothers(pair: Pair, region: Span, place: Span, diff: Carried) -> bool:
    """Return whether a place is what something else was, unless the region and its neighbours were carried there."""
    if place == diff.span and diff.share == 1 and (is_held(pair, region, place) or _in_like_line(pair, region, place)):
        return False
    return is_another(pair, region, place)


def _is_claimed(frame: Frame, region: Span, place: Span, diff: Carried) -> bool:
    """Return whether a place that reads otherwise than the region is what other lines were, and nothing of it is its.

    All of its lines were, or half of them, and the diff has next to nothing of the region there.
    """
    old, new = frame.pair.old.text, frame.pair.new.text
    text = old[region.start - frame.old_start : region.end - frame.old_start]
    if new[place.start - frame.new_start : place.end - frame.new_start].split() == text.split():
        return False
    if not frame.holds(place):
        return False
    share = frame.claimed(place, region)
    is_its = diff.span is not None and diff.share >= _LITTLE and overlap(diff.span, place)
    return share == 1 or (share >= _HALF and not is_its)


def _is_copy(pair: Pair, span: Span | None, other: Span | None) -> bool:
    """Return whether a place is another one than `other`, but reads the same: the neighbours of `other` decide then."""
    if span is None or other is None or span == other:
        return False
    return pair.new.text[span.start : span.end] == pair.new.text[other.start : other.end]


def _ran_on(pair: Pair, span: Span | None, diff: Carried) -> bool:
    """Return whether a block has swallowed what follows it, for want of a blank line; the diff kept both its ends."""
    if span is None or diff.span is None or diff.share < _AGREED or not (diff.start_kept and diff.end_kept):
        return False
    grown = line_range(pair.new, span) != line_range(pair.new, diff.span)
    return grown and span.start <= diff.span.start and diff.span.end <= span.end


def _in_like_line(pair: Pair, region: Span, place: Span) -> bool:
    """Return whether region and place are parts of lines that resemble each other."""
    old, new = whole_lines(pair.old, region), whole_lines(pair.new, place)
    if pair.old.text[old.start : old.end].strip() == pair.old.text[region.start : region.end]:
        return False
    return dice(pair.old_bag(old.start, old.end), pair.new_bag(new.start, new.end)) >= _LIKE_LINE


def _is_sure(matching: Matching, region: Span, found: Found, diff: Carried) -> bool:
    """Return whether a place found by edges or text is beyond doubt: nodes agree on it, or its neighbours hold it."""
    span = found.span
    if span is None or span != diff.span:
        return False
    if found.how == "run":
        return diff.share >= _AGREED
    pair = matching.pair
    if is_framed(pair, region, span):
        firm = found.how != "run in part" or (diff.start_kept and diff.end_kept)
        return diff.share >= (_AGREED if firm else _CLEAR)
    if found.how == "run in part":
        return False
    if diff.share < _CLEAR or not (diff.start_kept and diff.end_kept):
        return False
    old_lines, new_lines = whole_lines(pair.old, region), whole_lines(pair.new, span)
    return dice(pair.old_bag(old_lines.start, old_lines.end), pair.new_bag(new_lines.start, new_lines.end)) >= _CLEAR


def _matched(matching: Matching, nodes: list[Node], carried_to: Span | None) -> Found:
    """Return what the outermost node became, or an inner one of the same text if the diff says the same of that.

    A block of one statement is both: if the block grew, the statement may be where it was. A statement that grew did
    so whatever of it reads as before.
    """
    new = matching.pair.new
    first: Found | None = None
    for node in nodes:
        found = match_node(matching, node)
        if found.span is not None:
            found = msgspec.structs.replace(found, span=stripped(new.text, found.span))
        if first is None:
            first = found
            if is_statement(node):
                break
        if found.span is not None and found.span == carried_to:
            return found
    return first if first is not None else NOTHING


def _nodes_of(source: Source, region: Span) -> list[Node]:
    """Return the nodes with exactly this text, blanks at their ends aside, the outermost first; never the root."""
    outer = node_at(source, region)
    if outer is None and source.root is not None:
        around = source.root.descendant_for_byte_range(region.start, max(region.start, region.end - 1))
        while around is not None and stripped(source.text, span_of(around)) == region:
            outer = around
            around = around.parent
    nodes: list[Node] = []
    while outer is not None:
        if outer.parent is not None and not is_bare_block(outer):
            nodes.append(outer)
        inner = outer.named_children
        outer = next((one for one in inner if stripped(source.text, span_of(one)) == region), None)
    return nodes


def _has_words(text: str, region: Span) -> bool:
    return any(character.isalnum() or character == "_" for character in text[region.start : region.end])


def _guesses(found: Found) -> tuple[Candidate, ...]:
    places = [(found.score, found.span), *((score, span) for score, span in found.rivals)]
    return tuple(
        Candidate(span=span, score=round(min(1.0, score), 3))
        for score, span in places
        if span is not None and score >= _LEAST_OFFERED
    )


def _with_indent(matching: Matching, region: Span, bare: Span, start: int) -> int:
    """Return where a region that began with a line's indentation begins now."""
    old, new = matching.pair.old.text, matching.pair.new.text
    lead = old[region.start : bare.start]
    if "\n" not in lead and "\r" not in lead and old[region.start - 1 : region.start] in ("", "\n", "\r"):
        while start > 0 and new[start - 1] in " \t":
            start -= 1
    return start
