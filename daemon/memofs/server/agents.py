"""What an agent may write: the rules for connections whose hello said `role: mcp`, whatever their requests claim.

Invariant: an agent never passes for a person: its memories say `agent:<name>`, it decides about nothing that waits for
a person, and where the settings ask for review, all it can write or change waits for one. The command line of whoever
runs the agent is another matter: this is about honest programs and about texts that talk them into something.
"""

import math
import time
from collections.abc import Iterable
from typing import Final

from memofs.engine.engine import Engine
from memofs.model.errors import Refused
from memofs.model.memory import Memory, Status
from memofs.server.call import Call
from memofs.wire.admin import ConfigParams
from memofs.wire.values import Params
from memofs.wire.write import UpdateParams

__all__ = ["admit", "check_changeable", "source_of", "status_of"]

FOR_PERSONS: Final = frozenset({"memofs/accept", "memofs/reject", "memofs/forget"})
UNDER_REVIEW: Final = frozenset(
    {"memofs/init", "memofs/config", "memofs/remember", "memofs/update", "memofs/verify", "memofs/retire"}
)
"""What an agent can ask for where its writes are reviewed; the last three only for what is pending."""
MOST_NAME: Final = 60


def admit(engine: Engine, method: str, params: Params, call: Call) -> None:
    """Return if the write may be tried. In the write lane. Raises Refused."""
    if call.session.role != "mcp":
        return
    if method in FOR_PERSONS:
        what = method.removeprefix("memofs/")
        raise Refused("forPersons", f"only a person can {what} memories", f"tell them: memofs {what} ID")
    if isinstance(params, ConfigParams):
        _check_setting(params)
    elif isinstance(params, UpdateParams) and (params.text is not None or _sets_status(params)):
        raise Refused("forPersons", "an agent changes fields, not a memory's file or its status", "use retire")
    if _is_reviewed(engine) and method not in UNDER_REVIEW:
        raise _review()
    wait_s = call.session.writes.take(time.monotonic())
    if wait_s > 0:
        hint = f"wait {math.ceil(wait_s)} s; what belongs together is better one memory than many"
        raise Refused("rateLimit", "too many writes in a short time", hint)


def source_of(call: Call, source: str | None) -> str | None:
    """The source that is written down: an agent's is always `agent:<name>`."""
    if call.session.role != "mcp":
        return source
    name = " ".join((source or "").removeprefix("agent:").split())[:MOST_NAME].strip()
    return f"agent:{name or 'unknown'}"


def status_of(engine: Engine, call: Call) -> Status:
    """The status of a new memory: pending where an agent writes it and its writes are reviewed."""
    return "pending" if call.session.role == "mcp" and _is_reviewed(engine) else "active"


def check_changeable(engine: Engine, memories: Iterable[Memory], call: Call) -> None:
    """Return if the asker may change these memories. Raises Refused."""
    if call.session.role == "mcp" and _is_reviewed(engine) and any(each.status != "pending" for each in memories):
        raise _review()


def _is_reviewed(engine: Engine) -> bool:
    return engine.world.config.agents.writes == "review"


def _check_setting(params: ConfigParams) -> None:
    if params.action != "get" and (params.key or "").partition(".")[0] == "agents":
        raise Refused("forPersons", "only a person can change what agents may do", "tell them: memofs config")


def _sets_status(params: UpdateParams) -> bool:
    return params.fields is not None and isinstance(params.fields.status, str)


def _review() -> Refused:
    return Refused(
        "review",
        "what agents write is reviewed here: they change nothing that a person has accepted",
        "remember a memory that says what should hold now (supersedes: the id); a person decides about it",
    )
