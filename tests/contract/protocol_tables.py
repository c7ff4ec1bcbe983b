"""Generates the tables of protocol.md from the wire types; run it to bring the page up to date."""

import re
import sys
from pathlib import Path
from typing import get_type_hints

import msgspec

from memofs.wire.jsonrpc import ERROR_CODES
from memofs.wire.methods import METHODS

PAGE = Path(__file__).parents[2] / "protocol.md"


def render() -> dict[str, str]:
    """Marker name to table."""
    methods = ["| method | lane | params | result | |", "|---|---|---|---|---|"]
    for method in METHODS.values():
        methods.append(
            f"| {method.name} | {method.lane} | {_fields(method.params)} | {_fields(method.result)} | {method.doc} |"
        )
    errors = ["| code | family |", "|---|---|", *(f"| {code} | {family} |" for family, code in ERROR_CODES.items())]
    return {"methods": "\n".join(methods), "errors": "\n".join(errors)}


def splice(text: str) -> str:
    """The page with every table between its markers made anew."""
    for name, table in render().items():
        pattern = re.compile(rf"(<!-- {name}: generated -->\n).*?(\n<!-- end -->)", re.DOTALL)
        text, count = pattern.subn(lambda found, table=table: f"{found[1]}{table}{found[2]}", text)
        if count != 1:
            raise ValueError(f"protocol.md has {count} places for the table {name}")
    return text


def _fields(kind: type[msgspec.Struct]) -> str:
    hints = get_type_hints(kind)
    shown: list[str] = []
    for field in msgspec.structs.fields(kind):
        if field.encode_name in {"revision", "degraded"}:
            continue
        optional = not field.required
        default = field.default
        suffix = "?" if optional else ""
        if isinstance(default, bool | int | float | str):
            suffix = f"={str(default).lower() if isinstance(default, bool) else default}"
        many = "[]" if str(hints[field.name]).startswith("tuple[") else ""
        shown.append(f"{field.encode_name}{many}{suffix}")
    return ", ".join(shown)


if __name__ == "__main__":
    PAGE.write_text(splice(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    sys.exit(0)
