"""What `memofs check` prints: for people, for GitHub's annotations, and as SARIF.

Invariant: each format's own signs are escaped, so that no title, path or code can end a line or a field of it; the
same findings in the same order in all of them. Pure.

Sources: GitHub, "Workflow commands" (`::warning file=…::message`; escapes of actions/toolkit); OASIS, Static Analysis
Results Interchange Format 2.1.0.
"""

from collections.abc import Mapping, Sequence
from typing import Final
from urllib.parse import quote

import msgspec

from memofs.cli.style import Style, count, paint
from memofs.cli.terminal_text import neutral_line
from memofs.cli.views.anchors import counts_of
from memofs.cli.views.words import page
from memofs.wire.anchors import CheckResult, FindingView
from memofs.wire.values import Position, Range

__all__ = ["render_check", "to_github", "to_sarif"]

SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
HELP: Final[Mapping[str, str]] = {
    "memofs.changed": "memofs changes {id} {number} shows what changed; memofs verify {id} says that it still holds",
    "memofs.missing": (
        "memofs changes {id} {number} shows the code as it was; memofs reanchor {id} {number} FILE:LINES says where it "
        "went; where it is gone for good, memofs edit {id} or memofs retire {id}"
    ),
}
"""What can be done about a finding, by its code: code that is not found cannot be verified."""
RULES: Final[Mapping[str, tuple[str, str, str]]] = {
    "memofs.changed": (
        "AnchoredCodeChanged",
        "The code that a memory is about has changed.",
        "A memory was written about this code, and the code no longer means the same: read both, then verify the "
        "memory, edit it or retire it.",
    ),
    "memofs.missing": (
        "AnchoredCodeMissing",
        "The code that a memory is about is gone.",
        "A memory was written about code that is no longer found: tie it to where the code went, or retire it.",
    ),
}
"""The rules by code: name, short and full description."""


def render_check(result: CheckResult, style: Style) -> str:
    """One finding a line, as compilers print them, then what could not be checked, and counts."""
    lines = [_line(finding, style) for finding in result.findings]
    for unchecked in result.unchecked:
        head = paint(style, "error", "not checked:")
        lines.append(f"{head} {neutral_line(style.path(unchecked.path))}: {neutral_line(unchecked.message)}")
    checked = f"{count(result.anchors, 'anchor')} of {count(result.memories, 'memory', 'memories')} checked"
    counted = counts_of(result)
    summary = checked + (f": {counted}" if counted else "")
    if result.findings:
        lines.append(paint(style, "heading", f"{count(len(result.findings), 'stale anchor')}; {summary}"))
    else:
        role = "warning" if result.unchecked else "good"
        lines.append(paint(style, role, f"{'Nothing stale found' if result.unchecked else 'Nothing stale'}; {summary}"))
    return page(*lines)


def to_github(result: CheckResult, *, prefix: str = "") -> str:
    """Workflow commands that annotate the lines of a change on GitHub; `prefix` leads from the repository to here."""
    lines: list[str] = []
    for finding in result.findings:
        path, range_ = _annotated(finding)
        fields = {"file": prefix + path, "title": f"Stale memory: {finding.anchor.title}"}
        if range_ is not None:
            fields |= _github_lines(range_)
        lines.append(_command("warning", f"{finding.message}. {_help(finding)}", fields))
    lines += [
        _command("error", f"not checked: {each.message}", {"file": prefix + each.path, "title": "memofs check"})
        for each in result.unchecked
    ]
    return "".join(f"{line}\n" for line in lines)


def to_sarif(result: CheckResult, *, version: str, root_uri: str, prefix: str = "") -> bytes:
    """The findings as a SARIF 2.1.0 log, a JSON document without a line end.

    `root_uri` is the repository's, or the workspace's without one; `prefix` leads from there to the workspace.
    """
    codes = list(RULES)
    log = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {"name": "memofs", "semanticVersion": version, "rules": [_rule(code) for code in codes]}
                },
                "columnKind": "unicodeCodePoints",
                "originalUriBaseIds": {"SRCROOT": {"uri": f"{root_uri.rstrip('/')}/"}},
                "invocations": [
                    {
                        "executionSuccessful": not result.unchecked,
                        "toolExecutionNotifications": [
                            {
                                "level": "error",
                                "message": {"text": each.message},
                                "locations": [_location(prefix + each.path, None)],
                            }
                            for each in result.unchecked
                        ],
                    }
                ],
                "results": [_result(finding, codes, prefix) for finding in result.findings],
            }
        ],
    }
    return msgspec.json.format(msgspec.json.encode(log), indent=2)


def _line(finding: FindingView, style: Style) -> str:
    path, range_ = _annotated(finding)
    column = f":{range_.start.character + 1}" if range_ is not None and range_.start.character else ""
    where = style.path(path) + (f":{range_.start.line + 1}{column}" if range_ is not None else "")
    role = "error" if finding.code == "memofs.missing" else "warning"
    known = f" {finding.anchor.memory} {finding.anchor.anchor_index + 1}"
    code = paint(style, "dim", f"[{finding.code.removeprefix('memofs.')}]{known}")
    return f"{paint(style, 'path', where)}: {paint(style, role, finding.message)} {code}"


def _annotated(finding: FindingView) -> tuple[str, Range | None]:
    """Where to show a finding: at the code, or at the memory's own anchors where the code file is gone."""
    if finding.exists:
        return finding.anchor.path, finding.anchor.range
    return finding.memory_path, _whole_line(finding.memory_line)


def _help(finding: FindingView) -> str:
    return HELP[finding.code].format(id=finding.anchor.memory, number=finding.anchor.anchor_index + 1)


def _github_lines(range_: Range) -> dict[str, str]:
    """`line`, `endLine` and, within one line, columns from 1, the last one included."""
    start, end = range_.start, range_.end
    last = end.line if end.character == 0 and end.line > start.line else end.line + 1
    fields = {"line": str(start.line + 1), "endLine": str(last)}
    if last == start.line + 1 and (start.character or end.character):
        fields["col"] = str(start.character + 1)
        if end.line == start.line:
            fields["endColumn"] = str(end.character)
    return fields


def _command(kind: str, message: str, fields: Mapping[str, str]) -> str:
    said = ",".join(f"{name}={_property(value)}" for name, value in fields.items())
    return f"::{kind} {said}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _rule(code: str) -> dict[str, object]:
    name, short, full = RULES[code]
    return {
        "id": code,
        "name": name,
        "shortDescription": {"text": short},
        "fullDescription": {"text": full},
        "defaultConfiguration": {"level": "warning"},
    }


def _result(finding: FindingView, codes: Sequence[str], prefix: str) -> dict[str, object]:
    path, range_ = _annotated(finding)
    row = finding.anchor
    related = [
        _location(prefix + finding.memory_path, _whole_line(finding.memory_line), text=row.title),
        *(_location(prefix + each.path, each.range, text="moved here?") for each in row.candidates),
    ]
    return {
        "ruleId": finding.code,
        "ruleIndex": codes.index(finding.code),
        "level": "warning",
        "message": {"text": f"{finding.message}. {_help(finding)}"},
        "locations": [_location(prefix + path, range_)],
        "relatedLocations": related,
        "partialFingerprints": {"memofsAnchor/v1": f"{row.memory}:{row.recorded.path}:{row.symbol or ''}"},
        "properties": {
            "memory": row.memory,
            "anchorIndex": row.anchor_index,
            "verdict": row.verdict,
            "similarity": row.similarity,
        },
    }


def _whole_line(line: int) -> Range:
    return Range(start=Position(line, 0), end=Position(line + 1, 0))


def _location(path: str, range_: Range | None, *, text: str | None = None) -> dict[str, object]:
    physical: dict[str, object] = {"artifactLocation": {"uri": quote(path), "uriBaseId": "SRCROOT"}}
    if range_ is not None:
        physical["region"] = _region(range_)
    location: dict[str, object] = {"physicalLocation": physical}
    if text is not None:
        location["message"] = {"text": text}
    return location


def _region(range_: Range) -> dict[str, int]:
    """Lines and columns from 1; the end column is the first that is not meant, and left out for whole lines."""
    start, end = range_.start, range_.end
    if end.character == 0 and end.line > start.line:
        region = {"startLine": start.line + 1, "endLine": end.line}
        return region | ({"startColumn": start.character + 1} if start.character else {})
    return {
        "startLine": start.line + 1,
        "startColumn": start.character + 1,
        "endLine": end.line + 1,
        "endColumn": end.character + 1,
    }
