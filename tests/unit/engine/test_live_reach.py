"""Which anchors an edit has looked at again: those that it touches, changed ones in all that they may have been."""

from pathlib import Path

import pytest

from memofs.anchors.anchoring import anchored
from memofs.anchors.track import TextEdit
from memofs.engine.anchor_look import source_of
from memofs.engine.live import Live, LiveAnchor, Parsed, edited, settled
from memofs.model.config import AnchorSettings
from memofs.model.place import Span
from memofs.store.blobs import Blobs
from memofs.store.code_files import blob_id
from memofs.store.git_objects import GitObjects
from memofs.store.layout import Layout, initialize
from memofs.store.seen_files import SeenFiles

COUNT = 30
FUNCTION = "def job_{0}(queue):\n    total = len(queue) + {0}\n    limit = total * {0}\n    return limit\n\n\n"
CODE = "".join(FUNCTION.format(number) for number in range(COUNT))


class Typed:
    """A text with an anchor for each function, as somebody types in it."""

    def __init__(self, root: Path) -> None:
        initialize(root)
        self.layout = Layout.of(root)
        self.blobs = Blobs(self.layout, GitObjects(root))
        self.blobs.keep(CODE.encode())
        blob = blob_id(CODE.encode())
        source, anchors = source_of("jobs.py", CODE), list[LiveAnchor]()
        for number in range(COUNT):
            start = CODE.index(f"def job_{number}(")
            end = CODE.index("return limit", start) + len("return limit")
            anchor = anchored(source, "jobs.py", Span(start, end), blob=blob, budget_bytes=4_000)
            anchors.append(LiveAnchor(memory=f"mem_{number}", index=0, anchor=anchor))
        self.parsed = Parsed()
        self.live = Live(path="jobs.py", text=CODE, version=1, anchors=tuple(anchors))
        self.settle()

    def settle(self) -> None:
        files = SeenFiles(self.layout, {})
        self.live = settled(self.live, self.blobs, AnchorSettings(), files=files, parsed=self.parsed)

    def edit(self, start: int, end: int, text: str) -> int:
        """How many anchors have to be looked at after the edit."""
        self.live = edited(self.live, [TextEdit(start, end, text)], version=self.live.version + 1)
        return sum(each.is_due for each in self.live.anchors)

    def verdict(self, number: int) -> str | None:
        state = self.live.anchors[number].state
        return None if state is None else state.verdict


@pytest.fixture
def typed(tmp_path: Path) -> Typed:
    return Typed(tmp_path)


def test_an_edit_elsewhere_has_no_changed_code_looked_at(typed: Typed) -> None:
    for number in range(COUNT - 1):
        at = typed.live.text.index("total *", typed.live.text.index(f"def job_{number}("))
        typed.edit(at, at, "2 + ")
    typed.settle()
    assert [typed.verdict(number) for number in range(COUNT)] == ["changed"] * (COUNT - 1) + ["current"]
    assert typed.edit(len(typed.live.text), len(typed.live.text), "# end\n") == 0
    at = typed.live.text.index("total =", typed.live.text.index("def job_5("))
    assert typed.edit(at, at, "x") == 1


@pytest.mark.parametrize("line", ["    total =", "    limit =", "    return limit"])
def test_undo_of_what_ended_the_code_early_is_current_again(typed: Typed, line: str) -> None:
    """A letter before the indentation ends a function there: what is found of it is a part."""
    at = typed.live.text.index(line, typed.live.text.index("def job_7("))
    assert typed.edit(at, at, "x") >= 1
    typed.settle()
    assert typed.verdict(7) in ("changed", "missing")
    assert typed.edit(at, at + 1, "") >= 1
    typed.settle()
    assert [typed.verdict(number) for number in range(COUNT)] == ["current"] * COUNT
