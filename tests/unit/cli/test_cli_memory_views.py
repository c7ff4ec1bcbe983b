"""What show, list, history and the commands that write print, as values."""

import msgspec

from memofs.cli.style import Style
from memofs.cli.views.memory import render_history, render_list, render_memory, shown_of
from memofs.cli.views.writes import (
    render_forgotten,
    render_memories,
    render_remembered,
    render_undone,
    render_updated,
)
from memofs.wire.memory import AnchorView, EventView, MemoryView, ProblemView
from memofs.wire.read import GetResult, HistoryResult, ListResult
from memofs.wire.write import ForgetResult, MemoriesResult, MemoryResult, RememberResult, UndoResult

NOW_MS = 1_796_688_000_000  # 2026-12-08
PIPE = Style(now_ms=NOW_MS)

MEMORY = MemoryView(
    id="mem_01k9d3v7q2xh",
    title="Use D1 for tenant metadata",
    kind="decision",
    status="active",
    uri="file:///w/.memofs/memory/use-d1-q2xh.md",
    path=".memofs/memory/use-d1-q2xh.md",
    line=0,
    hash="00",
    tags=("database", "tenants"),
    updated="2026-11-17T09:30:00Z",
)
OTHER = msgspec.structs.replace(
    MEMORY, id="mem_b", kind="note", title="缓存必须先预热", tags=(), flags=("stale", "pending")
)


def test_show_gives_facts_body_and_problems() -> None:
    full = msgspec.structs.replace(
        MEMORY,
        body="Edge latency.\n\n- read on\tevery request\x1b[2J\n",
        aliases=("cloudflare d1",),
        confidence=0.9,
        created="2026-11-10T08:00:00Z",
        verified="2026-12-07T00:00:00Z",
        supersedes=("mem_old",),
        superseded_by="mem_new",
        flags=("superseded",),
        source="user",
        author="Ada L.",
        anchors=(AnchorView(path="src/a.py", uri=""), AnchorView(path="src/b.py", uri="", symbol="B")),
    )
    problem = ProblemView(
        code="badDate", severity="warning", message="created is no date", path=MEMORY.path, line=3, hint="write a date"
    )
    assert render_memory(GetResult(memory=full, text="", problems=(problem,)), PIPE).splitlines() == [
        "Use D1 for tenant metadata",
        "  id             mem_01k9d3v7q2xh",
        "  kind           decision",
        "  status         active",
        "  flags          superseded by mem_new",
        "  confidence     0.9",
        "  tags           database, tenants",
        "  aliases        cloudflare d1",
        "  created        2026-11-10 08:00Z (3 weeks ago)",
        "  updated        2026-11-17 09:30Z (2 weeks ago)",
        "  verified       2026-12-07 00:00Z (1 day ago)",
        "  author         Ada L.",
        "  source         user",
        "  supersedes     mem_old",
        "  superseded by  mem_new",
        "  anchors        src/a.py",
        "                 src/b.py B",
        "  file           .memofs/memory/use-d1-q2xh.md",
        "",
        "Edge latency.",
        "",
        "- read on\tevery request<U+001B>[2J",
        "",
        "warning: .memofs/memory/use-d1-q2xh.md:4: created is no date [badDate]",
        "  hint: write a date",
    ]


def test_show_wraps_the_body_to_a_terminal_only() -> None:
    body = "one two three four five six seven eight nine ten"
    result = GetResult(memory=msgspec.structs.replace(MEMORY, body=body), text="")
    assert body in render_memory(result, PIPE)
    assert "seven\neight nine ten\n" in render_memory(result, msgspec.structs.replace(PIPE, width=34))


def test_show_says_where_a_log_entry_stands_and_that_it_is_not_rewritten() -> None:
    entry = msgspec.structs.replace(MEMORY, path=".memofs/memory/notes.md", line=9, editable=False)
    assert "notes.md:10 (read-only: `memofs migrate`)" in render_memory(GetResult(memory=entry, text=""), PIPE)


def test_list_is_one_line_a_memory() -> None:
    assert render_list(ListResult(memories=(MEMORY, OTHER), total=2), PIPE).splitlines() == [
        "mem_01k9d3v7q2xh  decision  2026-11-17  Use D1 for tenant metadata  [database, tenants]",
        "mem_b             note      2026-11-17  缓存必须先预热  (stale, pending)",
    ]
    assert render_list(ListResult(memories=(), total=0), PIPE) == ""


def test_list_without_a_date_keeps_its_columns_and_a_terminal_cuts() -> None:
    bare = msgspec.structs.replace(MEMORY, updated=None)
    text = render_list(ListResult(memories=(bare,), total=1), msgspec.structs.replace(PIPE, width=50))
    assert text == "mem_01k9d3v7q2xh  decision  -  Use D1 for tenant…\n"


def test_what_a_list_left_out() -> None:
    assert shown_of(50, 1627) == "50 of 1,627 memories; --all lists every one, --limit N more"


def test_history_is_one_line_a_write() -> None:
    event = EventView(
        id="1", type="remember", timestamp="2026-11-17T09:30:00Z", actor="user", memory="mem_a", summary="Use D1"
    )
    undone = msgspec.structs.replace(event, type="import", memory=None, summary="12 files", undone=True)
    assert render_history(HistoryResult(events=(event, undone)), PIPE).splitlines() == [
        "2026-11-17 09:30Z  remember  mem_a  user  Use D1",
        "2026-11-17 09:30Z  import    -      user  12 files  (undone)",
    ]
    assert render_history(HistoryResult(events=()), PIPE) == "No writes on this machine yet.\n"


def test_remember_says_what_where_and_how_to_take_it_back() -> None:
    assert render_remembered(RememberResult(memory=MEMORY), PIPE) == (
        "Remembered: Use D1 for tenant metadata\n"
        "  decision  mem_01k9d3v7q2xh\n"
        "  .memofs/memory/use-d1-q2xh.md\n"
        "`memofs undo` takes it back.\n"
    )


def test_a_duplicate_is_explained() -> None:
    retired = msgspec.structs.replace(MEMORY, flags=("retired",))
    assert render_remembered(RememberResult(duplicate_of=retired), PIPE) == (
        "Already remembered; nothing was written:\n"
        "  mem_01k9d3v7q2xh  decision  Use D1 for tenant metadata\n"
        "  .memofs/memory/use-d1-q2xh.md\n"
        "  retired\n"
        "--allow-duplicate writes it a second time.\n"
    )


def test_an_edit_says_whether_anything_changed() -> None:
    assert render_updated(MemoryResult(memory=MEMORY), PIPE).startswith(
        "Updated:\n  mem_01k9d3v7q2xh  decision  Use D1"
    )
    assert render_updated(MemoryResult(memory=MEMORY, changed=False), PIPE).startswith(
        "No change; nothing was written:\n"
    )


def test_several_memories_are_told_apart_by_what_happened() -> None:
    result = MemoriesResult(memories=(MEMORY, OTHER), unchanged=("mem_b",))
    assert render_memories(result, PIPE, done="Retired", already="Retired already") == (
        "Retired 1 memory:\n"
        "  mem_01k9d3v7q2xh  decision  Use D1 for tenant metadata\n"
        "Retired already:\n"
        "  mem_b  note  缓存必须先预热\n"
        "`memofs undo` takes it back.\n"
    )
    only_ids = MemoriesResult(memories=(), unchanged=("mem_b\x1b",))
    assert render_memories(only_ids, PIPE, done="Retired", already="Retired already") == (
        "Retired already:\n  mem_b<U+001B>\n"
    )
    nothing = MemoriesResult(memories=(), unchanged=())
    assert render_memories(nothing, PIPE, done="Verified", already="") == "No memory matches; nothing was changed.\n"


def test_forgetting_names_what_git_still_has() -> None:
    result = ForgetResult(forgotten=(MEMORY,), in_git=(MEMORY.path,))
    assert render_forgotten(result, PIPE) == (
        "Forgot 1 memory for good:\n"
        "  mem_01k9d3v7q2xh  decision  Use D1 for tenant metadata\n"
        "The history of git still has:\n"
        "  .memofs/memory/use-d1-q2xh.md\n"
    )


def test_undo_says_what_happened_to_each_file() -> None:
    result = UndoResult(type="remember", summary="Use D1", timestamp="", files=("removed a.md", "put back b.md"))
    assert render_undone(result, PIPE) == "Undone: remember Use D1\n  removed a.md\n  put back b.md\n"
