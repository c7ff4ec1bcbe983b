"""A model that calls everything similar, from its folder to limits that fit it, with a real worker."""

import json
from pathlib import Path

import pytest

from e2e.memofs_program import Workspace, memory_file
from unit.embed.tiny_models import embedder_folder

DIRECTIONS = {"north": [1.0, 0.5, 0.0], "east": [1.0, 0.0, 0.5], "south": [1.0, -0.5, 0.0], "west": [1.0, 0.0, -0.5]}
"""The cosine of two neighbours is .8, of opposites .6: nothing is unlike anything."""
WORDS = tuple(DIRECTIONS)


def _write(workspace: Workspace, numbers: range) -> None:
    for number in numbers:
        word = WORDS[number % len(WORDS)]
        front = f"id: mem_{number:012d}\nkind: note\ntitle: {word} {number}"
        workspace.write(f".memofs/memory/{word}-{number}.md", memory_file(front, word))


@pytest.fixture
def tiny(workspace: Workspace, tmp_path: Path) -> Workspace:
    """Twenty-four memories and a tiny model in use; nothing is embedded yet."""
    _write(workspace, range(24))
    workspace.ok("config", "unset", "embedding")
    workspace.ok("model", "use", str(embedder_folder(tmp_path / "tiny", DIRECTIONS)))
    return workspace


def test_limits_follow_the_model(tiny: Workspace) -> None:
    assert tiny.json("status")["embedder"]["calibration"] is None
    tiny.ok("index")
    found = tiny.json("status")["embedder"]["calibration"]
    assert found["memories"] == 24
    assert found["cosineTau"] > 0.9, "a sixth of the others point the same way"
    assert found["tau"] > 0.6
    said = f"limits set from this store: evidence {found['tau']:.2f}, cosine {found['cosineTau']:.2f}"
    assert said in tiny.ok("status")
    assert said in tiny.ok("model", "list")
    assert "(set from this store)" in tiny.ok("recall", "north", "--explain")
    assert all(hit["signals"]["calibrated"] for hit in tiny.json("recall", "north", "--explain")["hits"])


def test_they_are_a_cache_of_one_model(tiny: Workspace) -> None:
    tiny.ok("index")
    path = tiny.root / ".memofs" / "indexes" / "calibration.json"
    before = json.loads(path.read_bytes())
    path.unlink()
    assert tiny.json("status")["embedder"]["calibration"] is None
    tiny.ok("index")
    assert json.loads(path.read_bytes()) == before
    tiny.ok("model", "use", "all-MiniLM-L6-v2")
    assert tiny.json("status")["embedder"]["calibration"] is None
    assert not any(hit["signals"]["calibrated"] for hit in tiny.json("recall", "north", "--explain")["hits"])


def test_they_are_set_again_when_the_store_has_grown_by_half(tiny: Workspace) -> None:
    tiny.ok("index")
    _write(tiny, range(24, 35))
    tiny.ok("index")
    assert tiny.json("status")["embedder"]["calibration"]["memories"] == 24
    _write(tiny, range(35, 36))
    tiny.ok("index")
    assert tiny.json("status")["embedder"]["calibration"]["memories"] == 36
