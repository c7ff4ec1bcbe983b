"""JSON Schemas of tools from the types of their arguments and results. Pure.

Invariant: a schema stands by itself: every reference is put in place, because some clients follow none. What may be
left out is not said to be null as well: arguments that are null count as left out, and results have no nulls.
"""

from typing import Any, cast

import msgspec

__all__ = ["schema_of"]


def schema_of(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """The schema of an object type, descriptions included."""
    (whole,), parts = msgspec.json.schema_components([kind], ref_template="{name}")
    found = _plain(whole, parts)
    found.pop("title", None)
    return found


def _plain(node: Any, parts: dict[str, Any]) -> Any:
    if isinstance(node, list):
        return [_plain(each, parts) for each in cast("list[Any]", node)]
    if not isinstance(node, dict):
        return node
    values = cast("dict[str, Any]", node)
    if "$ref" in values:
        rest = {key: value for key, value in values.items() if key != "$ref"}
        return _plain({**parts[values["$ref"]], **rest}, parts)
    if (only := _without_null(values)) is not None:
        return _plain(only, parts)
    plain = {key: _plain(value, parts) for key, value in values.items()}
    if plain.get("type") == "object" and "properties" in plain:
        plain.pop("title", None)
        plain["description"] = " ".join(str(plain.get("description", "")).split())
        if not plain["description"]:
            del plain["description"]
    return plain


def _without_null(values: dict[str, Any]) -> dict[str, Any] | None:
    """The one other kind of a value that may be null, None where it is none of that form."""
    kinds: list[Any] = values.get("anyOf", [])
    others = [each for each in kinds if each != {"type": "null"}]
    return others[0] if len(others) == 1 and len(kinds) > 1 else None
