"""notes.md of the original system."""

from memofs.model.memory import Anchor, Memory
from memofs.model.problem import Problem
from memofs.text.memory_file import LOG_NAME, known_kinds
from memofs.text.notes import parse_entries, parse_notes, print_entry
from memofs.text.times import parse_iso

LOG = """\
# Notes

Written by the old system.

## 2026-01-02T03:04:05.678Z — Use D1
- kind: decision
- tags: database, tenants
- confidence: 0.8
- source: agent
- writer: ada
- metadata: {"id":"mem_abc123","sourceRefs":["x"],"anchor":{"file":"src/a.py","hash":"1f","symbol":"A.b"}}

Edge latency.

## Not an entry

- kind: goal

## 2026-02-02T00:00:00Z
- tags: none

Only a body
## 2026-02-03T00:00:00+01:00 - Hyphen
"""


def read(text: str) -> tuple[tuple[Memory, ...], tuple[Problem, ...]]:
    return parse_notes(LOG_NAME, text, now_ms=parse_iso("2026-12-01") or 0, kinds=known_kinds())


def test_entries_are_what_stands_between_headings_that_are_times() -> None:
    (first, second, third), problems = read(LOG)
    assert problems == ()
    assert (first.id, first.title, first.kind, first.tags) == (
        "mem_abc123",
        "Use D1",
        "decision",
        ("database", "tenants"),
    )
    assert first.body == "Edge latency.\n\n## Not an entry\n\n- kind: goal"
    assert (first.confidence, first.source, first.author, first.line) == (0.8, "agent", "ada", 4)
    assert first.created_ms == parse_iso("2026-01-02T03:04:05.678Z")
    assert first.anchors == (Anchor(path="src/a.py", symbol="A.b"),)
    assert (second.title, second.kind, second.tags, second.line) == ("Only a body", "note", (), 18)
    assert (third.title, third.body) == ("Hyphen", "")
    assert {memory.origin for memory in (first, second, third)} == {"log"}


def test_ids_of_entries_without_one_are_stable_and_differ() -> None:
    entry = "## 2026-02-02T00:00:00Z\n\nSame text\n"
    before, _ = read(entry + entry)
    after, _ = read(f"# A new head\n\n{entry}")
    assert len({memory.id for memory in before}) == 2
    assert after[0].id == before[0].id


def test_line_ends_and_bom_change_nothing() -> None:
    plain, _ = read(LOG)
    other, _ = read("\ufeff" + LOG.replace("\n", "\r\n"))
    assert plain == other


def test_printing_what_was_read_gives_the_entry_back() -> None:
    for entry in parse_entries(LOG):
        (again,) = parse_entries(print_entry(entry))
        assert (again.timestamp, again.title, again.content, again.tags) == (
            entry.timestamp,
            entry.title,
            entry.content,
            entry.tags,
        )
        assert (again.kind, again.metadata) == (entry.kind, entry.metadata)


def test_faults_cost_their_field_and_are_named_at_the_entry() -> None:
    text = (
        "\n## 2999-01-01T00:00:00Z\n- kind: potato\n- confidence: high\n"
        '- metadata: {"id":5,"anchor":{"file":"../x"}}\n\nA\n'
        "## 2026-01-01T00:00:00Z\n- metadata: {oops\n\nB\n"
    )
    memories, problems = read(text)
    assert [memory.body for memory in memories] == ["A", "B"]
    assert {(problem.code, problem.line) for problem in problems} == {
        ("futureDate", 1),
        ("unknownKind", 1),
        ("badConfidence", 1),
        ("badId", 1),
        ("badAnchor", 1),
        ("frontMatter", 7),
    }
    assert {problem.severity for problem in problems} == {"warning"}
