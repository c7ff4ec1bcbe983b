"""The sample workspace keeps its promises: forty memories in good form, anchors that are right, a program that runs."""

import ast
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec
import pytest
import yaml

from memofs.model.config import FLOORS_DAYS, Config
from memofs.text.identity import base32
from memofs.text.slug import slug
from memofs.text.times import parse_iso
from memofs.text.yaml_text import entry_lines

SAMPLE = Path(__file__).parents[1] / "data" / "sample"
MEMORY = SAMPLE / ".memofs" / "memory"

AS_OF = "2026-12-01T00:00:00Z"
"""The day from which the sample is looked at: just after the last memory."""
DAY_MS = 86_400_000

KEYS = (
    "id",
    "kind",
    "title",
    "status",
    "confidence",
    "tags",
    "aliases",
    "created",
    "updated",
    "verified",
    "supersedes",
    "source",
    "author",
    "anchors",
)
"""In the order in which they are written."""
KIND_COUNTS = {
    "decision": 14,
    "constraint": 7,
    "preference": 5,
    "note": 7,
    "reference": 3,
    "goal": 2,
    "summary": 2,
}
ID = re.compile(r"mem_[0-9a-hjkmnp-tv-z]{12}")
NOT_ERASABLE = re.compile(r"^\s*(export )?(const )?(enum|namespace|module) |^\s*constructor\(.*readonly", re.MULTILINE)
DECLARED = r"^(export )?(async )?(function|class|interface|const|type) {name}\b"


class Anchor(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    path: str
    symbol: str | None = None
    lines: str | None = None
    columns: str | None = None
    mark: str | None = None
    quote: str | None = None


class Front(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    id: str
    kind: str
    title: str
    status: str
    confidence: float
    tags: tuple[str, ...]
    created: str
    updated: str
    verified: str
    source: str
    author: str
    aliases: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()
    anchors: tuple[Anchor, ...] = ()


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    path: Path
    yaml: str
    front: Front
    body: str


@cache
def entries() -> tuple[Entry, ...]:
    return tuple(read(path) for path in sorted(MEMORY.glob("*.md")) if path.name != "core.md")


def read(path: Path) -> Entry:
    opening, front, body = path.read_text(encoding="utf-8").split("---\n", 2)
    assert opening == ""
    return Entry(
        path=path,
        yaml=front,
        # The base loader leaves every scalar a string, as the store does; strict=False reads numbers from strings.
        front=msgspec.convert(yaml.load(front, yaml.BaseLoader), Front, strict=False),  # noqa: S506
        body=body,
    )


def time_ms(text: str) -> int:
    value = parse_iso(text)
    assert value is not None, text
    return value


def by_id() -> dict[str, Front]:
    return {entry.front.id: entry.front for entry in entries()}


def anchors() -> Iterator[tuple[Entry, Anchor]]:
    for entry in entries():
        for anchor in entry.front.anchors:
            yield entry, anchor


def bounds(text: str) -> tuple[int, int]:
    first, last = text.split("-")
    return int(first), int(last)


@cache
def lines_of(path: str) -> tuple[str, ...]:
    return tuple((SAMPLE / path).read_text(encoding="utf-8").splitlines())


@cache
def python_symbols(path: str) -> dict[str, tuple[int, int]]:
    """Each definition's lines by its qualified name, decorators included."""
    found: dict[str, tuple[int, int]] = {}

    def walk(node: ast.AST, prefix: str) -> None:
        for child in ast.iter_child_nodes(node):
            match child:
                case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                    first = min(child.lineno, *(decorator.lineno for decorator in child.decorator_list), child.lineno)
                    found[prefix + name] = (first, child.end_lineno or child.lineno)
                    walk(child, f"{prefix}{name}.")
                case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                    found[prefix + name] = (child.lineno, child.end_lineno or child.lineno)
                case _:
                    walk(child, prefix)

    walk(ast.parse("\n".join(lines_of(path))), "")
    return found


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", *arguments],
        cwd=SAMPLE,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_forty_memories_of_all_kinds() -> None:
    assert len(entries()) == 40
    assert Counter(entry.front.kind for entry in entries()) == KIND_COUNTS


def test_ids_are_unique_and_tell_the_time() -> None:
    assert len(by_id()) == len(entries())
    for identity, front in by_id().items():
        assert ID.fullmatch(identity)
        assert identity[4:13] == base32(time_ms(front.created), length=9), front.title


def test_files_are_named_by_title_and_id() -> None:
    for entry in entries():
        assert entry.path.name == f"{slug(entry.front.title)}-{entry.front.id[-4:]}.md"


def test_front_matter_is_in_the_written_form() -> None:
    for entry in entries():
        values = yaml.load(entry.yaml, yaml.BaseLoader)  # noqa: S506
        assert list(values) == [key for key in KEYS if key in values], entry.path.name
        assert entry.yaml == "".join(entry_lines(key, value, newline="\n") for key, value in values.items())


def test_times_are_in_order_and_within_the_fourteen_months() -> None:
    for front in by_id().values():
        assert "2025-10" <= front.created <= front.updated < "2026-12", front.title
        assert front.created <= front.verified < "2026-12", front.title


def test_what_was_superseded_is_there_and_older() -> None:
    links = {(front.id, old) for front in by_id().values() for old in front.supersedes}
    assert len(links) == 3
    for new, old in links:
        assert by_id()[old].created < by_id()[new].created
        assert by_id()[old].kind == by_id()[new].kind
    assert [link for link in links if link[1] in {new for new, _ in links}], "a chain of three"


def test_one_is_retired_one_waits_and_some_are_old() -> None:
    assert Counter(front.status for front in by_id().values()) == {"active": 38, "retired": 1, "pending": 1}
    old = {target for front in by_id().values() for target in front.supersedes}
    unverified = [
        front
        for front in by_id().values()
        if front.status == "active"
        and front.id not in old
        and time_ms(AS_OF) - time_ms(front.verified) > FLOORS_DAYS[front.kind] * DAY_MS
    ]
    assert 5 <= len(unverified) <= 15
    assert {"decision", "constraint", "note"} <= {front.kind for front in unverified}


def test_variety() -> None:
    fronts = by_id().values()
    assert min(front.confidence for front in fronts) == 0.4
    assert max(front.confidence for front in fronts) == 1
    assert len({front.author for front in fronts}) >= 3
    assert len({front.source for front in fronts}) >= 3
    assert any(re.search(r"[\u3040-\u30ff]", entry.front.title) for entry in entries())
    assert sum("```" in entry.body for entry in entries()) >= 3
    assert all(front.tags for front in fronts)


def test_bodies_say_why() -> None:
    for entry in entries():
        assert 200 <= len(entry.body.encode()) <= 2_000, entry.path.name
        assert entry.body.endswith("\n"), entry.path.name
        assert not entry.body.endswith("\n\n"), entry.path.name


def test_anchors_stand_where_they_say() -> None:
    for entry, anchor in anchors():
        where = f"{entry.path.name}: {anchor.path} {anchor.symbol or ''}"
        assert (SAMPLE / anchor.path).resolve().is_relative_to(SAMPLE.resolve()), where
        lines = lines_of(anchor.path)
        if anchor.lines is None:
            assert anchor.symbol is None, where
            continue
        first, last = bounds(anchor.lines)
        assert 1 <= first <= last <= len(lines), where
        assert lines[first - 1].strip(), where
        assert lines[last - 1].strip(), where
        if anchor.symbol is None:
            continue
        name = anchor.symbol.rpartition(".")[2]
        assert re.search(rf"\b{name}\b", "\n".join(lines[first - 1 : last])), where
        if anchor.path.endswith(".py"):
            assert python_symbols(anchor.path)[anchor.symbol] == (first, last), where
        else:
            declared = [at for at, line in enumerate(lines, 1) if re.match(DECLARED.format(name=name), line)]
            assert declared == [first], where
            assert lines[last - 1].endswith((";", "}")), where


def test_columns_hold_text_without_blanks_around_it() -> None:
    partial = [(anchor.path, anchor.lines, anchor.columns) for _, anchor in anchors() if anchor.columns]
    assert partial
    for path, at, columns in partial:
        assert at is not None
        line = lines_of(path)[bounds(at)[0] - 1]
        start, end = bounds(columns)
        part = line[start - 1 : end - 1]
        assert part.strip() == part
        assert len(part) == end - start


def test_anchors_reach_most_of_the_program() -> None:
    sources = {path.relative_to(SAMPLE).as_posix() for path in (*SAMPLE.glob("*/*.py"), *SAMPLE.glob("**/*.ts"))}
    assert len(sources & {anchor.path for _, anchor in anchors()}) >= 15


def test_the_briefing_fits_and_the_settings_are_valid() -> None:
    core = (MEMORY / "core.md").read_bytes()
    assert core.startswith(b"# Quayside\n")
    assert len(core) < 4_096  # half of a briefing's bytes
    settings = SAMPLE / ".memofs" / "config.json"
    assert msgspec.json.decode(settings.read_bytes(), type=Config).project_name == "Quayside"


@pytest.mark.parametrize("path", sorted(SAMPLE.glob("*/*.py")), ids=lambda path: path.name)
def test_python_compiles(path: Path) -> None:
    compile(path.read_bytes(), path, "exec")


def test_typescript_needs_types_stripped_and_nothing_else() -> None:
    paths = sorted(SAMPLE.glob("**/*.ts"))
    assert len(paths) == 6
    for path in paths:
        text = path.read_text(encoding="utf-8")
        kept = re.compile(
            r"^\s*(export )?(declare )?(const )?(enum|namespace|module) |^\s*constructor\(.*readonly", re.M
        )
        assert kept.search(text) is None, path.name
        for target in re.findall(r'from "(.+?)"', text):
            assert (path.parent / target).is_file(), f"{path.name}: {target}"


def test_the_programs_own_tests_pass() -> None:
    done = run("-m", "unittest", "discover", "-s", "tests")
    assert done.returncode == 0, done.stderr
    assert re.search(r"^Ran [1-9]\d+ tests", done.stderr, re.MULTILINE), done.stderr


def test_the_program_runs() -> None:
    done = run("-m", "quayside", "demo")
    assert done.returncode == 0, done.stderr
    assert re.findall(r"-> (\d+)", done.stdout) == ["200", "201", "409", "201", "200"]
