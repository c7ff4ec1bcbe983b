"""Where somebody writes in the front matter of a memory file, right or half written."""

import pytest

from memofs.text.front_place import front_end, mentions, place_in

TEXT = """\
---
id: mem_1k000000aaaa
kind: dec
tags: [data, edge]
supersedes:
  - mem_1k000000bbbb
anchors:
  - symbol: Store.
    path: src/store.py
  - path: web/
unknown: x
---
Body mem_1k000000cccc and mem_1k000000dddd.
"""
FILE = TEXT.split("\n")


@pytest.mark.parametrize(
    ("line", "column", "key", "value", "anchor", "path"),
    [
        (2, 9, "kind", "dec", None, ""),
        (2, 8, "kind", "de", None, ""),
        (3, 10, "tags", "dat", None, ""),
        (3, 17, "tags", "edge", None, ""),
        (5, 8, "supersedes", "mem_", None, ""),
        (7, 18, "symbol", "Store.", 0, "src/store.py"),
        (8, 18, "path", "src/stor", 0, "src/store.py"),
        (9, 14, "path", "web/", 1, "web/"),
        (10, 10, "unknown", "x", None, ""),
    ],
)
def test_what_is_being_written(line: int, column: int, key: str, value: str, anchor: int | None, path: str) -> None:
    place = place_in(FILE, line, column)
    assert place is not None
    assert (place.key, place.anchor, place.path) == (key, anchor, path)
    assert FILE[line][place.start : column] == place.value
    assert place.value == value


@pytest.mark.parametrize("line", [0, 11, 12, 13, 99])
def test_fences_and_the_body_are_no_front_matter(line: int) -> None:
    assert place_in(FILE, line, 2) is None


def test_ids_paths_and_symbols_are_mentioned() -> None:
    found = [(each.text, each.anchor) for each in mentions(FILE)]
    assert found == [
        ("mem_1k000000bbbb", None),
        ("Store.", 0),
        ("src/store.py", 0),
        ("web/", 1),
        ("mem_1k000000cccc", None),
        ("mem_1k000000dddd", None),
    ]
    assert all(FILE[each.line][each.start : each.end] == each.text for each in mentions(FILE))


@pytest.mark.parametrize(
    ("lines", "end"),
    [([], None), ([""], None), (["# x"], None), (["---"], 1), (["---", "a: b"], 2), (["\ufeff---", "---"], 1)],
)
def test_where_the_front_matter_ends(lines: list[str], end: int | None) -> None:
    assert front_end(lines) == end
    for line in range(3):
        place_in([*lines, "", "", ""], line, 0)
