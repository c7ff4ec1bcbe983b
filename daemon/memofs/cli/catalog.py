"""Which commands there are, under which heading, and which module holds each.

A table, so that running one command imports the module of that one alone.
"""

from collections.abc import Mapping, Sequence

import msgspec

__all__ = ["COMMANDS", "HEADINGS", "SYNONYMS", "Entry"]

FIND = "Find"
WRITE = "Write"
KEEP = "Keep in order"
SET_UP = "Set up"
HEADINGS: Sequence[str] = (FIND, WRITE, KEEP, SET_UP)


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One command: its module below `memofs.cli.commands`, the name there, and what it does in a line."""

    heading: str
    module: str
    attribute: str
    summary: str


def _entry(heading: str, module: str, summary: str, attribute: str = "") -> Entry:
    return Entry(heading=heading, module=module, attribute=attribute, summary=summary)


COMMANDS: Mapping[str, Entry] = {
    "recall": _entry(FIND, "recall", "Find memories by what they say."),
    "context": _entry(FIND, "context", "Print a briefing for a coding agent, within a budget."),
    "expand": _entry(FIND, "context", "Print what a briefing left out."),
    "show": _entry(FIND, "read", "Show one memory in full."),
    "list": _entry(FIND, "read", "List memories, one a line.", "list_memories"),
    "anchors": _entry(FIND, "anchors", "List what memories are tied to, and what became of it."),
    "stale": _entry(FIND, "check", "Show memories whose code has changed or is gone."),
    "changes": _entry(FIND, "check", "Show what changed in a memory's code."),
    "graph": _entry(FIND, "graph", "Show entities and what is said of them; link, merge and draw them."),
    "history": _entry(FIND, "read", "Show what was written on this machine."),
    "log": _entry(FIND, "agents", "Show what coding agents asked and wrote, by session."),
    "remember": _entry(WRITE, "remember", "Write a new memory."),
    "edit": _entry(WRITE, "edit", "Edit a memory's file in your editor."),
    "anchor": _entry(WRITE, "anchors", "Tie a memory to code."),
    "unanchor": _entry(WRITE, "anchors", "Take an anchor from a memory."),
    "reanchor": _entry(WRITE, "anchors", "Give an anchor another place."),
    "verify": _entry(WRITE, "lifecycle", "Confirm that memories still hold."),
    "retire": _entry(WRITE, "lifecycle", "Take memories out of recall; their files stay."),
    "restore": _entry(WRITE, "lifecycle", "Put retired memories back."),
    "pending": _entry(WRITE, "pending", "Show memories of agents that wait for you."),
    "accept": _entry(WRITE, "lifecycle", "Make pending memories active."),
    "reject": _entry(WRITE, "lifecycle", "Retire pending memories."),
    "forget": _entry(WRITE, "forget", "Remove memories for good."),
    "undo": _entry(WRITE, "forget", "Take back the last write."),
    "status": _entry(KEEP, "workspace", "Show counts and the state of the workspace."),
    "check": _entry(KEEP, "check", "Check that memories fit their code, for CI and commit hooks."),
    "doctor": _entry(KEEP, "workspace", "Find faults in memory files and in the set-up, and mend them."),
    "index": _entry(KEEP, "models", "Make the vectors that are still missing, and wait for it."),
    "snapshot": _entry(KEEP, "snapshots", "Make, compare and put back restore points."),
    "daemon": _entry(KEEP, "daemon", "Start, look at and stop the process behind everything."),
    "init": _entry(SET_UP, "workspace", "Set up .memofs/ in this project."),
    "import": _entry(SET_UP, "bring", "Turn decision records or markdown files into memories.", "import_records"),
    "migrate": _entry(SET_UP, "bring", "Turn the entries of notes.md into files."),
    "model": _entry(SET_UP, "models", "See and choose the model that vectors are made with."),
    "lexicon": _entry(SET_UP, "lexicon", "See and teach what else the words of this project are called."),
    "config": _entry(SET_UP, "settings", "Read and change settings."),
    "lsp": _entry(SET_UP, "daemon", "Connect an editor to the workspace's daemon."),
    "generate": _entry(SET_UP, "agents", "Set up a coding agent: rules, MCP server, hooks."),
    "mcp": _entry(SET_UP, "mcp", "Serve the memory to a coding agent: MCP on stdio or HTTP."),
    "completion": _entry(SET_UP, "completion", "Print a script that completes commands and ids in your shell."),
}

SYNONYMS: Mapping[str, Sequence[str]] = {
    "add": ("remember",),
    "brief": ("context",),
    "briefing": ("context",),
    "cat": ("show",),
    "attach": ("anchor",),
    "bind": ("anchor",),
    "confirm": ("verify",),
    "delete": ("retire", "forget"),
    "diff": ("changes",),
    "drift": ("stale",),
    "find": ("recall",),
    "entities": ("graph",),
    "entity": ("graph",),
    "get": ("show",),
    "grep": ("recall",),
    "embed": ("index",),
    "link": ("graph",),
    "lint": ("check",),
    "ls": ("list",),
    "merge": ("graph",),
    "models": ("model",),
    "new": ("remember",),
    "note": ("remember",),
    "query": ("recall",),
    "reindex": ("index",),
    "remove": ("retire", "forget"),
    "rm": ("retire", "forget"),
    "save": ("remember",),
    "search": ("recall",),
    "setup": ("init",),
    "snapshots": ("snapshot",),
    "update": ("edit",),
    "synonym": ("lexicon",),
    "synonyms": ("lexicon",),
    "write": ("remember",),
}
"""What other programs call our commands: a suggestion for who types it, not a second name."""
