"""The word lists of the rules, from data/words.txt.

Invariant: a list that the file does not have is an error when the module that wants it is imported, not later.
"""

import pkgutil
from functools import cache

__all__ = ["word_list"]


def word_list(name: str) -> frozenset[str]:
    """The words in the section of this name, in lower case. Raises KeyError if there is no such section."""
    return _sections()[name]


@cache
def _sections() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    section: set[str] = set()
    for line in _read().splitlines():
        said = line.partition("#")[0].strip()
        if said.startswith("["):
            section = found.setdefault(said.strip("[]"), set())
        else:
            section.update(said.split())
    return {name: frozenset(words) for name, words in found.items()}


def _read() -> str:
    data = pkgutil.get_data("memofs.graph", "data/words.txt")
    if data is None:  # only a loader without data support can cause this
        raise FileNotFoundError("memofs/graph/data/words.txt")
    return data.decode("utf-8")
