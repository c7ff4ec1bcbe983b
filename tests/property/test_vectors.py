"""Vectors through any history of changes answer as vectors put together at once."""

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from memofs.model.memory import Memory
from memofs.recall.fields import document_of
from memofs.recall.index import EMPTY, LexicalIndex, change, slot_of
from memofs.recall.vectors import NO_VECTORS, OwnVectors, Vectors, best_cosines, changed, located, owners

DIMENSION = 4
IDS = [f"mem_{n:06d}" for n in range(30)]


def _memory(id_: str, text: str) -> Memory:
    return Memory(id=id_, kind="note", title=text, body=text, path=f".memofs/memory/{id_}.md", digest=text)


def _own(id_: str, seed: int) -> OwnVectors:
    rows = np.random.default_rng(seed).normal(size=(1 + seed % 3, DIMENSION)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return OwnVectors(id=id_, hashes=tuple(f"{seed}-{n}" for n in range(len(rows))), matrix=rows)


def _by_id(
    vectors: Vectors, index: LexicalIndex, query: NDArray[np.float32], ids: Sequence[str]
) -> Mapping[str, float]:
    found = best_cosines(vectors, query, size=index.size)
    slots = {id_: slot_of(index, id_) for id_ in ids}
    return {id_: float(found[slot]) for id_, slot in slots.items() if slot is not None and not np.isnan(found[slot])}


Steps = st.lists(
    st.tuples(st.sampled_from(["write", "embed", "remove"]), st.sampled_from(IDS), st.integers(0, 50)),
    max_size=60,
)


@given(Steps)
def test_any_history_equals_putting_together_at_once(steps: list[tuple[str, str, int]]) -> None:
    index, vectors = EMPTY, NO_VECTORS
    texts: dict[str, str] = {}
    own: dict[str, OwnVectors] = {}
    for what, id_, number in steps:
        if what == "write":
            texts[id_] = f"word{number} other{number % 7}"
            after = change(index, put=[document_of(_memory(id_, texts[id_]))])
            vectors, index = located(vectors, index, after, [id_]), after
        elif what == "embed" and id_ in texts:
            own[id_] = _own(id_, number)
            vectors = changed(vectors, index, put=[own[id_]])
        elif what == "remove" and id_ in texts:
            del texts[id_]
            own.pop(id_, None)
            after = change(index, removed=[id_])
            vectors, index = located(vectors, index, after, [id_]), after
    query = np.full(DIMENSION, 0.5, dtype=np.float32)
    expected = {id_: float((each.matrix @ query).max()) for id_, each in own.items()}
    assert _by_id(vectors, index, query, IDS) == pytest.approx(expected, abs=1e-6)
    assert owners(vectors) == {id_: each.hashes for id_, each in own.items()}


def test_a_write_shares_the_large_matrix() -> None:
    index = change(EMPTY, put=[document_of(_memory(id_, f"text {id_}")) for id_ in IDS])
    vectors = changed(NO_VECTORS, index, put=[_own(id_, 3) for id_ in IDS])
    after = change(index, put=[document_of(_memory("mem_new000", "something new"))])
    moved = located(vectors, index, after, ["mem_new000"])
    assert moved.parts[0].matrix is vectors.parts[0].matrix
    assert not moved.parts[0].matrix.flags.writeable
