"""An anchor for a region of a source, with all that is recorded of it.

Invariant: whatever it records follows from the source and the region, so the same region gives the same anchor. The
region of a symbol is the declaration with its documentation and decorators.
"""

from typing import Final

from memofs.anchors.digest import blob_id_of_text, text_digest
from memofs.anchors.fingerprint import BUDGET, fingerprint
from memofs.anchors.mark import Mark, encode
from memofs.anchors.source import Source, stripped
from memofs.anchors.spans import lines_of, plain, whole
from memofs.anchors.symbols import symbol_at
from memofs.anchors.verdict import marked_shape
from memofs.model.memory import Anchor, Lines
from memofs.model.place import Span

__all__ = ["anchored"]

_MOST_QUOTED_LINES: Final = 3
_MOST_QUOTED: Final = 200


def anchored(
    source: Source, path: str, region: Span | None, *, blob: str | None = None, budget_bytes: int = BUDGET
) -> Anchor:
    """Return the anchor of `region`, a span of the plain form of `source`; None is the whole file.

    `blob` is the file's id in git where the text may differ from what git keeps; else it is worked out. A file that
    git does not have is recorded with `budget_bytes=GENEROUS`, since its old text will not be had later.
    """
    text = plain(source)
    span = stripped(text.text, region) if region is not None else whole(text)
    mark = Mark(
        digest=text_digest(text, span),
        shape=marked_shape(text, span if region is not None else None),
        blob=blob or blob_id_of_text(text.text),
        fingerprint=fingerprint(text, span, budget_bytes) if region is not None else None,
    )
    if region is None:
        return Anchor(path=path, mark=encode(mark))
    lines, columns = lines_of(text, span)
    declared = symbol_at(text, span) if columns is None else None
    return Anchor(
        path=path,
        symbol=declared.label if declared else None,
        lines=lines,
        columns=columns,
        mark=encode(mark),
        quote=_quote(text.text[span.start : span.end], lines),
    )


def _quote(text: str, lines: Lines) -> str | None:
    return text if lines.last - lines.first < _MOST_QUOTED_LINES and len(text) <= _MOST_QUOTED else None
