"""Suggestions for a project's lexicon, from its memories and the files that they are anchored in.

Invariant: only files that somebody anchored a memory in are read, inside the workspace, and no more of them than
`MOST_FILES` and `MOST_CHARACTERS`; those of most memories first.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final

from memofs.engine.view import View
from memofs.model.cancel import NEVER, CancelToken
from memofs.model.memory import Memory
from memofs.recall.suggest import Code, Suggestion, suggestions
from memofs.store.code_files import CodeFile, read_code
from memofs.store.layout import Layout

__all__ = ["suggest"]

MOST_FILES: Final = 400
MOST_CHARACTERS: Final = 16_000_000


def suggest(view: View, *, cancel: CancelToken = NEVER) -> tuple[Suggestion, ...]:
    """What could be added to the project's lexicon, surest first. Raises Cancelled."""
    superseded = view.world.superseded_by
    current = [each for each in view.world.memories.values() if each.status == "active" and each.id not in superseded]
    code = _code(view.store.layout, current, cancel)
    return suggestions(current, code, project=view.world.config.lexicon, cancel=cancel)


def _code(layout: Layout, memories: Iterable[Memory], cancel: CancelToken) -> Iterator[Code]:
    anchored: dict[str, dict[str, None]] = defaultdict(dict)
    for memory in memories:
        for anchor in memory.every_anchor:
            anchored[anchor.path][memory.id] = None
    left = MOST_CHARACTERS
    for path in sorted(anchored, key=lambda path: (-len(anchored[path]), path))[:MOST_FILES]:
        cancel.check()
        file = read_code(layout, path)
        if isinstance(file, CodeFile) and file.text is not None and len(file.text) <= left:
            left -= len(file.text)
            yield Code(path=path, text=file.text, memories=tuple(anchored[path]))
