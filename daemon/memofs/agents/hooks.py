"""What agents say to hooks and take from them. Pure.

Every agent gives a hook a JSON object on standard input and reads one from its standard output; the names differ.

Invariant: whatever comes in, `read_input` gives a value: what is not understood counts as not said.
"""

from collections.abc import Mapping
from typing import Any, Final, Literal, cast

import msgspec

__all__ = ["HOOK_AGENTS", "HookInput", "context_output", "is_whole", "read_input", "reminder_output"]

When = Literal["start", "compact", "subagent", "stop"]
HOOK_AGENTS: Final = ("claude", "codex", "cursor", "gemini", "copilot")
MOST_SESSION: Final = 200


class HookInput(msgspec.Struct, frozen=True, kw_only=True):
    """Why the hook runs. `event` is the agent's own name for it; `again` that it runs because of a hook's answer."""

    session: str = ""
    event: str = ""
    when: When = "start"
    cwd: str | None = None
    again: bool = False


def is_whole(data: bytes) -> bool:
    """Whether what the agent has said is a whole object, so that nothing more has to be waited for."""
    try:
        return isinstance(msgspec.json.decode(data), dict)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False


def read_input(data: bytes, *, stops: bool) -> HookInput:
    """What the agent said; `stops` tells which of our two hooks runs, for agents that do not say."""
    try:
        found: object = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        found = None
    said: Mapping[str, Any] = cast("dict[str, Any]", found) if isinstance(found, dict) else {}
    event = _text(said, "hook_event_name", "hookEventName")
    loops = said.get("loop_count")
    return HookInput(
        session=_text(said, "session_id", "sessionId", "conversation_id")[:MOST_SESSION],
        event=event,
        when="stop" if stops else _when(event, _text(said, "source")),
        cwd=_text(said, "cwd") or _first(said.get("workspace_roots")),
        again=said.get("stop_hook_active") is True or (isinstance(loops, int) and loops > 0),
    )


def context_output(agent: str, asked: HookInput, text: str) -> bytes:
    """What puts the text before the agent."""
    if agent == "cursor":
        return msgspec.json.encode({"additional_context": text})
    if agent == "copilot":
        return msgspec.json.encode({"additionalContext": text})
    event = asked.event or "SessionStart"
    return msgspec.json.encode({"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}})


def reminder_output(agent: str, text: str) -> bytes:
    """What has the agent go on, once, with the text."""
    if agent == "cursor":
        return msgspec.json.encode({"followup_message": text})
    return msgspec.json.encode({"decision": "deny" if agent == "gemini" else "block", "reason": text})


def _when(event: str, source: str) -> When:
    if event.lower() == "subagentstart":
        return "subagent"
    return "compact" if source == "compact" else "start"


def _text(said: Mapping[str, Any], *names: str) -> str:
    return next((said[name] for name in names if isinstance(said.get(name), str)), "")


def _first(roots: object) -> str | None:
    values = cast("list[object]", roots) if isinstance(roots, list) else []
    return next((each for each in values if isinstance(each, str)), None)
