"""Real formatters, line ends and comments are silent over real files; changes of meaning never are."""

import ast
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from formatters import FORMATTERS, UNFORMATTED, formatter, node_files, python_files, sample
from memofs.anchors.language import language_of
from memofs.anchors.shape import shape_of, shape_of_file
from memofs.anchors.shape.directives import directives
from memofs.anchors.source import Source, nodes_of, span_of
from memofs.anchors.symbols import Declaration, declarations
from memofs.model.place import Span
from mutants import mutants
from reformatting import Formatter, Outcome, compare, run_over

MOST_FILES = {"black": 24, "ruff": 40, "ruff-preview": 24, "prettier": 60, "prettier-otherwise": 30}
"""Of files from packages, so that a test takes seconds. The benchmark `shape` takes as many as it is told."""


def installed(name: str) -> Formatter:
    found = formatter(name)
    if isinstance(found, str):
        pytest.skip(found)
    return found


@pytest.mark.parametrize("name", FORMATTERS)
def test_a_formatter_is_silent_over_code_with_no_format(name: str, tmp_path: Path) -> None:
    used = installed(name)
    files = [path for path in sorted(UNFORMATTED.iterdir()) if path.name.endswith(used.endings)]
    outcome = run_over(used, files, tmp_path)
    assert outcome.alarms == []
    assert outcome.changed_files == outcome.files == len(files) > 0, "each is refused by no formatter"
    assert outcome.unparsed_files == 0
    assert outcome.changed >= outcome.elements / 3


@pytest.mark.slow
@pytest.mark.parametrize("name", MOST_FILES)
def test_a_formatter_is_silent_over_installed_packages(name: str, tmp_path: Path) -> None:
    used = installed(name)
    files = sample(python_files() if ".py" in used.endings else node_files(), used.endings, most=MOST_FILES[name])
    outcome = run_over(used, files, tmp_path)
    assert outcome.alarms == []
    assert outcome.changed_files > len(files) / 4
    assert outcome.elements > 1_000
    assert outcome.unpaired < outcome.elements / 20


def real_files() -> list[Path]:
    """Return code in every language: what this repository has, and some of the standard library."""
    return [*sorted(UNFORMATTED.iterdir()), *sample(python_files(), [".py"], most=8, smallest_bytes=2_000)]


def source_of(path: Path, text: str) -> Source:
    source = Source(text, language_of(path.name))
    assert source.lacking == ""
    return source


def silent(path: Path, before: str, after: str) -> None:
    """Assert that the file and each of its declarations has the same shape in both texts."""
    assert before != after
    outcome = Outcome()
    compare(path.name, before, after, outcome)
    assert outcome.alarms == []
    assert (outcome.unparsed_files, outcome.unpaired) == (0, 0)
    assert outcome.elements > 0


def held_lines(source: Source) -> set[int]:
    """Return the lines that begin in a text where blanks count: a string, a template, a block of YAML."""
    lines: set[int] = set()
    left = [source.root] if source.root else []
    while left:
        node = left.pop()
        if re.search(r"string|template|heredoc|scalar|code|comment|preproc|html|inline|quote", node.type):
            text = source.text[node.start_byte : node.end_byte]
            first = source.text.count("\n", 0, node.start_byte)
            lines.update(range(first + 1, first + 1 + text.rstrip("\n").count("\n")))
        left.extend(node.children)
    return lines


def margins(change: Callable[[str], str]) -> Callable[[Source], str]:
    """Return a change of the beginning of every line, but for those that begin in a string."""

    def changed(source: Source) -> str:
        held = held_lines(source)
        return "\n".join(line if at in held else change(line) for at, line in enumerate(source.text.split("\n")))

    return changed


def trailing_blanks(source: Source) -> str:
    """Return the text with blanks at the end of every line, but for those that end in a string or go on."""
    held = held_lines(source)
    lines = source.text.split("\n")
    return "\n".join(line if at + 1 in held or line.endswith("\\") else f"{line} \t" for at, line in enumerate(lines))


LAYOUTS: dict[str, Callable[[Source], str]] = {
    "carriage returns": lambda source: source.text.replace("\n", "\r\n"),
    "byte order mark": lambda source: "\ufeff" + source.text,
    "trailing blanks": trailing_blanks,
    "deeper": margins(lambda line: re.sub(r"^ +", lambda found: found[0] * 2, line)),
    "tabs": margins(lambda line: re.sub(r"^(?: {4})+", lambda found: "\t" * (len(found[0]) // 4), line)),
    "more blank lines": margins(lambda line: f"\n{line}" if line and not line.startswith((" ", "\t")) else line),
}
NOT_SO = {
    "trailing blanks": {".md"},  # two are a line break
    "deeper": {".md", ".yaml"},
    "tabs": {".md", ".yaml"},
    "more blank lines": {".md", ".yaml", ".go", ".sh", ".js", ".ts", ".tsx"},  # some change what a line end means
}
"""Where a layout means something, by the ending of the file."""


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("path", real_files(), ids=lambda path: path.name)
def test_layout_is_silent(path: Path, layout: str) -> None:
    if path.suffix in NOT_SO.get(layout, set()):
        return
    text = path.read_text(encoding="utf-8")
    changed = LAYOUTS[layout](source_of(path, text))
    if changed != text:
        silent(path, text, changed)


@pytest.mark.parametrize("path", real_files(), ids=lambda path: path.name)
@pytest.mark.parametrize("said", ["other words", ""])
def test_comments_are_silent(path: Path, said: str) -> None:
    text = path.read_text(encoding="utf-8")
    source = source_of(path, text)
    comments = nodes_of(source, ["comment", "line_comment", "block_comment", "hash_bang_line"])
    changed = text
    for comment in reversed(comments):
        span = span_of(comment)
        old = text[span.start : span.end]
        if source.root is not None and directives(source, source.root, span):
            continue
        mark = re.match(r"#!?|//[/!]?|/\*+", old)
        assert mark, old
        new = f"{mark[0]} {said}{'*/' if old.startswith('/*') else ''}" if said else ""
        changed = changed[: span.start] + new + (old[len(old.rstrip()) :]) + changed[span.end :]
    if comments:
        before, after = source, source_of(path, changed)
        assert shape_of_file(before).digest == shape_of_file(after).digest
        ours, theirs = ({one.label: one for one in declarations(side)} for side in (before, after))
        assert ours.keys() == theirs.keys()
        for label, one in ours.items():
            assert shape_of(before, one.span).digest == shape_of(after, theirs[label].span).digest, label


def functions(source: Source) -> list[Declaration]:
    found = [one for one in declarations(source) if one.kind in ("function", "method", "constructor") and one.body]
    return [one for one in found if one.core.end - one.core.start < 4_000]


def meaning(code: str) -> str:
    """Return what Python makes of a function, without documentation; "" if it is none any more."""
    lines = code.split("\n")
    margin = len(lines[-1]) - len(lines[-1].lstrip()) if len(lines) > 1 else 0
    try:
        tree = ast.parse("if 1:\n" + " " * max(margin - 1, 1) + code) if margin else ast.parse(code)
    except SyntaxError:
        return ""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and ast.get_docstring(
            node, clean=False
        ):
            node.body = node.body[1:] or [ast.Pass()]
    return ast.dump(tree)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::SyntaxWarning", "ignore::DeprecationWarning")
def test_every_mutant_of_real_python_is_noticed() -> None:
    """Judged by Python itself: a mutant counts if `ast.dump` tells it from the function it was made of."""
    tried = 0
    for path in sample(python_files(), [".py"], most=40):
        source = Source(path.read_text(encoding="utf-8", errors="surrogateescape"), "python")
        if source.root is None:
            continue
        for one in functions(source)[:4]:
            span = one.core
            before, plain = shape_of(source, span).digest, meaning(source.text[span.start : span.end])
            drawn = random.Random(path.name).sample(found := list(mutants(source, span)), min(25, len(found)))
            for mutant in drawn:
                there = mutant.text[mutant.span.start : mutant.span.end]
                if plain and (now := meaning(there)) and now != plain:
                    tried += 1
                    after = Source(mutant.text, "python", previous=source)
                    assert shape_of(after, mutant.span).digest != before, (mutant.kind, path, there)
    assert tried > 1_000


@pytest.mark.parametrize("path", sorted(UNFORMATTED.iterdir()), ids=lambda path: path.name)
def test_every_mutant_of_every_language_is_noticed(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    source = source_of(path, text)
    whole = Span(0, len(text))
    before = shape_of(source, whole).digest
    tried = 0
    for mutant in mutants(source, whole):
        after = Source(mutant.text, source.language, previous=source)
        tried += 1
        assert shape_of(after, mutant.span).digest != before, (mutant.kind, _difference(text, mutant.text))
    assert tried > 20 or path.suffix in (".json", ".md", ".sh", ".yaml")


def _difference(before: str, after: str) -> str:
    at = next(index for index, (one, other) in enumerate(zip(before, after, strict=False)) if one != other)
    return f"{before[at - 30 : at + 30]!r} → {after[at - 30 : at + 30]!r}"
