"""Which files set up which agent, and what stands in them. Pure.

Invariant: a hook never breaks the agent: its command does nothing where memofs is not installed, and the rest is the
command's own promise (cli/hooks.py).
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal, cast

import msgspec

from memofs.agents.names import Names
from memofs.agents.rules import MDC_HEAD

__all__ = [
    "AGENTS",
    "Agent",
    "Edit",
    "File",
    "JsonFile",
    "MarkdownFile",
    "Places",
    "Scope",
    "TomlFile",
    "is_ours",
    "is_ours_somewhere",
    "with_changes",
]

Scope = Literal["project", "user"]


class Places(msgspec.Struct, frozen=True, kw_only=True):
    """Folders, with a slash at the end: the project's, and where each agent keeps what is the user's."""

    project: str
    home: str
    claude: str
    codex: str
    opencode: str
    copilot: str


class Edit(msgspec.Struct, frozen=True, kw_only=True):
    """A value at a path of a JSON file; with `is_item`, an item of the list there, told by what it runs."""

    path: tuple[str, ...]
    value: Any
    is_item: bool = False


class MarkdownFile(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """A file with the rules in it; `head` is what a new one begins with."""

    path: str
    head: str = ""


class JsonFile(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """A JSON file, and our values in it. `instead` is used if it is there already; `base` is a new file's own."""

    path: str
    edits: tuple[Edit, ...]
    instead: str | None = None
    base: Mapping[str, Any] = {}


class TomlFile(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """A TOML file with a table of ours; `user` is the project that uses it, where it is more than one project's."""

    path: str
    table: tuple[str, str]
    values: Mapping[str, Any]
    user: str | None = None


File = MarkdownFile | JsonFile | TomlFile


class Agent(msgspec.Struct, frozen=True, kw_only=True):
    """One agent; `note` says what a person has to know or do besides, `names` how its server calls its tools."""

    title: str
    rules: Callable[[Scope, Places], MarkdownFile | None]
    server: Callable[[Scope, Places], File | None]
    hooks: Callable[[Scope, Places], JsonFile | None]
    note: str = ""
    names: Names = "dotted"


def is_ours(value: object) -> bool:
    """Whether a hook, or a group of nothing but such hooks, is one that we wrote."""
    if not isinstance(value, dict):
        return False
    found = cast("Mapping[str, object]", value)
    hooks = found.get("hooks")
    if isinstance(hooks, list):
        return bool(cast("list[object]", hooks)) and all(map(is_ours, cast("list[object]", hooks)))
    said = found.get("command", found.get("bash"))
    return isinstance(said, str) and "memofs " in said and " --hook " in said


def is_ours_somewhere(value: object) -> bool:
    """Whether a hook of ours is in the list, in whatever group."""
    if isinstance(value, list):
        return any(map(is_ours_somewhere, cast("list[object]", value)))
    if not isinstance(value, dict):
        return False
    found = cast("Mapping[str, object]", value)
    return is_ours(found) or is_ours_somewhere(found.get("hooks"))


def with_changes(there: object, ours: Mapping[str, Any]) -> Mapping[str, Any]:
    """Our hook or group of hooks, with what a person may have to change in it: how long it may take, where we are."""
    if not isinstance(there, dict):
        return ours
    found = cast("Mapping[str, Any]", there)
    kept = {key: value for key, value in found.items() if key in _THEIRS or (key not in ours and key != "hooks")}
    hooks: object = found.get("hooks")
    if "hooks" in ours and isinstance(hooks, list) and hooks:
        return {**ours, **kept, "hooks": [with_changes(cast("list[object]", hooks)[0], ours["hooks"][0])]}
    for key in ("command", "bash"):
        said = found.get(key)
        if key in ours and isinstance(said, str) and _PLACED.search(said) and _calls(said) == _calls(ours[key]):
            kept[key] = said
    return {**ours, **kept}


def _calls(command: str) -> Sequence[str]:
    """What a hook's command calls: the part behind the program."""
    return _CALL.findall(command)


def _shell(command: str, agent: str) -> str:
    return f"if command -v memofs >/dev/null 2>&1; then memofs {command} --hook {agent}; fi"


def _grouped(agent: str, events: Sequence[tuple[str, str, str | None]], **more: Any) -> tuple[Edit, ...]:
    """Hooks in groups with a matcher, as Claude Code, Codex and Gemini CLI have them."""
    return tuple(
        Edit(
            path=("hooks", event),
            value={
                **({} if matcher is None else {"matcher": matcher}),
                "hooks": [{"type": "command", "command": _shell(command, agent), **more}],
            },
            is_item=True,
        )
        for event, command, matcher in events
    )


_THEIRS: Final = frozenset({"timeout", "timeoutSec", "loop_limit"})
_PLACED: Final = re.compile(r"/memofs\b")
"""A program at a path of the person's."""
_CALL: Final = re.compile(r"\bmemofs[\"']? (\w+ --hook \w+)")
_BRIEF: Final = "context"
_CHECK: Final = "status"
_TIMEOUT_S: Final = 5
_STDIO: Final[Mapping[str, Any]] = {"type": "stdio", "command": "memofs", "args": ["mcp"]}
_UNDERSCORES: Final = ("--tool-names", "underscore")


def _claude_rules(scope: Scope, places: Places) -> MarkdownFile:
    return MarkdownFile(path=f"{places.project if scope == 'project' else places.claude}CLAUDE.md")


def _claude_server(scope: Scope, places: Places) -> JsonFile:
    path = f"{places.project}.mcp.json" if scope == "project" else f"{places.home}.claude.json"
    return JsonFile(path=path, edits=(Edit(path=("mcpServers", "memofs"), value=_STDIO),))


def _claude_hooks(scope: Scope, places: Places) -> JsonFile:
    folder = f"{places.project}.claude/" if scope == "project" else places.claude
    events = (
        ("SessionStart", _BRIEF, "startup|resume|clear|compact"),
        ("SubagentStart", _BRIEF, None),
        ("Stop", _CHECK, None),
    )
    return JsonFile(path=f"{folder}settings.json", edits=_grouped("claude", events, timeout=_TIMEOUT_S))


def _codex_rules(scope: Scope, places: Places) -> MarkdownFile:
    return MarkdownFile(path=f"{places.project if scope == 'project' else places.codex}AGENTS.md")


def _codex_server(scope: Scope, places: Places) -> TomlFile:
    # one for all projects: the server looks for the workspace from where it is started
    values = {"command": "memofs", "args": ["mcp", *_UNDERSCORES]}
    return TomlFile(
        path=f"{places.codex}config.toml",
        table=("mcp_servers", "memofs"),
        values=values,
        user=places.project.rstrip("/") if scope == "project" else None,
    )


def _codex_hooks(scope: Scope, places: Places) -> JsonFile:
    folder = f"{places.project}.codex/" if scope == "project" else places.codex
    events = (
        ("SessionStart", _BRIEF, "startup|resume|clear|compact"),
        ("SubagentStart", _BRIEF, None),
        ("Stop", _CHECK, None),
    )
    return JsonFile(path=f"{folder}hooks.json", edits=_grouped("codex", events, timeout=_TIMEOUT_S))


def _cursor_rules(scope: Scope, places: Places) -> MarkdownFile | None:
    if scope == "user":
        return None
    return MarkdownFile(path=f"{places.project}.cursor/rules/memofs.mdc", head=MDC_HEAD)


def _cursor_server(scope: Scope, places: Places) -> JsonFile | None:
    if scope == "user":
        return None  # it would be started in the home folder, and not be told for which project
    args = ["mcp", "--root", "${workspaceFolder}", *_UNDERSCORES]
    value = {**_STDIO, "args": args}
    path = f"{places.project}.cursor/mcp.json"
    return JsonFile(path=path, edits=(Edit(path=("mcpServers", "memofs"), value=value),))


def _cursor_hooks(scope: Scope, places: Places) -> JsonFile:
    folder = places.project if scope == "project" else places.home
    start = {"command": _shell(_BRIEF, "cursor")}
    stop = {"command": _shell(_CHECK, "cursor"), "loop_limit": 1}
    edits = (
        Edit(path=("hooks", "sessionStart"), value=start, is_item=True),
        Edit(path=("hooks", "stop"), value=stop, is_item=True),
    )
    return JsonFile(path=f"{folder}.cursor/hooks.json", base={"version": 1}, edits=edits)


def _gemini_rules(scope: Scope, places: Places) -> MarkdownFile:
    return MarkdownFile(path=f"{places.project if scope == 'project' else f'{places.home}.gemini/'}GEMINI.md")


def _gemini_server(scope: Scope, places: Places) -> JsonFile:
    folder = places.project if scope == "project" else places.home
    value = {"command": "memofs", "args": ["mcp"]}
    return JsonFile(path=f"{folder}.gemini/settings.json", edits=(Edit(path=("mcpServers", "memofs"), value=value),))


def _gemini_hooks(scope: Scope, places: Places) -> JsonFile:
    folder = places.project if scope == "project" else places.home
    edits = _grouped(
        "gemini",
        (("SessionStart", _BRIEF, None), ("AfterAgent", _CHECK, None)),
        name="memofs",
        timeout=_TIMEOUT_S * 1000,
    )
    return JsonFile(path=f"{folder}.gemini/settings.json", edits=edits)


def _copilot_rules(scope: Scope, places: Places) -> MarkdownFile:
    folder = f"{places.project}.github/" if scope == "project" else places.copilot
    return MarkdownFile(path=f"{folder}copilot-instructions.md")


def _copilot_server(scope: Scope, places: Places) -> JsonFile:
    if scope == "user":
        value = {"type": "local", "command": "memofs", "args": ["mcp", *_UNDERSCORES], "tools": ["*"]}
        path = f"{places.copilot}mcp-config.json"
        return JsonFile(path=path, edits=(Edit(path=("mcpServers", "memofs"), value=value),))
    value = {**_STDIO, "args": ["mcp", "--root", "${workspaceFolder}", *_UNDERSCORES]}
    return JsonFile(path=f"{places.project}.vscode/mcp.json", edits=(Edit(path=("servers", "memofs"), value=value),))


def _copilot_hooks(scope: Scope, places: Places) -> JsonFile:
    folder = f"{places.project}.github/" if scope == "project" else places.copilot
    edits = tuple(
        Edit(
            path=("hooks", event),
            value={"type": "command", "bash": _shell(command, "copilot"), "timeoutSec": _TIMEOUT_S},
            is_item=True,
        )
        for event, command in (("sessionStart", _BRIEF), ("agentStop", _CHECK))
    )
    return JsonFile(path=f"{folder}hooks/memofs.json", base={"version": 1}, edits=edits)


def _opencode_rules(scope: Scope, places: Places) -> MarkdownFile:
    return MarkdownFile(path=f"{places.project if scope == 'project' else places.opencode}AGENTS.md")


def _opencode_server(scope: Scope, places: Places) -> JsonFile:
    folder = places.project if scope == "project" else places.opencode
    value = {"type": "local", "command": ["memofs", "mcp", *_UNDERSCORES], "enabled": True}
    return JsonFile(
        path=f"{folder}opencode.json",
        instead=f"{folder}opencode.jsonc",
        base={"$schema": "https://opencode.ai/config.json"},
        edits=(Edit(path=("mcp", "memofs"), value=value),),
    )


def _no_hooks(scope: Scope, places: Places) -> None:
    del scope, places


AGENTS: Mapping[str, Agent] = {
    "claude": Agent(title="Claude Code", rules=_claude_rules, server=_claude_server, hooks=_claude_hooks),
    "codex": Agent(
        title="Codex",
        names="underscore",
        rules=_codex_rules,
        server=_codex_server,
        hooks=_codex_hooks,
        note="its server stands in your own config.toml, also where it is set up for one project, and so it is there "
        "in all your projects; /hooks in Codex asks you to trust the hooks",
    ),
    "cursor": Agent(
        title="Cursor",
        names="underscore",
        rules=_cursor_rules,
        server=_cursor_server,
        hooks=_cursor_hooks,
        note="for all projects at once it gets hooks only: generate it in each project",
    ),
    "gemini": Agent(title="Gemini CLI", rules=_gemini_rules, server=_gemini_server, hooks=_gemini_hooks),
    "copilot": Agent(
        title="GitHub Copilot",
        names="underscore",
        rules=_copilot_rules,
        server=_copilot_server,
        hooks=_copilot_hooks,
    ),
    "opencode": Agent(
        title="opencode",
        names="underscore",
        rules=_opencode_rules,
        server=_opencode_server,
        hooks=_no_hooks,
        note="it runs no commands as hooks: its rules ask it to brief itself",
    ),
}
