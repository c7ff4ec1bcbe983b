"""The table of tools: name, what agents read about it, the types of its arguments and answer, what it does.

Invariant: names are those of the table, with dots; `named` gives the same with underscores to clients that refuse dots.
"""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, Literal, TypeVar

import msgspec

from memofs.agents.names import Names
from memofs.mcp import arguments, reading, results, texts, writing
from memofs.mcp.asking import Asking

__all__ = ["TOOLS", "Effect", "Tool", "find", "named"]

Effect = Literal["reads", "adds", "changes"]
"""What a tool does to the memory: nothing, adds to it, or changes what is there."""
A = TypeVar("A", bound=msgspec.Struct)
R = TypeVar("R", bound=msgspec.Struct)


class Tool(msgspec.Struct, frozen=True, kw_only=True):
    """One tool. `is_stable` says that asking again changes nothing more."""

    name: str
    title: str
    description: str
    effect: Effect
    is_stable: bool
    arguments: type[msgspec.Struct]
    answer: type[msgspec.Struct]
    run: Callable[[Asking, Any], Awaitable[msgspec.Struct]]
    text: Callable[[Any], str]


def _tool(
    name: str,
    title: str,
    description: str,
    run: Callable[[Asking, A], Awaitable[R]],
    text: Callable[[R], str],
    *,
    takes: type[A],
    answers: type[R],
    effect: Effect = "reads",
    is_stable: bool = True,
) -> tuple[str, Tool]:
    return name, Tool(
        name=name,
        title=title,
        description=description,
        effect=effect,
        is_stable=is_stable,
        arguments=takes,
        answer=answers,
        run=run,
        text=text,
    )


def _briefing_text(answer: results.ContextAnswer) -> str:
    said = [f"[{texts.line(each)}]" for each in answer.warnings if each not in answer.text]
    return "\n".join([answer.text.rstrip("\n"), *said]) + "\n"


TOOLS: Mapping[str, Tool] = dict(
    (
        _tool(
            "memofs.context",
            "Brief me",
            "What this project's memory holds for a task, in at most maxBytes: standing facts, decisions and "
            "constraints that fit, what binds the file you are at, what is new, what is stale. Call it when a session "
            "begins (without a query) and for every task (with one). With section and expand it shows what a briefing "
            "left out.",
            reading.context,
            _briefing_text,
            takes=arguments.ContextArguments,
            answers=results.ContextAnswer,
        ),
        _tool(
            "memofs.recall",
            "Recall",
            "Find memories by words, names and meaning: why something is as it is, what was decided, what must not be "
            "done. Ask before you decide something, and before you undo something that looks odd. Nothing found means "
            "that nothing relevant is remembered.",
            reading.recall,
            texts.recall_text,
            takes=arguments.RecallArguments,
            answers=results.RecallAnswer,
        ),
        _tool(
            "memofs.remember",
            "Remember",
            "Write down one decision, constraint, preference, reference or note that the next session needs and the "
            "code does not say: what, and why, and what was rejected. Tie it to the code with anchors. One memory a "
            "fact; no secrets, no logs of what you did. What is said already is not written twice.",
            writing.remember,
            texts.remember_text,
            takes=arguments.RememberArguments,
            answers=results.RememberAnswer,
            effect="adds",
        ),
        _tool(
            "memofs.update",
            "Update a memory",
            "Correct a memory that holds no longer as it stands: its text, title, kind, tags or anchors. What you "
            "leave out stays. Where a decision was replaced, remember the new one with supersedes instead.",
            writing.update,
            texts.update_text,
            takes=arguments.UpdateArguments,
            answers=results.UpdateAnswer,
            effect="changes",
        ),
        _tool(
            "memofs.verify",
            "Verify memories",
            "Confirm that memories still hold, after you have looked at the code: they are not stale or unverified any "
            "more. Do not verify what you have not checked.",
            writing.verify,
            partial(texts.memories_text, done="Verified", already="Verified already:"),
            takes=arguments.IdsArguments,
            answers=results.MemoriesAnswer,
            effect="changes",
        ),
        _tool(
            "memofs.retire",
            "Retire memories",
            "Take memories that hold no longer out of recall; their files stay, and a person can restore them.",
            writing.retire,
            partial(texts.memories_text, done="Retired", already="Retired already:"),
            takes=arguments.IdsArguments,
            answers=results.MemoriesAnswer,
            effect="changes",
        ),
        _tool(
            "memofs.here",
            "What binds this code",
            "The memories that are tied to a file, to lines of it, or to files of a folder, whole. Call it before you "
            "change the file.",
            reading.here,
            texts.here_text,
            takes=arguments.HereArguments,
            answers=results.HereAnswer,
        ),
        _tool(
            "memofs.stale",
            "What is stale",
            "Memories whose code has changed since they were verified, or is gone. Call it after you have changed code "
            "that memories are about, then verify, update or retire them.",
            reading.stale,
            texts.stale_text,
            takes=arguments.StaleArguments,
            answers=results.StaleAnswer,
        ),
        _tool(
            "memofs.changes",
            "What changed in the code",
            "The code that a memory is about as it was when the memory was verified, and as it is now.",
            reading.changes,
            texts.changes_text,
            takes=arguments.ChangesArguments,
            answers=results.ChangesAnswer,
        ),
        _tool(
            "memofs.entities",
            "Entities",
            "The tools, concepts, decisions, persons and files that the memory names, and what it says of them: what "
            "uses what, what replaced what.",
            reading.entities,
            texts.entities_text,
            takes=arguments.EntitiesArguments,
            answers=results.EntitiesAnswer,
        ),
    )
)


def named(names: Names) -> Mapping[str, Tool]:
    """The tools under the names that clients are told."""
    return TOOLS if names == "dotted" else {name.replace(".", "_"): tool for name, tool in TOOLS.items()}


def find(tools: Mapping[str, Tool], name: str) -> Tool | None:
    """The tool of that name, however the name is spelt: rules, memories and habits say it in both ways."""
    tool = tools.get(name)
    if tool is None and name[6:7] in {".", "_"}:
        tool = tools.get(f"{name[:6]}{'_' if name[6] == '.' else '.'}{name[7:]}")
    return tool
