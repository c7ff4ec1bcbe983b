"""What `memofs recall` prints: the hits, why each stands where it stands, and what was not shown."""

from collections.abc import Sequence

from memofs.cli.dates import dated, day
from memofs.cli.style import Cell, Style, count, marked, paint, table
from memofs.cli.terminal_text import cells, neutral_line, wrap
from memofs.cli.views.words import DEGRADED, anchor_place, decimal, field_rows, flag_words, join
from memofs.wire.read import AbsentView, HitView, RecallResult, SignalsView, SignalView

__all__ = ["render_recall"]

MAX_ANCHORS = 3
MOST = 1_000
"""What `--limit` can be at most."""
SAID_ONCE = "wordsOnly"


def render_recall(result: RecallResult, style: Style, *, query: str, limit: int) -> str:
    """The answer to `query` for people, of at most `limit` hits; one block a hit, then what else there is to know."""
    lines: list[str] = []
    if result.notice == "emptyQuery":
        lines += [_heading(result, style), ""]
    elif not result.hits:
        lines += _nothing(result, style, query)
    for number, hit in enumerate(result.hits, start=1):
        lines += [*_hit(hit, number, style), ""]
    lines += _footer(result, style, limit)
    return "\n".join(lines).rstrip("\n") + "\n"


def _heading(result: RecallResult, style: Style) -> str:
    number = len(result.hits)
    what = {0: "No query, and no memories yet.", 1: "No query: the most recent memory."}
    return paint(style, "heading", what.get(number, f"No query: the {number} most recent memories."))


def _nothing(result: RecallResult, style: Style, query: str) -> list[str]:
    about = f" for “{query}”" if query.strip() else ""
    lines = [paint(style, "heading", f"Nothing relevant found{about}.")]
    if not result.weaker:
        lines.append("Try other words, or fewer filters; `memofs list` shows what there is.")
    return lines


def _hit(hit: HitView, number: int, style: Style) -> list[str]:
    lead = f"{number}. "
    indent = " " * len(lead)
    changed = hit.updated or hit.created
    facts = [
        hit.kind,
        dated(changed, style.now_ms) if changed else "",
        _verified(hit, changed),
        "" if hit.confidence is None else f"confidence {decimal(hit.confidence)}",
        ", ".join(f"#{tag}" for tag in hit.tags),
    ]
    flags = flag_words([flag for flag in hit.flags if flag != SAID_ONCE], hit.superseded_by)
    facts_line = paint(style, "dim", join(facts))
    if flags:
        facts_line += paint(style, "dim", " · ") + paint(style, "warning", join(flags))
    lines = [
        f"{paint(style, 'dim', lead.rstrip())} {marked(style, hit.title, hit.matches.title, 'title')}",
        f"{indent}{facts_line}",
    ]
    lines += [f"{indent}{line}" for line in _snippet(hit, style, len(indent))]
    places = [anchor_place(anchor, style) for anchor in hit.anchors[:MAX_ANCHORS]]
    if places:
        more = f" and {len(hit.anchors) - MAX_ANCHORS} more" if len(hit.anchors) > MAX_ANCHORS else ""
        lines.append(f"{indent}at {paint(style, 'path', ', '.join(places))}{more}")
    line = f":{hit.line + 1}" if hit.line else ""
    lines.append(f"{indent}{paint(style, 'id', hit.id)}  {paint(style, 'path', style.path(hit.path) + line)}")
    if hit.signals is not None:
        lines += _explanation(hit.signals, style, indent)
    return lines


def _verified(hit: HitView, changed: str | None) -> str:
    """When somebody confirmed the memory, if that was on a later day than its last change."""
    if hit.verified is None or (changed is not None and day(hit.verified) <= day(changed)):
        return ""
    return f"verified {day(hit.verified)}"


def _snippet(hit: HitView, style: Style, indent: int) -> list[str]:
    """The snippet with its marks, a line of it a line here, wrapped on a terminal."""
    width = None if style.width is None else max(20, style.width - indent)
    lines: list[str] = []
    at = 0
    for raw in hit.snippet.split("\n"):
        start = at
        at += len(raw) + 1
        if not raw.strip():
            continue
        offset = start
        for piece in _pieces(raw, width):
            begin = start + raw.index(piece, offset - start)
            offset = begin + len(piece)
            inside = [
                (max(first, begin) - begin, min(last, offset) - begin)
                for first, last in hit.matches.snippet
                if first < offset and last > begin
            ]
            lines.append(marked(style, piece, inside))
    return lines


def _pieces(raw: str, width: int | None) -> Sequence[str]:
    """Parts of `raw`, in order and unchanged, each at most `width` columns when broken at spaces."""
    if width is None or cells(neutral_line(raw)) <= width:
        return (raw,)
    return tuple(piece for piece in wrap(raw, width) if piece.strip())


def _footer(result: RecallResult, style: Style, limit: int) -> list[str]:
    lines: list[str] = []
    if result.more:
        wanted = limit + result.more
        way = f"--limit {min(wanted, MOST)} shows {'more' if wanted > MOST else 'them' if result.more > 1 else 'it'}"
        lines.append(paint(style, "dim", f"{count(result.more, 'more match', 'more matches')} not shown ({way})"))
    if result.weaker:
        way = f"--precision all shows {'them' if result.weaker > 1 else 'it'}"
        lines.append(paint(style, "dim", f"{count(result.weaker, 'weaker match', 'weaker matches')} not shown ({way})"))
    if not {"embedder", "notAllowed"} & set(result.degraded) and any(SAID_ONCE in hit.flags for hit in result.hits):
        lines.append(paint(style, "dim", "matched by words only, not by meaning: read the lower places with care"))
    if result.without:
        lines.append(paint(style, "dim", f"left out by the settings (`without`): {', '.join(result.without)}"))
    for name in result.degraded:
        lines.append(paint(style, "warning", DEGRADED.get(name, name)))
    lines += [_absent(absent, style) for absent in result.absent]
    return lines


def _absent(absent: AbsentView, style: Style) -> str:
    return f"{paint(style, 'id', absent.id)} is not shown: {neutral_line(absent.reason)}"


def _explanation(signals: SignalsView, style: Style, indent: str) -> list[str]:
    words = [
        *(("why", reason) for reason in signals.why),
        ("named", signals.named or ""),
        ("matched", ", ".join(signals.matched)),
        ("typos", ", ".join(f"{typed} → {meant}" for typed, meant in signals.typos)),
    ]
    lines = table(field_rows(words), style, indent=indent)
    rows: list[list[Cell]] = [[(name, "dim") for name in ("signal", "value", "usual", "z", "place", "adds")]]
    for name, signal in (
        ("meaning", signals.meaning),
        ("words", signals.words),
        ("coverage", signals.coverage),
        ("title", signals.title),
    ):
        if signal is not None:
            rows.append([name, *_signal(signal)])
    if len(rows) > 1:
        lines += table(rows, style, indent=indent, right=frozenset(range(1, 6)))
    lines += table(_totals(signals), style, indent=indent)
    return lines


def _signal(signal: SignalView) -> list[Cell]:
    return [
        f"{signal.raw:.3f}",
        f"{signal.usual:.3f}",
        f"{signal.z:+.2f}",
        f"{signal.place:,}",
        f"{signal.adds:+.3f}",
    ]


def _totals(signals: SignalsView) -> list[list[Cell]]:
    demotions = [
        f"drift ×{decimal(signals.drift)}" if signals.drift != 1 else "",
        f"decay ×{decimal(signals.decay)}" if signals.decay != 1 else "",
    ]
    if signals.via is not None:
        parts = [f"{decimal(signals.composite)} by relation to {signals.via}", *demotions]
        return [[("score", "dim"), f"{decimal(signals.final)} = {join(parts)}"]]
    parts = [
        f"relevance {decimal(signals.relevance)}",
        f"recency {decimal(signals.recency)}",
        f"confidence {decimal(signals.confidence)}",
        *demotions,
    ]
    needed = f"the best needed {decimal(signals.threshold)}" + (" (set from this store)" if signals.calibrated else "")
    weight = f"meaning weighs {signals.alpha:.0%}, words {1 - signals.alpha:.0%}" if signals.meaning is not None else ""
    return [
        [("evidence", "dim"), join([f"{decimal(signals.evidence)}, {needed}", weight])],
        [("score", "dim"), f"{decimal(signals.final)} = {join(parts)}"],
    ]
