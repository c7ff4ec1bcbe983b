"""The store as a whole, where its parts meet."""

import pytest

from memofs.model.errors import NotFound, Refused
from memofs.store.store import MOST_CORE_BYTES, Store
from unit.store.on_disk import memory_bytes, put


def test_text_is_shown_as_it_is_on_the_disk(store: Store) -> None:
    path = put(store, "a.md", b"\xef\xbb\xbf# A\r\ncaf\xe9")
    assert store.read_text(path) == "\ufeff# A\r\ncaf\ufffd"
    assert store.read_bytes(path) == b"\xef\xbb\xbf# A\r\ncaf\xe9"
    with pytest.raises(NotFound):
        store.read_text(".memofs/memory/nothing.md")
    with pytest.raises(NotFound):
        store.read_text(".memofs/memory")
    with pytest.raises(Refused):
        store.read_text("../x")


def test_the_standing_briefing_is_plain_text(store: Store) -> None:
    assert store.core().startswith("# Test\n")
    store.layout.core.write_bytes(b"\xef\xbb\xbf# Core\r\n\r\nText")
    assert store.core() == "# Core\n\nText"
    assert store.core(most_bytes=11) == "# Core\n"
    store.layout.core.write_bytes(b"x" * (MOST_CORE_BYTES + 1))
    assert len(store.core()) == MOST_CORE_BYTES
    store.layout.core.unlink()
    assert store.core() == ""


def test_a_store_that_is_as_it_should_be_has_no_faults(store: Store) -> None:
    put(store, "a.md", memory_bytes())
    store.load(now_ms=0)
    store.save(b"index")
    assert (store.is_writable(), store.faults(), store.degraded()) == (True, (), ())
    assert store.load_index() == b"index"
