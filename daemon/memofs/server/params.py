"""Params from JSON, and what a client is told of those that are wrong: which field, why, and what it may be.

Invariant: whatever arrives is params of the method's type or InvalidRequest.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, TypeVar

import msgspec
from msgspec import inspect

from memofs.model.errors import InvalidRequest
from memofs.wire.values import Params

__all__ = ["params_of"]

P = TypeVar("P", bound=Params)

_NOTHING: Final = (b"", b"null")
"""Missing params are none, and so is null, which some clients send in their place."""
_PLACE: Final = re.compile(r" - at `\$(.*)`\Z")
_STEP: Final = re.compile(r"\.([^.\[\]]+)|\[[^\]]*\]")


def params_of(kind: type[P], raw: bytes | msgspec.Raw) -> P:
    """The params. Raises InvalidRequest, with the names or values that there are where one is not among them."""
    try:
        return msgspec.json.decode(b"{}" if bytes(raw) in _NOTHING else raw, type=kind)
    except msgspec.ValidationError as error:
        raise InvalidRequest("params", str(error), _hint(kind, str(error))) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InvalidRequest("params", str(error)) from error


def _hint(kind: type[Params], message: str) -> str | None:
    place = _PLACE.search(message)
    at = _type_at(_type_of(kind), place[1] if place else "")
    if message.startswith("Invalid enum value"):
        return _listed("one of", sorted({str(value) for value in _values(at)}))
    if message.startswith("Object contains unknown field"):
        return _listed("fields:", [field.encode_name for each in _alternatives(at) for field in _fields(each)])
    return None


@cache
def _type_of(kind: type[Params]) -> inspect.Type:
    return inspect.type_info(kind)


def _type_at(found: inspect.Type, path: str) -> inspect.Type:
    """The type at a path such as `.here.range` or `.flags[...]`; the last one known where it leads nowhere."""
    for step in _STEP.finditer(path):
        inner = next(_inside(found, step[1]), None)
        if inner is None:
            return found
        found = inner
    return found


def _inside(found: inspect.Type, name: str | None) -> Iterator[inspect.Type]:
    for each in _alternatives(found):
        if name is not None:
            yield from (field.type for field in _fields(each) if field.encode_name == name)
        elif isinstance(each, inspect.VarTupleType):
            yield each.item_type
        elif isinstance(each, inspect.DictType):
            yield each.value_type


def _alternatives(found: inspect.Type) -> tuple[inspect.Type, ...]:
    return found.types if isinstance(found, inspect.UnionType) else (found,)


def _fields(found: inspect.Type) -> tuple[inspect.Field, ...]:
    return found.fields if isinstance(found, inspect.StructType) else ()


def _values(found: inspect.Type) -> Iterator[object]:
    for each in _alternatives(found):
        if isinstance(each, inspect.LiteralType):
            yield from each.values


def _listed(lead: str, names: list[str]) -> str | None:
    return f"{lead} {', '.join(names)}" if names else None
