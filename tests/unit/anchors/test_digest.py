"""Hashes of regions with their layout set aside, and git's of files."""

import shutil
import subprocess
from pathlib import Path

import pytest

from anchor_texts import marked
from memofs.anchors.digest import blob_id, blob_id_of_text, normalised, text_digest
from memofs.anchors.source import Source
from memofs.model.place import Span


def digest(text: str) -> bytes:
    bare, span = marked(text)
    return text_digest(Source(bare), span)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("«a\nb»\n", "«a  \nb\t»\n"),
        ("«a\n  b»\n", "    «a\n      b»\n"),
        ("    «a\n      b»\n", "«    a\n      b»\n"),
        ("«\n\na\nb\n»", "«a\nb»"),
        ("«a\nb»\n", "«a\r\nb»\r\n"),
        ("«a\nb»\n", "«a\rb»\r"),
        ("«a»\n", "\ufeff«a»\n"),
        ("«a»\n", "«\ufeffa»\n"),
        ("x = «f(\n  a)»\n", "  x = «f(\n    a)»\n"),
    ],
)
def test_layout_does_not_count(one: str, other: str) -> None:
    assert digest(one) == digest(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("«a\n  b»\n", "«a\nb»\n"),
        ("«a b»\n", "«a  b»\n"),
        ("«a\n\nb»\n", "«a\nb»\n"),
        ("«a»\n", "«A»\n"),
    ],
)
def test_the_rest_counts(one: str, other: str) -> None:
    assert digest(one) != digest(other)


def test_normalised_text() -> None:
    text, span = marked("if a:\n    «for x in y:\n        f(x)  \n\n    g()»\n")
    assert normalised(Source(text), span) == "for x in y:\n    f(x)\n\ng()"
    assert normalised(Source("   "), Span(0, 3)) == ""


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
@pytest.mark.parametrize("data", [b"", b"a\n", b"a\r\nb\r\n", "é😀\n".encode()])
def test_blob_ids_are_gits(data: bytes, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(data.replace(b"\r\n", b"\n"))
    said = subprocess.run(["git", "hash-object", "--no-filters", str(file)], check=True, capture_output=True, text=True)
    assert blob_id(data) == said.stdout.strip()


def test_a_text_is_hashed_as_utf_8() -> None:
    assert blob_id_of_text("é\r\n") == blob_id("é\n".encode())
    assert len(blob_id_of_text("\ud800")) == 40
