"""The truth that anchors are measured by: outlines of others' parsers, and what they tell of two releases."""

import shutil
from pathlib import Path

import msgspec
import pytest

from bench.anchor_cases import Case, FilePair, comment_above, comment_behind, language_group, lines_of, trimmed
from bench.anchor_histories import Histories, Sides, histories
from bench.anchor_inner import inner_cases
from bench.anchor_outline import Outline
from bench.anchor_packages import CACHE, PAIRS, Release, read
from bench.anchor_python import python_outline
from bench.anchor_typescript import typescript_outlines
from memofs.model.place import Span

OLD = '''"""A module."""

import os


def kept(path):
    """Read it."""
    return os.stat(path)


class Box:
    @property
    def size(self) -> int:
        return self._size

    @size.setter
    def size(self, value: int) -> None:
        self._size = value

    def load(self, name):
        found = self.look(name)
        if found is None:
            raise KeyError(name)
        self.count += 1
        return found


def left(value):
    return [value.strip().lower() for value in value.split(";") if value]


def old_name(first, second):
    total = first * 60 + second
    return total // 3600
'''


def outline(text: str) -> Outline:
    found = python_outline(text)
    assert found is not None
    return found


def test_declarations_have_qualified_names_and_their_decorators() -> None:
    found = {(each.name, each.role): OLD[each.start : each.end] for each in outline(OLD).declared}
    assert [name for name, _ in found] == [
        *("kept", "Box", "Box.size", "Box.size", "Box.load", "left", "old_name"),
    ]
    assert found["Box.size", ""].startswith("@property\n    def size(self)")
    assert found["Box.size", "setter"].startswith("@size.setter")
    assert found["Box.load", ""].endswith("return found")


def test_code_is_what_the_parser_sees() -> None:
    def code(text: str) -> str:
        return outline(text).declared[0].code

    plain = code("def f(a, b):\n    return a + b\n")
    assert code('def f(\n    a,\n    b,\n):\n    """Add."""\n    # so\n    return (a + b)  # here\n') == plain
    assert code("def f(a, b):\n    return b + a\n") != plain
    assert code("@cache\ndef f(a, b):\n    return a + b\n") != plain
    assert code("def f(a, b=0):\n    return a + b\n") != plain
    assert code("def f():\n    return u'x'\n") == code('def f():\n    return "x"\n')


def test_offsets_are_code_points() -> None:
    text = 'é = "🙂🙂"; found = look("ö", 1)\n'
    found = outline(text)
    assert [text[each.start : each.end] for each in found.statements] == ['é = "🙂🙂"', 'found = look("ö", 1)']
    assert 'look("ö", 1)' in {text[each.start : each.end] for each in found.expressions}


def test_what_shares_a_name_is_told_apart_by_its_parameters() -> None:
    text = "@overload\ndef f(a: int) -> int: ...\n@overload\ndef f(a: str) -> str: ...\ndef f(a): return a\n"
    assert len({each.key for each in outline(text).declared}) == 3
    assert python_outline("print 'two'\n") is None


def changes(found: Histories) -> dict[str, Case]:
    return {f"{case.subject} {case.symbol}": case for pair in found.pairs for case in pair.cases if case.symbol}


def sides(**texts: str) -> Sides:
    named = {f"{name}.py": text for name, text in texts.items()}
    return Sides(texts=named, outlines={name: outline(text) for name, text in named.items()})


def test_what_became_of_declarations() -> None:
    new = (
        OLD.replace('"""Read it."""', '"""Read a file."""')
        .replace("import os\n", "import os\nimport sys\n")
        .replace("return self._size", "return self._size or 0")
        .replace("def old_name", "def new_name")
    )
    cut = new.index("def left"), new.index("def new_name")
    moved = new[cut[0] : cut[1]]
    found = changes(histories("p", sides(a=OLD, b="x = 1\n"), sides(a=new.replace(moved, ""), b=moved), 1))
    assert {name: (case.change, case.stale) for name, case in found.items()} == {
        "function kept": ("comments or layout", False),
        "class Box": ("changed", True),
        "method Box.size": ("shifted", False),
        "method Box.load": ("shifted", False),
        "function left": ("other file, unchanged", False),
        "function old_name": ("renamed, body kept", True),
    }
    assert found["function left"].path == "b.py"
    gone = changes(histories("p", sides(a=OLD), sides(a=OLD[: OLD.index("def left")]), 1))
    assert (gone["function left"].change, gone["function left"].places) == ("gone", ())


def test_what_cannot_be_told_is_left_out_and_counted() -> None:
    twice = "def f(a):\n    return a\n\n\ndef f(a):\n    return a + 1\n"
    assert histories("p", sides(a=twice), sides(a=twice + "\n"), 1).left_out == {"the same name twice": 2}
    alike = OLD.replace("def left", "def right").replace("lower()", "upper()")
    assert histories("p", sides(a=OLD), sides(a=alike), 1).left_out == {"perhaps renamed": 1}


def test_a_comment_that_came_may_be_counted_in_or_not() -> None:
    old, new = "def f(a):\n    return a\n", "# Why.\ndef f(a):\n    return a  # so\n"
    (case,) = changes(histories("p", sides(a=old), sides(a=new), 1)).values()
    assert {new[place.start : place.end] for place in case.places} == {
        "def f(a):\n    return a",
        "def f(a):\n    return a  # so",
        "# Why.\ndef f(a):\n    return a",
        "# Why.\ndef f(a):\n    return a  # so",
    }


def test_regions_inside_functions() -> None:
    old = outline(OLD)
    new_text = OLD.replace("            raise KeyError(name)\n", "            # no\n            raise KeyError(name)\n")
    new_text = new_text.replace("        self.count += 1\n", "")
    found = {
        (case.subject, case.change, OLD[case.region.start : case.region.end]): new_text[
            case.places[0].start : case.places[0].end
        ]
        if case.places
        else None
        for case in inner_cases(OLD, old, new_text, outline(new_text))
    }
    assert found["line", "gone", "self.count += 1"] is None
    assert found["line", "kept, in a changed function", "raise KeyError(name)"] == "raise KeyError(name)"
    block = "if found is None:\n            raise KeyError(name)"
    assert found["block", "comments or layout", block] == block.replace("\n", "\n            # no\n")
    assert found["expression", "kept, in a changed function", "found is None"] == "found is None"
    assert found["lines", "kept", "total = first * 60 + second\n    return total // 3600"] is not None
    edited = inner_cases(
        "def f(a):\n    b = a\n    c = go(b, 1)\n    return c\n",
        outline("def f(a):\n    b = a\n    c = go(b, 1)\n    return c\n"),
        "def f(a):\n    b = a\n    c = go(b, 2)\n    return c\n",
        outline("def f(a):\n    b = a\n    c = go(b, 2)\n    return c\n"),
    )
    assert ("line", "edited", True) in {(case.subject, case.change, case.stale) for case in edited}


TYPESCRIPT = """import x from "x"

/** Adds. */
export function add(a: number, b: number) {
  return a + b
}

export class Box<T> {
  get size() { return 1 }
  constructor(readonly items: T[]) {}
  find(name: string): T | undefined {
    // 🙂 first
    return this.items.find((item) => item === name)
  }
}

export const twice = (n: number) => n * 2
app.init = function init() { this.cache = {} }
"""

SPELLING = "x = a1 + b1 * c1; y = (a1 + b1) * c1; k(x => x1); k((x) => (x1))"


@pytest.mark.slow
def test_typescript_is_outlined_by_its_own_printer() -> None:
    folder = CACHE / "tools"
    if shutil.which("node") is None or not (folder / ".ready").exists():
        pytest.skip(
            "needs node, and the typescript package in the bench's cache (tests/bench/anchors.py puts it there)"
        )
    laid_out = (
        TYPESCRIPT.replace('"x"', "'x'")
        .replace("return a + b\n", "return (a + b);\n")
        .replace("(item) =>", "item =>")
        .replace("// 🙂 first\n", "")
        .replace("{ this.cache = {} }", "{\n  this.cache = {};\n}")
    )
    found = typescript_outlines(
        {
            "a.ts": TYPESCRIPT,
            "b.ts": laid_out,
            "c.ts": TYPESCRIPT.replace("a + b", "a - b"),
            "d.ts": "class {",
            "e.ts": SPELLING,
        },
        folder,
    )
    assert set(found) == {"a.ts", "b.ts", "c.ts", "e.ts"}
    codes = {SPELLING[each.start : each.end]: each.code for each in found["e.ts"].expressions}
    assert codes["a1 + b1 * c1"] != codes["(a1 + b1) * c1"]
    assert codes["k(x => x1)"] == codes["k((x) => (x1))"]
    names = {each.name: each for each in found["a.ts"].declared}
    assert list(names) == ["add", "Box", "Box.size", "Box.constructor", "Box.find", "twice", "app.init"]
    add = names["add"]
    assert TYPESCRIPT[add.documented : add.start] == "/** Adds. */\n"
    assert TYPESCRIPT[add.start : add.end].startswith("export function add")
    assert add.documented < add.start
    find = names["Box.find"]
    assert TYPESCRIPT[find.start : find.end].endswith("=== name)\n  }")
    same = {each.name: each.code for each in found["b.ts"].declared}
    assert same == {name: each.code for name, each in names.items()}
    before = {TYPESCRIPT[each.start : each.end]: each.code for each in found["a.ts"].statements}
    after = {each.code for each in found["b.ts"].statements}
    assert set(before.values()) <= after
    assert {each.name for each in found["c.ts"].declared if each.code != same[each.name]} == {"add"}


def test_files_are_read_without_what_was_built(tmp_path: Path) -> None:
    folder = tmp_path / "npm" / "box-1.0"
    for name, data in {
        "src/a.ts": b"\xef\xbb\xbflet a\r\nlet b\r\n",
        "src/types.d.ts": b"declare const a: 1\n",
        "dist/a.js": b"var a\n",
        "other/b.ts": b"let c\n",
        "src/latin.ts": b"// caf\xe9\n",
        "README.md": b"# Box\n",
    }.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    assert read(Release("npm", "box", "1.0", ("src",)), tmp_path) == {
        "src/a.ts": "let a\nlet b\n",
        "README.md": "# Box\n",
    }
    assert len({pair.name for pair in PAIRS}) == len(PAIRS) >= 12
    assert {pair.old.registry for pair in PAIRS} == {"pypi", "npm"}


def test_places_in_a_text() -> None:
    text = "# one\n# two\n  f(a)  # three\n"
    start, end = text.index("f("), text.index("f(") + 4
    assert comment_above(text, start) == 0
    assert comment_above(text, 0) == 0
    assert text[end : comment_behind(text, end)] == "  # three"
    assert comment_behind("f(a) + 1\n", 4) == 4
    assert lines_of(text, start, end) == Span(start, len(text) - 1)
    assert trimmed("  a b ", 0, 6) == Span(2, 5)
    assert trimmed("   ", 0, 3) == Span(0, 0)
    assert [language_group(name) for name in ("a/b.tsx", "a.pyi", "README.md", "a.bin")] == [
        *("typescript", "python", "markdown", ""),
    ]


def test_a_pair_can_be_written_down() -> None:
    """The values are plain, so that a run can be kept."""
    case = Case(subject="line", change="kept", region=Span(0, 1), places=(Span(1, 2),), stale=False)
    pair = FilePair(group="edits", package="p", language="json", path="a", old="x", new="yx", cases=(case,))
    assert msgspec.json.decode(msgspec.json.encode(pair), type=FilePair) == pair
