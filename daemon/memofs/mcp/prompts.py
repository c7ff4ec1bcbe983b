"""The prompts that a person can choose in an agent: recall-context, memory-review, capture-decision."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final

import msgspec

from memofs.mcp.arguments import ContextArguments, StaleArguments
from memofs.mcp.asking import Asking
from memofs.mcp.reading import context, stale
from memofs.mcp.texts import line, stale_text

__all__ = ["PROMPTS", "Argument", "Prompt"]

MOST_SHOWN: Final = 500


class Argument(msgspec.Struct, frozen=True, kw_only=True):
    """One argument of a prompt; all are texts."""

    name: str
    description: str
    required: bool = False


class Prompt(msgspec.Struct, frozen=True, kw_only=True):
    """One prompt: what it is for, what it takes, and the text that it makes."""

    title: str
    description: str
    arguments: Sequence[Argument]
    make: Callable[[Asking, Mapping[str, str]], Awaitable[str]]


async def _recall_context(asking: Asking, given: Mapping[str, str]) -> str:
    task = line(given["task"])[:MOST_SHOWN]
    briefing = await context(asking, ContextArguments(query=given["task"], path=given.get("path") or None))
    return (
        f"The task: {task}\n\nBelow is what this project's memory holds for it. Read it before you start, say in one "
        "sentence which memories bind the task (by id), and check what is flagged stale against the code before you "
        f"rely on it.\n\n{briefing.text}"
    )


async def _memory_review(asking: Asking, given: Mapping[str, str]) -> str:
    path = given.get("path") or None
    found = await stale(asking, StaleArguments(paths=() if path is None else (path,)))
    return (
        "Review the memories below, one by one. For each: look at the difference with memofs.changes, decide whether "
        "what the memory says still holds, and then call memofs.verify (it holds), memofs.update (the text or the "
        "anchors need a correction) or memofs.retire (it is over). Ask me where you are not sure. Finish with a list: "
        f"id, what you did, why.\n\n{stale_text(found)}\n"
    )


async def _capture_decision(asking: Asking, given: Mapping[str, str]) -> str:
    del asking
    said = line(given.get("decision", ""))[:MOST_SHOWN]
    about = f"this decision: {said}" if said else "the decision that we have just reached"
    return (
        f"Write down {about}.\n\n1. Call memofs.recall for the subject, to see what is remembered already.\n"
        "2. Call memofs.remember with kind decision: a title that says what was decided, and a body with the reason, "
        "what was rejected and why, and what would make us look at it again. Tie it to the code with anchors (path and "
        "symbol). Name what it replaces in supersedes.\n3. Show me the id and what you wrote."
    )


PROMPTS: Mapping[str, Prompt] = {
    "recall-context": Prompt(
        title="Brief me for a task",
        description="What the project's memory holds for a task, ready to start on it.",
        arguments=(
            Argument(name="task", description="What you are about to do.", required=True),
            Argument(name="path", description="The file you are at."),
        ),
        make=_recall_context,
    ),
    "memory-review": Prompt(
        title="Review stale memories",
        description="Go through memories whose code has changed: verify, update or retire them.",
        arguments=(Argument(name="path", description="Only what is tied to this file, folder or glob."),),
        make=_memory_review,
    ),
    "capture-decision": Prompt(
        title="Write down a decision",
        description="Remember what was decided, why, and what was rejected.",
        arguments=(Argument(name="decision", description="What was decided, in a sentence."),),
        make=_capture_decision,
    ),
}
