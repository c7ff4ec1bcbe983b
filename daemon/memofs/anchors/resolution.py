"""Where an anchor's region is now, and what became of it: the steps of resolve/, from an anchor to a verdict.

    resolve(anchor, Comparison(old, new))     with the file as it was when the mark was made
    resolve(anchor, new)                      by the mark alone
    settle(resolution, "missing")             what a probable place counts as

Invariant: nothing here raises for what an anchor, a mark or a text says. Spans are of the new source as it was given,
whatever its line ends. Which old text to take is left to the caller, looking into other files to across.py.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import Final, Literal, get_args

import msgspec

from memofs.anchors.copies import copies, line_range
from memofs.anchors.declared.rules import Kind
from memofs.anchors.digest import blob_id_of_text, text_digest
from memofs.anchors.fingerprint import Fingerprint
from memofs.anchors.mark import Mark, decode
from memofs.anchors.pair import Pair
from memofs.anchors.rebuild import Rebuilt, rebuilt
from memofs.anchors.resolve.cascade import Located, locate
from memofs.anchors.resolve.kinds import sort_of
from memofs.anchors.resolve.matching import Matching
from memofs.anchors.resolve.moved import overlap
from memofs.anchors.resolve.roles import occurrences
from memofs.anchors.source import Source, stripped
from memofs.anchors.spans import from_plain, lines_of, plain, span_at, whole
from memofs.anchors.symbols import declarations, find, named
from memofs.anchors.tokens import bag, dice
from memofs.anchors.verdict import Was, judge
from memofs.model.memory import Anchor
from memofs.model.place import Candidate, Resolution, Span

__all__ = ["Comparison", "resolve", "settle"]

_TELLING: Final = 12
_FAR: Final = 12
"""How many lines away from a place the line that tells it from its copies may be now."""
_LIKE_LINE: Final = 0.8
_WELL_SUPPORTED: Final = 0.65
"""How much of a fingerprint has to be in the new text for an answer by it to be sure."""


class Comparison:
    """A file as it was and as it is, for all of its anchors: the diff and the trees are made once."""

    def __init__(self, old: Source, new: Source) -> None:
        self.old: Final = old
        self.new: Final = new

    @cached_property
    def matching(self) -> Matching:
        """What is known of the two texts, in plain form."""
        return Matching(Pair(plain(self.old), plain(self.new)))


def resolve(anchor: Anchor, now: Comparison | Source) -> Resolution:
    """Return what became of the region that `anchor` names.

    With a `Comparison` whose old text is not the one the anchor was made of, the mark alone decides.
    """
    new = now.new if isinstance(now, Comparison) else now
    decoded = decode(anchor.mark) if anchor.mark else None
    mark = decoded if isinstance(decoded, Mark) else None
    lacking = ("mark",) if mark is None else ()
    if anchor.lines is None and anchor.symbol is None:
        return _whole_file(mark, now)
    if mark is not None and mark.blob is not None and (same := _same_blob(anchor, mark, new)) is not None:
        return same
    if isinstance(now, Comparison):
        region = _recorded(anchor, mark, plain(now.old))
        if region is not None:
            return _compared(anchor, mark, now, region)
    if mark is not None and mark.fingerprint is not None:
        return _by_fingerprint(anchor, mark, mark.fingerprint, new)
    return _by_name(anchor, mark, new, lacking)


def settle(resolution: Resolution, probable: Literal["missing", "accept"]) -> Resolution:
    """Return a resolution as it is to be shown: a place that is only probable counts as missing unless accepted.

    It is then the first of the candidates.
    """
    if resolution.certainty == "sure" or resolution.span is None or probable == "accept":
        return resolution
    guess = Candidate(span=resolution.span, score=resolution.similarity, path=resolution.path)
    others = _apart(resolution.candidates, resolution.span)
    return msgspec.structs.replace(resolution, verdict="missing", span=None, path=None, candidates=(guess, *others))


def _whole_file(mark: Mark | None, now: Comparison | Source) -> Resolution:
    new = plain(now.new if isinstance(now, Comparison) else now)
    if mark is None:
        return Resolution(verdict="current", span=whole(new), how="file", degraded=("mark",))
    old = plain(now.old) if isinstance(now, Comparison) else None
    known = old is not None and old.once(_digest_of_file) == mark.digest
    was = Was(digest=mark.digest, shape=mark.shape, old=(old, None) if old is not None and known else None)
    judged = judge(was, new, None)
    similarity = _shared(old.once(_lines_of_file), new.once(_lines_of_file)) if old is not None and known else 1.0
    source = now.new if isinstance(now, Comparison) else now
    return Resolution(
        verdict=judged.verdict,
        span=whole(source),
        similarity=1.0 if judged.verdict == "current" else similarity,
        how="file",
        degraded=judged.degraded,
    )


def _digest_of_file(source: Source) -> bytes:
    return text_digest(source, whole(source))


def _lines_of_file(source: Source) -> Counter[str]:
    return Counter(key for key in source.keys if key)


def _shared(old: Counter[str], new: Counter[str]) -> float:
    """Return the Dice similarity of two files by their lines, blanks set aside: a file has too many words to count."""
    total = old.total() + new.total()
    return 2 * (old & new).total() / total if total else 1.0


def _same_blob(anchor: Anchor, mark: Mark, new: Source) -> Resolution | None:
    """Return the region at its recorded place if the file is, line ends aside, the one it was made of."""
    other = plain(new)
    if blob_id_of_text(other.text) != mark.blob and blob_id_of_text(new.text) != mark.blob:
        return None
    region = _recorded(anchor, mark, other)
    if region is None:
        return None
    return Resolution(verdict="current", span=from_plain(new, region), how="same file")


def _recorded(anchor: Anchor, mark: Mark | None, old: Source) -> Span | None:
    """Return the anchor's region in the text it was made of; None if this is another text."""
    region = span_at(old, anchor.lines, anchor.columns) if anchor.lines is not None else None
    if region is not None and (mark is None or text_digest(old, region) == mark.digest):
        return stripped(old.text, region)
    if anchor.symbol is not None:
        declared = find(old, anchor.symbol).exact
        if declared is not None and (mark is None or text_digest(old, declared.span) == mark.digest):
            return declared.span
    return None


def _compared(anchor: Anchor, mark: Mark | None, now: Comparison, region: Span) -> Resolution:
    """Return what became of a region of a known old text."""
    old, new = plain(now.old), plain(now.new)
    located = locate(now.matching, region)
    was = Was(
        digest=mark.digest if mark else None,
        shape=mark.shape if mark else None,
        old=(old, region),
        line=anchor.lines.first if anchor.lines else None,
    )
    return _judged(was, located, now.new, old.text[region.start : region.end], text_of_new=new.text)


def _by_fingerprint(anchor: Anchor, mark: Mark, one: Fingerprint, new: Source) -> Resolution:
    """Return what became of a region of which only the mark is known."""
    other = plain(new)
    near = anchor.lines.first - 1 if anchor.lines else 0
    located = _by_label(one, other)
    old: Rebuilt | None = None
    if located is None:
        old = rebuilt(one, other, near)
        located = _by_rebuilding(one, old, other)
    was = Was(digest=mark.digest, shape=mark.shape, line=anchor.lines.first if anchor.lines else None)
    found = _judged(was, located, new, one.text + "\n" + one.tail, text_of_new=other.text)
    if found.degraded and not one.left_out and (old := old or rebuilt(one, other, near)) is not None:
        was = msgspec.structs.replace(was, old=(old.source, old.region))
        return _judged(was, located, new, one.text, text_of_new=other.text)
    return found


def _by_label(one: Fingerprint, new: Source) -> Located | None:
    """Return the declaration of the recorded label, if there is and was exactly one."""
    if not one.label or one.namesakes > 1:
        return None
    found = [other for other in declarations(new) if other.label == one.label]
    if len(found) != 1 or (one.kind and one.kind not in _kin(found[0].kind)):
        return None
    declared = found[0]
    span = {"span": declared.span, "dressed": declared.dressed}.get(one.part, declared.core)
    return Located(span=span, score=1.0, certainty="sure", how="symbol")


def _kin(kind: Kind) -> frozenset[str]:
    """Return the kinds a declaration of this kind may have had."""
    return frozenset(other for other in get_args(Kind) if sort_of(other) == sort_of(kind))


def _by_rebuilding(one: Fingerprint, old: Rebuilt | None, new: Source) -> Located:
    if old is None:
        return Located(span=None, score=0.0, certainty="sure", how="no trace")
    located = locate(Matching(Pair(old.source, new)), old.region)
    if located.span is not None and one.copies:
        return _of_copies(one, located, located.span, new)
    unmistakable = not one.left_out and new.text.count(one.text) == 1
    if located.span is not None and old.support < _WELL_SUPPORTED and not unmistakable:
        return msgspec.structs.replace(located, certainty="probable")
    return located


def _of_copies(one: Fingerprint, located: Located, place: Span, new: Source) -> Located:
    """Return the answer for a region whose lines stood more than once: its neighbours say whether it is this one."""
    first, last = line_range(new, place)
    above = _told(one.before.split("\n")[::-1], one.above, new.lines[max(0, first - _FAR) : first])
    below = _told(one.after.split("\n"), one.below, new.lines[last + 1 : last + 1 + _FAR])
    around = named(new, one.within) if one.within else ()
    elsewhere = len(around) == 1 and not (around[0].span.start <= place.start and place.end <= around[0].span.end)
    others = copies(new, place)
    same_number = len(others) == one.copies and sum(other < (first, last) for other in others) == one.number
    sides = {above, below}
    told = "same" in sides and sides <= {"same", "unknown"}
    if not elsewhere and (told or (same_number and ("same" in sides or "other" not in sides))):
        return located
    if elsewhere or ("other" in sides and not (same_number or "same" in sides)):
        candidates = (Candidate(span=place, score=located.score / 2), *located.candidates)
        return Located(span=None, score=located.score, certainty="sure", how="another", candidates=candidates)
    return msgspec.structs.replace(located, certainty="probable", contested=True)


def _told(told: Sequence[str], number: int, lines: Sequence[str]) -> Literal["same", "like", "other", "unknown"]:
    """Return whether the telling one of some lines (from 1) is among others, or one like it."""
    if not 0 < number <= len(told):
        return "unknown"
    key = "".join(told[number - 1].split())
    if any("".join(line.split()) == key for line in lines):
        return "same"
    line = bag(told[number - 1])
    return "like" if any(dice(line, bag(other)) >= _LIKE_LINE for other in lines) else "other"


def _by_name(anchor: Anchor, mark: Mark | None, new: Source, lacking: tuple[str, ...]) -> Resolution:
    """Return the region by what the anchor itself says: its symbol, its quote, its lines."""
    other = plain(new)
    region: Span | None = None
    candidates: tuple[Candidate, ...] = ()
    how = "lines"
    if anchor.symbol is not None:
        found = find(other, anchor.symbol).found
        how = "symbol"
        region = found[0].span if len(found) == 1 else None
        candidates = tuple(Candidate(span=from_plain(new, one.span), score=1 / len(found)) for one in found)
    elif anchor.quote is not None:
        places = occurrences(other.text, anchor.quote.strip(), whole(other)) if anchor.quote.strip() else ()
        how = "quote"
        region = places[0] if len(places) == 1 else None
        candidates = tuple(Candidate(span=from_plain(new, one), score=1 / len(places)) for one in places[:5])
    elif anchor.lines is not None:
        region = span_at(other, anchor.lines, anchor.columns)
    region = stripped(other.text, region) if region is not None else None
    if region is None:
        return Resolution(verdict="missing", similarity=0.0, how=how, candidates=candidates, degraded=lacking)
    line = lines_of(other, region)[0].first
    was = Was(
        digest=mark.digest if mark else None,
        shape=mark.shape if mark else None,
        line=anchor.lines.first if anchor.lines else None,
    )
    judged = judge(was, other, region, line)
    degraded = tuple(dict.fromkeys((*lacking, *judged.degraded)))
    return Resolution(verdict=judged.verdict, span=from_plain(new, region), how=how, degraded=degraded)


def _judged(was: Was, located: Located, new: Source, old_text: str, *, text_of_new: str) -> Resolution:
    """Return the resolution of a place that was found, or not, in the plain form of `new`."""
    candidates = tuple(
        Candidate(span=from_plain(new, one.span), score=one.score) for one in _apart(located.candidates, located.span)
    )
    if located.span is None:
        return Resolution(verdict="missing", similarity=0.0, how=located.how, candidates=candidates)
    span = stripped(text_of_new, located.span)
    judged = judge(was, plain(new), span, lines_of(plain(new), span)[0].first)
    same = judged.verdict in ("current", "moved")
    words = text_of_new[span.start : span.end]
    certainty = located.certainty
    if (
        certainty == "probable"
        and not located.contested
        and judged.verdict != "changed"
        and _is_one(words, text_of_new, was)
    ):
        # What says the same, and is where the region may well be, is the region.
        certainty = "sure"
    similarity = 1.0 if same else dice(bag(old_text), bag(words))
    return Resolution(
        verdict=judged.verdict,
        span=from_plain(new, span),
        certainty=certainty,
        similarity=similarity,
        how=located.how,
        candidates=candidates,
        degraded=judged.degraded,
    )


def _is_one(words: str, new: str, was: Was) -> bool:
    """Return whether words stand once in the new text, and say much or stood once in the old one too."""
    if len(occurrences(new, words, Span(0, len(new)))) != 1:
        return False
    if _inked(words) >= _TELLING:
        return True
    old = was.old[0].text if was.old is not None else ""
    return len(occurrences(old, words, Span(0, len(old)))) == 1


def _apart(candidates: Sequence[Candidate], place: Span | None) -> tuple[Candidate, ...]:
    """Return the candidates that share nothing with a place nor with a better one: another name of it is no other."""
    kept: list[Candidate] = []
    for one in candidates:
        taken = [place, *(other.span for other in kept)]
        if not any(other is not None and overlap(one.span, other) for other in taken):
            kept.append(one)
    return tuple(kept)


def _inked(text: str) -> int:
    return sum(map(len, text.split()))
