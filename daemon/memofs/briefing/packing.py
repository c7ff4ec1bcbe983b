"""What is shown of the sections that compete for a budget.

Sections are filled in order. Each may use its share of what is left, by weight among those still to be filled, so that
what one does not use flows on; what is left over at the end goes back, the heaviest section first. An item that does
not fit ends nothing, smaller ones after it are tried; the best of a section is shown in part rather than not at all,
and so is the next one where room remains that no item fits in.

Invariant: the sections never cost more than the budget. While shares are given out, an outline counts as what it could
take at most, since folding an item or showing it elsewhere changes which ones an outline names.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import product
from typing import Final, TypeAlias

from memofs.briefing.alike import Shown
from memofs.briefing.draft import Draft, State
from memofs.briefing.outline import FORMS, TITLE_BYTES, Form

__all__ = ["Packing"]

_OPEN: Final = (State.HIDDEN, State.LISTED_BEFORE)
_OUTLINE_SHARE: Final = 12
"""An outline takes the largest form that is at most one of so many parts of its section."""
_LEAST_CUT_BYTES: Final = 80
"""So much text at least is shown of an item that is cut."""
_LAST_CUT_BYTES: Final = 16
_WASTE: Final = 12
"""Where more than one of so many parts of the budget would be left, a few words of an item are better than none."""
_TRIES: Final = 8
"""So many items of a section are tried where each try costs much and little is to be gained."""
_TITLES_BYTES: Final = (TITLE_BYTES, 40, 24)
"""Titles are cut to the largest of these sizes that fits."""


class Packing:
    """Drafts that share a budget; `drafts` are all, in order, `competing` those of them that are given room."""

    def __init__(self, drafts: Sequence[Draft], competing: Sequence[Draft], budget_bytes: int) -> None:
        self._competing = competing
        self._budget_bytes = budget_bytes
        self._shown = Shown(item for draft in drafts for item in draft.items)
        self._everywhere: defaultdict[str, list[tuple[Draft, int]]] = defaultdict(list)
        for draft in drafts:
            for place, item in enumerate(draft.items):
                if self._everywhere[item.key]:
                    draft.set_state(place, State.LISTED_BEFORE)
                self._everywhere[item.key].append((draft, place))
        self._by_weight = sorted(competing, key=lambda draft: -draft.offer.weight)

    def run(self) -> None:
        """Settle what is shown."""
        self._share_out()
        self._fold_alike()
        while self._give_back():
            pass
        self._fold_alike()
        self._show_parts(_LEAST_CUT_BYTES)
        self._say_more()
        if _WASTE * self._spare_bytes() > self._budget_bytes:
            for draft in self._competing:
                draft.set_form("brief")
            self._show_parts(_LAST_CUT_BYTES)
            self._say_more()

    def _share_out(self) -> None:
        for number, draft in enumerate(self._competing):
            rest = self._competing[number:]
            left = self._budget_bytes - sum(each.bound_bytes for each in self._competing[:number])
            share = left * draft.offer.weight // max(1, sum(each.offer.weight for each in rest))
            kept_for_others = sum(each.least_bytes() for each in rest[1:])
            limit = min(max(share, draft.least_bytes()), left - kept_for_others)
            draft.set_form(_form(draft, limit))
            self._fill(draft, limit)

    def _fill(self, draft: Draft, limit_bytes: int) -> None:
        """Show of a section what fits in so many bytes, its outline counted as large as it could be."""
        if self._show_rest(draft, limit_bytes):
            return
        for place in draft.places(*_OPEN)[:_TRIES]:
            if not draft.is_bare or not draft.room_for_items:
                break
            if draft.bound_bytes_with(place) <= limit_bytes:
                self._show(draft, place)
            else:
                self._cut_best(draft, place, limit_bytes)
        for place in draft.places_within(limit_bytes, *_OPEN):
            if draft.room_for_items and draft.bound_bytes_with(place) <= limit_bytes:
                self._show(draft, place)
        self._show_rest(draft, limit_bytes)

    def _fold_alike(self) -> None:
        """Fold what nearly repeats an item shown, where what an outline names instead fits."""
        for draft in self._competing:
            for place in draft.places(*_OPEN):
                if self._shown.has_like(draft.items[place]):
                    self._show(draft, place, if_it_fits=True)

    def _give_back(self) -> bool:
        """Show more where anything is left over, with the outlines as they are; whether it was of use."""
        of_use = False
        for draft in self._by_weight:
            failed = 0
            for place in draft.places_within(draft.bytes + self._spare_bytes(), *_OPEN, State.CUT):
                if draft.room_for_items or draft.state(place) == State.CUT:
                    fitted = self._show(draft, place, if_it_fits=True)
                    of_use |= fitted
                    failed += not fitted
                    if failed == _TRIES:
                        break
            of_use |= self._show_rest(draft, draft.bytes + self._spare_bytes())
        return of_use

    def _spare_bytes(self) -> int:
        return self._budget_bytes - sum(draft.bytes for draft in self._competing)

    def _show(self, draft: Draft, place: int, *, if_it_fits: bool = False) -> bool:
        """Show an item, or fold it if one like it is shown; whether that was done."""
        item = draft.items[place]
        is_new = draft.state(place) != State.CUT
        is_like = is_new and self._shown.has_like(item)
        undo = self._become(draft, place, State.FOLDED if is_like else State.SHOWN)
        if if_it_fits and self._spare_bytes() < 0:
            _take_back(undo)
            return False
        if is_new and not is_like:
            self._shown.add(item)
        return True

    def _show_rest(self, draft: Draft, limit_bytes: int) -> bool:
        """Show all that is left of a section if it fits without an outline; whether there was any and it did."""
        places = draft.places(*_OPEN, State.CUT)
        if not places or len(places) - len(draft.cuts) > draft.room_for_items:
            return False
        if draft.least_bytes_with(places) > limit_bytes:
            return False
        for place in places:
            self._show(draft, place)
        return True

    def _cut_best(self, draft: Draft, place: int, limit_bytes: int) -> None:
        """Show the beginning of an item: in half of the room, in all of it if that is too little."""
        item = draft.items[place]
        if self._shown.has_like(item):
            self._become(draft, place, State.FOLDED)
            return
        undo = self._become(draft, place, State.CUT)
        room = limit_bytes - draft.bound_bytes
        if any(draft.show_part(place, share, least_bytes=_LEAST_CUT_BYTES) for share in (room // 2, room)):
            self._shown.add(item)
        else:
            _take_back(undo)

    def _show_parts(self, least_bytes: int) -> None:
        """Let cut items grow, then show the beginning of the best ones that are left out."""
        for draft in self._by_weight:
            for place in draft.places(State.CUT):
                draft.show_part(place, draft.part_bytes(place) + self._spare_bytes(), least_bytes=least_bytes)
        for draft in self._by_weight:
            for place in draft.places(State.HIDDEN)[:_TRIES]:
                if draft.room_for_items and not self._shown.has_like(draft.items[place]):
                    undo = self._become(draft, place, State.CUT)
                    if draft.show_part(place, self._spare_bytes(), least_bytes=least_bytes):
                        self._shown.add(draft.items[place])
                    else:
                        _take_back(undo)

    def _say_more(self) -> None:
        """Give outlines the largest form that there is room for, their titles cut shorter if need be."""
        for draft in self._by_weight:
            present = draft.form
            larger = product(reversed(FORMS[FORMS.index(present) + 1 :]), _TITLES_BYTES)
            if not any(self._fits_in(draft, form, title_bytes) for form, title_bytes in larger):
                draft.set_form(present)

    def _fits_in(self, draft: Draft, form: Form, title_bytes: int) -> bool:
        draft.set_form(form, title_bytes)
        return self._spare_bytes() >= 0

    def _become(self, draft: Draft, place: int, state: State) -> list[_Change]:
        """Let an item become shown, cut or folded here, and be gone everywhere else; what to take back to undo it."""
        undo: list[_Change] = []
        for other, at in self._everywhere[draft.items[place].key]:
            is_here = other is draft
            undo.append((other, at, other.state(at), other.cuts.get(at, "")))
            other.set_state(at, state if is_here else State.GONE)
        return undo


_Change: TypeAlias = tuple[Draft, int, State, str]


def _take_back(undo: list[_Change]) -> None:
    for draft, place, state, part in undo:
        draft.set_state(place, state, part)


def _form(draft: Draft, limit_bytes: int) -> Form:
    """The largest form that an outline of all items may take."""
    fitting: list[Form] = [form for form in FORMS if draft.bound_of(form) <= limit_bytes // _OUTLINE_SHARE]
    return fitting[-1] if fitting else FORMS[0]
