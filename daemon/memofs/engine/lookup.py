"""Which memory a person means: a whole id, the beginning of one, or the last characters that file names show."""

from collections.abc import Iterable, Mapping, Sequence

from memofs.model.errors import InvalidRequest, NotFound, Unavailable
from memofs.model.memory import Memory
from memofs.model.problem import Problem

__all__ = ["find_all", "find_one"]

LEAST_PREFIX = 6
LEAST_SUFFIX = 4
SHOWN = 5


def find_one(
    memories: Mapping[str, Memory], text: str, *, problems: Mapping[str, Sequence[Problem]] | None = None
) -> Memory:
    """The one memory that `text` names.

    Raises Unavailable when a file of that name cannot be read (`problems` are by path), NotFound when none does,
    InvalidRequest when several do (the message lists them) or when the text is too short to name one.
    """
    wanted = text.strip().lower()
    if (exact := memories.get(wanted)) is not None:
        return exact
    bare = wanted.removeprefix("mem_")
    if len(bare) < LEAST_SUFFIX:
        raise InvalidRequest(
            "shortId",
            f"{text!r} is too short to name a memory",
            f"give the id, its first {LEAST_PREFIX} characters after mem_, or its last {LEAST_SUFFIX}",
        )
    found = sorted(id_ for id_ in memories if _names(bare, id_.removeprefix("mem_")))
    if not found:
        _raise_if_unreadable(bare, problems or {})
        raise NotFound("memory", f"no memory has the id {text!r}", "memofs list shows what there is")
    if len(found) > 1:
        shown = ", ".join(f"{id_} ({memories[id_].title})" for id_ in found[:SHOWN])
        more = f" and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
        raise InvalidRequest(
            "ambiguousId", f"{text!r} fits {len(found)} memories: {shown}{more}", "give more of the id"
        )
    return memories[found[0]]


def find_all(
    memories: Mapping[str, Memory], texts: Iterable[str], *, problems: Mapping[str, Sequence[Problem]] | None = None
) -> tuple[Memory, ...]:
    """The memories that `texts` name, each once, in the order given."""
    found = {memory.id: memory for memory in (find_one(memories, text, problems=problems) for text in texts)}
    return tuple(found.values())


def _raise_if_unreadable(wanted: str, problems: Mapping[str, Sequence[Problem]]) -> None:
    """A memory's file name ends in the last characters of its id, which is what is left of one that cannot be read."""
    for path, found in problems.items():
        stem = path.rpartition("/")[2].removesuffix(".md")
        fault = next((problem for problem in found if problem.severity == "error"), None)
        if fault is not None and stem.endswith(f"-{wanted[-LEAST_SUFFIX:]}"):
            message = f"{path} cannot be read: {fault.message} (line {fault.line + 1})"
            raise Unavailable("unreadable", message, fault.hint or "mend it in an editor")


def _names(wanted: str, bare: str) -> bool:
    return bare.endswith(wanted) or (len(wanted) >= LEAST_PREFIX and bare.startswith(wanted))
