"""Code lenses above anchored lines: one for each line, complete at once."""

from collections import defaultdict
from collections.abc import Iterable

from lsprotocol import types as lsp

from memofs.server.editor.commands import SHOW_MEMORIES
from memofs.server.editor.places import Shown
from memofs.server.editor.words import lens_title

__all__ = ["lenses"]


def lenses(every: Iterable[Shown]) -> list[lsp.CodeLens]:
    """In the order of lines."""
    by_line: dict[int, list[Shown]] = defaultdict(list)
    for each in every:
        if "lens" in each.muted:
            continue
        by_line[each.line].append(each)
    return [
        lsp.CodeLens(
            range=lsp.Range(lsp.Position(line, 0), lsp.Position(line, 0)),
            command=lsp.Command(
                title=lens_title(group),
                command=SHOW_MEMORIES,
                arguments=[list(dict.fromkeys(each.memory.id for each in group))],
            ),
        )
        for line, group in sorted(by_line.items())
    ]
