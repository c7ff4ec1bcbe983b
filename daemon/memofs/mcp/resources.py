"""What clients can read and attach: core, a memory, what binds a place, what is stale, the graph."""

from collections.abc import Sequence
from typing import Final

import msgspec

from memofs.link.client import RemoteError
from memofs.mcp.arguments import HereArguments, StaleArguments
from memofs.mcp.asking import Asking
from memofs.mcp.reading import here, stale
from memofs.mcp.results import memory_part
from memofs.mcp.texts import here_text, memory_text, stale_text
from memofs.mcp.uris import CORE, GRAPH, HERE, MEMORY, STALE, memory_uri, parse
from memofs.wire.context import ContextParams, ContextResult
from memofs.wire.graph import ExportGraphParams, ExportGraphResult
from memofs.wire.read import GetParams, GetResult, ListParams, ListResult

__all__ = ["FIXED", "MARKDOWN", "Listed", "Page", "list_memories", "no_such", "read"]

MARKDOWN: Final = "text/markdown"
PAGE: Final = 100


class Listed(msgspec.Struct, frozen=True, kw_only=True):
    """One resource of a list."""

    uri: str
    name: str
    title: str
    description: str
    mime: str = MARKDOWN


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """Some memories as resources, and the cursor of the page after."""

    resources: Sequence[Listed]
    cursor: str | None = None


FIXED: Sequence[Listed] = (
    Listed(uri=CORE, name="core", title="Core memory", description="What everybody who works here should know."),
    Listed(uri=STALE, name="stale", title="Stale memories", description="Memories whose code has changed or is gone."),
    Listed(
        uri=GRAPH,
        name="graph",
        title="Entities and relations",
        description="What the memory names and what it says of it, as JSON.",
        mime="application/json",
    ),
)


def no_such(uri: str) -> RemoteError:
    """What is said of a URI that is none of ours."""
    return RemoteError(f"there is no resource {uri}", family="NotFound", code="resource", hint="list the resources")


async def list_memories(asking: Asking, cursor: str | None) -> Page:
    """The memories that hold, newest first, a page at a time. Raises RemoteError."""
    params = ListParams(statuses=("active",), limit=PAGE, page=cursor)
    found = await asking.daemon.ask("memofs/list", params, ListResult)
    return Page(
        resources=[
            Listed(uri=memory_uri(each.id), name=each.id, title=each.title, description=f"{each.kind}, {each.path}")
            for each in found.memories
        ],
        cursor=found.page,
    )


async def read(asking: Asking, uri: str) -> tuple[str, str]:
    """The text of a resource and its kind. Raises RemoteError."""
    found = parse(uri)
    if found is None:
        raise no_such(uri)
    which, rest = found
    if which == CORE:
        params = ContextParams(sections=("core",), max_bytes=262_144, wait=False)
        return (await asking.daemon.ask("memofs/context", params, ContextResult)).text, MARKDOWN
    if which == STALE:
        return stale_text(await stale(asking, StaleArguments())) + "\n", MARKDOWN
    if which == GRAPH:
        exported = await asking.daemon.ask("memofs/exportGraph", ExportGraphParams(), ExportGraphResult)
        return exported.text, "application/json"
    if which == MEMORY:
        got = await asking.daemon.ask("memofs/get", GetParams(id=rest), GetResult)
        return memory_text(memory_part(got.memory, body=True)), MARKDOWN
    assert which == HERE  # noqa: S101 - parse knows no other
    return here_text(await here(asking, HereArguments(path=rest))) + "\n", MARKDOWN
