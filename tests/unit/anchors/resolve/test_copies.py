"""Text that stands more than once: when one copy goes, its anchor is not passed on to another."""

import itertools
from dataclasses import dataclass

import pytest

from memofs.anchors.anchoring import anchored
from memofs.anchors.copies import copies
from memofs.anchors.fingerprint import fingerprint
from memofs.anchors.language import LanguageName
from memofs.anchors.resolution import Comparison, resolve, settle
from memofs.anchors.source import Source
from memofs.model.place import Resolution, Span


@dataclass(frozen=True)
class Kind:
    """What is copied, what stands between the copies (`#` is a number), and what a file begins and ends with."""

    name: str
    language: LanguageName | None
    copy: str
    between: str
    head: str = ""
    foot: str = ""


KINDS = (
    Kind(
        "function",
        "python",
        "def run(task):\n    note = task.name\n    log(note)\n    return task.wait()\n\n\n",
        "def step_#(task):\n    print(task, '#')\n    return #\n\n\n",
        "import os\n\n\n",
    ),
    Kind(
        "method",
        "typescript",
        "  run(task: Task): number {\n    const note = task.name;\n    log(note);\n    return task.wait();\n  }\n\n",
        "  step#(task: Task): number {\n    print(task, '#');\n    return #;\n  }\n\n",
        "class Jobs {\n",
        "}\n",
    ),
    Kind(
        "function in go",
        "go",
        "func run(t Task) int {\n\tnote := t.Name\n\tlog(note)\n\treturn t.Wait()\n}\n\n",
        "func step#(t Task) int {\n\tprint(t, #)\n\treturn #\n}\n\n",
        "package jobs\n\n",
    ),
    Kind(
        "statement",
        "python",
        "    try:\n        run(task)\n    except OSError:\n        log(task)\n        raise\n",
        "    step_#('#')\n    go_#(task)\n",
        "def main(task):\n    start()\n",
    ),
    Kind("line", "python", "    handle.flush_all(task)\n", "    step_#('#')\n    go_#(task)\n", "def main(task):\n"),
    Kind("list item", "yaml", "  - name: set up\n    run: make ready\n", "  - run: make step_#\n", "steps:\n"),
    Kind("object", "json", '  {"kind": "reader", "size": [1, 2, 3]},\n', '  {"step": #},\n', "[\n", "  0\n]\n"),
    Kind("paragraph", "markdown", "Keep the key file\nout of the repository.\n\n", "Step # is this\nand that.\n\n"),
    Kind("text", None, "Keep the key file\nout of the repository.\n\n", "Step # is this\nand that.\n\n"),
)
ARRANGEMENTS = ("copy 1 copy 2", "1 copy 2 copy 3", "1 copy 2 3 copy 4", "1 copy 2 copy 3 copy 4")


def written(kind: Kind, words: list[str]) -> tuple[str, list[Span]]:
    """Return a file, and where the copies are in it."""
    text = kind.head
    spans: list[Span] = []
    for word in words:
        part = kind.copy if word == "copy" else kind.between.replace("#", word)
        if word == "copy":
            bare = part.strip().rstrip(",")
            start = len(text) + part.index(bare)
            spans.append(Span(start, start + len(bare)))
        text += part
    return text + kind.foot, spans


def looked_for(kind: Kind, old: str, region: Span, new: str) -> tuple[Resolution, Resolution]:
    """Return what becomes of a region, with the old text and by the mark alone."""
    before, now = Source(old, kind.language), Source(new, kind.language)
    anchor = anchored(before, "jobs", region)
    return resolve(anchor, Comparison(before, now)), resolve(anchor, now)


CASES = list(itertools.product(KINDS, ARRANGEMENTS))


@pytest.mark.parametrize(("kind", "arrangement"), CASES, ids=lambda value: getattr(value, "name", value))
def test_a_copy_that_goes_is_not_another(kind: Kind, arrangement: str) -> None:
    words = arrangement.split()
    old, regions = written(kind, words)
    places = [index for index, word in enumerate(words) if word == "copy"]
    for gone in places:
        new, left = written(kind, [word for index, word in enumerate(words) if index != gone])
        kept = [place for place in places if place != gone]
        for place, region in zip(places, regions, strict=True):
            for found in looked_for(kind, old, region, new):
                if place == gone:
                    assert found.span is None or found.certainty == "probable"
                    assert settle(found, "missing").verdict == "missing"
                else:
                    assert (found.span, found.certainty) == (left[kept.index(place)], "sure")


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_part_of_a_copy_that_goes_is_not_of_another(kind: Kind) -> None:
    words = ["1", "copy", "2", "copy", "3"]
    old, regions = written(kind, words)
    new, left = written(kind, ["1", "2", "copy", "3"])
    word = max(kind.copy.split(), key=len).strip(",:;\"'")
    at = kind.copy.strip().index(word)
    parts = [Span(one.start + at, one.start + at + len(word)) for one in (*regions, *left)]
    for found in looked_for(kind, old, parts[0], new):
        assert settle(found, "missing").verdict == "missing"
    for found in looked_for(kind, old, parts[1], new):
        assert (found.span, found.certainty) == (parts[2], "sure")


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_all_copies_that_stay_are_themselves(kind: Kind) -> None:
    old, regions = written(kind, ["1", "copy", "2", "copy", "3"])
    new, left = written(kind, ["1", "4", "copy", "5", "2", "copy", "3"])
    for region, right in zip(regions, left, strict=True):
        for found in looked_for(kind, old, region, new):
            assert found.span == right


def test_a_fingerprint_tells_a_copy_by_the_nearest_line_that_does() -> None:
    text = "a()\nsame()\nx\nsame()\nb()\nsame()\nx\nsame()\nc()\nsame()\n"
    source = Source(text)
    region = Span(text.index("x"), text.index("x") + 1)
    assert copies(source, region) == ((6, 6),)
    first = fingerprint(source, region)
    assert (first.copies, first.number, first.above, first.below) == (1, 0, 2, 2)
    again = text.rindex("x")
    assert fingerprint(source, Span(again, again + 1)).number == 1
    only = fingerprint(source, Span(0, 3))
    assert (only.copies, only.above, only.below) == (0, 0, 0)


def test_a_comma_behind_makes_no_other_copy() -> None:
    source = Source("[\n  1,\n  2,\n  1\n]\n", "json")
    assert copies(source, Span(4, 5)) == ((3, 3),)
