"""What the commands about the workspace print: init, status, doctor, import, migrate, config, snapshots."""

from collections.abc import Mapping, Sequence

import msgspec

from memofs.cli.dates import minute
from memofs.cli.style import Cell, Role, Style, count, paint, table
from memofs.cli.terminal_text import neutral_block, neutral_line
from memofs.cli.views.models import embedder_line
from memofs.cli.views.words import DEGRADED, field_rows, join, page, problem_lines, size
from memofs.wire.admin import (
    ConfigResult,
    DiffSnapshotsResult,
    DoctorResult,
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
from memofs.wire.memory import ProblemView
from memofs.wire.read import StatusResult

__all__ = [
    "render_config",
    "render_doctor",
    "render_import",
    "render_init",
    "render_migrate",
    "render_restored_snapshot",
    "render_snapshot",
    "render_snapshot_diff",
    "render_snapshots",
    "render_status",
]

NAMED = 10
"""How many files of one sort are named before the rest is only counted."""
_CHANGE: Mapping[str, Role] = {"added": "added", "removed": "removed", "changed": "warning"}


def render_init(result: InitResult, style: Style) -> str:
    """What was set up, and what to do next."""
    if not result.created:
        return f"{neutral_line(result.root)} is set up already; nothing was changed.\n"
    return page(
        f"{paint(style, 'good', 'Set up')} {neutral_line(result.root)}:",
        *(f"  {paint(style, 'path', path)}" for path in result.created),
        "Next: `memofs remember 'why something is the way it is' -k decision`, or `memofs import adr DIR`.",
    )


def render_status(result: StatusResult, style: Style) -> str:
    """The state of the workspace, a fact a line."""
    name = f" ({result.project_name})" if result.project_name else ""
    statuses = ", ".join(f"{number:,} {status}" for status, number in sorted(result.by_status.items()) if number)
    problems = f"{count(result.problems, 'finding')}: `memofs doctor` explains" if result.problems else "none"
    last = result.last_write
    fields = [
        ("workspace", result.root + name),
        ("memories", join([f"{result.memories:,}", statuses])),
        ("kinds", _counts(result.by_kind)),
        ("flags", _counts(result.by_flag)),
        ("anchors", _anchors(result.by_verdict)),
        ("problems", problems),
        ("index", f"{count(result.terms, 'term')}, cache {result.cache}, opened in {result.open_ms:,.0f} ms"),
        ("meaning", embedder_line(result.embedder)),
        ("memory use", size(result.rss_bytes)),
        ("last write", "" if last is None else join([minute(last.timestamp), last.type, last.summary])),
        ("degraded", "; ".join(DEGRADED.get(item, item) for item in result.degraded)),
        ("version", result.version),
    ]
    return page(*table(field_rows(fields), style))


def render_doctor(result: DoctorResult, style: Style) -> str:
    """The findings, worst first, a line that counts them, and the facts of the set-up."""
    lines = [line for problem in result.findings for line in problem_lines(problem, style)]
    if lines:
        lines.append("")
    lines += [_verdict(result.findings, style), ""]
    lines += table([[(name, "dim"), value] for name, value in result.facts.items()], style)
    return page(*lines)


def render_import(result: ImportResult, style: Style, *, full: bool) -> str:
    """What an import did, or would do: counts, what was left out and why, the links it found."""
    done = result.imported, result.updated
    would = "Would import" if result.dry_run else "Imported"
    counts = [
        f"{would} {len(result.imported):,}",
        f"updated {len(result.updated):,}",
        f"unchanged {result.unchanged:,}",
        f"skipped {len(result.skipped):,}",
    ]
    lines = [paint(style, "heading", ", ".join(counts))]
    if result.dry_run or full:
        lines += [line for group in done for line in _named([_imported(item) for item in group], style, full=full)]
    lines += _skipped(result.skipped, style, full=full)
    if result.links:
        lines.append(f"{count(len(result.links), 'link')} between records: the older one is superseded.")
    lines += [f"{paint(style, 'warning', 'warning:')} {neutral_line(warning)}" for warning in result.warnings]
    if result.dry_run:
        lines.append("Nothing was written.")
    elif result.imported or result.updated:
        lines.append("`memofs undo` takes it back.")
    return page(*lines)


def render_migrate(result: MigrateResult, style: Style, *, full: bool) -> str:
    """The entries of notes.md that became files."""
    would = "Would move" if result.dry_run else "Moved"
    lines = [paint(style, "heading", f"{would} {count(len(result.migrated), 'entry', 'entries')} of notes.md to files")]
    lines += _named([_imported(item) for item in result.migrated], style, full=full)
    lines += _skipped(result.skipped, style, full=full)
    if result.kept is not None:
        lines.append(f"The old file is kept as {paint(style, 'path', style.path(result.kept))}.")
    if result.dry_run:
        lines.append("Nothing was written.")
    return page(*lines)


def render_config(result: ConfigResult, style: Style, *, action: str) -> str:
    """After `get`, the bare value of one setting, or all of them, one a line; after a change, the change."""
    if action == "get" and result.key is None:
        settings = msgspec.convert(result.value, dict[str, object])
        rows: list[list[Cell]] = [[(name, "id"), _json(value)] for name, value in _flat(settings)]
        return "".join(f"{line}\n" for line in table(rows, style))
    if action == "get":
        return f"{_bare(result.value)}\n"
    state = "the default" if result.is_default else _json(result.value)
    return f"{neutral_line(result.key or '')} is {neutral_line(state)}\n"


def render_snapshot(result: SnapshotResult, style: Style) -> str:
    """The restore point that was made."""
    made = result.snapshot
    what = f"{count(made.files, 'file')}, {size(made.bytes)}"
    return page(
        f"{paint(style, 'good', 'Made')} {paint(style, 'id', made.id)} ({what})",
        f"`memofs snapshot restore {neutral_line(made.id)}` puts the files back as they are now.",
    )


def render_snapshots(result: SnapshotsResult, style: Style) -> str:
    """One restore point a line, newest first."""
    if not result.snapshots:
        return "No restore points yet: `memofs snapshot create` makes one.\n"
    return "".join(f"{line}\n" for line in table([_snapshot(made) for made in result.snapshots], style))


def render_snapshot_diff(result: DiffSnapshotsResult, style: Style) -> str:
    """The files that differ, each with its unified diff."""
    if not result.files:
        return "No difference.\n"
    lines: list[str] = []
    for file in result.files:
        lines.append(f"{paint(style, _CHANGE[file.change], file.change)} {paint(style, 'path', style.path(file.path))}")
        lines += [_diff_line(line, style) for line in neutral_block(file.diff).rstrip("\n").split("\n") if file.diff]
    return page(*lines)


def render_restored_snapshot(result: RestoreSnapshotResult, style: Style) -> str:
    """What was put back and what was taken away."""
    put, taken = ("Would put back", "would remove") if result.dry_run else ("Put back", "removed")
    head = (
        f"{put} {count(len(result.restored), 'file')}, {taken} {len(result.removed):,}, {result.unchanged:,} unchanged"
    )
    lines = [paint(style, "heading", head)]
    lines += [f"  {paint(style, 'added', 'restored')}  {neutral_line(style.path(path))}" for path in result.restored]
    lines += [f"  {paint(style, 'removed', 'removed')}   {neutral_line(style.path(path))}" for path in result.removed]
    if result.dry_run:
        lines.append("Nothing was written.")
    elif result.restored or result.removed:
        lines.append("`memofs undo` takes it back.")
    return page(*lines)


def _counts(numbers: Mapping[str, int]) -> str:
    ordered = sorted(numbers.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{number:,} {name}" for name, number in ordered if number)


def _anchors(by_verdict: Mapping[str, int]) -> str:
    """All anchors, and how many of each verdict, in the order in which they come."""
    total = sum(by_verdict.values())
    return join([f"{total:,}", ", ".join(f"{number:,} {name}" for name, number in by_verdict.items())]) if total else ""


def _verdict(findings: Sequence[ProblemView], style: Style) -> str:
    open_ = [finding for finding in findings if not finding.fixed]
    mended = len(findings) - len(open_)
    counts = [
        count(number, severity) if severity != "info" else count(number, "remark")
        for severity in ("error", "warning", "info")
        if (number := sum(finding.severity == severity for finding in open_))
    ]
    if mended:
        counts.append(f"{mended:,} mended")
    if not open_:
        return paint(style, "good", ", ".join(["No faults found", *counts]) if not mended else ", ".join(counts))
    fixable = sum(finding.fixable for finding in open_)
    hint = f"; `memofs doctor --fix` mends {fixable:,}" if fixable else ""
    return paint(style, "heading", ", ".join(counts) + hint)


def _imported(item: Imported) -> list[Cell]:
    status = f"  ({item.status})" if item.status != "active" else ""
    return [(item.path, "path"), (item.id, "id"), item.title + status]


def _named(rows: Sequence[Sequence[Cell]], style: Style, *, full: bool) -> list[str]:
    shown = rows if full else rows[:NAMED]
    lines = table(shown, style, indent="  ")
    if len(rows) > len(shown):
        lines.append(f"  … and {len(rows) - len(shown):,} more (--verbose names all)")
    return lines


def _skipped(skipped: Sequence[Skipped], style: Style, *, full: bool) -> list[str]:
    by_reason: dict[str, list[str]] = {}
    for item in skipped:
        by_reason.setdefault(item.reason, []).append(item.path)
    lines: list[str] = []
    for reason, paths in by_reason.items():
        lines.append(f"Skipped {count(len(paths), 'file')}: {neutral_line(reason)}")
        lines += _named([[(path, "path")] for path in paths], style, full=full)
    return lines


def _flat(settings: Mapping[str, object], prefix: str = "") -> list[tuple[str, object]]:
    """Dotted names and values; a table of settings is taken apart, an empty one stays."""
    rows: list[tuple[str, object]] = []
    for name, value in settings.items():
        inner = msgspec.convert(value, dict[str, object]) if isinstance(value, dict) else {}
        rows += _flat(inner, f"{prefix}{name}.") if inner else [(f"{prefix}{name}", value)]
    return rows


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _bare(value: object) -> str:
    return neutral_line(value) if isinstance(value, str) else neutral_line(_json(value))


def _snapshot(made: SnapshotInfo) -> list[Cell]:
    return [
        (made.id, "id"),
        (minute(made.created), "dim"),
        count(made.files, "file"),
        size(made.bytes),
        made.label or "",
    ]


def _diff_line(line: str, style: Style) -> str:
    if line.startswith(("+++", "---")):
        return paint(style, "heading", line)
    if line.startswith("@@"):
        return paint(style, "id", line)
    role: Role | None = "added" if line.startswith("+") else "removed" if line.startswith("-") else None
    return neutral_line(line) if role is None else paint(style, role, line)
