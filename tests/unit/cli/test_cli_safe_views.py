"""Whatever a memory, a file name or an error says: no view lets it reach the terminal as anything but text."""

import re
from collections.abc import Callable

import pytest

from memofs.cli.failure import ErrorView, render_error
from memofs.cli.style import Style
from memofs.cli.views import admin, memory, recall, writes
from memofs.cli.views import anchors as anchor_views
from memofs.cli.views.check import render_check
from memofs.cli.views.models import render_idle, render_models, render_pulled
from memofs.wire import admin as wire
from memofs.wire import anchors as anchoring
from memofs.wire.memory import AnchorView, EventView, MemoryView, ProblemView
from memofs.wire.read import (
    AbsentView,
    EmbedderView,
    GetResult,
    HistoryResult,
    HitView,
    ListResult,
    Matches,
    RecallResult,
    SignalsView,
    StatusResult,
)
from memofs.wire.write import ForgetResult, MemoriesResult, MemoryResult, RememberResult, UndoResult

EVIL = "a\x1b]0;pwned\x07\x1b[2Jb\u202ec\x9bd\x85e\r\nf\u2028g\x08"
OURS = re.compile(r"\x1b\[[0-9;]*m")
UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")

ANCHOR = AnchorView(path=EVIL, uri=EVIL, symbol=EVIL)
MEMORY = MemoryView(
    id=EVIL,
    title=EVIL,
    kind=EVIL,
    status="active",
    uri=EVIL,
    path=EVIL,
    line=0,
    hash=EVIL,
    body=EVIL,
    tags=(EVIL,),
    aliases=(EVIL,),
    created=EVIL,
    updated=EVIL,
    verified=EVIL,
    supersedes=(EVIL,),
    superseded_by=EVIL,
    source=EVIL,
    author=EVIL,
    anchors=(ANCHOR,),
    flags=(EVIL, "superseded"),
)
SIGNALS = SignalsView(
    why=(EVIL,),
    named=EVIL,
    typos=((EVIL, EVIL),),
    matched=(EVIL,),
    alpha=0,
    meaning=None,
    words=None,
    coverage=None,
    title=None,
    fuzzy=0,
    evidence=0,
    threshold=0,
    relevance=0,
    recency=0,
    confidence=0,
    composite=0,
    drift=1,
    decay=1,
    final=0,
)
HIT = HitView(
    id=EVIL,
    title=EVIL,
    kind=EVIL,
    status="active",
    score=1,
    flags=(EVIL, "superseded"),
    snippet=EVIL,
    matches=Matches(title=((1, 9),), snippet=((0, 4),)),
    uri=EVIL,
    path=EVIL,
    line=0,
    anchors=(ANCHOR,),
    tags=(EVIL,),
    created=EVIL,
    verified=EVIL,
    superseded_by=EVIL,
    signals=SIGNALS,
)
PROBLEM = ProblemView(code=EVIL, severity="error", message=EVIL, path=EVIL, hint=EVIL)
EVENT = EventView(id=EVIL, type=EVIL, timestamp=EVIL, actor=EVIL, memory=EVIL, summary=EVIL)
IMPORTED = wire.Imported(path=EVIL, id=EVIL, title=EVIL, status=EVIL)
SKIPPED = wire.Skipped(path=EVIL, reason=EVIL)
STATUS = StatusResult(
    root=EVIL,
    memories=1,
    by_kind={EVIL: 1},
    by_status={EVIL: 1},
    by_flag={EVIL: 1},
    problems=1,
    terms=1,
    cache="fresh",
    open_ms=1,
    rss_bytes=1,
    version=EVIL,
    embedder=EmbedderView(name=EVIL, state="failed", embedded=1, pending=1, problem=EVIL, hint=EVIL),
    project_name=EVIL,
    last_write=EVENT,
    degraded=(EVIL,),
)
INFO = wire.SnapshotInfo(id=EVIL, created=EVIL, label=EVIL, files=1, bytes=1)

MODEL = wire.ModelView(name=EVIL, role=EVIL, dimension=3, path=EVIL)
MODELS = wire.ModelsResult(
    models=(MODEL, wire.ModelView(name=EVIL, problem=EVIL)), folder=EVIL, embedder=STATUS.embedder
)

GUESS = anchoring.CandidateView(path=EVIL, uri=EVIL, range=None, score=0.5, text=EVIL)
ROW = anchoring.AnchorRow(
    memory=EVIL,
    title=EVIL,
    kind=EVIL,
    status="active",
    anchor_index=0,
    path=EVIL,
    uri=EVIL,
    range=None,
    symbol=EVIL,
    verdict="missing",
    marked=True,
    recorded=anchoring.PlaceView(path=EVIL, uri=EVIL),
    candidates=(GUESS,),
    degraded=(EVIL,),
    problem=EVIL,
)
CHECK = anchoring.CheckResult(
    findings=(
        anchoring.FindingView(
            code="memofs.missing",
            message=EVIL,
            anchor=ROW,
            memory_path=EVIL,
            memory_uri=EVIL,
            memory_line=0,
            verified=EVIL,
            exists=False,
        ),
    ),
    unchecked=(anchoring.UncheckedView(path=EVIL, message=EVIL),),
    by_verdict={EVIL: 1},
)

VIEWS: dict[str, Callable[[Style], str]] = {
    "anchors": lambda style: anchor_views.render_anchors(anchoring.AnchorsResult(anchors=(ROW,)), style),
    "anchored": lambda style: anchor_views.render_anchored(
        MemoryResult(memory=MEMORY, remarks=(EVIL,)), style, done="Anchored"
    ),
    "stale": lambda style: anchor_views.render_stale(CHECK, style),
    "check": lambda style: render_check(CHECK, style),
    "changes": lambda style: anchor_views.render_changes(
        anchoring.ChangesResult(
            anchor=ROW, before=EVIL, after=EVIL, diff=f"--- {EVIL}\n+{EVIL}\n {EVIL}\n", source="git"
        ),
        style,
    ),
    "now": lambda style: anchor_views.render_changes(
        anchoring.ChangesResult(anchor=ROW, before=None, after=EVIL, diff="", source="none"), style
    ),
    "idle": lambda style: render_idle(wire.IdleResult(embedder=STATUS.embedder), style),
    "models": lambda style: render_models(MODELS, style),
    "pulled": lambda style: render_pulled(wire.PullModelResult(model=MODEL), style),
    "recall": lambda style: recall.render_recall(
        RecallResult(hits=(HIT,), absent=(AbsentView(id=EVIL, reason=EVIL),), degraded=(EVIL,)),
        style,
        query=EVIL,
        limit=10,
    ),
    "nothing": lambda style: recall.render_recall(RecallResult(hits=()), style, query=EVIL, limit=10),
    "show": lambda style: memory.render_memory(GetResult(memory=MEMORY, text=EVIL, problems=(PROBLEM,)), style),
    "list": lambda style: memory.render_list(ListResult(memories=(MEMORY,), total=1), style),
    "history": lambda style: memory.render_history(HistoryResult(events=(EVENT,)), style),
    "remembered": lambda style: writes.render_remembered(RememberResult(memory=MEMORY), style),
    "duplicate": lambda style: writes.render_remembered(RememberResult(duplicate_of=MEMORY), style),
    "updated": lambda style: writes.render_updated(MemoryResult(memory=MEMORY), style),
    "memories": lambda style: writes.render_memories(
        MemoriesResult(memories=(MEMORY,)), style, done="Retired", already="Retired already"
    ),
    "forgotten": lambda style: writes.render_forgotten(ForgetResult(forgotten=(MEMORY,), in_git=(EVIL,)), style),
    "undone": lambda style: writes.render_undone(
        UndoResult(type=EVIL, summary=EVIL, timestamp=EVIL, files=(EVIL,)), style
    ),
    "init": lambda style: admin.render_init(wire.InitResult(root=EVIL, created=(EVIL,)), style),
    "status": lambda style: admin.render_status(STATUS, style),
    "doctor": lambda style: admin.render_doctor(wire.DoctorResult(findings=(PROBLEM,), facts={EVIL: EVIL}), style),
    "import": lambda style: admin.render_import(
        wire.ImportResult(imported=(IMPORTED,), skipped=(SKIPPED,), warnings=(EVIL,)), style, full=True
    ),
    "migrate": lambda style: admin.render_migrate(
        wire.MigrateResult(migrated=(IMPORTED,), skipped=(SKIPPED,), kept=EVIL), style, full=True
    ),
    "config": lambda style: admin.render_config(
        wire.ConfigResult(path=EVIL, key=None, value={EVIL: {EVIL: EVIL}}), style, action="get"
    ),
    "config value": lambda style: admin.render_config(
        wire.ConfigResult(path=EVIL, key=EVIL, value=EVIL), style, action="get"
    ),
    "config set": lambda style: admin.render_config(
        wire.ConfigResult(path=EVIL, key=EVIL, value=[EVIL]), style, action="set"
    ),
    "snapshot": lambda style: admin.render_snapshot(wire.SnapshotResult(snapshot=INFO), style),
    "snapshots": lambda style: admin.render_snapshots(wire.SnapshotsResult(snapshots=(INFO,)), style),
    "diff": lambda style: admin.render_snapshot_diff(
        wire.DiffSnapshotsResult(files=(wire.FileDiff(path=EVIL, change="changed", diff=f"+{EVIL}\n"),)), style
    ),
    "restored": lambda style: admin.render_restored_snapshot(
        wire.RestoreSnapshotResult(restored=(EVIL,), removed=(EVIL,), unchanged=0), style
    ),
    "error": lambda style: render_error(ErrorView(family="Conflict", code=EVIL, message=EVIL, hint=EVIL), style),
}


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("style", [Style(now_ms=0), Style(now_ms=0, colour=True, width=70)], ids=["pipe", "terminal"])
def test_no_view_passes_on_what_drives_a_terminal(view: str, style: Style) -> None:
    text = VIEWS[view](style)
    assert "pwned" in text
    found = UNSAFE.search(OURS.sub("", text))
    assert found is None, text[max(0, found.start() - 40) : found.end() + 10]
