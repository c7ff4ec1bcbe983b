"""The log format of the original system, to the byte, and back."""

import msgspec
import pytest

from golden.cases import single
from memofs.text.memory_file import LOG_NAME, known_kinds
from memofs.text.notes import LogEntry, parse_entries, parse_notes, print_entry


class _Note(msgspec.Struct, frozen=True):
    timestamp: str
    kind: str
    title: str
    content: str
    tags: tuple[str, ...]
    confidence: float
    source: str
    writer: str
    metadata: msgspec.Raw


@pytest.fixture
def case() -> tuple[_Note, str]:
    return single("note_format", _Note, str)


def _entry(note: _Note) -> LogEntry:
    return LogEntry(
        timestamp=note.timestamp,
        kind=note.kind,
        title=note.title,
        content=note.content,
        tags=note.tags,
        confidence=repr(note.confidence),
        source=note.source,
        writer=note.writer,
        metadata=msgspec.json.encode(msgspec.json.decode(bytes(note.metadata))).decode(),
    )


def test_printing_gives_the_originals_bytes(case: tuple[_Note, str]) -> None:
    note, printed = case
    assert print_entry(_entry(note)) == printed


def test_reading_what_the_original_printed_gives_the_entry(case: tuple[_Note, str]) -> None:
    note, printed = case
    (entry,) = parse_entries(printed)
    assert msgspec.structs.replace(entry, text="") == _entry(note)


def test_the_entry_is_a_memory(case: tuple[_Note, str]) -> None:
    note, printed = case
    (memory,), problems = parse_notes(LOG_NAME, printed, now_ms=1 << 60, kinds=known_kinds())
    assert (memory.title, memory.body, memory.kind, memory.tags) == ("T1", "Body", "decision", ("a", "b"))
    assert (memory.confidence, memory.source, memory.author) == (note.confidence, "s", "w")
    # The case's id is shorter than any that readers accept, so the memory is known by one that follows from it.
    assert [problem.code for problem in problems] == ["badId"]
    assert memory.id.startswith("mem_")
