"""What the commands about the workspace print, as values."""

from memofs.cli.style import Style
from memofs.cli.views.admin import (
    render_config,
    render_doctor,
    render_import,
    render_init,
    render_migrate,
    render_restored_snapshot,
    render_snapshot,
    render_snapshot_diff,
    render_snapshots,
    render_status,
)
from memofs.wire.admin import (
    ConfigResult,
    DiffSnapshotsResult,
    DoctorResult,
    FileDiff,
    Imported,
    ImportResult,
    InitResult,
    MigrateResult,
    RestoreSnapshotResult,
    Skipped,
    SnapshotInfo,
    SnapshotResult,
    SnapshotsResult,
)
from memofs.wire.memory import EventView, ProblemView
from memofs.wire.read import EmbedderView, StatusResult

PIPE = Style(now_ms=0)
SNAPSHOT = SnapshotInfo(id="snap_1", created="2026-11-17T09:30:00Z", label="before", files=2, bytes=1500)


def test_init_says_what_is_new_and_what_comes_next() -> None:
    text = render_init(InitResult(root="/w", created=(".memofs/", ".memofs/config.json")), PIPE)
    assert text.splitlines()[:3] == ["Set up /w:", "  .memofs/", "  .memofs/config.json"]
    assert "memofs remember" in text
    assert render_init(InitResult(root="/w", created=()), PIPE) == "/w is set up already; nothing was changed.\n"


def test_status_is_a_fact_a_line() -> None:
    last = EventView(
        id="1", type="remember", timestamp="2026-11-17T09:30:00Z", actor="user", memory="mem_a", summary="Use D1"
    )
    result = StatusResult(
        root="/w",
        memories=1627,
        by_kind={"note": 3, "decision": 1624, "goal": 0},
        by_status={"retired": 7, "active": 1620, "pending": 0},
        by_flag={"stale": 2},
        problems=2,
        terms=12_345,
        cache="fresh",
        open_ms=320.4,
        rss_bytes=118_000_000,
        version="0.1.0",
        embedder=EmbedderView(name="mini:8199be6f", state="warm", embedded=1600, pending=27),
        project_name="Tenants",
        last_write=last,
        degraded=("cache",),
    )
    assert render_status(result, PIPE).splitlines() == [
        "workspace   /w (Tenants)",
        "memories    1,627 · 1,620 active, 7 retired",
        "kinds       1,624 decision, 3 note",
        "flags       2 stale",
        "problems    2 findings: `memofs doctor` explains",
        "index       12,345 terms, cache fresh, opened in 320 ms",
        "meaning     mini · 1,600 memories indexed, 27 to do (memofs index)",
        "memory use  118.0 MB",
        "last write  2026-11-17 09:30Z · remember · Use D1",
        "degraded    the record cache cannot be written: every start reads all files",
        "version     0.1.0",
    ]


def test_doctor_counts_what_is_open_and_what_it_could_mend() -> None:
    findings = (
        ProblemView(
            code="conflictMarkers", severity="error", message="conflict markers", path="a.md", line=6, hint="resolve"
        ),
        ProblemView(code="orphan", severity="warning", message="left-over file", path="tmp/x", fixable=True),
        ProblemView(code="noGit", severity="info", message="git is not installed"),
        ProblemView(code="ignore", severity="warning", message="no .gitignore", fixable=True, fixed=True),
    )
    assert render_doctor(
        DoctorResult(findings=findings, facts={"python": "3.11", "git": "none"}), PIPE
    ).splitlines() == [
        "error: a.md:7: conflict markers [conflictMarkers]",
        "  hint: resolve",
        "warning: tmp/x:1: left-over file (can be mended: memofs doctor --fix) [orphan]",
        "info: git is not installed [noGit]",
        "mended: no .gitignore (mended) [ignore]",
        "",
        "1 error, 1 warning, 1 remark, 1 mended; `memofs doctor --fix` mends 1",
        "",
        "python  3.11",
        "git     none",
    ]
    assert render_doctor(DoctorResult(findings=(), facts={}), PIPE).startswith("No faults found\n")


def imported(path: str, status: str = "active") -> Imported:
    return Imported(path=path, id=f"mem_{path}", title=f"Title of {path}", status=status)


def test_an_import_is_summed_up() -> None:
    result = ImportResult(
        imported=(imported("1.md"), imported("2.md")),
        updated=(imported("3.md"),),
        unchanged=4,
        skipped=(Skipped(path="README.md", reason="no decision record"), Skipped(path="x.md", reason="not UTF-8")),
        links=(("mem_2", "mem_1"),),
        warnings=("2.md supersedes 9.md, which is not there",),
    )
    assert render_import(result, PIPE, full=False).splitlines() == [
        "Imported 2, updated 1, unchanged 4, skipped 2",
        "Skipped 1 file: no decision record",
        "  README.md",
        "Skipped 1 file: not UTF-8",
        "  x.md",
        "1 link between records: the older one is superseded.",
        "warning: 2.md supersedes 9.md, which is not there",
        "`memofs undo` takes it back.",
    ]
    assert "  1.md  mem_1.md  Title of 1.md\n" in render_import(result, PIPE, full=True)
    assert (
        render_import(ImportResult(unchanged=7), PIPE, full=False) == "Imported 0, updated 0, unchanged 7, skipped 0\n"
    )


def test_a_dry_run_names_files_and_writes_nothing() -> None:
    result = ImportResult(imported=tuple(imported(f"{n:02}.md", "retired") for n in range(12)), dry_run=True)
    lines = render_import(result, PIPE, full=False).splitlines()
    assert lines[0] == "Would import 12, updated 0, unchanged 0, skipped 0"
    assert lines[1] == "  00.md  mem_00.md  Title of 00.md  (retired)"
    assert lines[-2:] == ["  … and 2 more (--verbose names all)", "Nothing was written."]


def test_migrate_says_where_the_old_file_went() -> None:
    result = MigrateResult(migrated=(imported("notes.md:1"),), kept=".memofs/memory/notes.md.migrated")
    assert render_migrate(result, PIPE, full=False).splitlines() == [
        "Moved 1 entry of notes.md to files",
        "  notes.md:1  mem_notes.md:1  Title of notes.md:1",
        "The old file is kept as .memofs/memory/notes.md.migrated.",
    ]
    assert render_migrate(MigrateResult(dry_run=True), PIPE, full=False) == (
        "Would move 0 entries of notes.md to files\nNothing was written.\n"
    )


def test_config_prints_bare_values_for_scripts() -> None:
    def shown(value: object, key: str | None = "x", action: str = "get", *, default: bool = False) -> str:
        return render_config(ConfigResult(path="p", key=key, value=value, is_default=default), PIPE, action=action)

    assert shown("strict") == "strict\n"
    assert shown(60) == "60\n"
    assert shown(None) == "null\n"
    assert shown(["a", "b"]) == '["a","b"]\n'
    assert shown({"lexicon": {"db": ["database"]}, "kinds": [], "floorsDays": {}}, None) == (
        'lexicon.db  ["database"]\nkinds       []\nfloorsDays  {}\n'
    )
    assert shown("strict", action="set") == 'x is "strict"\n'
    assert shown(None, action="unset", default=True) == "x is the default\n"


def test_snapshots() -> None:
    assert render_snapshot(SnapshotResult(snapshot=SNAPSHOT), PIPE).startswith("Made snap_1 (2 files, 1.5 kB)\n")
    assert render_snapshots(SnapshotsResult(snapshots=(SNAPSHOT,)), PIPE) == (
        "snap_1  2026-11-17 09:30Z  2 files  1.5 kB  before\n"
    )
    assert "memofs snapshot create" in render_snapshots(SnapshotsResult(snapshots=()), PIPE)


def test_a_diff_is_coloured_by_line() -> None:
    diff = "--- a\n+++ b\n@@ -1 +1 @@\n-old\x1b\n+new\n same\n"
    result = DiffSnapshotsResult(files=(FileDiff(path="a.md", change="changed", diff=diff),))
    assert render_snapshot_diff(result, PIPE) == "changed a.md\n" + diff.replace("\x1b", "<U+001B>")
    coloured = render_snapshot_diff(result, Style(now_ms=0, colour=True))
    assert "\x1b[31m-old<U+001B>\x1b[0m\n\x1b[32m+new\x1b[0m\n same\n" in coloured
    assert render_snapshot_diff(DiffSnapshotsResult(files=()), PIPE) == "No difference.\n"


def test_putting_a_snapshot_back_names_every_file() -> None:
    result = RestoreSnapshotResult(restored=("a.md",), removed=("b.md",), unchanged=3)
    assert render_restored_snapshot(result, PIPE).splitlines() == [
        "Put back 1 file, removed 1, 3 unchanged",
        "  restored  a.md",
        "  removed   b.md",
        "`memofs undo` takes it back.",
    ]
    dry = RestoreSnapshotResult(restored=(), removed=(), unchanged=0, dry_run=True)
    assert (
        render_restored_snapshot(dry, PIPE)
        == "Would put back 0 files, would remove 0, 0 unchanged\nNothing was written.\n"
    )
