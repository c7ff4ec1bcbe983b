"""The verbs by which one thing is said to use, need, replace … another, and the words around them.

Invariant: every form is lower-case; what a form means does not depend on its place.
"""

from types import MappingProxyType
from typing import Final, Literal, NamedTuple, TypeAlias

from memofs.graph.word_lists import word_list
from memofs.model.relation import RelationType

__all__ = [
    "DROPS",
    "GOING",
    "HINDERS",
    "LEADS",
    "MOVES",
    "NO_OBJECT",
    "OPENS_NO_STATEMENT",
    "PASSIVES",
    "REPLACES",
    "SELF_VERBS",
    "VERBS",
    "Form",
    "Passive",
    "Verb",
]

Form: TypeAlias = Literal["third", "plain", "past"]


class Verb(NamedTuple):
    """What a form says; `then` are the words that must follow it."""

    relation: RelationType
    form: Form
    then: tuple[str, ...] = ()


class Passive(NamedTuple):
    """What a participle says; with `turned` the agent is the source: "owned by A"."""

    relation: RelationType
    turned: bool
    then: tuple[str, ...]


def _verbs() -> dict[str, tuple[Verb, ...]]:
    regular: tuple[tuple[RelationType, str, tuple[str, ...]], ...] = (
        ("uses", "use", ()),
        ("uses", "adopt", ()),
        ("prefers", "prefer", ()),
        ("depends_on", "depend", ("on",)),
        ("depends_on", "depend", ("upon",)),
        ("depends_on", "require", ()),
        ("depends_on", "need", ()),
        ("blocks", "block", ()),
        ("supersedes", "supersede", ()),
        ("supersedes", "replace", ()),
        ("supersedes", "deprecate", ()),
        ("supersedes", "obsolete", ()),
        ("owns", "own", ()),
        ("owns", "maintain", ()),
        ("uses", "run", ("on",)),
    )
    found: dict[str, tuple[Verb, ...]] = {}
    for relation, plain, then in regular:
        found[plain] = (*found.get(plain, ()), Verb(relation, "plain", then))
        found[f"{plain}s"] = (*found.get(f"{plain}s", ()), Verb(relation, "third", then))
    found["likes"] = (Verb("prefers", "third"),)  # "like" is hardly ever a verb
    found["rely"] = (Verb("depends_on", "plain", ("on",)),)
    found["relies"] = (Verb("depends_on", "third", ("on",)),)
    return found


VERBS: Final = MappingProxyType(_verbs())
"""Verbs that stand between two things."""

SELF_VERBS: Final = MappingProxyType(
    {
        "use": Verb("uses", "plain"),
        "adopt": Verb("uses", "plain"),
        "prefer": Verb("prefers", "plain"),
        "depend": Verb("depends_on", "plain", ("on",)),
        "rely": Verb("depends_on", "plain", ("on",)),
        "choose": Verb("uses", "plain"),
        "chose": Verb("uses", "past"),
        "chosen": Verb("uses", "past"),
        "pick": Verb("uses", "plain"),
        "picked": Verb("uses", "past"),
        "select": Verb("uses", "plain"),
        "selected": Verb("uses", "past"),
        "adopted": Verb("uses", "past"),
        "settled": Verb("uses", "past", ("on",)),
        "standardise": Verb("uses", "plain", ("on",)),
        "standardised": Verb("uses", "past", ("on",)),
        "standardize": Verb("uses", "plain", ("on",)),
        "standardized": Verb("uses", "past", ("on",)),
        "went": Verb("uses", "past", ("with",)),
        "go": Verb("uses", "plain", ("with",)),
        "build": Verb("uses", "plain", ("on",)),
    }
)
"""What "we" do, and what a title tells to do."""

PASSIVES: Final = MappingProxyType(
    {
        "used": (Passive("uses", turned=True, then=("by",)),),
        "superseded": (Passive("supersedes", turned=True, then=("by",)),),
        "replaced": (
            Passive("supersedes", turned=True, then=("by",)),
            Passive("supersedes", turned=True, then=("with",)),
        ),
        "deprecated": (
            Passive("supersedes", turned=True, then=("in", "favour", "of")),
            Passive("supersedes", turned=True, then=("in", "favor", "of")),
        ),
        "owned": (Passive("owns", turned=True, then=("by",)),),
        "maintained": (Passive("owns", turned=True, then=("by",)),),
        "blocked": (Passive("blocks", turned=True, then=("by",)),),
        "required": (Passive("depends_on", turned=True, then=("by",)),),
        "built": tuple(Passive("uses", turned=False, then=(word,)) for word in ("on", "with", "upon")),
        "written": (Passive("uses", turned=False, then=("in",)),),
        "implemented": (Passive("uses", turned=False, then=("in",)), Passive("uses", turned=False, then=("with",))),
        "based": (Passive("depends_on", turned=False, then=("on",)),),
        "backed": (Passive("uses", turned=False, then=("by",)),),
        "powered": (Passive("uses", turned=False, then=("by",)),),
        "hosted": (Passive("uses", turned=False, then=("on",)),),
        "deployed": (Passive("uses", turned=False, then=("on",)),),
    }
)
"""What follows "is" or "are"."""

GOING: Final = frozenset({"use", "using", "rely", "relying", "run", "running", "support", "supporting"})
"""Forms after "no longer" and "stopped"."""
MOVES: Final = frozenset({"moved", "switched", "migrated", "move", "switch", "migrate"})
"""What one does from one thing to another."""
DROPS: Final = frozenset({"dropped", "drop", "retired", "retire", "abandoned", "abandon", "ditched"})
"""What one does to a thing that is used no longer."""
REPLACES: Final = frozenset({"replaced", "replace", "replaces", "swapped", "swap"})
"""What one does to a thing with another."""

LEADS: Final = word_list("leads")
"""Words between a subject and its verb that do not change what is said."""
HINDERS: Final = word_list("hinders")
"""Words before a verb after which nothing is stated: negations, possibilities, wishes."""
NO_OBJECT: Final = word_list("no object")
"""Words after a verb that has no object there, so that nothing is stated."""
OPENS_NO_STATEMENT: Final = word_list("opens no statement")
"""Words that open a sentence which states nothing about today."""
