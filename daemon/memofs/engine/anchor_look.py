"""Looking at one anchor: what its file is now, what it was, and what became of the region.

Invariant: whatever the disk, git or the mark says, there is a state; what was lacking is named in it. A place that is
only probable counts as the settings say. Nothing is kept but for the file that was looked at last; remembering is left
to anchoring.py, other files to anchor_search.py.
"""

import time
from collections.abc import Callable

import msgspec

from memofs.anchors.language import has_recipes, language_of
from memofs.anchors.mark import BadMark, Mark, decode
from memofs.anchors.resolution import Comparison, resolve, settle
from memofs.anchors.source import Source
from memofs.anchors.spans import span_at
from memofs.anchors.symbols import Declaration, find, symbol_at
from memofs.engine.anchor_place import guess_of, place_of, recorded_place, state_of
from memofs.model.config import AnchorSettings
from memofs.model.memory import Anchor, Lines
from memofs.model.place import AnchorState, Candidate
from memofs.store.anchor_cache import Known
from memofs.store.blobs import Blobs
from memofs.store.code_files import CodeFile, Unread, code_of, content_of
from memofs.store.seen_files import SeenFiles

__all__ = ["FILE_ONLY", "Looker", "Lost", "OutOfTime", "line_count", "source_of"]

FILE_ONLY = ("binary", "tooLarge", "generated")
"""What is known by the hash of the file alone, as an answer names it."""


class OutOfTime(Exception):
    """Nobody waits any longer; what was asked is not known."""


class Lost(msgspec.Struct, frozen=True, kw_only=True):
    """An anchor that is not in its file, to be looked for elsewhere.

    `old` is its file's old text, None if that cannot be had; `here` the state it has if it is nowhere else.
    """

    anchor: Anchor
    mark: Mark | None
    old: Source | None
    here: AnchorState
    file_is_gone: bool


Search = Callable[[Lost], Known | None]
"""What became of a lost anchor elsewhere; None if it was not looked for, or is nowhere else."""


def source_of(path: str, text: str, previous: Source | None = None) -> Source:
    """A text in the language that its path and first line tell; `previous` is one it came from by a few edits."""
    language = language_of(path, text.partition("\n")[0])
    return Source(text, language, previous=previous, has_recipes=has_recipes(path))


def line_count(source: Source) -> int:
    """How many lines there are; what follows the last line end is one only if it is not empty."""
    return len(source.lines) - (not source.lines[-1])


class Looker:
    """Looks at anchors, best those of one file one after the other. Not safe for threads.

    `olds` keeps old versions of files, parsed, for the next Looker; `source` is the text of the first file, if it is
    known. `until_s` is when git is no longer waited for.
    """

    def __init__(
        self,
        files: SeenFiles,
        blobs: Blobs,
        settings: AnchorSettings,
        search: Search | None = None,
        *,
        olds: dict[str, Source] | None = None,
        until_s: float | None = None,
        source: Source | None = None,
    ) -> None:
        self._files = files
        self._until_s = until_s
        self._blobs = blobs
        self._settings = settings
        self._search = search
        self._olds = olds
        self._path = ""
        self._file: CodeFile | Unread | None = None
        self._source = source
        self._comparisons: dict[str, Comparison | None] = {}

    def look(self, anchor: Anchor) -> Known:
        """What became of the anchor. Raises OutOfTime if git does not answer until then."""
        file = self._open(anchor.path)
        mark = decode(anchor.mark) if anchor.mark else None
        if isinstance(mark, BadMark) and mark.reason == "newer":
            return _known(anchor, file, AnchorState(fault="its mark was made by a newer version of MemoFS"))
        marked = mark if isinstance(mark, Mark) else None
        if isinstance(file, Unread):
            if file.reason != "missing":
                return _known(anchor, file, AnchorState(fault=file.message))
            old = self._old(anchor.path, marked)
            gone = AnchorState(verdict="missing", symbol=anchor.symbol, similarity=0.0, how="file gone")
            return self._elsewhere(Lost(anchor=anchor, mark=marked, old=old, here=gone, file_is_gone=True), file)
        state = self.state(anchor, marked, file)
        if anchor.mark and marked is None:
            state = msgspec.structs.replace(state, degraded=(*state.degraded, "mark"))
        if state.verdict != "missing":
            return _known(anchor, file, state)
        comparison = self._comparison(marked, file)
        old = comparison.old if comparison is not None else None
        return self._elsewhere(Lost(anchor=anchor, mark=marked, old=old, here=state, file_is_gone=False), file)

    def state(self, anchor: Anchor, mark: Mark | None, file: CodeFile) -> AnchorState:
        """What became of the anchor in this file, whatever path it names."""
        if file.text is None:
            return _by_hash(anchor, mark, file)
        source = self._source_of(file)
        lacking = () if file.is_utf8 else ("notUtf8",)
        if mark is None:
            state = _unmarked(anchor, source, file.path)
        else:
            comparison = self._comparison(mark, file)
            resolution = settle(resolve(anchor, comparison or source), self._settings.probable)
            state = state_of(anchor, resolution, source, file.path)
            if comparison is None and state.verdict in ("changed", "missing") and mark.blob != file.blob:
                lacking = (*lacking, "git")
        if not lacking:
            return state
        return msgspec.structs.replace(state, degraded=tuple(dict.fromkeys((*state.degraded, *lacking))))

    def _elsewhere(self, lost: Lost, file: CodeFile | Unread) -> Known:
        found = self._search(lost) if self._search is not None else None
        known = _known(lost.anchor, file, lost.here)
        if found is None:
            return known
        return msgspec.structs.replace(found, blob=known.blob)

    def _open(self, path: str) -> CodeFile | Unread:
        if self._file is None or path != self._path:
            self._path, self._file = path, self._files.read(path)
        return self._file

    def _source_of(self, file: CodeFile) -> Source:
        assert file.text is not None  # noqa: S101 - asked for texts only
        if self._source is None or self._source.text != file.text:
            self._source, self._comparisons = source_of(file.path, file.text), {}
        return self._source

    def _comparison(self, mark: Mark | None, file: CodeFile) -> Comparison | None:
        """The file as it was and as it is; None if the old text cannot be had."""
        if mark is None or mark.blob is None or file.text is None:
            return None
        source = self._source_of(file)
        if mark.blob not in self._comparisons:
            old = source if mark.blob in (file.blob, file.raw_blob) else self._old(file.path, mark)
            self._comparisons[mark.blob] = None if old is None else Comparison(old, source)
        return self._comparisons[mark.blob]

    def _old(self, path: str, mark: Mark | None) -> Source | None:
        blob = mark.blob if mark is not None else None
        if self._olds is not None and blob in self._olds:
            return self._olds[blob]
        data = self._blobs.read(blob, until_s=self._until_s) if blob else None
        if data is None and self._until_s is not None and time.monotonic() >= self._until_s:
            raise OutOfTime
        text = code_of(data) if data is not None else None
        old = None if text is None else source_of(path, text)
        if self._olds is not None and blob is not None and old is not None:
            self._olds[blob] = old
        return old


def _known(anchor: Anchor, file: CodeFile | Unread, state: AnchorState) -> Known:
    return Known(anchor=anchor, blob=content_of(file), state=state)


def _by_hash(anchor: Anchor, mark: Mark | None, file: CodeFile) -> AnchorState:
    """What is known of an anchor in a file of which only the hash is."""
    degraded = () if file.opaque is None else (file.opaque,)
    place = recorded_place(anchor)
    if mark is None or mark.blob is None:
        is_there = anchor.lines is None or anchor.lines.last <= file.line_count
        verdict = None if is_there else "missing"
        return AnchorState(verdict=verdict, place=place if is_there else None, symbol=anchor.symbol, degraded=degraded)
    same = mark.blob in (file.blob, file.raw_blob)
    return AnchorState(
        verdict="current" if same else "changed",
        place=place,
        symbol=anchor.symbol,
        similarity=1.0 if same else 0.0,
        how="file hash",
        degraded=degraded,
    )


def _unmarked(anchor: Anchor, source: Source, path: str) -> AnchorState:
    """Where an anchor without a mark points. Nothing says what was meant, so its verdict is None or missing."""
    if anchor.symbol is None:
        return _by_lines(anchor, source, ())
    if source.root is None:
        return _by_lines(anchor, source, ("grammar",))
    found = _nearest(find(source, anchor.symbol).found, source, anchor.lines)
    if len(found) == 1:
        # Lines may leave the documentation out, or the decorators: then that is what was meant.
        region = span_at(source, anchor.lines, anchor.columns) if anchor.lines is not None else None
        is_meant = region is not None and symbol_at(source, region) == found[0]
        place = recorded_place(anchor, source) if is_meant else place_of(source, found[0].span, path)
        return AnchorState(place=place, symbol=found[0].label, how="symbol")
    guesses = tuple(guess_of(source, Candidate(span=each.span, score=1 / len(found)), path) for each in found[:5])
    if found:
        fault = f"{len(found)} declarations are called {anchor.symbol}: {', '.join(each.label for each in found[:5])}"
        return AnchorState(symbol=anchor.symbol, guesses=guesses, fault=fault, how="symbol")
    return AnchorState(verdict="missing", symbol=anchor.symbol, similarity=0.0, how="symbol")


def _by_lines(anchor: Anchor, source: Source, degraded: tuple[str, ...]) -> AnchorState:
    how = "lines" if anchor.lines else ""
    if anchor.lines is not None and anchor.lines.last > line_count(source):
        return AnchorState(verdict="missing", symbol=anchor.symbol, similarity=0.0, how=how, degraded=degraded)
    return AnchorState(
        place=recorded_place(anchor, source),
        symbol=anchor.symbol,
        how="lines" if anchor.lines else "",
        degraded=degraded,
    )


def _nearest(found: tuple[Declaration, ...], source: Source, lines: Lines | None) -> tuple[Declaration, ...]:
    """Of several declarations of one name, the one that the anchor's lines touch, if there is just one."""
    region = span_at(source, lines) if lines is not None and len(found) > 1 else None
    if region is None:
        return found
    touched = tuple(each for each in found if each.span.start < region.end and region.start < each.span.end)
    return touched if len(touched) == 1 else found
