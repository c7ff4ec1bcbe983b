"""One section while it is being packed: which of its items are shown, and what that costs.

Invariant: `bound_bytes` never grows when an item is folded or found to be shown elsewhere, and `bytes` is never more
than it; `text` has exactly `bytes` bytes if the cursor has as many as was said.
"""

from collections.abc import Sequence
from enum import IntEnum
from typing import Final

from memofs.briefing.cut import cut
from memofs.briefing.outline import NAMED, TITLE_BYTES, Form, most_bytes, outline, title
from memofs.model.briefing import BriefingSection, Offer

__all__ = ["Draft", "State"]


class State(IntEnum):
    """What has become of an item in one section."""

    HIDDEN = 0
    """Not shown, and counted in this section's outline."""
    LISTED_BEFORE = 1
    """Not shown, and counted in an earlier section's outline."""
    SHOWN = 2
    CUT = 3
    """Shown in part."""
    FOLDED = 4
    """Nearly repeats one that is shown."""
    GONE = 5
    """Shown, cut or folded in another section."""


class Draft:
    """A section being packed. `items` are the offer's without repeated keys; a place is an index into them."""

    def __init__(self, offer: Offer, cursor_bytes: int) -> None:
        unique = {item.key: item for item in reversed(offer.items)}
        self.offer = offer
        self.items = [unique.pop(item.key) for item in offer.items if item.key in unique]
        self.sizes = [len(item.text.encode()) + 1 for item in self.items]
        """Bytes of each item with its line end."""
        self.cuts: dict[int, str] = {}
        self._states = bytearray(len(self.items))
        self._hidden = len(self.items)
        self._shown = 0
        self._item_bytes = 0
        self._heading_bytes = len(offer.heading.encode()) + 1
        self._cursor_bytes = cursor_bytes
        self._form: Form = "brief"
        self._title_bytes = TITLE_BYTES
        self._bounds: dict[tuple[Form, int, int], int] = {}
        self._bytes: int | None = None

    @property
    def room_for_items(self) -> int:
        """How many more items the section may show."""
        visible = self._shown + len(self.cuts)
        return len(self.items) if self.offer.most is None else max(0, self.offer.most - visible)

    @property
    def is_bare(self) -> bool:
        """Whether nothing of any item is seen."""
        return not self._shown and not self.cuts

    @property
    def bound_bytes(self) -> int:
        """The most that the section can cost as it stands, whatever the titles in its outline."""
        return self._cost(self._bound(self._form, self._hidden, len(self.cuts)))

    def bound_bytes_with(self, place: int) -> int:
        """The same if an item that is not shown whole were."""
        state = self._states[place]
        bound = self._bound(self._form, self._hidden - (state == State.HIDDEN), len(self.cuts) - (state == State.CUT))
        return self._cost(bound, self.sizes[place] - self.part_bytes(place))

    @property
    def bytes(self) -> int:
        """What the section costs, with the line between it and the next."""
        if self._bytes is None:
            self._bytes = self._cost(len(self._outline(_ANY * self._cursor_bytes).encode()))
        return self._bytes

    @property
    def form(self) -> Form:
        """The form of the outline."""
        return self._form

    def set_form(self, form: Form, title_bytes: int = TITLE_BYTES) -> None:
        """Give the outline a form, and its titles so many bytes at most."""
        self._form, self._title_bytes, self._bytes = form, title_bytes, None

    def state(self, place: int) -> State:
        """What has become of an item."""
        return _STATES[self._states[place]]

    def set_state(self, place: int, state: State, text: str = "") -> None:
        """Let an item become something else; `text` is what is shown of one that is cut."""
        old = self._states[place]
        self._hidden += (state == State.HIDDEN) - (old == State.HIDDEN)
        self._shown += (state == State.SHOWN) - (old == State.SHOWN)
        if old == State.SHOWN:
            self._item_bytes -= self.sizes[place]
        elif old == State.CUT:
            self._item_bytes -= len(self.cuts.pop(place).encode()) + 1
        if state == State.SHOWN:
            self._item_bytes += self.sizes[place]
        elif state == State.CUT:
            self.cuts[place] = text
            self._item_bytes += len(text.encode()) + 1
        self._states[place] = state
        self._bytes = None

    def places(self, *states: State) -> list[int]:
        """The places of the items in one of these states, in order."""
        return [place for place, state in enumerate(self._states) if state in states]

    def places_within(self, limit_bytes: int, *states: State) -> list[int]:
        """Those of them that can be shown if the section may cost so much, going by their own size."""
        room = limit_bytes - self.least_bytes_with([])
        return [place for place in self.places(*states) if self.sizes[place] - self.part_bytes(place) <= room]

    def least_bytes(self) -> int:
        """What it takes to show no item and lead to all, or to show all if that is less."""
        counted = self._cost(self.bound_of("brief"))
        every = self._heading_bytes + 1 + sum(self.sizes)
        fits = self.offer.most is None or len(self.items) <= self.offer.most
        return min(counted, every) if fits else counted

    def least_bytes_with(self, places: Sequence[int]) -> int:
        """What the section costs at the least if these items were shown too: without its outline."""
        more = sum(self.sizes[place] - self.part_bytes(place) for place in places)
        return self._heading_bytes + self._item_bytes + more + _BETWEEN

    def part_bytes(self, place: int) -> int:
        """The bytes of what is shown of a cut item, with its line end; 0 if it is not cut."""
        part = self.cuts.get(place)
        return 0 if part is None else len(part.encode()) + 1

    def show_part(self, place: int, room_bytes: int, *, least_bytes: int) -> bool:
        """Show as much of a cut item as `room_bytes` can take with a line end; whether anything fits."""
        part = cut(self.items[place].text, room_bytes - 1, least_bytes=least_bytes)
        if part is None or len(part.encode()) + 1 < self.part_bytes(place):
            return False
        self.set_state(place, State.CUT, part)
        return True

    def bound_of(self, form: Form) -> int:
        """The most bytes of the outline in a form, as the section stands."""
        return self._bound(form, self._hidden, len(self.cuts))

    def packed(self, cursor: str | None, *, is_left_out: bool) -> BriefingSection:
        """The section as it stands; without its text if it is left out."""
        lines: list[str] = []
        for place in self.places(State.SHOWN, State.CUT):
            lines.append(self.cuts.get(place) or self.items[place].text)
        said = self._outline(cursor or "")
        if said:
            lines += ["", said] if lines else [said]
        text = "\n".join([self.offer.heading, *lines, ""]) if lines and not is_left_out else ""
        return BriefingSection(
            name=self.offer.name,
            text=text,
            bytes=len(text.encode()),
            shown=self._keys(State.SHOWN),
            omitted=self.omitted(),
            cut=self._keys(State.CUT),
            folded=self._keys(State.FOLDED),
            cursor=cursor,
        )

    def omitted(self) -> tuple[str, ...]:
        """The keys that the outline leads to."""
        return self._keys(State.HIDDEN, State.CUT)

    def _keys(self, *states: State) -> tuple[str, ...]:
        return tuple(self.items[place].key for place in self.places(*states))

    def _cost(self, outline_bytes: int, more_bytes: int = 0) -> int:
        item_bytes = self._item_bytes + more_bytes
        if not item_bytes and not outline_bytes:
            return 0
        blank = 1 if item_bytes and outline_bytes else 0
        line_end = 1 if outline_bytes else 0
        return self._heading_bytes + item_bytes + blank + outline_bytes + line_end + _BETWEEN

    def _bound(self, form: Form, hidden: int, cut_: int) -> int:
        key = form, hidden, cut_
        if key not in self._bounds:
            self._bounds[key] = most_bytes(
                form, self.offer.name, hidden=hidden, cut=cut_, cursor_bytes=self._cursor_bytes
            )
        return self._bounds[key]

    def _outline(self, cursor: str) -> str:
        return outline(
            self._form, self.offer.name, self._titles(), hidden=self._hidden, cut=len(self.cuts), cursor=cursor
        )

    def _titles(self) -> list[str]:
        titles: list[str] = []
        place = self._states.find(State.HIDDEN)
        while place >= 0 and len(titles) < NAMED:
            titles.append(title(self.items[place].title, self._title_bytes))
            place = self._states.find(State.HIDDEN, place + 1)
        return titles


_STATES: Final = tuple(State)
_ANY: Final = "x"
_BETWEEN: Final = 1
"""Bytes of the empty line between a section and the next."""
