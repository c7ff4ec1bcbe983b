"""What `memofs check` prints in each format: for people, for GitHub, as SARIF; and the lists of anchors."""

import json
import re
from typing import Any, cast
from urllib.parse import unquote

import pytest

from memofs.cli.style import Style
from memofs.cli.views.anchors import render_anchors, render_changes, render_stale
from memofs.cli.views.check import render_check, to_github, to_sarif
from memofs.cli.views.words import place
from memofs.wire.anchors import (
    AnchorRow,
    AnchorsResult,
    CandidateView,
    ChangesResult,
    CheckResult,
    FindingView,
    PlaceView,
    UncheckedView,
    Verdict,
)
from memofs.wire.values import Position, Range

PLAIN = Style(now_ms=0)
LINES = Range(start=Position(11, 0), end=Position(40, 0))
PART = Range(start=Position(11, 4), end=Position(11, 27))
HOSTILE = "100%: a,b\r\nc::error::d\x1b[2J"


def row(
    verdict: Verdict | None = "changed",
    *,
    path: str = "src/db.py",
    range_: Range | None = LINES,
    title: str = "Use D1",
    candidates: tuple[CandidateView, ...] = (),
    degraded: tuple[str, ...] = (),
) -> AnchorRow:
    return AnchorRow(
        memory="mem_aaaaaaaad100",
        title=title,
        kind="decision",
        status="active",
        anchor_index=1,
        path=path,
        uri=f"file:///ws/{path}",
        range=range_,
        symbol="Store.open",
        verdict=verdict,
        marked=True,
        recorded=PlaceView(path=path, uri=f"file:///ws/{path}", range=range_),
        candidates=candidates,
        degraded=degraded,
    )


def finding(anchor: AnchorRow, *, exists: bool = True, message: str = "the code has changed") -> FindingView:
    return FindingView(
        code="memofs.missing" if anchor.verdict == "missing" else "memofs.changed",
        message=message,
        anchor=anchor,
        memory_path=".memofs/memory/use d1.md",
        memory_uri="file:///ws/.memofs/memory/use%20d1.md",
        memory_line=9,
        verified="2026-09-02T08:00:00Z",
        exists=exists,
    )


GUESS = CandidateView(path="src/new db.py", uri="file:///ws/n", range=PART, score=0.62, text="def open():")
LOST = finding(row("missing", candidates=(GUESS,)), message="the code is gone")
GONE = finding(row("missing", path="src/gone.py"), exists=False, message="src/gone.py is gone")
RESULT = CheckResult(
    findings=(finding(row()), finding(row(range_=PART)), finding(row(range_=None)), LOST, GONE),
    unchecked=(UncheckedView(path=".memofs/memory/torn.md", message="malformed front matter"),),
    memories=3,
    anchors=9,
    by_verdict={"current": 4, "moved": 0, "changed": 3, "missing": 2},
)
CLEAN = CheckResult(findings=(), memories=3, anchors=9, by_verdict={"current": 9})


@pytest.mark.parametrize(
    ("range_", "shown"),
    [
        (None, "a.py"),
        (LINES, "a.py:12-40"),
        (Range(start=Position(11, 0), end=Position(12, 0)), "a.py:12"),
        (PART, "a.py:12:5-12:28"),
        (Range(start=Position(11, 4), end=Position(13, 0)), "a.py:12:5-14:1"),
    ],
)
def test_places_as_people_type_them(range_: Range | None, shown: str) -> None:
    assert place("a.py", range_) == shown


def test_text_is_a_line_a_finding_as_compilers_print_them() -> None:
    assert render_check(RESULT, PLAIN).splitlines() == [
        "src/db.py:12: the code has changed [changed] mem_aaaaaaaad100 2",
        "src/db.py:12:5: the code has changed [changed] mem_aaaaaaaad100 2",
        "src/db.py: the code has changed [changed] mem_aaaaaaaad100 2",
        "src/db.py:12: the code is gone [missing] mem_aaaaaaaad100 2",
        ".memofs/memory/use d1.md:10: src/gone.py is gone [missing] mem_aaaaaaaad100 2",
        "not checked: .memofs/memory/torn.md: malformed front matter",
        "5 stale anchors; 9 anchors of 3 memories checked: 4 current, 3 changed, 2 missing",
    ]
    assert render_check(CLEAN, PLAIN) == "Nothing stale; 9 anchors of 3 memories checked: 9 current\n"


def test_paths_in_text_open_from_where_the_person_stands() -> None:
    assert render_check(RESULT, Style(now_ms=0, prefix="../")).startswith("../src/db.py:12: ")


def test_github_annotations_name_lines_and_columns() -> None:
    lines = to_github(RESULT, prefix="packages/api/").splitlines()
    assert lines[0].startswith(
        "::warning file=packages/api/src/db.py,title=Stale memory%3A Use D1,line=12,endLine=40::the code has changed. "
    )
    assert ",line=12,endLine=12,col=5,endColumn=27::" in lines[1]
    assert "line=" not in lines[2]
    assert lines[4].startswith("::warning file=packages/api/.memofs/memory/use d1.md,")
    assert ",line=10,endLine=10::" in lines[4]
    assert lines[5] == (
        "::error file=packages/api/.memofs/memory/torn.md,title=memofs check::not checked: malformed front matter"
    )
    assert to_github(CLEAN) == ""


def test_nothing_in_a_finding_can_end_a_github_command_or_begin_one() -> None:
    hostile = finding(row(path=HOSTILE, title=HOSTILE), message=HOSTILE)
    text = to_github(CheckResult(findings=(hostile,), unchecked=(UncheckedView(path=HOSTILE, message=HOSTILE),)))
    assert len(text.splitlines()) == 2
    for line in text.splitlines():
        assert "\r" not in line
        match = re.fullmatch(r"::(warning|error) ([^:]*)::(.*)", line)
        assert match is not None
        fields = dict(field.split("=", 1) for field in match[2].split(","))
        assert set(fields) <= {"file", "title", "line", "endLine", "col", "endColumn"}
        assert unescaped(fields["file"]) == HOSTILE
        assert HOSTILE in unescaped(match[3])


def unescaped(text: str) -> str:
    for code, sign in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(code, sign)
    return text


def sarif(result: CheckResult, prefix: str = "") -> dict[str, Any]:
    log = json.loads(to_sarif(result, version="0.1.0", root_uri="file:///top", prefix=prefix))
    assert_valid(log)
    return cast("dict[str, Any]", log["runs"][0])


def assert_valid(log: dict[str, Any]) -> None:
    """The constraints of the SARIF 2.1.0 schema that our logs touch."""
    assert set(log) == {"$schema", "version", "runs"}
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    assert set(run) <= {"tool", "columnKind", "originalUriBaseIds", "invocations", "results"}
    assert run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")
    driver = run["tool"]["driver"]
    assert driver["name"]
    assert re.fullmatch(r"\d+\.\d+\.\d+.*", driver["semanticVersion"])
    ids = [rule["id"] for rule in driver["rules"]]
    assert len(set(ids)) == len(ids)
    for rule in driver["rules"]:
        assert set(rule) == {"id", "name", "shortDescription", "fullDescription", "defaultConfiguration"}
        assert rule["shortDescription"]["text"].endswith(".")
    for base in run["originalUriBaseIds"].values():
        assert base["uri"].endswith("/")
    (invocation,) = run["invocations"]
    assert isinstance(invocation["executionSuccessful"], bool)
    for notification in invocation["toolExecutionNotifications"]:
        assert notification["level"] in ("none", "note", "warning", "error")
        assert notification["message"]["text"]
    for result in run["results"]:
        assert ids[result["ruleIndex"]] == result["ruleId"]
        assert result["level"] in ("none", "note", "warning", "error")
        assert result["message"]["text"]
        assert len(result["locations"]) == 1
        assert all(isinstance(value, str) for value in result["partialFingerprints"].values())
        for location in (*result["locations"], *result["relatedLocations"]):
            artifact = location["physicalLocation"]["artifactLocation"]
            assert artifact["uriBaseId"] in run["originalUriBaseIds"]
            assert re.fullmatch(r"[A-Za-z0-9\-._~!$&'()*+,;=:@%/]+", artifact["uri"])
            assert_valid_region(location["physicalLocation"].get("region"))


def assert_valid_region(region: dict[str, int] | None) -> None:
    if region is None:
        return
    assert set(region) <= {"startLine", "startColumn", "endLine", "endColumn"}
    assert all(value >= 1 for value in region.values())
    start = (region["startLine"], region.get("startColumn", 1))
    assert region["endLine"] >= region["startLine"]
    if "endColumn" in region:
        assert (region["endLine"], region["endColumn"]) >= start


def test_sarif_says_the_same_as_the_text() -> None:
    run = sarif(RESULT)
    places = [result["locations"][0]["physicalLocation"] for result in run["results"]]
    assert [unquote(each["artifactLocation"]["uri"]) for each in places] == [
        *["src/db.py"] * 4,
        ".memofs/memory/use d1.md",
    ]
    assert [each.get("region") for each in places] == [
        {"startLine": 12, "endLine": 40},
        {"startLine": 12, "startColumn": 5, "endLine": 12, "endColumn": 28},
        None,
        {"startLine": 12, "endLine": 40},
        {"startLine": 10, "endLine": 10},
    ]
    assert [result["ruleId"] for result in run["results"]] == ["memofs.changed"] * 3 + ["memofs.missing"] * 2
    related = run["results"][3]["relatedLocations"]
    assert [each["message"]["text"] for each in related] == ["Use D1", "moved here?"]
    assert unquote(related[1]["physicalLocation"]["artifactLocation"]["uri"]) == "src/new db.py"
    assert run["invocations"][0]["executionSuccessful"] is False


def test_sarif_of_a_clean_check_and_of_a_workspace_below_its_repository() -> None:
    assert sarif(CLEAN)["results"] == []
    assert sarif(CLEAN)["invocations"][0]["executionSuccessful"] is True
    run = sarif(RESULT, prefix="packages/api/")
    assert run["originalUriBaseIds"]["SRCROOT"]["uri"] == "file:///top/"
    where = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert where["uri"] == "packages/api/src/db.py"


def test_sarif_survives_any_name() -> None:
    run = sarif(CheckResult(findings=(finding(row(path="a b#%é🚀?.py", title=HOSTILE), message=HOSTILE),)))
    uri = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert unquote(uri) == "a b#%é🚀?.py"


def test_stale_groups_by_memory_and_offers_places() -> None:
    lines = render_stale(RESULT, PLAIN).splitlines()
    assert lines[0] == "mem_aaaaaaaad100  Use D1  decision · verified 2026-09-02"
    assert lines[1] == "  changed  src/db.py:12-40 Store.open  anchor 2"
    assert "    moved here? 1. src/new db.py:12:5-12:28 62%  def open():" in lines
    assert "    `memofs reanchor d100 2 --accept` takes the first." in lines
    assert lines[-3:] == [
        "1 memory stale; 9 anchors of 3 memories checked: 4 current, 3 changed, 2 missing",
        "`memofs changes ID` shows what changed; then `memofs verify ID` (still true), `memofs edit ID`, "
        "`memofs reanchor ID` or `memofs retire ID`.",
        "Missing code cannot be verified: `memofs reanchor ID NUMBER FILE:LINES` says where it went; where it is gone "
        "for good, `memofs edit ID` or `memofs retire ID`.",
    ]
    assert render_stale(CLEAN, PLAIN) == "Nothing stale; 9 anchors of 3 memories checked: 9 current\n"


def test_anchors_are_listed_with_what_is_to_be_said_of_them() -> None:
    rows = (row("current"), row(None, range_=None), row("changed", degraded=("binary",)))
    assert render_anchors(AnchorsResult(anchors=rows), PLAIN).splitlines() == [
        "current   src/db.py:12-40 Store.open  mem_aaaaaaaad100 2  Use D1",
        "unmarked  src/db.py Store.open        mem_aaaaaaaad100 2  Use D1",
        "changed   src/db.py:12-40 Store.open  mem_aaaaaaaad100 2  Use D1  (binary: known by the file's hash only)",
    ]


def test_changes_show_a_diff_with_its_tabs_and_no_more() -> None:
    diff = "--- a\n+++ b\n@@ -1 +1 @@\n-\told\x1b[2J\n+\tnew\n"
    shown = render_changes(
        ChangesResult(anchor=row(), before="\told", after="\tnew", diff=diff, source="git"),
        Style(now_ms=0, colour=True),
    )
    assert "\x1b[31m-\x1b[0m\t\x1b[31mold<U+001B>[2J\x1b[0m" in shown
    lost = ChangesResult(anchor=row("missing", candidates=(GUESS,)), before="x", after=None, diff="", source="cache")
    assert "There is nothing in its place now." in render_changes(lost, PLAIN)
    unknown = ChangesResult(anchor=row(), before=None, after="a\tb", diff="", source="none")
    assert "The old version cannot be had" in render_changes(unknown, PLAIN)
    assert "  a\tb" in render_changes(unknown, PLAIN)
