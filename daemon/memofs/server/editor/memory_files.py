"""Memory files in an editor: completion, links, definitions, references, hovers, outline, folding and faults.

Invariant: what is answered is about the text that the editor has, saved or not; the rest of the memory is the World's.
A file that is being written is never an error here: what cannot be told is left out.
"""

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final

from lsprotocol import types as lsp

from memofs.anchors.symbols import declarations
from memofs.engine.anchor_look import source_of
from memofs.engine.clock import now_ms
from memofs.engine.engine import Engine
from memofs.engine.view import View
from memofs.model.memory import KINDS, Memory
from memofs.model.place import Place
from memofs.model.problem import Problem
from memofs.server.convert import range_of
from memofs.server.editor.words import line_of, paragraph
from memofs.store.code_files import Unread, read_code
from memofs.text.document import Document
from memofs.text.front_place import FrontPlace, Mention, front_end, mentions, place_in
from memofs.text.memory_file import known_kinds, parse_memory_file
from memofs.text.positions import Encoding, from_units, to_units

__all__ = ["MemoryFile", "faults"]

MOST_OFFERED: Final = 200
_STATUSES: Final = ("active", "pending", "retired")
_SKIPPED: Final = frozenset({"node_modules", "__pycache__"})
_SEVERITIES: Final = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
    "info": lsp.DiagnosticSeverity.Information,
}


class MemoryFile:
    """One open memory file at one moment, with the View to answer from. For the read lane."""

    def __init__(self, path: str, document: Document, view: View, encoding: Encoding) -> None:
        self._path = path
        self._lines = [line.rstrip("\r\n") for line in document.lines]
        self._view = view
        self._encoding: Encoding = encoding

    def complete(self, position: lsp.Position) -> list[lsp.CompletionItem]:
        """What may stand at the position: kinds, statuses, tags, ids, paths, symbols."""
        column = self._column(position)
        place = place_in(self._lines, position.line, column)
        if place is None:
            return self._ids_in_body(position, column)
        if place.key == "kind":
            return self._offered(place, position, ((kind, "") for kind in (*KINDS, *self._view.world.config.kinds)))
        if place.key == "status":
            return self._offered(place, position, ((status, "") for status in _STATUSES))
        if place.key == "tags":
            counts = Counter(tag for memory in self._view.world.memories.values() for tag in memory.tags)
            return self._offered(place, position, ((tag, f"{count}×") for tag, count in counts.most_common()))
        if place.key == "supersedes":
            return self._offered(place, position, self._titles(), of_titles=True)
        if place.key == "path":
            return self._offered(place, position, ((path, "") for path in self._paths(place.value)))
        if place.key == "symbol" and place.path:
            return self._offered(place, position, self._symbols(place.path))
        return []

    def definition(self, position: lsp.Position) -> lsp.Location | None:
        """Where what is named at the position is: a memory's file, or the anchored code."""
        mention = self._mention(position)
        return None if mention is None else self._target(mention)

    def links(self) -> list[lsp.DocumentLink]:
        """Every id and every anchored file, as links."""
        found: list[lsp.DocumentLink] = []
        for mention in mentions(self._lines):
            target = self._target(mention)
            if target is not None:
                at = f"#{target.range.start.line + 1}" if mention.anchor is not None else ""
                found.append(lsp.DocumentLink(range=self._range(mention), target=f"{target.uri}{at}"))
        return found

    def references(self, position: lsp.Position) -> list[lsp.Location]:
        """Other memory files that name the memory at the position, else this one, and the code that it is tied to."""
        mention = self._mention(position)
        memory = self._named(mention.text) if mention is not None and mention.anchor is None else self._own()
        if memory is None:
            return []
        anchors = [
            place for index in range(len(memory.every_anchor)) if (place := self._anchor(memory, index)) is not None
        ]
        naming = [
            other
            for other in self._view.world.memories.values()
            if other.id != memory.id and (memory.id in other.supersedes or memory.id in other.body)
        ]
        return [*anchors, *(self._file(other) for other in sorted(naming, key=lambda each: each.path))]

    def hover(self, position: lsp.Position) -> lsp.Hover | None:
        """The memory that an id names."""
        mention = self._mention(position)
        memory = self._named(mention.text) if mention is not None and mention.anchor is None else None
        if mention is None or memory is None:
            return None
        said = [memory.kind, *self._view.flags(memory)]
        text = f"{line_of(memory.title)} ({', '.join(said)})\n\n{paragraph(memory.body, but=memory.title)}"
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.PlainText, text), self._range(mention))

    def symbols(self) -> list[lsp.DocumentSymbol]:
        """The memory with its headings below it."""
        end = front_end(self._lines)
        memory = self._own()
        first = 0 if end is None else min(end + 1, len(self._lines))
        headings = self._headings(first)
        last = len(self._lines) - 1
        name = line_of(memory.title) if memory is not None else Path(self._path).name
        whole = self._lines_range(0, last)
        kind = lsp.SymbolKind.File
        return [lsp.DocumentSymbol(name=name, kind=kind, range=whole, selection_range=_start(whole), children=headings)]

    def folds(self) -> list[lsp.FoldingRange]:
        """The front matter, and in it the anchors, whose marks are nobody's business."""
        end = front_end(self._lines)
        if end is None or end >= len(self._lines):
            return []
        found = [lsp.FoldingRange(start_line=0, end_line=end, kind=lsp.FoldingRangeKind.Region)]
        for number, line in enumerate(self._lines[:end]):
            if line.startswith("anchors:"):
                below = next(
                    (each for each in range(number + 1, end) if self._lines[each][:1] not in (" ", "-", "")), end
                )
                if below - 1 > number:
                    found.append(lsp.FoldingRange(start_line=number, end_line=below - 1))
        return found

    # --- what is offered ------------------------------------------------------------------------------------------

    def _offered(
        self,
        place: FrontPlace,
        position: lsp.Position,
        values: Iterable[tuple[str, str]],
        *,
        of_titles: bool = False,
    ) -> list[lsp.CompletionItem]:
        start = to_units(self._lines[position.line], place.start, self._encoding)
        range_ = lsp.Range(lsp.Position(position.line, start), position)
        items: list[lsp.CompletionItem] = []
        for number, (value, detail) in enumerate(dict(values).items()):
            if number >= MOST_OFFERED:
                break
            items.append(
                lsp.CompletionItem(
                    label=detail if of_titles else value,
                    detail=value if of_titles else detail or None,
                    filter_text=f"{value} {detail}" if of_titles else value,
                    sort_text=f"{number:05}",
                    kind=lsp.CompletionItemKind.Reference if of_titles else lsp.CompletionItemKind.Value,
                    text_edit=lsp.TextEdit(range_, value),
                )
            )
        return items

    def _ids_in_body(self, position: lsp.Position, column: int) -> list[lsp.CompletionItem]:
        """In the body, ids where somebody begins to write one."""
        if not 0 <= position.line < len(self._lines):
            return []
        before = self._lines[position.line][:column]
        word = before[len(before.rstrip("abcdefghijklmnopqrstuvwxyz0123456789_")) :]
        if not word or not (word.startswith("mem") or "mem_".startswith(word)):
            return []
        place = FrontPlace(key="", value=word, start=column - len(word))
        return self._offered(place, position, self._titles(), of_titles=True)

    def _titles(self) -> Iterable[tuple[str, str]]:
        newest = sorted(self._view.world.memories.values(), key=lambda each: (-(each.created_ms or 0), each.id))
        return ((memory.id, line_of(memory.title)) for memory in newest if memory.path != self._path)

    def _paths(self, begun: str) -> list[str]:
        """Files and folders below what was begun."""
        folder = begun.strip("\"'").rpartition("/")[0]
        root = Path(self._view.root)
        place = root / folder
        try:
            if ".." in Path(folder).parts or not place.resolve().is_relative_to(root.resolve()):
                return []
            with os.scandir(place) as entries:
                listed = sorted(entries, key=lambda entry: entry.name)
        except (OSError, RuntimeError):  # a loop of links is the latter
            return []
        shown = [entry for entry in listed if not entry.name.startswith(".") and entry.name not in _SKIPPED]
        prefix = f"{folder}/" if folder else ""
        return [f"{prefix}{entry.name}{'/' if entry.is_dir() else ''}" for entry in shown]

    def _symbols(self, path: str) -> Iterable[tuple[str, str]]:
        file = read_code(self._view.store.layout, path)
        if isinstance(file, Unread) or file.text is None:
            return ()
        return ((each.label, each.kind) for each in declarations(source_of(path, file.text)))

    # --- what is named --------------------------------------------------------------------------------------------

    def _mention(self, position: lsp.Position) -> Mention | None:
        column = self._column(position)
        here = [
            each for each in mentions(self._lines) if each.line == position.line and each.start <= column <= each.end
        ]
        return here[0] if here else None

    def _target(self, mention: Mention) -> lsp.Location | None:
        if mention.anchor is None:
            memory = self._named(mention.text)
            return None if memory is None else self._file(memory)
        own = self._own()
        found = self._anchor(own, mention.anchor) if own is not None else None
        if found is not None:
            return found
        place = Path(self._view.root) / mention.text
        is_there = mention.text and ".." not in Path(mention.text).parts and place.is_file()
        return lsp.Location(place.as_uri(), _NOWHERE) if is_there else None

    def _anchor(self, memory: Memory, index: int) -> lsp.Location | None:
        """Where an anchor is now, or where the memory says it is."""
        if index >= len(memory.every_anchor):
            return None
        anchor = memory.every_anchor[index]
        states = self._view.world.anchors.get(memory.id, ())
        state = states[index] if index < len(states) else None
        place = state.place if state is not None and state.place is not None else None
        place = place or Place(path=anchor.path, lines=anchor.lines)
        found = range_of(place, self._encoding)
        file = Path(self._view.root) / place.path
        if not file.is_file():
            return None
        if found is None:
            return lsp.Location(file.as_uri(), _NOWHERE)
        start, end = found.start, found.end
        return lsp.Location(
            file.as_uri(),
            lsp.Range(lsp.Position(start.line, start.character), lsp.Position(end.line, end.character)),
        )

    def _file(self, memory: Memory) -> lsp.Location:
        start = lsp.Position(memory.line, 0)
        return lsp.Location((Path(self._view.root) / memory.path).as_uri(), lsp.Range(start, start))

    def _named(self, text: str) -> Memory | None:
        return self._view.world.memories.get(text)

    def _own(self) -> Memory | None:
        return next((memory for memory in self._view.world.memories.values() if memory.path == self._path), None)

    # --- places ---------------------------------------------------------------------------------------------------

    def _column(self, position: lsp.Position) -> int:
        if not 0 <= position.line < len(self._lines):
            return 0
        return from_units(self._lines[position.line], position.character, self._encoding)

    def _range(self, mention: Mention) -> lsp.Range:
        line = self._lines[mention.line]
        return lsp.Range(
            lsp.Position(mention.line, to_units(line, mention.start, self._encoding)),
            lsp.Position(mention.line, to_units(line, mention.end, self._encoding)),
        )

    def _lines_range(self, first: int, last: int) -> lsp.Range:
        end = to_units(self._lines[last], len(self._lines[last]), self._encoding)
        return lsp.Range(lsp.Position(first, 0), lsp.Position(last, end))

    def _headings(self, first: int) -> list[lsp.DocumentSymbol]:
        fenced = False
        starts: list[int] = []
        for number in range(first, len(self._lines)):
            line = self._lines[number]
            if line.lstrip().startswith(("```", "~~~")):
                fenced = not fenced
            elif not fenced and line.startswith("#") and line.lstrip("#").startswith(" "):
                starts.append(number)
        found: list[lsp.DocumentSymbol] = []
        for number, below in pairwise([*starts, len(self._lines)]):
            range_ = self._lines_range(number, max(number, below - 1))
            name = line_of(self._lines[number].lstrip("#").strip()) or "#"
            found.append(
                lsp.DocumentSymbol(
                    name=name,
                    kind=lsp.SymbolKind.String,
                    range=range_,
                    selection_range=self._lines_range(number, number),
                )
            )
        return found


def faults(path: str, document: Document, engine: Engine) -> list[lsp.Diagnostic]:
    """What is wrong with the text of a memory file as it stands, and with the memory it makes among the others."""
    world = engine.world
    parsed = parse_memory_file(
        path,
        document.text.encode("utf-8", "surrogatepass"),
        now_ms=now_ms(),
        kinds=known_kinds(world.config.kinds),
    )
    known = {(problem.code, problem.line) for problem in parsed.problems}
    among = [
        each for each in world.problems.get(path, ()) if each.code in _AMONG and (each.code, each.line) not in known
    ]
    return [_diagnostic(problem, document.lines) for problem in (*parsed.problems, *among)]


_AMONG: Final = frozenset({"duplicateId", "supersedesCircle"})
"""Faults that only all memories together have."""
_NOWHERE: Final = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))


def _start(range_: lsp.Range) -> lsp.Range:
    return lsp.Range(range_.start, range_.start)


def _diagnostic(problem: Problem, lines: Sequence[str]) -> lsp.Diagnostic:
    line = min(problem.line, len(lines) - 1)
    hint = f" ({problem.hint})" if problem.hint else ""
    return lsp.Diagnostic(
        range=lsp.Range(lsp.Position(line, 0), lsp.Position(line, len(lines[line].rstrip("\r\n")))),
        message=f"{problem.message}{hint}",
        severity=_SEVERITIES[problem.severity],
        code=problem.code,
        source="memofs",
    )
