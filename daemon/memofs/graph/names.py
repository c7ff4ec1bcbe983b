"""What an entity is called: which spellings are one name, and the id of a node.

Two labels with one key are one entity: case, accents, signs and code marks say nothing, "React.js" is "React", and
what the trade calls by several names has one. Nothing is guessed from likeness: "React Native" is not "React".

Invariant: keys of different entities have different ids, and a key is the key of the slug in its own id.
"""

import hashlib
import pkgutil
import re
from collections.abc import Mapping
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Final, cast

import msgspec

from memofs.model.graph import NODE_TYPES, NodeType
from memofs.text.slug import dashed

__all__ = [
    "FILE",
    "MOST_LABEL",
    "Known",
    "is_file",
    "known_names",
    "known_spellings",
    "name_key",
    "node_id",
    "slug",
    "slug_of_key",
    "split_id",
    "type_of_key",
]

MOST_LABEL: Final = 160
"""Code points of the longest label."""
FILE: Final = "file:"
"""What the key of a file begins with; its path follows as it is written."""

_MOST_SLUG: Final = 80
_DIGEST: Final = 8


class Known(msgspec.Struct, frozen=True, kw_only=True):
    """A name that the trade knows; `spelled` are the spellings that mean it where its lower-case is a word."""

    type: NodeType
    label: str
    aliases: tuple[str, ...] = ()
    spelled: frozenset[str] = frozenset()


def name_key(label: str) -> str:
    """What is equal for two spellings of one name; empty for a text that names nothing."""
    return _remembered_key(label) if len(label) <= MOST_LABEL else ""


def slug(label: str) -> str:
    """The part of an id after its type: words in lower case joined by dashes; of a file its path."""
    return slug_of_key(name_key(label))


def slug_of_key(key: str) -> str:
    """The slug of a name with this key: the key itself, where it is short; else its beginning and a digest of it."""
    text = key.removeprefix(FILE)
    if len(text) <= _MOST_SLUG or key.startswith(FILE):
        return text
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGEST]
    return f"{text[: _MOST_SLUG - _DIGEST - 1].rstrip('-')}-{digest}"


def node_id(type_: NodeType, label: str) -> str:
    """The id of the node of this type and name."""
    return f"{type_}:{slug(label)}"


def split_id(text: str) -> tuple[NodeType, str] | None:
    """The type and the slug of a node's id; None if the text is no such id."""
    type_, sign, rest = text.partition(":")
    if not sign or type_ not in NODE_TYPES or not rest or rest != rest.strip() or len(rest) > MOST_LABEL:
        return None
    return type_, rest


def type_of_key(key: str) -> NodeType:
    """The type of a node that nobody gave one."""
    if key.startswith(FILE):
        return "file"
    if key.startswith("@"):
        return "person"
    known = known_names().get(key)
    return "concept" if known is None else known.type


def is_file(label: str) -> bool:
    """Whether a label is the path or the name of a file."""
    return _FILE_NAME.fullmatch(label) is not None and _FRAMEWORK.fullmatch(label) is None


@cache
def known_names() -> Mapping[str, Known]:
    """The names that the trade knows, by their keys."""
    found: dict[str, Known] = {}
    for line in _read().splitlines():
        if line and not line.startswith("#"):
            known = _known(line)
            found[dashed(known.label)] = known
    return MappingProxyType(found)


@cache
def known_spellings() -> Mapping[str, tuple[tuple[str, ...], ...]]:
    """The spellings of known names as words in lower case, by their first word, the longest first."""
    found: dict[str, set[tuple[str, ...]]] = {}
    for known in known_names().values():
        for spelled in (known.label, *known.aliases):
            words = tuple(spelled.casefold().split())
            found.setdefault(words[0], set()).add(words)
    return MappingProxyType({word: tuple(sorted(each, key=len, reverse=True)) for word, each in found.items()})


@cache
def _other_names() -> Mapping[str, str]:
    """The key of every other spelling of a known name."""
    return MappingProxyType(
        {dashed(alias): key for key, known in known_names().items() for alias in known.aliases if dashed(alias) != key}
    )


@lru_cache(maxsize=1 << 14)
def _remembered_key(label: str) -> str:
    name = label.strip().strip("`\"'“”‘’«»*").strip()
    if is_file(name):
        return FILE + name.removeprefix("./")
    if (person := _PERSON.fullmatch(name)) is not None:
        return "@" + person[1].lower()
    key = dashed(_POSSESSIVE.sub("", _CALL.sub("", name)))
    key = _other_names().get(key, key)
    if key not in known_names() and (framework := _FRAMEWORK.fullmatch(name)) is not None:
        key = dashed(framework[1])
        key = _other_names().get(key, key)
    return key


_FILE_NAME = re.compile(
    r"(?:\.{0,2}/)?(?:[\w@.+-]{1,100}/){0,20}[\w@+-][\w@.+-]{0,100}"
    r"\.(?:py|pyi|js|jsx|ts|tsx|mjs|cjs|vue|svelte|go|rs|rb|php|java|kt|kts|scala|swift|c|h|cc|cpp|hpp|cs|fs|m|mm|sh"
    r"|bash|ps1|sql|proto|graphql|css|scss|less|html|md|mdx|rst|txt|json|jsonl|yaml|yml|toml|ini|cfg|conf|env|lock|xml"
    r"|csv|tf|lua|ex|exs|erl|clj|hs|dart|ipynb|gradle|dockerfile)"
)
_FRAMEWORK = re.compile(r"([A-Z][A-Za-z0-9]{0,30})\.js")
"""React.js is a framework, retry.js a file."""
_PERSON = re.compile(r"@([A-Za-z0-9][A-Za-z0-9._-]{0,38})")
_CALL = re.compile(r"\(\)$")
_POSSESSIVE = re.compile(r"['’]s\b")


def _known(line: str) -> Known:
    names, _, others = line.partition(" = ")
    type_, _, label = names.partition(" ")
    plain = label.removeprefix("!")
    aliases = tuple(alias.strip() for alias in others.split(",") if alias.strip())
    spelled = frozenset((plain, *aliases)) if plain != label else frozenset[str]()
    return Known(type=cast("NodeType", type_), label=plain, aliases=aliases, spelled=spelled)


def _read() -> str:
    data = pkgutil.get_data("memofs.graph", "data/known_names.txt")
    if data is None:  # only a loader without data support can cause this
        raise FileNotFoundError("memofs/graph/data/known_names.txt")
    return data.decode("utf-8")
