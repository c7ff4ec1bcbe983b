"""A query rewritten as the original system did it: one list of strings, everything expanded.

Kept because its output is known to the letter; recall itself uses `recall.rewrite`.
"""

import re
from collections.abc import Mapping, Sequence

import msgspec

from memofs.recall.tasks import Task

__all__ = ["Rewritten", "rewrite_original", "rewrite_tokens"]


class Rewritten(msgspec.Struct, frozen=True, kw_only=True):
    """`tokens` of phrase and query, repeated ones too; `terms` each once, expansions and task terms behind."""

    original: str
    tokens: tuple[str, ...]
    terms: tuple[str, ...]
    expanded: bool


def rewrite_original(text: str, task: Task | None, table: Mapping[str, Sequence[str]]) -> Rewritten:
    """Return the query with the task's phrase in front, each token's expansions and the task's terms behind.

    Source: the original system (golden cases `rewrite_1.1`).
    """
    tokens = rewrite_tokens(f"{task.phrase} {text}" if task else text)
    terms = dict.fromkeys(tokens)
    for token in tokens:
        terms.update(dict.fromkeys(table.get(token, ())))
    if task:
        terms.update(dict.fromkeys(task.terms))
    return Rewritten(original=text, tokens=tokens, terms=tuple(terms), expanded=len(terms) > len(set(tokens)))


def rewrite_tokens(text: str) -> tuple[str, ...]:
    """Return lower-case runs of letters, digits and underscores.

    Source: the original system (golden case `rewrite_tokenize_1.1`).
    """
    return tuple(_TOKEN.findall(text.lower()))


_TOKEN = re.compile(r"\w+")
