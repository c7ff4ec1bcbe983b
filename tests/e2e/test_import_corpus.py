"""Importing the records of thirteen projects, as their authors wrote them.

The records are other people's text and stay where they are; without them these tests are skipped. What they must
come to is told by the index that came with them, another tool's reading, and by its pairs of old and new decisions.
"""

import itertools
import os
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from e2e.memofs_program import Workspace
from memofs.engine.importing import Existing, ImportPlan, Options, Source, plan
from memofs.text.adr import Record, parse

pytestmark = pytest.mark.shared

SHARED = Path(os.environ.get("MEMOFS_SHARED", Path(__file__).parents[3] / "shared"))
OPEN = SHARED / "eval" / "open"
NOW_MS = int(datetime(2026, 12, 1, tzinfo=UTC).timestamp() * 1000)
RECORDS = 627

# The sentence that this pair rests on stands in record 38, but its subject is record 35, which is also linked and
# is found to supersede 26. So this is no pair.
MISREAD = ("apache+james-project", 38, 26)

# True, though the index has them not: it does not know the spelling "superceded". (project, new, old)
FURTHER = {
    ("UKGovernmentBEIS+beis-report-official-development-assistance", 15, 6),
    ("UKGovernmentBEIS+beis-report-official-development-assistance", 22, 8),
    ("UKGovernmentBEIS+beis-report-official-development-assistance", 32, 20),
    ("UKGovernmentBEIS+beis-report-official-development-assistance", 34, 6),
    ("UKGovernmentBEIS+beis-report-official-development-assistance", 34, 26),
    ("apache+james-project", 16, 3),
    ("apache+james-project", 25, 14),
}


class Row(msgspec.Struct):
    """One line of the index."""

    repo: str
    path: str
    num: int
    title: str
    status: str
    date: str
    added: str

    @property
    def name(self) -> str:
        return f"{self.repo.replace('/', '+')}/{self.path}"


@pytest.fixture(scope="module")
def rows() -> dict[str, Row]:
    if not OPEN.is_dir():
        pytest.skip(f"the measuring data is not at {SHARED}; MEMOFS_SHARED says where it is")
    lines = (OPEN / "adr-index.jsonl").read_text(encoding="utf-8").splitlines()
    found = (msgspec.json.decode(line, type=Row) for line in lines)
    return {row.name: row for row in found}


@pytest.fixture(scope="module")
def sources(rows: dict[str, Row]) -> list[Source]:
    with zipfile.ZipFile(OPEN / "adr-files.zip") as archive:
        names = sorted(name for name in archive.namelist() if not name.endswith("/"))
        return [
            Source(path=name, text=archive.read(name).decode("utf-8"), created_ms=day_ms(rows[name].added))
            for name in names
        ]


@pytest.fixture(scope="module")
def made(sources: list[Source]) -> ImportPlan:
    return planned(sources, {})


def day_ms(date: str) -> int:
    return int(datetime.fromisoformat(date).replace(tzinfo=UTC).timestamp() * 1000)


def planned(sources: list[Source], existing: dict[str, Existing]) -> ImportPlan:
    count = itertools.count(1)
    return plan(sources, existing, Options(what="adr"), now_ms=NOW_MS, new_id=lambda _: f"mem_{next(count):06}")


def pairs() -> Iterator[tuple[str, str]]:
    for line in (OPEN / "adr_super" / "pairs.tsv").read_text(encoding="utf-8").splitlines():
        _, old, new = (name.replace("/", "+", 1).replace(":", "/", 1) for name in line.split("\t"))
        yield new, old


def letters(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())


def test_every_record_is_read(sources: list[Source], made: ImportPlan) -> None:
    assert len(sources) == RECORDS
    assert (len(made.new), made.updates, made.skipped) == (RECORDS, (), ())
    assert all(entry.memory.body and entry.memory.title for entry in made.new)


def test_again_changes_nothing(sources: list[Source], made: ImportPlan) -> None:
    there = {str(entry.memory.source): Existing(memory=entry.memory, imported=entry.imported) for entry in made.new}
    again = planned(sources, there)
    assert (again.new, again.updates, again.skipped, again.links, again.warnings) == ((), (), (), (), ())
    assert len(again.unchanged) == RECORDS


def test_the_links_are_those_of_the_pairs_and_true_ones(made: ImportPlan) -> None:
    path = {entry.memory.id: entry.path for entry in made.new}
    number = {entry.path: record.number for entry in made.new if (record := parsed(entry.path, entry.memory.body))}
    found = {(path[new], path[old]) for new, old in made.links}

    def short(new: str, old: str) -> tuple[str, int | None, int | None]:
        return new.partition("/")[0], number[new], number[old]

    wanted = {pair for pair in pairs() if short(*pair) != MISREAD}
    assert len(wanted) == 8
    assert wanted <= found
    assert {short(*pair) for pair in found - wanted} == FURTHER
    assert ("apache+james-project", 35, 26) in {short(*pair) for pair in found}


def parsed(path: str, text: str) -> Record | None:
    record = parse(path, text)
    return record if isinstance(record, Record) else None


def test_titles_and_numbers_are_those_of_the_index(sources: list[Source], rows: dict[str, Row]) -> None:
    different: set[str] = set()
    for source in sources:
        record, row = parsed(source.path, source.text), rows[source.path]
        assert record is not None
        # The index takes the year of a file's date for its number.
        assert record.number == row.num or (record.number is None and 2000 < row.num < 2100)
        if letters(record.title) != letters(row.title):
            different.add(row.path.rpartition("/")[2])
    # Each looked at: a heading without a space after the mark, a number that belongs to the title, a title that
    # begins with the word ADR, a record that begins with a section.
    assert different == {
        "0046-generalize-event-bus.md",
        "2023-12-15-deliverable-reporting-strategy.md",
        "0056-OCR-engine-selection.md",
        "2023-07-20-fe-server-rendering.md",
    }


def test_statuses_are_those_of_the_index(sources: list[Source], rows: dict[str, Row]) -> None:
    first_word = {
        "accepted": "accepted",
        "implemented": "accepted",
        "active": "accepted",
        "approved": "accepted",
        "proposed": "proposed",
        "pending": "proposed",
        "rejected": "rejected",
        "declined": "rejected",
        "deprecated": "deprecated",
        "superseded": "superseded",
        "superceded": "superseded",
        "draft": "draft",
        "": "unknown",
    }
    different: list[tuple[str, str]] = []
    for source in sources:
        record, said = parsed(source.path, source.text), rows[source.path].status.casefold()
        assert record is not None
        word = next(("".join(filter(str.isalpha, part)) for part in said.split() if any(map(str.isalpha, part))), "")
        expected = "superseded" if "superseded by" in said or "superceded by" in said else first_word.get(word)
        if expected is not None and record.status != expected:
            different.append((source.path, record.status))
    assert different == []


def test_dates_are_those_of_the_index_where_it_knows_one(sources: list[Source], rows: dict[str, Row]) -> None:
    agreeing = 0
    for source in sources:
        record, row = parsed(source.path, source.text), rows[source.path]
        assert record is not None
        if record.date_ms == day_ms(row.date):
            agreeing += 1
        else:
            # Where the index found none it has the day on which the file was added.
            assert row.date == row.added, source.path
            assert record.date_ms is None or record.date_ms <= NOW_MS
    assert agreeing > 300


@pytest.mark.slow
def test_the_program_imports_all_of_it_and_again_nothing(sources: list[Source], workspace: Workspace) -> None:
    for source in sources:
        workspace.write(f"docs/{source.path}", source.text)
    first = workspace.json("import", "adr", "docs")
    assert (len(first["imported"]), first["updated"], first["skipped"]) == (RECORDS, [], [])
    assert len(first["links"]) == len(planned(sources, {}).links)
    files = workspace.files()
    assert len(files) == RECORDS + len(["core.md"])
    again = workspace.json("import", "adr", "docs")
    assert (again["imported"], again["updated"], again["unchanged"], again["skipped"]) == ([], [], RECORDS, [])
    assert workspace.files() == files
    assert workspace.json("doctor")["findings"] == []
    assert "postgres" in workspace.json("recall", "why did we choose postgres")["hits"][0]["title"].casefold()
