"""The golden cases: inputs and outputs of the original system, decoded to the types a test asks for."""

from pathlib import Path
from typing import Literal, TypeVar

import msgspec

__all__ = ["FLOATS", "STOP_WORDS", "Case", "every_case", "pairs", "single"]

_Input = TypeVar("_Input")
_Output = TypeVar("_Output")


class Case(msgspec.Struct, frozen=True):
    name: str
    origin: Literal["run", "derived"]
    input: msgspec.Raw
    output: msgspec.Raw


class _Meta(msgspec.Struct, frozen=True):
    float_tolerance: float


class _File(msgspec.Struct, frozen=True):
    meta: _Meta
    cases: tuple[Case, ...]
    stop_words: frozenset[str]


_FILE = msgspec.json.decode(Path(__file__).with_name("golden.json").read_bytes(), type=_File)

FLOATS = _FILE.meta.float_tolerance
"""How far a number may be from the golden one."""

STOP_WORDS = _FILE.stop_words
"""The 68 stop words of the original."""


def every_case() -> tuple[Case, ...]:
    return _FILE.cases


def pairs(name: str, asked: type[_Input], answered: type[_Output]) -> list[tuple[_Input, _Output]]:
    """Return input and output of every case of that name; there is at least one."""
    found = [
        (msgspec.json.decode(case.input, type=asked), msgspec.json.decode(case.output, type=answered))
        for case in _FILE.cases
        if case.name == name
    ]
    assert found, f"no golden case {name}"
    return found


def single(name: str, asked: type[_Input], answered: type[_Output]) -> tuple[_Input, _Output]:
    """Return input and output of the one case of that name."""
    [found] = pairs(name, asked, answered)
    return found
