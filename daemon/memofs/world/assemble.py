"""A briefing of a World: the offers packed, what is left of the budget used, and lists of what was left out.

Invariant: never more bytes than wanted, remarks included; each handle in the text leads to one of the lists, and the
lists and what is shown whole have nothing in common.
"""

from collections.abc import Callable, Sequence

import msgspec

from memofs.briefing.pack import pack
from memofs.briefing.sections import MIN_BYTES
from memofs.model.briefing import Briefing, Offer, SectionName
from memofs.model.query import Hit
from memofs.world.briefing import Wanted, with_wholes
from memofs.world.left_out import LeftOut, left_out
from memofs.world.state import World

__all__ = ["Assembled", "assemble"]


class Assembled(msgspec.Struct, frozen=True, kw_only=True):
    """A briefing, and what each of its handles leads to."""

    briefing: Briefing
    lists: dict[str, LeftOut]


def assemble(
    world: World,
    wanted: Wanted,
    offered: Sequence[Offer],
    *,
    handle_of: Callable[[LeftOut], str],
    hits: Sequence[Hit] = (),
    core: str = "",
    remarks: Sequence[str] = (),
    now_ms: int,
) -> Assembled:
    """The briefing of what is offered; `hits` are those of the answer in it, `core` is the text of core.md.

    `remarks` are sentences that go below the sections, where the budget is not the smallest, and into the warnings
    always. Where all that is to be shown leaves room, the best of it is shown whole.
    """
    below = _lines(remarks, wanted.max_bytes - MIN_BYTES)
    max_bytes = wanted.max_bytes - len(below.encode())
    headings = {each.name: each.heading for each in offered}

    def packed(these: Sequence[Offer]) -> Assembled:
        lists: dict[str, LeftOut] = {}

        def cursor_for(section: SectionName, keys: Sequence[str]) -> str:
            left = left_out(world, section, headings[section], keys, now_ms=now_ms)
            name = handle_of(left)
            lists[name] = left
            return name

        briefing = pack(core=core, offers=these, max_bytes=max_bytes, cursor_for=cursor_for)
        return Assembled(briefing=briefing, lists=lists)

    made = packed(offered)
    shown: dict[SectionName, frozenset[str]] = {each.name: frozenset(each.shown) for each in made.briefing.sections}
    room_bytes = max_bytes - made.briefing.bytes
    richer = with_wholes(world, offered, shown, hits, room_bytes=room_bytes, now_ms=now_ms)
    if richer != tuple(offered):
        again = packed(richer)
        if frozenset().union(*shown.values()) <= {key for each in again.briefing.sections for key in each.shown}:
            made = again
    text = made.briefing.text + below
    warnings = (*made.briefing.warnings, *remarks)
    whole = msgspec.structs.replace(made.briefing, text=text, bytes=len(text.encode()), warnings=warnings)
    return Assembled(briefing=whole, lists=made.lists)


def _lines(remarks: Sequence[str], most_bytes: int) -> str:
    """The remarks on lines of their own, below an empty one; nothing where they do not fit."""
    lines = "".join(f"[{each}]\n" for each in remarks)
    said = f"\n{lines}" if lines else ""
    return said if len(said.encode()) <= most_bytes else ""
