"""The URIs of our resources. Pure."""

from urllib.parse import quote, unquote

__all__ = ["CORE", "GRAPH", "HERE", "HERE_TEMPLATE", "MEMORY", "MEMORY_TEMPLATE", "STALE", "memory_uri", "parse"]

CORE = "memofs://core"
STALE = "memofs://stale"
GRAPH = "memofs://graph"
MEMORY = "memofs://memory/"
HERE = "memofs://here/"
MEMORY_TEMPLATE = "memofs://memory/{id}"
HERE_TEMPLATE = "memofs://here/{+path}"


def memory_uri(id_: str) -> str:
    """The URI of a memory."""
    return MEMORY + quote(id_, safe="")


def parse(uri: str) -> tuple[str, str] | None:
    """Which resource a URI is: one of the constants, and the rest of it; None for what is none of ours."""
    if uri in (CORE, STALE, GRAPH):
        return uri, ""
    for start in (MEMORY, HERE):
        if uri.startswith(start) and len(uri) > len(start):
            return start, unquote(uri.removeprefix(start))
    return None
