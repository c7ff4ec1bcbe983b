"""The lines that say what was left out of a section, and how to get it.

Invariant: an outline is never larger than `most_bytes` says for its form, and that never grows as fewer items are left
out, so that whoever has reserved as much stays within the budget. Four forms: `full` names the first items and both
ways to ask, `line` names them on one line, `first` only the first, `brief` only counts them; every form leads to all.
"""

from collections.abc import Sequence
from typing import Final, Literal

from memofs.briefing.safe import in_quotes
from memofs.model.briefing import SectionName

__all__ = ["FORMS", "NAMED", "TITLE_BYTES", "Form", "expand_line", "most_bytes", "outline", "title"]

Form = Literal["brief", "first", "line", "full"]
FORMS: Final[tuple[Form, ...]] = ("brief", "first", "line", "full")
"""From the smallest to the largest."""
NAMED: Final = 3
"""So many items are named at the most; of more than these, one less."""
TITLE_BYTES: Final = 64
"""The most bytes of a title, with its quotation marks."""


def title(text: str, most_bytes: int) -> str:
    """A title as an outline names it, in at most so many of `TITLE_BYTES`."""
    return in_quotes(text, most_bytes=most_bytes)


def outline(form: Form, section: SectionName, titles: Sequence[str], *, hidden: int, cut: int, cursor: str) -> str:
    """The lines, without a final newline; `titles` are those of the first `NAMED` hidden items at least.

    `hidden` items are not shown at all, `cut` ones in part; there is nothing to say if both are 0.
    """
    if not hidden and not cut:
        return ""
    behind = " and ".join([*([f"{hidden} more"] if hidden else []), *([f"{cut} cut"] if cut else [])])
    expand = expand_line(section, behind, cursor) if form == "full" else f"↳ expand ({behind}): memofs expand {cursor}"
    if form == "brief" or not hidden:
        return expand
    named = list(titles[: 1 if form == "first" else hidden if hidden <= NAMED else NAMED - 1])
    rest = hidden - len(named)
    count = f"{hidden} item{'s' if hidden > 1 else ''}"
    if form != "full":
        return f"[Omitted {count}: {', '.join(named)}{f' and {rest} more' if rest else ''}]\n{expand}"
    lines = [f"[Omitted {count} to fit context budget:", *(f" ↳ {each}" for each in named)]
    if rest:
        lines.append(f" ↳ and {rest} more items...")
    return "\n".join([*lines, "To view these, run recall with specific search terms]", expand])


def expand_line(section: SectionName, behind: str, cursor: str) -> str:
    """How an agent and how a person at a command line get what is `behind` a cursor."""
    return f'↳ expand ({behind}): memofs.context(section="{section}", expand="{cursor}") or memofs expand {cursor}'


def most_bytes(form: Form, section: SectionName, *, hidden: int, cut: int, cursor_bytes: int) -> int:
    """The most bytes that an outline can have of so many items, or of fewer hidden ones."""
    titles, cursor = ["x" * TITLE_BYTES] * NAMED, "x" * cursor_bytes
    return max(
        len(outline(form, section, titles, hidden=count, cut=cut, cursor=cursor).encode())
        for count in {hidden, min(hidden, NAMED)}
    )
