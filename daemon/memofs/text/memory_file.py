"""A memory's file as a value, and back: parse, print, splice. Pure.

Invariants: parsing never raises, it returns what could be read beside problems; parse∘print is the identity on the
fields that a file says; splicing one field leaves every other byte as it was, or raises and changes nothing.
Finding, reading and writing files is left to store/.
"""

import re
from collections.abc import Iterable
from typing import cast

import msgspec

from memofs.model.errors import Conflict, InvalidRequest
from memofs.model.memory import KINDS, Memory
from memofs.model.problem import Problem
from memofs.text.fields import KEYS, Changes, changes_of, read_fields, trees_of
from memofs.text.front_matter import Document, canonical_body, line_of, read_document
from memofs.text.identity import derived_id, digest
from memofs.text.notes import parse_notes
from memofs.text.said_anchors import SaidAnchors, said_anchors
from memofs.text.splice import spliced
from memofs.text.titles import file_title, first_heading
from memofs.text.yaml_text import entry_lines

__all__ = [
    "LOG_NAME",
    "MOST_FILE_BYTES",
    "FileTimes",
    "Parsed",
    "body_line",
    "known_kinds",
    "parse_memory_file",
    "print_memory",
    "rewrite",
    "splice",
    "text_of",
]

MOST_FILE_BYTES = 4 * 1024 * 1024
LOG_NAME = ".memofs/memory/notes.md"

_MARKER = re.compile(r"^(?:<{7}(?:[ \t].*)?|={7}|>{7}(?:[ \t].*)?)\r?$", re.MULTILINE)
_FOREVER_MS = 1 << 60


class FileTimes(msgspec.Struct, frozen=True, kw_only=True):
    """Times of a file that says none itself: from git where it is committed, else from the file system."""

    created_ms: int | None = None
    modified_ms: int | None = None


class Parsed(msgspec.Struct, frozen=True, kw_only=True):
    """What one file holds: one memory, or none, or the entries of notes.md."""

    memories: tuple[Memory, ...] = ()
    problems: tuple[Problem, ...] = ()


def known_kinds(custom: Iterable[str] = ()) -> frozenset[str]:
    """The built-in kinds and a project's own."""
    return frozenset((*KINDS, *custom))


def parse_memory_file(
    path: str, data: bytes, *, now_ms: int, kinds: frozenset[str], times: FileTimes | None = None
) -> Parsed:
    """What the file at `path` (POSIX, relative to the workspace) holds. Never raises."""
    text = text_of(path, data)
    if isinstance(text, Problem):
        return Parsed(problems=(text,))
    if path == LOG_NAME:
        memories, problems = parse_notes(path, text, now_ms=now_ms, kinds=kinds)
        if memories or not text.strip("\ufeff \t\r\n"):
            return Parsed(memories=memories, problems=problems)
    document = read_document(text)  # a notes.md without an entry is a page of somebody's own
    if (fault := document.fault) is not None:
        line = line_of(text, fault.offset)
        message = f"malformed front matter: {fault.message}"
        hint = "mend it in an editor; the file is left as it is"
        return Parsed(problems=(Problem(path=path, code="frontMatter", message=message, line=line, hint=hint),))
    if not document.has_front_matter:
        return Parsed(memories=(_markdown(path, data, document, times),))
    fields, problems = read_fields(document, path=path, now_ms=now_ms, kinds=kinds)
    body = document.body
    said = said_anchors(body, known=fields.anchors)
    memory = Memory(
        id=fields.id,
        kind=fields.kind,
        title=fields.title or first_heading(body) or file_title(path),
        body=body,
        path=path,
        digest=digest(data),
        status=fields.status,
        confidence=fields.confidence,
        tags=fields.tags,
        aliases=fields.aliases,
        created_ms=fields.created_ms,
        updated_ms=fields.updated_ms,
        verified_ms=fields.verified_ms,
        supersedes=fields.supersedes,
        source=fields.source,
        author=fields.author,
        imported=fields.imported,
        anchors=fields.anchors,
        said_anchors=said.anchors,
    )
    return Parsed(memories=(memory,), problems=(*problems, *_said_faults(path, document, said)))


def text_of(path: str, data: bytes) -> str | Problem:
    """The file as text with its BOM and line ends, or why it is not a text to read memories from."""
    if len(data) > MOST_FILE_BYTES:
        message = f"{len(data):,} bytes; a memory file may have {MOST_FILE_BYTES:,}"
        return Problem(path=path, code="tooLarge", message=message, hint="keep the long text elsewhere and refer to it")
    if b"\0" in data:
        return Problem(path=path, code="binary", message="binary data, no text", hint="keep it outside .memofs")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start)
        message = f"not UTF-8 (byte {error.start})"
        return Problem(path=path, code="notUtf8", message=message, line=line, hint="save the file as UTF-8")
    if "<<<<<<<" in text and (start := _conflict(text)) is not None:
        line = line_of(text, start)
        hint = "resolve the merge conflict in an editor; the file is left as it is"
        return Problem(path=path, code="conflictMarkers", message="merge conflict markers", line=line, hint=hint)
    return text


def body_line(text: str) -> int:
    """The 0-based line of the file in which a memory's body begins."""
    return line_of(text, read_document(text).body_at)


def print_memory(memory: Memory, *, newline: str = "\n") -> str:
    """A new file that says the memory: its keys in the order of `KEYS`, then the body.

    The body is put into canonical form (LF, no blank lines around it). Raises InvalidRequest if reading the file
    would give another memory, such as one with conflict markers in its body or an anchor outside the workspace.
    """
    trees = trees_of(changes_of(memory))
    keys = "".join(entry_lines(key, value, newline=newline) for key, value in trees.items() if value is not None)
    body = canonical_body(memory.body)
    ended = body.replace("\n", newline) + newline if body else ""
    text = f"---{newline}{keys}---{newline}{ended}"
    _check_print(memory, text, body)
    return text


def splice(data: bytes, changes: Changes) -> bytes:
    """The file's bytes with the fields changed and every other byte as it was.

    A plain markdown file is given front matter that says the fields. Raises Conflict where the file is malformed or
    cannot be changed in place, InvalidRequest where the new values cannot be written.
    """
    before = _only(data)
    text = data.decode("utf-8")
    try:
        result = spliced(text, trees_of(changes), order=KEYS, body=changes.get("body")).encode("utf-8")
    except UnicodeEncodeError as error:
        raise InvalidRequest("notText", "the new text is not valid UTF-8") from error
    after = _only(result)
    wanted = _said(before) | {name: value for name, value in changes.items() if name != "body"}
    if "body" in changes:
        wanted["body"] = canonical_body(changes["body"])
    if "title" not in changes:
        wanted["title"] = after.title  # it may follow from the body
    if _said(after) != wanted:
        names = sorted(name for name in wanted if _said(after).get(name) != wanted[name])
        raise InvalidRequest("notWritable", f"cannot be written as given: {', '.join(names)}")
    return result


def rewrite(memory: Memory, data: bytes, changes: Changes) -> bytes:
    """`splice`, for a memory as it was loaded: an id or times that the file does not say itself are written too.

    So a plain markdown file keeps its id and its age when it is given front matter, and a memory whose id was derived
    keeps it when the file is renamed. Raises as `splice` does.
    """
    said = _only(data)
    full: Changes = {}
    if said.id != memory.id:
        full["id"] = memory.id
    if memory.origin == "markdown":
        full["created_ms"] = memory.created_ms
        full["updated_ms"] = memory.updated_ms
    return splice(data, full | changes)


def _markdown(path: str, data: bytes, document: Document, times: FileTimes | None) -> Memory:
    body = document.body
    return Memory(
        id=derived_id(path),
        kind="note",
        title=first_heading(body) or file_title(path),
        body=body,
        path=path,
        digest=digest(data),
        created_ms=times.created_ms if times else None,
        updated_ms=times.modified_ms if times else None,
        said_anchors=said_anchors(body).anchors,
        origin="markdown",
    )


def _said_faults(path: str, document: Document, said: SaidAnchors) -> tuple[Problem, ...]:
    first = line_of(document.text, document.body_at) if said.faults else 0
    return tuple(
        Problem(path=path, code="badAnchor", message=message, line=first + line, severity="warning")
        for line, message in said.faults
    )


def _conflict(text: str) -> int | None:
    """Where a merge conflict begins: the three markers, each at the start of a line, in order."""
    start: int | None = None
    divided = False
    for match in _MARKER.finditer(text):
        sign = match.group()[0]
        if sign == "<":
            start, divided = match.start(), False
        elif sign == "=" and start is not None:
            divided = True
        elif sign == ">" and divided:
            return start
    return None


def _said(memory: Memory) -> dict[str, object]:
    return cast("dict[str, object]", changes_of(memory))


def _only(data: bytes) -> Memory:
    """The one memory of a file, read without regard to what kinds there are or what time it is."""
    parsed = parse_memory_file("", data, now_ms=_FOREVER_MS, kinds=frozenset())
    if not parsed.memories:
        problem = parsed.problems[0]
        raise Conflict(problem.code, f"the file cannot be changed: {problem.message}", problem.hint)
    return parsed.memories[0]


def _check_print(memory: Memory, text: str, body: str) -> None:
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InvalidRequest("notText", "the memory holds characters that are not valid UTF-8") from error
    parsed = parse_memory_file("", data, now_ms=_FOREVER_MS, kinds=frozenset())
    if not parsed.memories:
        problem = parsed.problems[0]
        raise InvalidRequest(problem.code, f"the memory cannot be written: {problem.message}", problem.hint)
    wanted = _said(memory) | {"body": body}
    said = _said(parsed.memories[0])
    if said != wanted:
        names = sorted(name for name in wanted if said[name] != wanted[name])
        raise InvalidRequest("notWritable", f"cannot be written as given: {', '.join(names)}")
