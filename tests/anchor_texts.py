"""Texts with a region marked in them, for tests of anchors: `«…»` in the old one, and in the new one what is right."""

import textwrap

from memofs.anchors.language import LanguageName
from memofs.anchors.pair import Pair
from memofs.anchors.resolve.cascade import Located, locate
from memofs.anchors.resolve.matching import Matching
from memofs.anchors.source import Source
from memofs.model.place import Span

__all__ = ["located", "marked", "matching_of", "pair_of", "shown"]


def marked(text: str) -> tuple[str, Span]:
    """Return a text, dedented, without its marks, and the span between them (empty at 0 if there are none)."""
    bare = textwrap.dedent(text).lstrip("\n")
    start = bare.find("«")
    if start < 0:
        return bare, Span(0, 0)
    end = bare.index("»") - 1
    return bare.replace("«", "").replace("»", ""), Span(start, end)


def pair_of(old: str, new: str, language: LanguageName | None = None) -> tuple[Pair, Span, Span]:
    """Return a pair, the region marked in the old text and the place marked in the new one."""
    before, region = marked(old)
    after, place = marked(new)
    return Pair(Source(before, language), Source(after, language)), region, place


def matching_of(old: str, new: str, language: LanguageName | None = None) -> tuple[Matching, Span, Span]:
    """Return the same with what is remembered of a pair."""
    pair, region, place = pair_of(old, new, language)
    return Matching(pair), region, place


def located(old: str, new: str, language: LanguageName | None = None) -> tuple[Located, Span, str]:
    """Return where the region is found, where it is by the marks, and the new text."""
    matching, region, place = matching_of(old, new, language)
    return locate(matching, region), place, matching.pair.new.text


def shown(text: str, span: Span | None) -> str | None:
    """Return the text of a span, for a readable comparison."""
    return None if span is None else text[span.start : span.end]
