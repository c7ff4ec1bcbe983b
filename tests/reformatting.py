"""Real formatters over real files: what a formatter changes, and which shapes change with it.

`Formatter` names a program and how it is called; `reformatted` runs it over copies of files. `compare` pairs the
elements of a file before and after: declarations by label, other nodes by type and place.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import TypeAlias

from memofs.anchors.grammar import NoGrammar
from memofs.anchors.language import language_of
from memofs.anchors.shape import shape_of, shape_of_file, shape_tokens
from memofs.anchors.source import Source, nodes_of, span_of
from memofs.anchors.symbols import declarations
from memofs.model.place import Span

__all__ = ["Alarm", "Formatter", "Outcome", "compare", "elements", "reformatted", "run_over"]

Piece: TypeAlias = tuple[Source, Span]
INNER = (
    *("statement", "declaration", "definition", "clause", "_item", "element", "pair", "macro_invocation", "_case"),
    *("parameter", "decorator", "annotation"),
)
"""How the types of the nodes end that are elements besides declarations."""


@dataclass(frozen=True)
class Formatter:
    """A program that formats files in place. `command` is called with the paths after it."""

    name: str
    command: tuple[str, ...]
    endings: tuple[str, ...]


@dataclass(frozen=True)
class Alarm:
    """An element whose shape a formatter changed, with the first tokens that differ."""

    path: str
    element: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.path} {self.element}: {self.before} → {self.after}"


@dataclass
class Outcome:
    """What a formatter did to some files. `unpaired` elements have no counterpart by label, type or place."""

    files: int = 0
    changed_files: int = 0
    unparsed_files: int = 0
    elements: int = 0
    changed: int = 0
    unpaired: int = 0
    alarms: list[Alarm] = field(default_factory=list[Alarm])
    seconds: list[float] = field(default_factory=list[float])

    def __str__(self) -> str:
        return (
            f"{self.files} files ({self.changed_files} changed, {self.unparsed_files} not parsed), "
            f"{self.elements} elements ({self.changed} changed, {self.unpaired} unpaired), {len(self.alarms)} alarms"
        )


def run_over(formatter: Formatter, files: Iterable[Path], scratch: Path) -> Outcome:
    """Return what `formatter` does to copies of `files` in `scratch`."""
    outcome = Outcome()
    for path, before, after in reformatted(formatter, files, scratch):
        compare(path, before, after, outcome)
    return outcome


def reformatted(formatter: Formatter, files: Iterable[Path], scratch: Path) -> Iterator[tuple[str, str, str]]:
    """Yield (path, text, text as `formatter` leaves it). A file that it refuses comes back as it was."""
    scratch.mkdir(parents=True, exist_ok=True)
    copies: list[tuple[Path, Path, str]] = []
    for index, path in enumerate(files):
        try:
            text = path.read_bytes().decode("utf-8")
        except UnicodeDecodeError:
            continue
        copy = scratch / f"{index}_{path.name}"
        shutil.copyfile(path, copy)
        copies.append((path, copy, text))
    for start in range(0, len(copies), 100):
        paths = [str(copy) for _, copy, _ in copies[start : start + 100]]
        with tempfile.TemporaryDirectory() as cache:  # Black would keep one in HOME
            environment = {**os.environ, "BLACK_CACHE_DIR": cache}
            subprocess.run([*formatter.command, *paths], capture_output=True, check=False, env=environment)
    for path, copy, text in copies:
        yield str(path), text, copy.read_bytes().decode("utf-8")


def compare(path: str, before: str, after: str, outcome: Outcome) -> None:
    """Count the elements of a text before and after into `outcome`, and the alarms."""
    outcome.files += 1
    outcome.changed_files += before != after
    old, new = Source(before, language_of(path)), Source(after, language_of(path))
    if old.root is None or new.root is None:
        outcome.unparsed_files += 1
        return
    if shape_of_file(old).digest != shape_of_file(new).digest:
        outcome.alarms.append(_alarm(path, "file", (old, Span(0, len(before))), (new, Span(0, len(after)))))
    counterparts = elements(new)
    for name, spans in elements(old).items():
        theirs = counterparts.get(name, [])
        if len(spans) != len(theirs):
            outcome.unpaired += len(spans)
            continue
        for span, there in zip(spans, theirs, strict=True):
            _compare_element(path, name, (old, span), (new, there), outcome)


def _compare_element(path: str, name: str, before: Piece, after: Piece, outcome: Outcome) -> None:
    old, span = before
    new, there = after
    outcome.elements += 1
    outcome.changed += old.text[span.start : span.end] != new.text[there.start : there.end]
    start = perf_counter()
    shape = shape_of(old, span)
    outcome.seconds.append(perf_counter() - start)
    if shape.digest != shape_of(new, there).digest:
        outcome.alarms.append(_alarm(path, name, before, after))


def elements(source: Source) -> dict[str, list[Span]]:
    """Return the regions of a source by names that a formatter does not change, in text order."""
    found: dict[str, list[Span]] = {}
    for one in declarations(source):
        found.setdefault(one.label, []).append(one.span)
    for node in nodes_of(source, _inner_types(source)):
        found.setdefault(node.type, []).append(span_of(node))
    return found


def _inner_types(source: Source) -> set[str]:
    if isinstance(source.grammar, NoGrammar):
        return set()
    language = source.grammar.language
    kinds = (language.node_kind_for_id(number) for number in range(language.node_kind_count))
    return {
        kind
        for kind in kinds
        if kind and kind.endswith(INNER) and not kind.startswith(("use_", "import_", "attribute_"))
    }


def _alarm(path: str, element: str, before: Piece, after: Piece) -> Alarm:
    old, new = shape_tokens(*before), shape_tokens(*after)
    at = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    return Alarm(path, element, _some(old, at), _some(new, at))


def _some(tokens: Sequence[str], at: int) -> str:
    return " ".join(tokens[max(0, at - 4) : at + 6]).replace("\x01", "(").replace("\x02", ")")
