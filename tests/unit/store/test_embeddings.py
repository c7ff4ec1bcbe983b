"""The vectors on disk: what comes back, what heals, and what is really gone."""

import base64
import json
import os
import stat
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from memofs.model.errors import Unavailable
from memofs.store.embeddings import ASIDE, EmbeddingsFile, Key, Rehydrated, Vectors

MODEL = "all-MiniLM-L6-v2:8199"
NOW_MS = 1_800_000_000_000


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "indexes" / "embeddings.jsonl"


def file_of(path: Path, model: str = MODEL, namespace: str = "memory") -> EmbeddingsFile:
    return EmbeddingsFile(path, model=model, namespace=namespace)


def vectors(keys: Iterable[Key], dimension: int = 4, salt: str = "") -> Vectors:
    """Chunks with vectors of their own: the same key and salt, the same vector."""
    listed = list(keys)
    rows = np.zeros((len(listed), dimension), np.float32)
    for row, key in zip(rows, listed, strict=True):
        seed = int.from_bytes(f"{key}{salt}".encode(), "big")
        row[:] = np.random.default_rng(seed).standard_normal(dimension)
        row /= np.linalg.norm(row)
    return Vectors(
        memories=tuple(memory for memory, _ in listed),
        chunks=tuple(chunk for _, chunk in listed),
        text_hashes=tuple(f"hash of {memory} {chunk}{salt}" for memory, chunk in listed),
        matrix=rows,
    )


def write(path: Path, keys: Iterable[Key], *, model: str = MODEL, salt: str = "") -> EmbeddingsFile:
    file = file_of(path, model)
    file.load()
    file.append(vectors(keys, salt=salt), now_ms=NOW_MS)
    return file


def loaded(path: Path, model: str = MODEL) -> Rehydrated:
    return file_of(path, model).load()


def as_map(found: Vectors) -> dict[Key, tuple[str, bytes]]:
    keys = zip(found.memories, found.chunks, strict=True)
    rows = (row.tobytes() for row in found.matrix)
    return dict(zip(keys, zip(found.text_hashes, rows, strict=True), strict=True))


def lines_of(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


A, B, C = ("mem_a", 0), ("mem_b", 0), ("mem_c", 0)


def test_what_was_written_comes_back(path: Path) -> None:
    given = vectors([A, ("mem_a", 1), B])
    file_of(path).append(given, now_ms=NOW_MS)
    found = loaded(path)
    assert found.problem is None
    assert as_map(found.vectors) == as_map(given)
    assert found.vectors.matrix.dtype == np.float32
    assert not found.vectors.matrix.flags.writeable


def test_a_line_has_the_documented_form(path: Path) -> None:
    given = vectors([("mem_a", 3)])
    file_of(path).append(given, now_ms=NOW_MS)
    (line,) = lines_of(path)
    vector = np.frombuffer(base64.b64decode(str(line.pop("vector"))), "<f4")
    assert_allclose(vector, given.matrix[0])
    assert line == {
        "id": "mem_a#3",
        "memory": "mem_a",
        "chunk": 3,
        "textHash": "hash of mem_a 3",
        "model": MODEL,
        "dim": 4,
        "namespace": "memory",
        "updatedAt": "2027-01-15T08:00:00Z",
    }


def test_without_a_file_there_is_nothing_and_nothing_is_wrong(path: Path) -> None:
    found = loaded(path)
    assert (found.problem, found.vectors.matrix.shape, found.vectors.memories) == (None, (0, 0), ())
    assert not path.exists()


def test_the_file_is_its_owners_alone(path: Path) -> None:
    write(path, [A])
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o644)
    write(path, [B])
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_last_line_of_a_chunk_counts(path: Path) -> None:
    write(path, [A, B])
    write(path, [A], salt=" again")
    found = as_map(loaded(path).vectors)
    assert found == {**as_map(vectors([B])), **as_map(vectors([A], salt=" again"))}


def test_vectors_of_another_model_are_never_mixed_in(path: Path) -> None:
    write(path, [A, B])
    write(path, [A], model="other:1", salt=" other")
    assert set(as_map(loaded(path).vectors)) == {A, B}
    assert set(as_map(loaded(path, "other:1").vectors)) == {A}
    assert as_map(loaded(path, "third:1").vectors) == {}


def test_namespaces_lie_side_by_side(path: Path) -> None:
    write(path, [A])
    other = file_of(path, namespace="graph")
    other.append(vectors([B]), now_ms=NOW_MS)
    assert set(as_map(loaded(path).vectors)) == {A}
    assert set(as_map(file_of(path, namespace="graph").load().vectors)) == {B}
    mine = write(path, [C])
    mine.forget(["mem_a"])
    assert set(as_map(file_of(path, namespace="graph").load().vectors)) == {B}
    mine.forget(["mem_b"])
    assert as_map(file_of(path, namespace="graph").load().vectors) == {}


def test_the_dimension_of_the_last_lines_holds(path: Path) -> None:
    write(path, [A, B])
    file = file_of(path)
    file.load()
    file.append(vectors([A], dimension=6), now_ms=NOW_MS)
    found = loaded(path)
    assert found.problem is None
    assert found.vectors.matrix.shape == (1, 6)
    assert file.dead == 2


def test_a_list_as_the_original_wrote_it_is_read(path: Path) -> None:
    path.parent.mkdir()
    line = {"id": "x", "memory": "mem_a", "chunk": 0, "textHash": "h", "model": MODEL, "dim": 2, "namespace": "memory"}
    path.write_text(json.dumps({**line, "embedding": [3.0, 4.0], "metadata": {"more": 1}}) + "\n")
    found = loaded(path)
    assert found.problem is None
    assert_allclose(found.vectors.matrix, [[0.6, 0.8]], atol=1e-6)


@pytest.mark.parametrize("cut", [1, 20, 100, 200])
def test_a_torn_last_line_is_dropped_and_cut_off(path: Path, cut: int) -> None:
    write(path, [A, B])
    whole = path.read_bytes()
    path.write_bytes(whole + whole.splitlines()[0][:cut])
    found = loaded(path)
    assert found.problem is not None
    assert (found.problem.code, found.problem.line, found.problem.severity) == ("tornLine", 2, "warning")
    assert set(as_map(found.vectors)) == {A, B}
    assert path.read_bytes() == whole
    assert loaded(path).problem is None


def test_a_whole_last_line_without_its_end_is_kept(path: Path) -> None:
    write(path, [A, B])
    path.write_bytes(path.read_bytes().removesuffix(b"\n"))
    assert loaded(path).problem is None
    write(path, [C])
    found = loaded(path)
    assert found.problem is None
    assert set(as_map(found.vectors)) == {A, B, C}


def spoil(line: bytes, how: str) -> bytes:
    if how == "garbage":
        return b"\x00\xff\x13 nothing of a line"
    if how == "blank":
        return b""
    if how == "cut":
        return line[: len(line) // 2]
    fields = json.loads(line)
    wrong: dict[str, object] = {
        "base64": "not base64 !",
        "short": base64.b64encode(b"1234").decode(),
        "nan": base64.b64encode(np.full(4, np.nan, "<f4").tobytes()).decode(),
    }
    return json.dumps({**fields, "vector": wrong[how]} if how in wrong else {**fields, **FIELDS[how]}).encode()


FIELDS: dict[str, dict[str, object]] = {
    "dimension": {"dim": 0, "vector": ""},
    "huge": {"vector": "", "embedding": [1e300, 0, 0, 0]},
    "negative": {"chunk": -1},
    "type": {"chunk": "one"},
}


@pytest.mark.parametrize("how", ["garbage", "blank", "cut", "base64", "short", "nan", *FIELDS])
def test_a_bad_line_in_the_middle_costs_that_line_and_is_named_once(path: Path, how: str) -> None:
    write(path, [A, B, C])
    lines = path.read_bytes().splitlines()
    lines[1] = spoil(lines[1], how)
    spoilt = b"\n".join(lines) + b"\n"
    path.write_bytes(spoilt)
    found = loaded(path)
    assert found.problem is not None
    assert (found.problem.code, found.problem.line) == ("corruptIndex", 1)
    assert set(as_map(found.vectors)) == {A, C}
    assert path.with_name(path.name + ASIDE).read_bytes() == spoilt
    again = loaded(path)
    assert again.problem is None
    assert as_map(again.vectors) == as_map(found.vectors)


def test_a_good_line_before_a_bad_one_of_the_same_chunk_is_kept(path: Path) -> None:
    write(path, [A, B])
    lines = path.read_bytes().splitlines()
    path.write_bytes(b"\n".join([lines[0], lines[0][:-40] + b"}", lines[1]]) + b"\n")
    assert loaded(path).problem is not None
    assert as_map(loaded(path).vectors) == as_map(vectors([A, B]))


def test_a_file_of_nothing_but_garbage_is_set_aside(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(os.urandom(5000) + b"\n")
    found = loaded(path)
    assert found.problem is not None
    assert found.problem.code == "corruptIndex"
    assert found.vectors.matrix.shape == (0, 0)
    assert path.read_bytes() == b""


def test_a_long_file_is_read_in_pieces(path: Path) -> None:
    keys = [(f"mem_{number:05}", 0) for number in range(3000)]
    given = vectors(keys, dimension=384)
    file_of(path).append(given, now_ms=NOW_MS)
    assert path.stat().st_size > 4 << 20
    found = loaded(path)
    assert found.problem is None
    assert as_map(found.vectors) == as_map(given)
    content = path.read_bytes()
    path.write_bytes(content[:4_200_000] + b"!" + content[4_200_000:])
    broken = loaded(path)
    assert broken.problem is not None
    assert len(broken.vectors.memories) == 2999


def test_lines_that_no_longer_count_go_when_they_are_over_half(path: Path) -> None:
    keys = [(f"mem_{number}", 0) for number in range(100)]
    file = write(path, keys)
    file.discard(keys[:50])
    assert (file.dead, len(lines_of(path))) == (50, 100)
    file.discard(keys[50:51])
    assert (file.dead, len(lines_of(path))) == (0, 49)
    assert set(as_map(loaded(path).vectors)) == set(keys[51:])
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_small_file_is_not_worth_compacting(path: Path) -> None:
    file = write(path, [A, B, C])
    file.discard([A, B])
    assert (file.dead, len(lines_of(path))) == (2, 3)


def test_replaced_lines_are_compacted_by_a_write_and_by_a_start(path: Path) -> None:
    keys = [(f"mem_{number}", 0) for number in range(40)]
    for round_ in range(3):
        write(path, keys, salt=f" {round_}")
    assert len(lines_of(path)) == 40
    assert as_map(loaded(path).vectors) == as_map(vectors(keys, salt=" 2"))
    path.write_bytes(path.read_bytes() * 3)
    assert len(lines_of(path)) == 120
    assert loaded(path).problem is None
    assert len(lines_of(path)) == 40


def test_after_a_change_of_model_the_old_lines_go_in_time(path: Path) -> None:
    keys = [(f"mem_{number}", 0) for number in range(60)]
    write(path, keys)
    new = file_of(path, "new:1")
    assert new.load().vectors.memories == ()
    new.append(vectors(keys[:50]), now_ms=NOW_MS)
    assert new.dead == 60 or len(lines_of(path)) == 50
    new.append(vectors(keys[50:]), now_ms=NOW_MS)
    new.append(vectors(keys[:1]), now_ms=NOW_MS)
    assert {line["model"] for line in lines_of(path)} == {"new:1"}


def test_forgetting_is_real(path: Path) -> None:
    file = write(path, [A, ("mem_a", 1), B])
    file.append(vectors([A], salt=" again"), now_ms=NOW_MS)
    write(path, [A], model="other:1")
    aside = path.with_name(path.name + ASIDE)
    aside.write_text("mem_a was here")
    file = file_of(path)
    file.load()
    file.forget({"mem_a"})
    assert "mem_a" not in path.read_text()
    assert not aside.exists()
    assert sorted(entry.name for entry in path.parent.iterdir()) == [path.name]
    assert set(as_map(loaded(path).vectors)) == {B}


def test_forgetting_without_a_file_is_nothing(path: Path) -> None:
    file_of(path).forget(["mem_a"])
    assert not path.exists()


def test_a_file_deleted_meanwhile_is_written_anew(path: Path) -> None:
    file = write(path, [A])
    path.unlink()
    path.parent.rmdir()
    file.append(vectors([B]), now_ms=NOW_MS)
    assert set(as_map(loaded(path).vectors)) == {B}


def test_a_link_out_of_the_folder_is_not_written_to(path: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_text("")
    path.parent.mkdir()
    path.symlink_to(outside)
    with pytest.raises(Unavailable) as caught:
        file_of(path).append(vectors([A]), now_ms=NOW_MS)
    assert caught.value.code == "indexWrite"
    assert outside.read_text() == ""


def test_what_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "indexes").write_text("a file where the folder should be")
    with pytest.raises(Unavailable, match="cannot be written") as caught:
        file_of(tmp_path / "indexes" / "embeddings.jsonl").append(vectors([A]), now_ms=NOW_MS)
    assert caught.value.hint is not None


def test_what_cannot_be_read_is_named(path: Path) -> None:
    path.mkdir(parents=True)
    found = loaded(path)
    assert found.problem is not None
    assert found.problem.code == "unreadable"


def test_what_another_process_wrote_since_is_read_and_nothing_twice(path: Path) -> None:
    file = write(path, [A])
    assert file.news().memories == ()
    write(path, [B, C])
    assert as_map(file.news()) == as_map(vectors([B, C]))
    assert file.news().memories == ()
    file.append(vectors([("mem_d", 0)]), now_ms=NOW_MS)
    assert file.news().memories == ()


def test_what_another_wrote_before_ones_own_lines_is_not_passed_over(path: Path) -> None:
    file = write(path, [A])
    write(path, [B])
    file.append(vectors([C]), now_ms=NOW_MS)
    assert set(as_map(file.news())) == {B, C}


def test_a_memory_that_another_is_still_writing_is_left_for_later(path: Path) -> None:
    file = write(path, [A])
    parts = [("mem_b", 0), ("mem_c", 0), ("mem_c", 1)]
    whole = path.read_bytes()
    write(path, parts)
    after = path.read_bytes()
    third = len(whole) + (len(after) - len(whole)) * 2 // 3
    path.write_bytes(after[:third])
    assert set(as_map(file.news(settled=False))) == {("mem_b", 0)}
    path.write_bytes(after)
    assert file.news(settled=False).memories == ()
    assert set(as_map(file.news())) == {("mem_c", 0), ("mem_c", 1)}


@pytest.mark.parametrize("how", ["rewritten", "removed", "shorter"])
def test_a_file_that_another_replaced_is_read_anew(path: Path, how: str) -> None:
    file = write(path, [A, B])
    if how == "rewritten":
        file_of(path, "", "-").forget(["mem_a"])
    elif how == "removed":
        path.unlink()
        write(path, [B])
    else:
        path.write_bytes(path.read_bytes().splitlines(keepends=True)[1])
    assert set(as_map(file.news())) == {B}


def test_news_are_of_ones_own_model_and_good_lines_only(path: Path) -> None:
    file = write(path, [A])
    write(path, [B], model="another")
    with path.open("ab") as raw:
        raw.write(b"garbage\n")
    file_of(path).append(vectors([C]), now_ms=NOW_MS)
    assert set(as_map(file.news())) == {C}


def test_without_mending_nothing_is_touched(path: Path) -> None:
    write(path, [A, B])
    torn = path.read_bytes()[:-30]
    path.write_bytes(torn)
    found = file_of(path).load(mend=False)
    assert (set(as_map(found.vectors)), found.problem, path.read_bytes()) == ({A}, None, torn)


def test_no_folder_above_its_own_is_made(tmp_path: Path) -> None:
    file = file_of(tmp_path / "gone" / "indexes" / "embeddings.jsonl")
    with pytest.raises(Unavailable):
        file.append(vectors([A]), now_ms=NOW_MS)
    assert list(tmp_path.iterdir()) == []


def test_nothing_to_append_writes_nothing(path: Path) -> None:
    file_of(path).append(vectors([]), now_ms=NOW_MS)
    assert not path.exists()


def test_two_writers_lose_nothing_of_each_other(path: Path) -> None:
    one, other = file_of(path), file_of(path)
    for number in range(20):
        one.append(vectors([(f"one_{number}", 0)]), now_ms=NOW_MS)
        other.append(vectors([(f"other_{number}", 0)]), now_ms=NOW_MS)
    found = loaded(path)
    assert found.problem is None
    assert len(found.vectors.memories) == 40


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["append", "discard", "forget", "restart"]),
        st.lists(
            st.tuples(st.sampled_from(["m1", "m2", "m3"]), st.integers(0, 2)), min_size=1, max_size=40, unique=True
        ),
        st.sampled_from(["", " x", " y"]),
    ),
    max_size=12,
)


@settings(max_examples=60, deadline=None)
@given(steps=STEPS)
def test_the_file_is_a_map_whatever_happens(
    steps: list[tuple[str, list[Key], str]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("any") / "embeddings.jsonl"
    file, expected = file_of(path), dict[Key, tuple[str, bytes]]()
    for what, keys, salt in steps:
        if what == "append":
            file.append(vectors(keys, salt=salt), now_ms=NOW_MS)
            expected |= as_map(vectors(keys, salt=salt))
        elif what == "discard":
            file.discard(keys)
            expected = {key: value for key, value in expected.items() if key not in keys}
            if path.exists():
                # Until the next compaction a discarded line is still there, so a restart brings it back.
                file.forget([])
        elif what == "forget":
            file.forget({memory for memory, _ in keys})
            gone = {memory for memory, _ in keys}
            expected = {key: value for key, value in expected.items() if key[0] not in gone}
        else:
            file = file_of(path)
            found = file.load()
            assert found.problem is None
            assert as_map(found.vectors) == expected
    assert as_map(loaded(path).vectors) == expected
