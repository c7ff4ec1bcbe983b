"""The edit scripts that anchors are measured by: marks that ride along, units, truth that follows from the edits."""

import ast
import random
from collections import Counter
from collections.abc import Iterator

import pytest

from bench.anchor_cases import Case, FilePair, language_group
from bench.anchor_draft import Draft, shifted
from bench.anchor_drawing import drawn
from bench.anchor_histories import Sides
from bench.anchor_python import python_outline
from bench.anchor_targets import targets
from bench.anchor_units import masked, units
from memofs.model.place import Span

PYTHON = '''"""Stores."""

import json


class Store:
    def __init__(self, path):
        self.path = path
        self.entries = {}

    def load(self):
        text = self.path.read_text()  # all of it
        for line in text.splitlines():
            entry = json.loads(line)
            if entry["kind"] == "note":
                self.entries[entry["id"]] = entry
        return len(self.entries)

    def names(self, prefix):
        found = sorted(self.entries)
        matching = [name for name in found if name.startswith(prefix)]
        return matching


def total(values):
    result = 0
    for value in values:
        result += value
    return result
'''
MARKDOWN = """# Title

A paragraph of a few words that is
long enough to be wrapped differently by whoever likes
other widths.

| name | size |
|------|------|
| one  | 1    |
| two  | 2    |

- an item
  that goes on
- another item

```sh
make all
```

The last paragraph says something else.
"""
YAML = """on:
  push:
    branches: [main]
jobs:
  build:
    runs-on: ubuntu
    steps:
    - uses: checkout
    - name: Test it
      run: make test
  lint:
    runs-on: windows
    steps:
    - run: make lint
    - run: make types
    - run: make layers
"""
SIDE = Sides(
    texts={"a.py": PYTHON, "b.py": PYTHON.replace("Store", "Shelf"), "a.md": MARKDOWN, "b.md": MARKDOWN, "a.yml": YAML},
    outlines={
        name: found
        for name, text in {"a.py": PYTHON, "b.py": PYTHON.replace("Store", "Shelf")}.items()
        if (found := python_outline(text)) is not None
    },
)


def every() -> Iterator[tuple[FilePair, Case]]:
    for seed in range(25):
        for pair in drawn("p", SIDE, seed, 6):
            for case in pair.cases:
                yield pair, case


def test_regions_ride_along() -> None:
    text = "a = 1\nb = 2\n    c = f(b)\nd = 4"
    draft = Draft(text, [Span(6, 11), Span(text.index("f("), text.index("f(") + 4), Span(text.index("d"), len(text))])
    draft.insert(1, ["new"])
    lines = draft.remove([2])
    draft.insert(4, shifted(lines, "  ", marked=True))
    draft.remove([0])
    draft.rename("b", "better")
    made, places = draft.result()
    assert made == "new\nbetter = 2\nd = 4\n  c = f(better)"
    assert [place and made[place.start : place.end] for place in places] == ["better = 2", "f(better)", "d = 4"]


def test_a_region_that_is_taken_out_has_no_place() -> None:
    draft = Draft("a\nb\nc", [Span(2, 3)])
    copy = [draft.lines[1]]
    draft.remove([1])
    draft.insert(0, shifted(copy, ""))
    assert draft.result() == ("b\na\nc", [None])
    with pytest.raises(ValueError, match="private use"):
        Draft("a \ue000", [])


def test_units_are_what_can_be_moved() -> None:
    lines = PYTHON.split("\n")
    found = units(PYTHON, "python", SIDE.outlines["a.py"])
    assert {lines[unit.first].strip() for unit in found} >= {
        "class Store:",
        "def load(self):",
        "entry = json.loads(line)",
    }
    kinds = Counter(unit.kind for unit in units(MARKDOWN, "markdown", None))
    assert kinds == {"heading": 1, "paragraph": 2, "row": 4, "item": 2, "fence": 1}
    yaml_lines = YAML.split("\n")
    found_yaml = {yaml_lines[unit.first].strip(): unit for unit in units(YAML, "yaml", None)}
    assert found_yaml["- name: Test it"].last - found_yaml["- name: Test it"].first == 1
    assert found_yaml["steps:"].first > 0
    assert found_yaml["build:"].block == found_yaml["lint:"].block
    code = "if (a) {\n  b();\n} else {\n  c();\n}\nd();\n"
    assert [(unit.first, unit.last) for unit in units(code, "java", None)] == [(0, 4), (1, 1), (3, 3), (5, 5)]


def test_comments_and_strings_are_masked_sign_for_sign() -> None:
    text = 'a = "b # c"  # d\ne = 1'
    assert masked(text, "python") == "a =             \ne = 1".replace("a =             ", "a = " + " " * 12)
    assert masked("x // y\n/* z\n */ w `t`", "javascript").split() == ["x", "w"]
    assert masked(text, "markdown") == text


def test_targets_share_no_line() -> None:
    outline = SIDE.outlines["a.py"]
    for seed in range(20):
        found = targets(PYTHON, "python", outline, units(PYTHON, "python", outline), 5, random.Random(seed))
        taken = [line for target in found for line in target.lines]
        assert len(taken) == len(set(taken))


def test_the_same_seed_draws_the_same() -> None:
    assert list(drawn("p", SIDE, 3, 4)) == list(drawn("p", SIDE, 3, 4))
    assert list(drawn("p", SIDE, 3, 4)) != list(drawn("p", SIDE, 4, 4))


@pytest.mark.slow
def test_what_is_said_of_a_region_follows_from_what_was_done() -> None:
    seen: Counter[str] = Counter()
    for pair, case in every():
        assert pair.new is not None
        old = pair.old[case.region.start : case.region.end]
        seen[case.change] += 1
        if case.change.startswith(("gone", "replaced")):
            assert case.places == ()
            assert case.stale
            continue
        new = pair.new[case.places[0].start : case.places[0].end]
        bare = "\n".join(line.strip() for line in old.split("\n"))
        bare_new = "\n".join(line.strip() for line in new.split("\n"))
        if not case.stale and case.change not in {"comment", "reflowed"}:
            assert bare == bare_new, case
        if case.change == "reflowed":
            assert old.split() == new.split()
        if case.stale:
            assert bare != bare_new, case
    assert set(seen) >= {
        *("elsewhere", "word", "edge", "around", "line added", "line removed", "comment", "copied", "wrapped"),
        *("renamed", "reflowed", "gone", "replaced", "moved, short", "moved and edited, short"),
    }


@pytest.mark.slow
def test_python_still_parses() -> None:
    for pair, _ in every():
        if language_group(pair.path) == "python":
            ast.parse(pair.new or "")
