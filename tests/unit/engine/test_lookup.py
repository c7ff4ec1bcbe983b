from collections.abc import Mapping

import pytest

from memofs.engine.lookup import find_all, find_one
from memofs.model.errors import InvalidRequest, NotFound
from memofs.model.memory import Memory


def _memories(*ids: str) -> Mapping[str, Memory]:
    return {
        id_: Memory(id=id_, kind="note", title=f"About {id_}", body="", path=f".memofs/memory/{id_}.md", digest="")
        for id_ in ids
    }


MEMORIES = _memories("mem_01k9d3v7q2xh", "mem_01k9d3v7q2zz", "mem_01kaaaaaa7xh")


@pytest.mark.parametrize(
    "text",
    ["mem_01k9d3v7q2xh", "MEM_01K9D3V7Q2XH", " mem_01k9d3v7q2xh ", "mem_01k9d3v7q2x", "01k9d3v7q2x", "q2xh"],
)
def test_ways_to_name_a_memory(text: str) -> None:
    assert find_one(MEMORIES, text).id == "mem_01k9d3v7q2xh"


def test_several_fit() -> None:
    with pytest.raises(InvalidRequest, match="fits 2 memories: mem_01k9d3v7q2xh") as caught:
        find_one(MEMORIES, "01k9d3v7")
    assert caught.value.code == "ambiguousId"


def test_too_short() -> None:
    with pytest.raises(InvalidRequest, match="too short"):
        find_one(MEMORIES, "mem_xh")


def test_a_short_beginning_does_not_count_as_one() -> None:
    with pytest.raises(NotFound):
        find_one(MEMORIES, "01k9")


def test_each_memory_once_in_the_order_given() -> None:
    found = find_all(MEMORIES, ["q2zz", "q2xh", "mem_01k9d3v7q2zz"])
    assert [memory.id for memory in found] == ["mem_01k9d3v7q2zz", "mem_01k9d3v7q2xh"]
