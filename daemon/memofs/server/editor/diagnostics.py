"""Warnings where code and memory part ways, as an editor shows them.

Invariant: a diagnostic names the document version it was made for; the same state gives the same list.
"""

from collections.abc import Callable, Iterable

from lsprotocol import types as lsp

from memofs.model.memory import Memory
from memofs.server.editor.live import Seen
from memofs.server.editor.places import Shown, whole_lines
from memofs.server.editor.words import line_of, message_of
from memofs.text.positions import Encoding

__all__ = ["SOURCE", "diagnostics"]

SOURCE = "memofs"
_START = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))


def diagnostics(
    seen: Seen, every: Iterable[Shown], encoding: Encoding, *, location_of: Callable[[Memory], lsp.Location]
) -> list[lsp.Diagnostic]:
    """One for each stale anchor, and one for each memory that nobody has verified for too long."""
    found: list[lsp.Diagnostic] = []
    unverified: set[str] = set()
    for each in every:
        if "diagnostics" in each.muted:
            continue
        if each.is_stale:
            found.append(_diagnostic(seen, each, encoding, location_of))
        elif each.memory.id not in unverified and "unverified" in seen.view.flags(each.memory):
            unverified.add(each.memory.id)
            found.append(
                lsp.Diagnostic(
                    range=whole_lines(each.range, seen, encoding),
                    message=f"{line_of(each.memory.title)}: nobody has verified this for long",
                    severity=lsp.DiagnosticSeverity.Information,
                    code="memofs.unverified",
                    source=SOURCE,
                    related_information=_related(each, location_of),
                    data=_data(each),
                )
            )
    return found


def _diagnostic(
    seen: Seen, each: Shown, encoding: Encoding, location_of: Callable[[Memory], lsp.Location]
) -> lsp.Diagnostic:
    return lsp.Diagnostic(
        range=whole_lines(each.range, seen, encoding),
        message=message_of(each),
        severity=lsp.DiagnosticSeverity.Warning,
        code=f"memofs.{each.state.verdict}",
        source=SOURCE,
        related_information=_related(each, location_of),
        data=_data(each),
    )


def _related(each: Shown, location_of: Callable[[Memory], lsp.Location]) -> list[lsp.DiagnosticRelatedInformation]:
    message = f"{each.memory.kind}: {line_of(each.memory.title)}"
    return [lsp.DiagnosticRelatedInformation(location=location_of(each.memory), message=message)]


def _data(each: Shown) -> dict[str, object]:
    return {"memory": each.memory.id, "anchorIndex": each.anchor.index}
