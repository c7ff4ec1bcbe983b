"""Reading a memory file never fails: what can be read is read, what cannot is a problem with its line."""

import textwrap

import msgspec
import pytest

from memofs.model.errors import InvalidRequest
from memofs.model.memory import Anchor, Columns, Lines, Memory
from memofs.model.problem import Problem
from memofs.text.identity import derived_id
from memofs.text.memory_file import (
    MOST_FILE_BYTES,
    FileTimes,
    Parsed,
    body_line,
    known_kinds,
    parse_memory_file,
    print_memory,
)
from memofs.text.times import parse_iso

PATH = ".memofs/memory/use-d1-2xhk.md"
NOW_MS = parse_iso("2026-12-01T00:00:00Z") or 0

EXAMPLE = """\
---
id: mem_01k9d3v7q2xh
kind: decision              # decision constraint preference note
title: Use D1 for tenant metadata
status: active
confidence: 0.9             # 0..1
tags: [database, tenants]
aliases: [cloudflare d1]
created: 2026-11-17T09:30:00Z
updated: 2026-11-17T09:30:00Z
verified: 2026-11-17T09:30:00Z
supersedes: [mem_01k8aaaaaaaa]
source: user                # user | agent:<name>
author: Ada L.
x-ticket: OPS-12
anchors:
  - path: src/db/tenants.py
    symbol: TenantStore.open
    lines: 12-40
    columns: 5-28
    mark: "1:abc"
    quote: "def open(self):"
---
Edge latency: tenant metadata is read on every request from the edge…
"""


def parse(text: str | bytes, *, path: str = PATH, times: FileTimes | None = None) -> Parsed:
    data = text.encode() if isinstance(text, str) else text
    return parse_memory_file(path, data, now_ms=NOW_MS, kinds=known_kinds(("incident",)), times=times)


def one(text: str | bytes, *, path: str = PATH) -> tuple[Memory, Problem | None]:
    parsed = parse(text, path=path)
    (memory,) = parsed.memories
    assert len(parsed.problems) < 2
    return memory, parsed.problems[0] if parsed.problems else None


def front(lines: str) -> str:
    return f"---\nid: mem_abcdef\ntitle: T\n{lines}\n---\nBody\n"


def test_the_formats_example_is_read_whole() -> None:
    memory, problem = one(EXAMPLE)
    moment = parse_iso("2026-11-17T09:30:00Z")
    assert problem is None
    assert msgspec.structs.replace(memory, digest="") == Memory(
        id="mem_01k9d3v7q2xh",
        kind="decision",
        title="Use D1 for tenant metadata",
        body="Edge latency: tenant metadata is read on every request from the edge…",
        path=PATH,
        digest="",
        confidence=0.9,
        tags=("database", "tenants"),
        aliases=("cloudflare d1",),
        created_ms=moment,
        updated_ms=moment,
        verified_ms=moment,
        supersedes=("mem_01k8aaaaaaaa",),
        source="user",
        author="Ada L.",
        anchors=(
            Anchor(
                path="src/db/tenants.py",
                symbol="TenantStore.open",
                lines=Lines(first=12, last=40),
                columns=Columns(start=5, end=28),
                mark="1:abc",
                quote="def open(self):",
            ),
        ),
    )


def test_a_new_file_has_the_examples_form() -> None:
    memory, _ = one(EXAMPLE)
    lines = [line.partition("   #")[0].rstrip() for line in EXAMPLE.splitlines() if "x-ticket" not in line]
    assert print_memory(memory).splitlines() == lines


@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("ending", ["", "\n", "\n\n"])
def test_bom_line_ends_and_a_missing_final_newline_change_nothing(bom: bytes, newline: str, ending: str) -> None:
    data = bom + (EXAMPLE.rstrip() + ending).replace("\n", newline).encode()
    expected, _ = one(EXAMPLE)
    memory, problem = one(data)
    assert problem is None
    assert msgspec.structs.replace(memory, digest="") == msgspec.structs.replace(expected, digest="")


@pytest.mark.parametrize(
    ("value", "read"),
    [("no", "no"), ("1e3", "1e3"), ("0123456789e10", "0123456789e10"), ("2026-11-17", "2026-11-17"), ("~", "~")],
)
def test_scalars_are_the_strings_that_stand_there(value: str, read: str) -> None:
    memory, problem = one(f"---\nid: mem_abcdef\ntitle: {value}\n---\n")
    assert (memory.title, problem) == (read, None)


@pytest.mark.parametrize(
    ("lines", "code", "line", "field", "value"),
    [
        ("kind: potato", "unknownKind", 3, "kind", "potato"),
        ("confidence: high", "badConfidence", 3, "confidence", None),
        ("confidence: 1.5", "badConfidence", 3, "confidence", None),
        ("confidence: nan", "badConfidence", 3, "confidence", None),
        ("x: 1\nstatus: superseded", "badStatus", 4, "status", "active"),
        ("created: yesterday", "badDate", 3, "created_ms", None),
        ("created: 2026-13-01", "badDate", 3, "created_ms", None),
        ("verified: 2999-01-01", "futureDate", 3, "verified_ms", parse_iso("2999-01-01")),
        ("tags: {a: b}", "frontMatter", 3, "tags", ()),
        ("tags: [a, [b]]", "frontMatter", 3, "tags", ("a",)),
        ("source: [a]", "frontMatter", 3, "source", None),
        ("kind: goal\nkind: note", "frontMatter", 4, "kind", "note"),
        ("anchors: here", "badAnchor", 3, "anchors", ()),
        ("anchors: [{symbol: x}]", "badAnchor", 3, "anchors", ()),
        ("anchors:\n  - path: ../../etc/passwd", "badAnchor", 3, "anchors", ()),
        ("anchors:\n  - path: /etc/passwd", "badAnchor", 3, "anchors", ()),
        ("anchors:\n  - path: C:\\x", "badAnchor", 3, "anchors", ()),
        ("anchors:\n  - {path: a, lines: 9-3}", "badAnchor", 3, "anchors", ()),
        ("anchors:\n  - {path: a, columns: x}", "badAnchor", 3, "anchors", ()),
    ],
)
def test_a_bad_value_costs_that_field_and_is_named(lines: str, code: str, line: int, field: str, value: object) -> None:
    memory, problem = one(front(lines))
    assert problem is not None
    assert (problem.code, problem.line, problem.severity) == (code, line, "warning")
    assert (getattr(memory, field), memory.body) == (value, "Body")


def test_a_custom_kind_is_known() -> None:
    memory, problem = one(front("kind: incident"))
    assert (memory.kind, problem) == ("incident", None)


def test_a_date_of_tomorrow_is_not_the_future_yet() -> None:
    assert one(front("created: 2026-12-01T18:00:00Z"))[1] is None


def test_one_good_anchor_among_bad_ones_is_kept() -> None:
    memory, problem = one(front("anchors:\n  - path: a.py\n    lines: 3\n  - path: ''"))
    assert memory.anchors == (Anchor(path="a.py", lines=Lines(first=3, last=3)),)
    assert problem is not None
    assert "anchor 2" in problem.message


@pytest.mark.parametrize("nothing", ["", "~", "null"])
def test_an_empty_value_is_no_value(nothing: str) -> None:
    memory, problem = one(front(f"confidence: {nothing}\ncreated: {nothing}\ntags: {nothing}\nanchors: {nothing}"))
    assert problem is None
    assert (memory.confidence, memory.created_ms, memory.tags, memory.anchors) == (None, None, (), ())


def test_tags_may_be_written_with_commas() -> None:
    assert one(front("tags: a, b ,c"))[0].tags == ("a", "b", "c")


def test_an_id_that_is_missing_or_bad_follows_from_the_path() -> None:
    missing, problem = one("---\ntitle: T\n---\n")
    assert (missing.id, problem) == (derived_id(PATH), None)
    bad, problem = one("---\nid: ADR-1\n---\n")
    assert bad.id == derived_id(PATH)
    assert problem is not None
    assert problem.code == "badId"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Some text\n\n# Use *D1* ##\n", "Use *D1*"),
        ("```\n# code\n```\n\nUse D1\n======\n", "Use D1"),
        ("no heading\n\n- a list\n---\n", "use-d1-2xhk"),
        ("", "use-d1-2xhk"),
        ("\ufeff#no heading\n## \n### Third\n", "Third"),
    ],
)
def test_plain_markdown_is_a_note_with_its_first_heading_as_title(text: str, title: str) -> None:
    times = FileTimes(created_ms=5, modified_ms=7)
    (memory,) = parse(text, times=times).memories
    assert (memory.title, memory.kind, memory.origin) == (title, "note", "markdown")
    assert (memory.id, memory.created_ms, memory.updated_ms) == (derived_id(PATH), 5, 7)


def test_a_thematic_break_on_the_first_line_is_no_front_matter() -> None:
    memory, problem = one("---\nJust text under a line\n")
    assert (memory.origin, problem) == ("markdown", None)


def test_headings_and_rules_in_a_body_are_body() -> None:
    body = "## One\n\n---\nid: mem_zzzzzz\n---\n\n## Two"
    memory, _ = one(f"---\nid: mem_abcdef\n---\n\n\n{body}\n\n")
    assert (memory.id, memory.body) == ("mem_abcdef", body)
    assert body_line(f"---\r\nid: mem_abcdef\r\n---\r\n\r\n{body}") == 4


@pytest.mark.parametrize(
    ("data", "code", "line"),
    [
        ("---\ntitle: [unclosed\n---\n", "frontMatter", 2),
        ("---\ntitle: a: b\n---\n", "frontMatter", 1),
        ("---\n- a\n- b\n---\n", "frontMatter", 1),
        ("---\nid: mem_abcdef\ntitle: never closed\n", "frontMatter", 0),
        ("---\nid: mem_abcdef\ntitle: bell \x07\n---\n", "frontMatter", 2),
        (f"---\na: {'[' * 5000}\n---\n", "frontMatter", 1),
        (f"---\na: {'[' * 50}{']' * 50}\n---\n", "frontMatter", 1),
        ("---\n? [a]\n: b\n---\n", "frontMatter", 1),
        ("---\na: b\n...\nc: d\n---\n", "frontMatter", 3),
        ("---\nid: mem_abcdef\n---\nA\n<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> other\n", "conflictMarkers", 4),
        ("---\n<<<<<<< HEAD\nid: mem_abcdef\n=======\nid: mem_abcdeg\n>>>>>>> b\n---\n", "conflictMarkers", 1),
        ("a\r\n<<<<<<< HEAD\r\nx\r\n||||||| base\r\n=======\r\ny\r\n>>>>>>> other\r\n", "conflictMarkers", 1),
        (b"---\nid: mem_abcdef\n---\n\x00\x01", "binary", 0),
        ("# Hi".encode("utf-16"), "binary", 0),
        (b"# Hi\n\ncaf\xe9\n", "notUtf8", 2),
        (b"x" * (MOST_FILE_BYTES + 1), "tooLarge", 0),
    ],
)
def test_a_file_that_cannot_be_read_is_an_error_and_no_memory(data: str | bytes, code: str, line: int) -> None:
    parsed = parse(data)
    (problem,) = parsed.problems
    assert parsed.memories == ()
    assert (problem.code, problem.line, problem.severity, problem.path) == (code, line, "error", PATH)


def test_aliases_of_aliases_do_not_grow_without_bound() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
    (problem,) = parse("---\n" + "\n".join(lines) + "\n---\n").problems
    assert problem.code == "frontMatter"


def test_markers_that_are_no_conflict_are_text() -> None:
    body = textwrap.dedent("""\
        Title
        =======

        Git writes <<<<<<< and >>>>>>> around what it cannot merge:

            <<<<<<< HEAD
            =======
            >>>>>>> other""")
    assert one(f"---\nid: mem_abcdef\n---\n{body}\n")[0].body == body


def test_a_body_of_a_megabyte_is_fine() -> None:
    body = "A line of some forty characters, again.\n" * 25_000
    memory, problem = one(f"---\nid: mem_abcdef\ntitle: Big\n---\n{body}")
    assert (len(memory.body), problem) == (len(body) - 1, None)


def test_the_log_is_read_as_a_log_only_at_its_place() -> None:
    text = "## 2026-01-02T03:04:05Z — T\n- kind: goal\n\nBody\n"
    (entry,) = parse(text, path=".memofs/memory/notes.md").memories
    (page,) = parse(text, path=".memofs/memory/sub/notes.md").memories
    assert (entry.origin, entry.kind, page.origin) == ("log", "goal", "markdown")


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("id", "ADR-1", "notWritable"),
        ("title", " \n", "notWritable"),
        ("kind", "Decision", "notWritable"),
        ("confidence", 7.0, "notWritable"),
        ("title", "\ud800", "notText"),
        ("body", "<<<<<<< a\n=======\n>>>>>>> b", "conflictMarkers"),
        ("body", "nul \0 byte", "binary"),
        ("anchors", (Anchor(path="../x"),), "notWritable"),
    ],
)
def test_what_would_not_be_read_back_is_not_printed(field: str, value: object, code: str) -> None:
    memory, _ = one(EXAMPLE)
    with pytest.raises(InvalidRequest) as caught:
        print_memory(msgspec.structs.replace(memory, **{field: value}))
    assert caught.value.code == code
