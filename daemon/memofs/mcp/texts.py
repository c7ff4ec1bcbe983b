"""Answers of tools as text for an agent to read. Pure.

Invariant: what memories say stands on lines that begin with `>` and nothing else does, so that no text of a memory can
pass for an instruction or for a line of ours; control characters and marks of direction are written out.
"""

import re
from collections.abc import Iterable, Sequence

from memofs.mcp.results import (
    ChangesAnswer,
    EntitiesAnswer,
    FindingPart,
    HereAnswer,
    HitPart,
    MemoriesAnswer,
    MemoryPart,
    PlacePart,
    RecallAnswer,
    RememberAnswer,
    StaleAnswer,
    UpdateAnswer,
)

__all__ = [
    "changes_text",
    "entities_text",
    "here_text",
    "line",
    "memories_text",
    "memory_text",
    "quoted",
    "recall_text",
    "remember_text",
    "stale_text",
    "update_text",
]

_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufff9-\ufffb]")


def recall_text(answer: RecallAnswer) -> str:
    """Hits with their ids, places and passages, and what is not shown."""
    lines = [part for hit in answer.hits for part in (_head(hit), _titled(hit.title, hit.snippet, "\n"))]
    if answer.notice == "nothingRelevant":
        lines.append("Nothing relevant is remembered: that is an answer too.")
    elif answer.notice == "emptyQuery":
        lines.append("The query has no word in it; these are the newest memories.")
    if answer.more:
        lines.append(f"[{answer.more} more: raise limit]")
    if answer.weaker:
        lines.append(f'[{answer.weaker} weaker matches not shown: precision="all" shows them]')
    if "embedder" in answer.degraded or "indexing" in answer.degraded:
        lines.append("[searched by words only, at least in part: say it in other words too]")
    return "\n".join(lines)


def remember_text(answer: RememberAnswer) -> str:
    """What was written, or what says so already."""
    memory = answer.memory
    if not answer.written:
        said = "This is remembered already, nothing was written. If it no longer holds, update it or supersede it:"
    elif answer.pending:
        said = "Written, and waiting: a person decides about it before it is recalled."
    else:
        said = "Remembered:"
    return "\n".join([said, _head(memory), quoted(f"**{line(memory.title)}**"), *_remarks(answer.remarks)])


def update_text(answer: UpdateAnswer) -> str:
    """The memory after the change."""
    said = "Updated:" if answer.changed else "No change, nothing was written:"
    return "\n".join(
        [said, _head(answer.memory), quoted(f"**{line(answer.memory.title)}**"), *_remarks(answer.remarks)]
    )


def memories_text(answer: MemoriesAnswer, *, done: str, already: str) -> str:
    """What a change of several memories did."""
    same = frozenset(answer.unchanged)
    lines = [f"{done} {_head(each).removeprefix('- ')}" for each in answer.memories if each.id not in same]
    lines += [f"{already} {id_}" for id_ in answer.unchanged]
    still = [each.id for each in answer.memories if "stale" in each.flags]
    if still:
        lines.append(
            f"[stale still, their code is not found: {', '.join(still)}; update their anchors, or retire them]"
        )
    return "\n".join(lines) or "Nothing was changed."


def here_text(answer: HereAnswer) -> str:
    """What binds the place, whole."""
    if not answer.memories:
        return f"Nothing is tied to {line(answer.path)}."
    parts = [part for each in answer.memories for part in (_head(each), _titled(each.title, each.body or "", "\n"))]
    return "\n".join(parts)


def memory_text(memory: MemoryPart) -> str:
    """One memory, whole, as a document of its own."""
    return "\n".join([_head(memory), _titled(memory.title, memory.body or "", "\n\n")]) + "\n"


def stale_text(answer: StaleAnswer) -> str:
    """What to look at again, and how."""
    lines = [part for finding in answer.findings for part in _finding(finding)]
    if answer.findings:
        lines.append("[changes shows the code as it was and is; then verify, update or retire the memory]")
    else:
        memories = f"{answer.memories} {'memory' if answer.memories == 1 else 'memories'}"
        anchors = f"{answer.anchors} {'anchor' if answer.anchors == 1 else 'anchors'}"
        lines.append(f"Nothing is stale, of {memories} with {anchors}.")
    lines += [f"[not checked: {line(each)}]" for each in answer.unchecked]
    return "\n".join(lines)


def changes_text(answer: ChangesAnswer) -> str:
    """The difference, quoted: code is data too."""
    head = f"- {answer.memory} · {_place(answer.place)}"
    if answer.diff:
        return "\n".join([head, quoted(answer.diff)])
    if answer.before is None:
        return f"{head}\n[what the code was is not known any more; as it is now:]\n{quoted(answer.after or '')}"
    return f"{head}\n[the code says what it said when this was remembered]\n{quoted(answer.after or '')}"


def entities_text(answer: EntitiesAnswer) -> str:
    """Entities, statements and who says so."""
    lines = [
        quoted(f"{each.label} ({each.type}, {each.id}){': ' + each.state if each.state else ''}")
        for each in answer.entities
    ]
    lines += [
        quoted(f"{each.source} {each.relation} {each.target}{'' if each.holds else ' (holds no longer)'}")
        + (f"\n  said by {each.memory}" if each.memory else "\n  written down by a person")
        for each in answer.statements
    ]
    lines += [f"- {id_}\n{quoted(title)}" for id_, title in answer.memories.items()]
    if answer.more:
        lines.append(f"[{answer.more} more: raise limit]")
    return "\n".join(lines) or "Nothing is said of that."


def quoted(text: str) -> str:
    """The text as data: every line of it behind `>`."""
    return "\n".join(f"> {_safe(each)}".rstrip() for each in re.split(r"\r\n|[\n\r\x85\u2028\u2029]", text))


def line(text: str) -> str:
    """The text on one line, safe."""
    return " ".join(_safe(text.replace("\n", " ")).split())


def _titled(title: str, text: str, gap: str) -> str:
    """A title over its text, quoted; the text alone where it says the title in its first line already."""
    said = line(title)
    begin = line(re.split(r"[\n\r]", text.lstrip(), maxsplit=1)[0].lstrip("# "))
    return quoted(text if said and begin.startswith(said.removesuffix("…")) else f"**{said}**{gap}{text}")


def _head(memory: MemoryPart) -> str:
    date = (memory.verified or memory.updated or memory.created or "")[:10]
    parts = [memory.id, line(memory.kind), date]
    if isinstance(memory, HitPart):
        parts.append(f"score {memory.score:.2f}")
    if memory.confidence is not None:
        parts.append(f"confidence {memory.confidence:g}")
    parts += [line(flag) for flag in memory.flags]
    if memory.superseded_by:
        parts.append(f"superseded by {memory.superseded_by}")
    parts += [_place(place) for place in memory.anchors]
    return f"- {' · '.join(part for part in parts if part)}"


def _finding(finding: FindingPart) -> Sequence[str]:
    may = f"; perhaps now at {', '.join(_place(each) for each in finding.candidates)}" if finding.candidates else ""
    return (
        f"- {finding.memory} · {finding.place.verdict or 'stale'} · {_place(finding.place)}{may}",
        quoted(f"**{line(finding.title)}**"),
        quoted(finding.message),
    )


def _place(place: PlacePart) -> str:
    lines = ""
    if place.first_line is not None:
        lines = f":{place.first_line}" + (f"-{place.last_line}" if place.last_line != place.first_line else "")
    symbol = f" {line(place.symbol)}" if place.symbol else ""
    return f"{line(place.path)}{lines}{symbol}"


def _remarks(remarks: Iterable[str]) -> Sequence[str]:
    return [f"[{line(each)}]" for each in remarks]


def _safe(text: str) -> str:
    return _UNSAFE.sub(lambda match: f"\\u{ord(match.group()):04x}", text)
