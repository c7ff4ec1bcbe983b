"""Writing a new memory: checks, secrets, duplicates, id, file."""

import msgspec

from memofs.engine.claim import same_claim
from memofs.engine.clock import now_ms
from memofs.engine.draft import Draft, checked_body, checked_kind, checked_labels, checked_title, title_from
from memofs.engine.engine import Engine
from memofs.engine.lookup import find_all
from memofs.engine.secrecy import refuse_secrets
from memofs.model.memory import Memory
from memofs.store.edit import Edit
from memofs.store.layout import memory_path
from memofs.text.memory_file import print_memory
from memofs.world.state import near_duplicate

__all__ = ["Remembered", "remember"]


class Remembered(msgspec.Struct, frozen=True, kw_only=True):
    """Exactly one of the two: what was written, or what says it already."""

    memory: Memory | None = None
    duplicate_of: Memory | None = None


def remember(
    engine: Engine,
    draft: Draft,
    *,
    actor: str,
    allow_duplicate: bool = False,
    allow_secrets: bool = False,
) -> Remembered:
    """The new memory on disk and in the World, or the one that already says so.

    Raises InvalidRequest for what cannot be a memory, NotFound for an unknown id in `supersedes`, Refused for a
    secret, Unavailable if nothing can be written.
    """
    world = engine.world
    body = checked_body(draft.body)
    title = checked_title(draft.title) if draft.title is not None else title_from(body)
    kind = checked_kind(draft.kind, world.config.kinds)
    tags = checked_labels("tags", draft.tags)
    aliases = checked_labels("aliases", draft.aliases)
    supersedes = tuple(memory.id for memory in find_all(world.memories, draft.supersedes))
    source = checked_title(draft.source) if draft.source is not None else "user"
    if not allow_secrets:
        refuse_secrets(body, title, *tags, *aliases, source)
    if not allow_duplicate and (twin := _twin(engine, title, body, supersedes)) is not None:
        return Remembered(duplicate_of=twin)
    moment_ms = now_ms()
    id_ = engine.store.ids.next(moment_ms)
    memory = Memory(
        id=id_,
        kind=kind,
        title=title,
        body=body,
        path=memory_path(engine.store.layout, title, id_),
        digest="",
        status=draft.status,
        confidence=draft.confidence,
        tags=tags,
        aliases=aliases,
        created_ms=moment_ms,
        updated_ms=moment_ms,
        verified_ms=moment_ms,
        supersedes=supersedes,
        source=source,
        author=engine.store.git.author(),
        anchors=draft.anchors,
    )
    edit = Edit(
        path=memory.path,
        before_digest=None,
        after=print_memory(memory).encode("utf-8"),
        memory_id=id_,
        summary=title,
    )

    def check() -> None:
        """Look again at what other processes wrote since, now that none of them can write."""
        if allow_duplicate or not engine.store.others_wrote():
            return
        engine.refresh()
        if (twin := _twin(engine, title, body, supersedes)) is not None:
            raise _SaidAlready(twin)

    try:
        engine.commit([edit], kind="remember", actor=actor, summary=title, check=check)
    except _SaidAlready as said:
        return Remembered(duplicate_of=said.memory)
    return Remembered(memory=engine.world.memories[id_])


class _SaidAlready(Exception):
    def __init__(self, memory: Memory) -> None:
        super().__init__(memory.id)
        self.memory = memory


def _twin(engine: Engine, title: str, body: str, supersedes: tuple[str, ...]) -> Memory | None:
    """The memory that says the same already; one that is to be superseded does not count."""
    twin = near_duplicate(engine.world, title, body)
    if twin is None or twin.id in supersedes:
        return None
    return twin if same_claim(f"{twin.title}\n{twin.body}", f"{title}\n{body}") else None
