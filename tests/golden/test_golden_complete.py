"""No binding golden case goes untested."""

import ast
from pathlib import Path

from golden.cases import every_case

ELSEWHERE = {
    "note_format": "tested with the format of memories",
}

NOT_BINDING = {
    "budget",
    "budget_utf8_slice",
    "consolidate",
    "constants",
    "cursor",
    "durability",
    "extract",
    "fingerprint_fnv1a64",
    "hash_fnv1a32",
    "ids",
    "secret_rules",
}
"""The design has its own way there."""


def _tested() -> set[str]:
    names: set[str] = set()
    for path in Path(__file__).parent.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id="pairs" | "single"), args=[ast.Constant(value=str(name)), *_]):
                    names.add(name)
                case _:
                    pass
    return names


def test_every_binding_case_is_tested() -> None:
    binding = {case.name for case in every_case()} - NOT_BINDING
    assert binding - set(ELSEWHERE) - _tested() == set()


def test_the_lists_name_cases_that_exist() -> None:
    assert set(ELSEWHERE) | NOT_BINDING <= {case.name for case in every_case()}
