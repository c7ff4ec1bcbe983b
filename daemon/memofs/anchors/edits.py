"""The edits that turn one text into another, where nobody said which they were.

Invariant: applying them in the order given makes the new text, and they touch only what differs: text that survives
keeps its spans (track.py). For a formatter that replaces a document, a file that changed on disk, a buffer reloaded.
"""

from memofs.anchors.pair import Pair
from memofs.anchors.source import Source
from memofs.anchors.track import TextEdit

__all__ = ["edits_between"]


def edits_between(old: Source, new: Source) -> tuple[TextEdit, ...]:
    """Return the edits, the last place first, so that each leaves the offsets of those to come as they are."""
    before, after = old.text, new.text
    if before == after:
        return ()
    edits: list[TextEdit] = []
    old_at = new_at = 0
    for run in (*Pair(old, new).kept(0, len(old.lines) - 1), None):
        old_next, new_next = (run.old, run.new) if run else (len(before), len(after))
        if before[old_at:old_next] != after[new_at:new_next]:
            edits.append(TextEdit(old_at, old_next, after[new_at:new_next]))
        if run is not None:
            old_at, new_at = run.old + run.length, run.new + run.length
    return tuple(reversed(edits))
