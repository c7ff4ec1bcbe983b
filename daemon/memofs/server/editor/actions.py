"""Quick fixes for stale and unverified memories.

Invariant: an action only names a command of commands.py; nothing is changed by offering it.
"""

from collections.abc import Iterable, Sequence
from typing import cast

from lsprotocol import types as lsp

from memofs.server.editor import commands
from memofs.server.editor.places import Shown
from memofs.server.editor.words import line_of

__all__ = ["actions"]

MOST_CANDIDATES = 3
_TITLE = 50


def actions(
    uri: str, every: Iterable[Shown], context: lsp.CodeActionContext, range_: lsp.Range
) -> list[lsp.CodeAction]:
    """What can be done about the memories of the range that are stale or unverified."""
    if context.only is not None and not any(str(kind) in ("", "quickfix") for kind in map(_kind, context.only)):
        return []
    found: list[lsp.CodeAction] = []
    for each in every:
        ours = [diagnostic for diagnostic in context.diagnostics if _is_of(diagnostic, each)]
        if ours or (each.is_stale and _touches(each, range_)):
            found += _of(uri, each, ours, range_)
    return found


def _of(uri: str, each: Shown, ours: Sequence[lsp.Diagnostic], range_: lsp.Range) -> list[lsp.CodeAction]:
    title = line_of(each.memory.title)
    named = f"“{title if len(title) <= _TITLE else title[: _TITLE - 1] + '…'}”"
    index = each.anchor.index
    found = [
        _action(f"Still true: verify {named}", ours, commands.VERIFY, [each.memory.id], preferred=True),
        _action(f"Edit memory {named}", ours, commands.SHOW_MEMORIES, [[each.memory.id]]),
    ]
    if each.is_stale:
        found.append(_action("Show what changed", ours, commands.SHOW_CHANGES, [each.memory.id, index]))
        found += [
            _action(
                f"Anchor to {guess.text.strip() or guess.place.path} ({guess.place.path}"
                f"{f':{guess.place.lines.first}' if guess.place.lines else ''})",
                ours,
                commands.REANCHOR,
                [each.memory.id, index, {"candidate": number}],
            )
            for number, guess in enumerate(each.state.guesses[:MOST_CANDIDATES])
        ]
        if range_.start != range_.end:
            place = {"uri": uri, "range": _plain(range_)}
            found.append(_action("Move anchor here", ours, commands.REANCHOR, [each.memory.id, index, place]))
    found.append(_action(f"Retire memory {named}", ours, commands.RETIRE, [each.memory.id]))
    return found


def _action(
    title: str, ours: Sequence[lsp.Diagnostic], command: str, arguments: list[object], *, preferred: bool = False
) -> lsp.CodeAction:
    return lsp.CodeAction(
        title=title,
        kind=lsp.CodeActionKind.QuickFix,
        diagnostics=list(ours) or None,
        is_preferred=preferred or None,
        command=lsp.Command(title=title, command=command, arguments=arguments),
    )


def _is_of(diagnostic: lsp.Diagnostic, each: Shown) -> bool:
    told = cast("dict[str, object]", diagnostic.data) if isinstance(diagnostic.data, dict) else {}
    return (
        diagnostic.source == "memofs"
        and told.get("memory") == each.memory.id
        and told.get("anchorIndex") == each.anchor.index
    )


def _touches(each: Shown, range_: lsp.Range) -> bool:
    own = each.range
    if own is None:
        return range_.start.line == 0
    return own.start <= range_.end and range_.start <= own.end


def _kind(kind: lsp.CodeActionKind | str) -> str:
    return kind.value if isinstance(kind, lsp.CodeActionKind) else kind


def _plain(range_: lsp.Range) -> dict[str, object]:
    return {
        "start": {"line": range_.start.line, "character": range_.start.character},
        "end": {"line": range_.end.line, "character": range_.end.character},
    }
