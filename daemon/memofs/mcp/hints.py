"""What an agent can do about an error. Pure.

Invariant: no hint names a command or an option of the command line as something for the agent to call: it is told the
tool that does the same, or whom to tell.
"""

import re
from types import MappingProxyType
from typing import Final

from memofs.link.client import RemoteError

__all__ = ["hint_for"]

_FOR_THE_PERSON: Final = "tell the person you work for"
_COMMAND = re.compile(r"\bmemofs(?: -\S+ \S+)? [a-z]+|(?<!\S)--[a-z]+")
_NO_DAEMON: Final = "no daemon can be started here: tell the person you work for; `memofs doctor` says more"
_ANCHORS: Final = "memofs.update with anchors gives it some: a path with a symbol, or with firstLine and lastLine"
_BY_CODE: Final = MappingProxyType(
    {
        "noDaemon": _NO_DAEMON,
        "noLock": _NO_DAEMON,
        "noEndpoint": _NO_DAEMON,
        "workspace": f"{_FOR_THE_PERSON}: `memofs init`, run in the project's folder, makes one",
        "noWorkspace": f"{_FOR_THE_PERSON}: `memofs init`, run in the project's folder, makes one",
        "memory": "memofs.recall finds the ids of memories",
        "nothingNamed": "memofs.recall finds the ids of memories",
        "entity": "memofs.entities without a name lists those of which most is said",
        "anchor": _ANCHORS,
        "symbol": "firstLine and lastLine name lines instead; a path alone is the whole file",
        "ambiguousSymbol": "give more of the name, or firstLine and lastLine",
        "rangePastEnd": "read the file again: lines count from 1",
        "emptyBody": "give the text as body",
        "secret": "leave the value out and say where it is kept; only a person can write it anyway",
        "unknownKind": "take one of these",
        "badCursor": "copy all of what the briefing says between the quotes of expand=",
        "expiredCursor": "ask for the briefing again with memofs.context",
        "otherWorkspace": "ask for a briefing of this workspace with memofs.context",
        "unknownRevision": "name a commit, branch or tag that git knows here",
        "page": "begin the list again, without a cursor",
    }
)
"""Where what the daemon says is for persons at a command line, or is nothing."""
_BY_FAMILY: Final = MappingProxyType(
    {
        "NotFound": "paths are relative to the workspace; memofs.recall finds the ids of memories",
        "InvalidRequest": "the tool's schema says what it takes",
        "Conflict": "look at it again, then ask again",
        "Unavailable": "ask again in a moment",
        "Refused": "a rule of this workspace forbids it: tell the person you work for",
        "Cancelled": "ask again if you still want it",
    }
)


def hint_for(error: RemoteError) -> str:
    """What the daemon says, where that is for everybody; else the same for an agent; else what helps with its kind."""
    hint = error.hint
    if hint and (hint.startswith("tell ") or _COMMAND.search(hint) is None):
        return hint
    if (known := _BY_CODE.get(error.code)) is not None:
        return known
    if hint:
        return f"{_FOR_THE_PERSON}: {hint}"
    return _BY_FAMILY.get(error.family, "look at .memofs/logs/daemon.log")
