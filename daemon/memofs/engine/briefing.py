"""Briefings: what a World offers, packed; and what one left out, by its handle.

Invariant: a handle that a briefing shows leads to exactly what it left out, in this process and in any other on the
same workspace, for as long as it is kept; then an error says so. Whatever is missing on the way is named.
"""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

import msgspec

from memofs.briefing.cursor import handle, read
from memofs.briefing.expand import PAGE_BYTES, Page, page
from memofs.briefing.safe import plain_or_quoted
from memofs.engine.asking import Answer, also, ask
from memofs.engine.kept import Kept
from memofs.engine.view import View
from memofs.model.briefing import Briefing, Item, Offer, SectionName
from memofs.model.cancel import NEVER, CancelToken
from memofs.model.config import Precision
from memofs.model.errors import Conflict, InvalidRequest, NotFound
from memofs.model.query import Query
from memofs.world.assemble import assemble
from memofs.world.briefing import CANDIDATES, Wanted, offers
from memofs.world.left_out import LeftOut, items_of, left_out, today

__all__ = ["Expansion", "Made", "expand", "make"]

_encode = msgspec.json.Encoder(order="deterministic").encode
_decode = msgspec.json.Decoder(LeftOut).decode


class Made(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """A briefing, the view that it was made from, and what was missing on the way."""

    briefing: Briefing
    view: View
    degraded: tuple[str, ...] = ()


class Expansion(msgspec.Struct, frozen=True, kw_only=True):
    """A page of what was left out; `warnings` say what has changed since."""

    page: Page
    warnings: tuple[str, ...] = ()


def make(view: View, wanted: Wanted, *, kept: Kept[LeftOut], wait: bool = True, cancel: CancelToken = NEVER) -> Made:
    """The briefing for what is wanted, and its handles kept. Raises Cancelled."""
    answer = None
    if not wanted.text.strip():
        view = view.following(cancel=cancel)
    degraded = list(view.degraded)
    if wanted.text.strip():
        answer = ask(view, _query(wanted), wait=wait, cancel=cancel)
        view, degraded = answer.view, list(answer.degraded)
    is_question = answer is not None and answer.recall.notice != "emptyQuery"
    notes = None
    if answer is not None and is_question and wanted.detail == "full" and wanted.has("notes"):
        notes = also(answer, _query(wanted, kinds=("note",), precision="all"), cancel=cancel)
    changed: frozenset[str] | None = frozenset()
    if not is_question and wanted.has("constraints"):
        changed = view.store.git.changed()
        if changed is None:
            degraded.append("git")
    found = answer.recall if answer is not None and is_question else None
    offered = offers(view.world, wanted, now_ms=view.now_ms, found=found, notes=notes, changed=changed or frozenset())
    made = assemble(
        view.world,
        wanted,
        offered,
        handle_of=lambda left: _handle(view, left),
        hits=() if found is None else found.hits,
        core=view.store.core() if wanted.has("core") else "",
        remarks=_remarks(view, wanted, answer, offered, degraded),
        now_ms=view.now_ms,
    )
    _keep(view, made.lists)
    kept.put(made.lists, now_ms=view.now_ms)
    return Made(briefing=made.briefing, view=view, degraded=tuple(dict.fromkeys(degraded)))


def expand(view: View, cursor: str, *, kept: Kept[LeftOut]) -> Expansion:
    """What a briefing, or a page before this one, left out.

    Raises InvalidRequest for what is no cursor, NotFound for one of another workspace, Conflict for one that is no
    longer kept.
    """
    name, fault = read(cursor, _workspace(view))
    if fault == "garbled":
        hint = "copy all of what the briefing says behind `memofs expand`"
        raise InvalidRequest("badCursor", f"{cursor[:_SHOWN]!r} is not a cursor", hint)
    if fault == "elsewhere":
        hint = "expand it there: memofs -C FOLDER expand CURSOR"
        raise NotFound("otherWorkspace", "this cursor belongs to a briefing of another workspace", hint)
    left = kept.get(name, now_ms=view.now_ms) or _find(view, name)
    if left is None:
        hint = "ask for the briefing again: memofs context"
        raise Conflict("expiredCursor", "what this cursor leads to is no longer kept", hint)
    now = today(view.world, left, now_ms=view.now_ms)
    said = _since(now.changed, now.gone)
    lists: dict[str, LeftOut] = {}

    def cursor_for(section: SectionName, keys: Sequence[str]) -> str:
        rest = left_out(view.world, section, left.heading, keys, now_ms=view.now_ms)
        lists[_handle(view, rest)] = rest
        return _handle(view, rest)

    made = page(
        section=left.section,
        heading=f"{left.heading}\n[{said}]" if said else left.heading,
        items=_for_one_page(items_of(view.world, now.keys, now_ms=view.now_ms), now.keys),
        cursor_for=cursor_for,
    )
    _keep(view, lists)
    return Expansion(page=made, warnings=(said,) if said else ())


_SHOWN: Final = 40
"""Characters of a wrong cursor that the error repeats."""


def _query(wanted: Wanted, *, kinds: tuple[str, ...] = (), precision: Precision | None = None) -> Query:
    most = CANDIDATES[wanted.detail]
    return Query(text=wanted.text, limit=most, task_type=wanted.task_type, kinds=kinds, precision=precision)


_MISSING: Final = MappingProxyType(
    {
        "embedder": "Searched by words only: the model for meaning did not answer",
        "indexing": "Some memories were searched by words only, they are not indexed yet",
        "unreadable": "Some memory files cannot be read and are left out: memofs doctor",
        "git": "git did not answer in time: what binds changed files is not shown",
    }
)
"""What was missing and bears on what a briefing shows."""


def _remarks(
    view: View, wanted: Wanted, answer: Answer | None, offered: Sequence[Offer], degraded: Sequence[str]
) -> tuple[str, ...]:
    """What whoever reads a briefing has to know beside what it shows, a sentence each."""
    said = [words for name, words in _MISSING.items() if name in degraded]
    if not view.world.memories:
        said.append("Nothing has been remembered here yet")
    elif answer is not None and answer.recall.notice == "emptyQuery":
        said.append("The query has no word to search by: this is what a new session needs")
    elif answer is not None and not answer.recall.hits and wanted.has("recall"):
        weaker = answer.recall.weaker
        related = f"; {weaker:,} weaker matches: recall with precision all shows them" if weaker else ""
        said.append(f"Nothing in the memory answers the query{related}")
    elif answer is not None and answer.recall.more and wanted.has("recall"):
        more = answer.recall.more
        said.append(f"{more:,} more {'memories answer' if more > 1 else 'memory answers'} the query: recall shows them")
    if wanted.place is not None and not view.store.is_there(wanted.place.path):
        tied = any(each.name == "here" for each in offered)
        said.append(f"{plain_or_quoted(wanted.place.path)} is not there{'' if tied else ', and nothing is tied to it'}")
    return tuple(said)


def _handle(view: View, left: LeftOut) -> str:
    """The handle of a list: the same for the same list."""
    return handle(_workspace(view), _encode(left))


def _keep(view: View, lists: Mapping[str, LeftOut]) -> None:
    for name, left in lists.items():
        view.store.handles.keep(name, _encode(left))


def _find(view: View, name: str) -> LeftOut | None:
    """The list that was kept under a handle; bytes that are damaged are as good as none."""
    data = view.store.handles.find(name)
    try:
        return None if data is None else _decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _workspace(view: View) -> str:
    return str(view.store.layout.root)


def _for_one_page(items: Iterable[Item], keys: Sequence[str]) -> list[Item]:
    """The items, made as far as a page can hold them; what is beyond is only counted."""
    made: list[Item] = []
    used = 0
    for item in items:
        made.append(item)
        used += len(item.text.encode())
        if used > PAGE_BYTES:
            break
    return [*made, *(Item(key=key, title="", text="") for key in keys[len(made) :])]


def _since(changed: int, gone: int) -> str:
    """What has become of a list since it was made; empty where nothing has."""
    said: list[str] = []
    if changed:
        said.append(f"{changed} of these {'has' if changed == 1 else 'have'} changed since the briefing")
    if gone:
        said.append(f"{gone} {'holds' if gone == 1 else 'hold'} no longer and {'is' if gone == 1 else 'are'} left out")
    return ", ".join(said)
