"""Changing a file in place: only what was to change differs, and what cannot be done safely is refused."""

import pytest

from memofs.model.errors import Conflict, InvalidRequest
from memofs.model.memory import Anchor, Lines, Memory
from memofs.text.fields import Changes
from memofs.text.identity import derived_id
from memofs.text.memory_file import FileTimes, known_kinds, parse_memory_file, rewrite, splice

FILE = """\
---
# Kept by the platform team
id: mem_abcdef
kind:   decision     # why we chose
title: 'Use D1'
x-owner: "ops"       # nobody else

tags:
- a    # the first
- b
notes: |
  literal

confidence: 0.5
---

Body
"""


def spliced(text: str, changes: Changes) -> str:
    return splice(text.encode(), changes).decode()


@pytest.mark.parametrize(
    ("changes", "old", "new"),
    [
        ({"kind": "goal"}, "kind:   decision     #", "kind:   goal     #"),
        ({"title": "Use D1: now"}, "title: 'Use D1'", 'title: "Use D1: now"'),
        ({"tags": ("x", "y")}, "tags:\n- a    # the first\n- b\n", 'tags: [x, "y"]\n'),
        ({"tags": ()}, "tags:\n- a    # the first\n- b\n", ""),
        ({"confidence": None}, "confidence: 0.5\n", ""),
        ({"confidence": 1e-05}, "confidence: 0.5", "confidence: 1e-05"),
        ({"status": "retired"}, "title: 'Use D1'\n", "title: 'Use D1'\nstatus: retired\n"),
        ({"aliases": ("no",)}, "- b\n", '- b\naliases: ["no"]\n'),
        ({"verified_ms": 0}, "- b\n", "- b\nverified: 1970-01-01T00:00:00Z\n"),
        (
            {"anchors": (Anchor(path="a.py", lines=Lines(first=1, last=2)),)},
            "- b\n",
            "- b\nanchors:\n  - path: a.py\n    lines: 1-2\n",
        ),
        ({"body": "New\nbody"}, "Body\n", "New\nbody\n"),
        ({"body": ""}, "Body\n", "\n"),
        ({"kind": "decision"}, "", ""),
    ],
)
def test_only_the_lines_of_the_key_change(changes: Changes, old: str, new: str) -> None:
    assert FILE.count(old) == 1 or not old
    assert spliced(FILE, changes) == FILE.replace(old, new)


@pytest.mark.parametrize("newline", ["\r\n", "\r"])
def test_line_ends_stay(newline: str) -> None:
    text = FILE.replace("\n", newline)
    result = spliced(text, {"status": "pending", "tags": ("x",), "body": "two\nlines"})
    assert result.replace(newline, "") == result.replace("\r", "").replace("\n", "")
    assert f"two{newline}lines{newline}" in result


def test_bom_and_a_missing_final_newline_stay() -> None:
    text = "\ufeff---\nid: mem_abcdef\n---\nBody"
    assert spliced(text, {"kind": "goal", "body": "New"}) == "\ufeff---\nid: mem_abcdef\nkind: goal\n---\nNew"


def test_a_file_that_ends_with_its_front_matter_gets_a_body() -> None:
    assert spliced("---\nid: mem_abcdef\n---", {"body": "New"}) == "---\nid: mem_abcdef\n---\nNew\n"


def test_plain_markdown_is_given_front_matter() -> None:
    text = "\ufeff# Title\r\n\r\nBody"
    assert spliced(text, {"status": "retired"}) == "\ufeff---\r\nstatus: retired\r\n---\r\n# Title\r\n\r\nBody"


def test_a_repeated_key_is_changed_where_it_counts() -> None:
    text = "---\nkind: note\nid: mem_abcdef\nkind: goal\n---\n"
    assert spliced(text, {"kind": "decision"}) == text.replace("goal", "decision")


def test_removing_a_repeated_key_removes_it_everywhere() -> None:
    assert spliced("---\nsource: a\nid: mem_abcdef\nsource: b\n---\n", {"source": None}) == "---\nid: mem_abcdef\n---\n"


def test_an_anchor_list_is_replaced_as_a_block() -> None:
    text = "---\nid: mem_abcdef\nanchors: # ours\n  - path: a\n    lines: 3\n\n# last\n---\n"
    result = spliced(text, {"anchors": (Anchor(path="b", symbol="c"),)})
    assert result == "---\nid: mem_abcdef\nanchors: # ours\n  - path: b\n    symbol: c\n\n# last\n---\n"


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("---\n{id: mem_abcdef, kind: note}\n---\n", {"kind": "goal"}),
        ("---\na: &a note\nid: mem_abcdef\nkind: *a\n---\n", {"kind": "goal"}),
        ("---\nkind: &a note\nid: mem_abcdef\nb: *a\n---\n", {"kind": "goal"}),
        ("---\nx: |\n  literal\nsource: a\n  # a remark that would become part of x\n---\n", {"source": None}),
        ("---\nkind: [\n---\n", {"kind": "goal"}),
        ("<<<<<<< a\n=======\n>>>>>>> b\n", {"kind": "goal"}),
        ("a\0b", {"kind": "goal"}),
    ],
)
def test_what_cannot_be_changed_in_place_is_a_conflict(text: str, changes: Changes) -> None:
    with pytest.raises(Conflict) as caught:
        splice(text.encode(), changes)
    assert caught.value.hint


@pytest.mark.parametrize(
    "changes",
    [
        {"id": "ADR-1"},
        {"title": " "},
        {"kind": "Goal"},
        {"confidence": 2.0},
        {"anchors": (Anchor(path="/etc/passwd"),)},
        {"body": "\ud800"},
    ],
)
def test_values_that_would_not_be_read_back_are_refused(changes: Changes) -> None:
    with pytest.raises(InvalidRequest):
        splice(FILE.encode(), changes)


def test_a_body_that_would_make_the_file_unreadable_is_refused() -> None:
    with pytest.raises(Conflict, match="conflict markers"):
        splice(FILE.encode(), {"body": "<<<<<<< a\n=======\n>>>>>>> b"})


def _loaded(data: bytes, path: str) -> Memory:
    times = FileTimes(created_ms=1_000, modified_ms=2_000)
    parsed = parse_memory_file(path, data, now_ms=1 << 60, kinds=known_kinds(), times=times)
    return parsed.memories[0]


def test_rewriting_plain_markdown_keeps_its_id_and_age() -> None:
    data = b"# Title\n\nBody\n"
    memory = _loaded(data, ".memofs/memory/old.md")
    after = rewrite(memory, data, {"status": "retired"})
    moved = _loaded(after, ".memofs/memory/new.md")
    assert (moved.id, moved.created_ms, moved.updated_ms) == (derived_id(".memofs/memory/old.md"), 1_000, 2_000)
    assert after.endswith(data)


def test_rewriting_a_file_that_says_its_id_adds_none() -> None:
    data = b"---\nid: mem_abcdef\n---\nBody\n"
    memory = _loaded(data, ".memofs/memory/a.md")
    assert rewrite(memory, data, {"kind": "goal"}) == b"---\nid: mem_abcdef\nkind: goal\n---\nBody\n"
