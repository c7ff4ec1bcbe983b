"""The shape of a file while somebody types: what is taken over from the version before is what would be made anew."""

import random
from pathlib import Path

import pytest

from memofs.anchors.language import language_of
from memofs.anchors.shape import shape_of_file
from memofs.anchors.source import Source

ROOT = Path(__file__).parents[1] / "data" / "sample"
FILES = sorted(path for path in ROOT.rglob("*") if path.suffix in {".py", ".ts", ".tsx", ".js", ".sql", ".md", ".yml"})
PIECES = (
    "x",
    "()",
    "\n",
    "    ",
    "# é😀\n",
    "import os\n",
    '"',
    "}",
    "{",
    "return 1",
    "",
    "",
    "",
    "def f():\n    pass\n",
)
ROUNDS = 40


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_typed_text_has_the_shape_that_it_has_read_at_once(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    language = language_of(path.name, text.partition("\n")[0])
    drawn = random.Random(path.name)
    before = Source(text, language)
    shape_of_file(before)
    for _ in range(ROUNDS):
        start = drawn.randrange(len(text) + 1)
        end = min(len(text), start + drawn.choice([0, 0, 1, 3, 30]))
        text = text[:start] + drawn.choice(PIECES) + text[end:]
        typed = Source(text, language, previous=before)
        if drawn.random() < 0.8:  # now and then a version is not asked for its shape
            fresh = Source(text, language)
            if str(typed.root) == str(fresh.root):  # else the grammar has recovered from a fault in another way
                assert shape_of_file(typed) == shape_of_file(fresh)
        before = typed
