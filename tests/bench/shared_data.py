"""The measuring data, read in place: other people's text, never copied into the project.

Found by the environment variable MEMOFS_SHARED, else in ../shared next to the checkout; None where it is absent.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

from memofs.model.memory import Memory

__all__ = ["SETS", "Asked", "DataSet", "load", "open_data"]

SETS: Final = ("locomo", "adr_ctx", "adr_ref", "pep_ctx", "commits", "adr_super", "pep_super")


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A question about the memories of `group`; `exclude` are memories it was taken from."""

    id: str
    text: str
    group: str = ""
    category: str = ""
    exclude: tuple[str, ...] = ()


class DataSet(msgspec.Struct, frozen=True, kw_only=True):
    """Memories by group, questions with at least one relevant memory, and relevance by question and memory.

    `pairs` gives for a question of currency the old and the new memory, `superseded_by` what the corpus itself says
    of a memory's successors.
    """

    name: str
    memories: Mapping[str, tuple[Memory, ...]]
    queries: tuple[Asked, ...]
    relevant: Mapping[str, Mapping[str, float]]
    pairs: Mapping[str, tuple[str, str]] = {}
    superseded_by: Mapping[str, tuple[str, ...]] = {}


class _Stored(msgspec.Struct):
    id: str
    title: str = ""
    text: str = ""
    group: str = ""
    kind: str = "note"
    superseded_by: tuple[str, ...] = ()


def open_data() -> Path | None:
    """The folder of the sets, or None."""
    shared = os.environ.get("MEMOFS_SHARED")
    root = Path(shared) if shared else Path(__file__).resolve().parents[3] / "shared"
    folder = root / "eval" / "open"
    return folder if folder.is_dir() else None


def load(folder: Path, name: str) -> DataSet:
    """One set. Dialogue turns become entries of one log a session; dates are left out, so that age decides nothing."""
    relevant: dict[str, dict[str, float]] = defaultdict(dict)
    for line in (folder / name / "qrels.tsv").read_text("utf-8").splitlines():
        query, document, grade = line.split("\t")
        relevant[query][document] = float(grade)
    memories: dict[str, list[Memory]] = defaultdict(list)
    superseded_by: dict[str, tuple[str, ...]] = {}
    with (folder / name / "corpus.jsonl").open("rb") as lines:
        for number, line in enumerate(lines):
            stored = msgspec.json.decode(line, type=_Stored)
            log = name == "locomo"
            if stored.superseded_by:
                superseded_by[stored.id] = stored.superseded_by
            memories[stored.group].append(
                Memory(
                    id=stored.id,
                    kind=stored.kind,
                    title=stored.title,
                    body=stored.text,
                    path=stored.id.rsplit(":", 1)[0] if log else stored.id,
                    digest=f"{number:x}",
                    line=number if log else 0,
                    origin="log" if log else "file",
                )
            )
    with (folder / name / "queries.jsonl").open("rb") as lines:
        queries = [msgspec.json.decode(line, type=Asked) for line in lines]
    return DataSet(
        name=name,
        memories={group: tuple(found) for group, found in memories.items()},
        queries=tuple(query for query in queries if any(relevant.get(query.id, {}).values())),
        relevant=relevant,
        pairs=_pairs(folder / name / "pairs.tsv"),
        superseded_by=superseded_by,
    )


def _pairs(path: Path) -> dict[str, tuple[str, str]]:
    if not path.exists():
        return {}
    rows = (line.split("\t") for line in path.read_text("utf-8").splitlines())
    return {query: (old, new) for query, old, new in rows}
