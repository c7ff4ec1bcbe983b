"""What the commands about anchors print: where each is, what became of it, what to do about it."""

from collections.abc import Mapping, Sequence

from memofs.cli.dates import day
from memofs.cli.style import Cell, Role, Style, count, paint, table
from memofs.cli.terminal_text import neutral_block, neutral_line
from memofs.cli.views.words import join, memory_line, page, place, remarks
from memofs.wire.anchors import AnchorRow, AnchorsResult, CandidateView, ChangesResult, CheckResult, FindingView
from memofs.wire.memory import MemoryView
from memofs.wire.write import MemoryResult

__all__ = ["counts_of", "render_anchored", "render_anchors", "render_changes", "render_stale", "row_place"]

_ROLES: Mapping[str, Role] = {
    "current": "good",
    "moved": "dim",
    "reformatted": "dim",
    "changed": "warning",
    "missing": "error",
}
_KNOWN_BY_HASH: Mapping[str, str] = {
    "binary": "binary: known by the file's hash only",
    "tooLarge": "too large to look into: known by the file's hash only",
    "generated": "generated: known by the file's hash only",
    "notUtf8": "not UTF-8: read a character a byte",
    "grammar": "by rules for text: no grammar for it",
    "git": "without its old version: git could not give it",
}
MOST_SHOWN = 3
SHORT_ID = 4


def row_place(row: AnchorRow, style: Style) -> str:
    """Where an anchor is, with what it is called."""
    return neutral_line(style.path(place(row.path, row.range)) + (f" {row.symbol}" if row.symbol else ""))


def render_anchored(result: MemoryResult, style: Style, *, done: str) -> str:
    """A memory whose anchors were changed, with its anchors as they are now."""
    if not result.changed:
        return page("No change; nothing was written:", f"  {memory_line(result.memory, style)}")
    return page(
        paint(style, "good", f"{done}:"),
        f"  {memory_line(result.memory, style)}",
        *(f"  {number}  {_of_memory(result.memory, number - 1, style)}" for number in _numbers(result.memory)),
        *remarks(result.remarks, style),
        "`memofs undo` takes it back.",
    )


def render_anchors(result: AnchorsResult, style: Style) -> str:
    """One anchor a line: verdict, place, memory and the number of the anchor in it."""
    rows: list[list[Cell]] = []
    for row in result.anchors:
        rows.append(
            [
                (row.verdict or ("not checked" if row.problem else "unmarked"), _ROLES.get(row.verdict or "", "dim")),
                (row_place(row, style), "path"),
                (f"{row.memory} {row.anchor_index + 1}", "id"),
                row.title + (f"  ({join(_remarks(row))})" if _remarks(row) else ""),
            ]
        )
    return "".join(f"{line}\n" for line in table(rows, style, fit=True))


def render_stale(result: CheckResult, style: Style) -> str:
    """The memories with drifted anchors, each with what drifted, where to, and what can be done."""
    by_memory: dict[str, list[FindingView]] = {}
    for finding in result.findings:
        by_memory.setdefault(finding.anchor.memory, []).append(finding)
    lines: list[str] = []
    for id_, findings in by_memory.items():
        first = findings[0]
        since = f" · verified {day(first.verified)}" if first.verified else ""
        facts = paint(style, "dim", f"{first.anchor.kind}{since}")
        lines.append(f"{paint(style, 'id', id_)}  {paint(style, 'title', first.anchor.title)}  {facts}")
        for finding in findings:
            lines += _drifted(finding, style)
        lines.append("")
    if not by_memory:
        return page(_checked(result, style))
    number = count(len(by_memory), "memory", "memories")
    lines.append(paint(style, "heading", f"{number} stale; ") + _checked(result, style))
    codes = {finding.code for finding in result.findings}
    if "memofs.changed" in codes:
        lines.append(
            "`memofs changes ID` shows what changed; then `memofs verify ID` (still true), `memofs edit ID`, "
            "`memofs reanchor ID` or `memofs retire ID`."
        )
    if "memofs.missing" in codes:
        lines.append(
            "Missing code cannot be verified: `memofs reanchor ID NUMBER FILE:LINES` says where it went; where it is "
            "gone for good, `memofs edit ID` or `memofs retire ID`."
        )
    return page(*lines)


def render_changes(result: ChangesResult, style: Style) -> str:
    """The code as it was meant and as it is, as a unified diff."""
    row = result.anchor
    verdict = row.verdict or "unmarked"
    head = f"{row_place(row, style)} {paint(style, _ROLES.get(verdict, 'dim'), verdict)}"
    lines = [f"{paint(style, 'title', row.title)} {paint(style, 'dim', row.memory)}", head]
    if result.source == "none":
        lines.append("The old version cannot be had: it is neither in git nor among what this machine keeps.")
    elif result.source == "mark":
        lines.append("The old version comes from the memory's own mark: the lines around it are not known.")
    if result.after is None:
        lines += [_gone(result, style), *_candidates(row, style, "")]
    if result.diff:
        lines += ["", *(diff_line(line, style) for line in neutral_block(result.diff).rstrip("\n").split("\n"))]
    elif result.after is not None and result.before is not None:
        lines.append("No difference.")
    elif result.after is not None:
        lines += ["It is now:", "", *(neutral_block(f"  {line}") for line in result.after.split("\n"))]
    if result.after is None and result.there is not None:
        lines += ["", "There stands now:", *(neutral_block(f"  {line}") for line in result.there.split("\n"))]
    return page(*lines)


def _gone(result: ChangesResult, style: Style) -> str:
    """That the code is not found, and whether other code stands where it was."""
    if result.anchor.problem:
        return neutral_line(f"It could not be looked at: {result.anchor.problem}")
    if result.there is None or result.there_lines is None:
        return "There is nothing in its place now."
    first, last = result.there_lines
    where = style.path(f"{result.anchor.recorded.path}:{first}" + ("" if first == last else f"-{last}"))
    return neutral_line(f"It is not found; other code stands there now, in {where}.")


def counts_of(result: CheckResult) -> str:
    """How many anchors of each verdict: `58 current, 1 moved, 2 unmarked`."""
    return ", ".join(f"{number:,} {name}" for name, number in result.by_verdict.items() if number)


def diff_line(line: str, style: Style) -> str:
    """A line of a unified diff in its colour."""
    if line.startswith(("+++", "---")):
        return paint(style, "heading", line)
    if line.startswith("@@"):
        return paint(style, "id", line)
    role: Role | None = "added" if line.startswith("+") else "removed" if line.startswith("-") else None
    return line if role is None else "".join(_kept_tabs(line, style, role))


def _kept_tabs(line: str, style: Style, role: Role) -> list[str]:
    """Painted piece by piece, so that the tabs of code stay tabs."""
    pieces = [paint(style, role, piece) if piece else "" for piece in line.split("\t")]
    return [piece if index == 0 else f"\t{piece}" for index, piece in enumerate(pieces)]


def _checked(result: CheckResult, style: Style) -> str:
    of = f"{count(result.anchors, 'anchor')} of {count(result.memories, 'memory', 'memories')}"
    counted = counts_of(result)
    text = f"{of} checked" + (f": {counted}" if counted else "")
    return paint(style, "good" if not result.findings else "dim", text if result.findings else f"Nothing stale; {text}")


def _drifted(finding: FindingView, style: Style) -> list[str]:
    row = finding.anchor
    verdict = row.verdict or "missing"
    said = f"  {paint(style, _ROLES[verdict], verdict)}  {paint(style, 'path', row_place(row, style))}"
    told = [f"anchor {row.anchor_index + 1}", *_remarks(row)]
    return [f"{said}  {paint(style, 'dim', join(told))}", *_candidates(row, style, "    ")]


def _candidates(row: AnchorRow, style: Style, indent: str) -> list[str]:
    shown = row.candidates[:MOST_SHOWN]
    if not shown:
        return []
    short = row.memory[-SHORT_ID:]
    lines = [f"{indent}{_candidate(each, style, number)}" for number, each in enumerate(shown, start=1)]
    accept = f"`memofs reanchor {short} {row.anchor_index + 1} --accept` takes the first."
    return [*lines, f"{indent}{paint(style, 'dim', accept)}"]


def _candidate(each: CandidateView, style: Style, number: int) -> str:
    where = paint(style, "path", style.path(place(each.path, each.range)))
    score = paint(style, "dim", f"{each.score:.0%}")
    return f"moved here? {number}. {where} {score}  {neutral_line(each.text.strip())}"


def _remarks(row: AnchorRow) -> list[str]:
    """What else is to be said of an anchor: that it moved, what was missing, why it could not be looked at."""
    told = [] if row.certainty == "sure" else ["a guess"]
    if row.verdict == "moved" and row.recorded.path != row.path:
        told.append(f"was in {row.recorded.path}")
    if row.said:
        told.append("said in the text")
    told += [_KNOWN_BY_HASH.get(name, name) for name in row.degraded]
    if row.problem:
        told.append(row.problem)
    return told


def _numbers(memory: MemoryView) -> Sequence[int]:
    return range(1, len(memory.anchors) + 1)


def _of_memory(memory: MemoryView, index: int, style: Style) -> str:
    anchor = memory.anchors[index]
    where = style.path(place(anchor.path, anchor.range)) + (f" {anchor.symbol}" if anchor.symbol else "")
    verdict = f" ({anchor.verdict})" if anchor.verdict not in {None, "current"} else ""
    return paint(style, "path", where) + neutral_line(verdict)
