"""What a memory says of entities, by rules.

Invariant: depends on the memory alone; nothing is asserted that its text denies, asks or only supposes.
"""

import re
from typing import Final

from memofs.graph.fact import Facts, Statement
from memofs.graph.names import MOST_LABEL, name_key
from memofs.model.memory import Memory
from memofs.text.acronyms import aliases

__all__ = ["extract"]

_MOST_STATEMENTS: Final = 100
_ARROW: Final = re.compile(r"\s*(?:->|=>|→|⇒)\s*")
_LEAD: Final = re.compile(r"^\s*(?:[-*+>]\s+|\d+[.)]\s+|#{1,6}\s+)*")


def extract(memory: Memory) -> Facts:
    """What the memory says: statements, names, aliases."""
    statements: list[Statement] = []
    for number, line in enumerate(memory.body.split("\n")):
        parts = _ARROW.split(_LEAD.sub("", line).strip())
        if len(parts) == 2 and all(0 < len(part) <= MOST_LABEL and name_key(part) for part in parts):
            statements.append(Statement(parts[0], "related_to", parts[1], number))
    pairs = tuple((short, long) for long, short in aliases(memory.title + "\n" + memory.body))
    return Facts(
        statements=tuple(statements[:_MOST_STATEMENTS]),
        names=tuple(dict.fromkeys((*memory.tags, *memory.aliases))),
        mentions=tuple(dict.fromkeys(anchor.path for anchor in memory.anchors)),
        aliases=pairs,
    )
