"""Memories and Worlds for tests, in one line each."""

import hashlib
from collections.abc import Sequence

from memofs.model.config import Config
from memofs.model.memory import Anchor, Memory, Origin, Status
from memofs.model.query import Query, Recall
from memofs.world.recall import recall
from memofs.world.state import World, build

__all__ = ["ARTICLE", "DAY_MS", "NOW_MS", "ask", "ids", "memory", "world"]

NOW_MS = 1_800_000_000_000
DAY_MS = 86_400_000


def memory(
    id_: str,
    title: str = "",
    body: str = "",
    *,
    kind: str = "note",
    status: Status = "active",
    tags: Sequence[str] = (),
    aliases: Sequence[str] = (),
    paths: Sequence[str] = (),
    supersedes: Sequence[str] = (),
    days: float | None = 1.0,
    verified_days: float | None = None,
    confidence: float | None = None,
    origin: Origin = "file",
    path: str = "",
    line: int = 0,
) -> Memory:
    """A memory whose digest follows from all the rest; `days` is its age."""
    created_ms = None if days is None else NOW_MS - int(days * DAY_MS)
    verified_ms = None if verified_days is None else NOW_MS - int(verified_days * DAY_MS)
    said = (title, body, kind, status, tags, aliases, paths, supersedes, created_ms, verified_ms, confidence)
    return Memory(
        id=f"mem_{id_}",
        kind=kind,
        title=title,
        body=body,
        path=path or f".memofs/memory/{id_}.md",
        digest=hashlib.sha256(repr(said).encode()).hexdigest(),
        status=status,
        tags=tuple(tags),
        aliases=tuple(aliases),
        anchors=tuple(Anchor(path=each) for each in paths),
        supersedes=tuple(f"mem_{each}" for each in supersedes),
        created_ms=created_ms,
        verified_ms=verified_ms,
        confidence=confidence,
        origin=origin,
        line=line,
    )


def world(*memories: Memory, config: Config | None = None) -> World:
    """The World of these memories."""
    return build(memories, config=config or Config())


def ask(of: World, text: str, query: Query | None = None) -> Recall:
    """What `of` answers now."""
    return recall(of, query or Query(text=text), now_ms=NOW_MS)


def ids(answer: Recall) -> list[str]:
    """The ids of the hits without their prefix, best first."""
    return [hit.id.removeprefix("mem_") for hit in answer.hits]


ARTICLE = (
    memory("d1", "Use D1 for tenant metadata", "Use D1 for tenant metadata: edge latency decides.", kind="decision"),
    memory(
        "pooling",
        "PostgreSQL connection pooling",
        "The database pool goes through pgBouncer; connection limits are at 50 a node, timeouts at 5000 ms.",
    ),
    memory("sqlite", "SQLite benchmarks", "WAL mode of the SQLite database beats the rollback journal threefold."),
    memory(
        "jwt",
        "JWT tokens for the API",
        "JWT tokens are used for stateless authentication, with 24-hour expiry.",
        kind="decision",
    ),
    memory("errors", "Errors of authentication", "A failed login returns 401 and is logged with a request id."),
    memory("tailwind", "Tailwind for styling", "Components use Tailwind utility classes.", kind="preference"),
    memory("ci", "Merges need green checks", "Continuous integration runs in GitHub Actions.", kind="constraint"),
    memory("webtoken", "Rotation of signing keys", "Keys that sign a JSON Web Token rotate every 90 days."),
)
"""What the article about MemoFS speaks of, told in our words: the D1 decision among its neighbours."""
