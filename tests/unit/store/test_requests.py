"""What briefings were asked with: kept by handle, for the last 256, whatever else happens to the folder."""

import os
import textwrap
from pathlib import Path

import pytest

from memofs.store.requests import MOST_REQUESTS, keep_request, load_request
from memofs.store.store import Store
from unit.store.on_disk import needs_permissions, run, start

WRITER = textwrap.dedent("""\
    import sys
    from memofs.store.layout import Layout
    from memofs.store.requests import keep_request

    layout, name = Layout.of(sys.argv[1]), sys.argv[2]
    for number in range(200):
        assert keep_request(layout, f"{name}-{number}", f"{name} {number}".encode() * 500)
        assert keep_request(layout, f"shared-{number}", b"the same request " * 500)
    """)

KEEP = textwrap.dedent("""\
    import json, sys
    from memofs.store.layout import Layout
    from memofs.store.requests import keep_request, load_request

    layout = Layout.of(sys.argv[1])
    kept = keep_request(layout, "new", b"request")
    print(json.dumps([kept, load_request(layout, "new") is None]))
    """)


def _folder(store: Store) -> Path:
    return store.layout.indexes / "briefings"


def test_a_request_comes_back_as_it_was(store: Store) -> None:
    assert load_request(store.layout, "aBc") is None
    assert keep_request(store.layout, "aBc", b"one")
    assert keep_request(store.layout, "AbC", b"two")
    assert (load_request(store.layout, "aBc"), load_request(store.layout, "AbC")) == (b"one", b"two")
    assert keep_request(store.layout, "aBc", b"three")
    assert load_request(store.layout, "aBc") == b"three"
    assert {path.stat().st_mode & 0o777 for path in _folder(store).iterdir()} == {0o600}


@pytest.mark.parametrize("handle", ["", "../../../etc/passwd", "/etc/passwd", "a\0b", "\udcff", "x" * 100_000])
def test_a_handle_is_never_a_way_elsewhere(store: Store, handle: str) -> None:
    assert load_request(store.layout, handle) is None
    assert keep_request(store.layout, handle, b"data")
    assert load_request(store.layout, handle) == b"data"
    assert len(list(_folder(store).iterdir())) == 1


def test_the_last_ones_stay(store: Store) -> None:
    for number in range(MOST_REQUESTS + 100):
        assert keep_request(store.layout, str(number), str(number).encode())
        newest = max(_folder(store).iterdir(), key=lambda path: path.stat().st_mtime_ns)
        os.utime(newest, ns=(number, number))  # clocks of file systems may be coarse
    kept = [number for number in range(MOST_REQUESTS + 100) if load_request(store.layout, str(number)) is not None]
    assert len(kept) >= MOST_REQUESTS
    assert kept == list(range(MOST_REQUESTS + 100 - len(kept), MOST_REQUESTS + 100))
    assert len(kept) < MOST_REQUESTS + 64


def test_many_processes_at_once_spoil_nothing(store: Store) -> None:
    writers = [start(WRITER, store.layout.root, f"writer{number}") for number in range(3)]
    for writer in writers:
        _, errors = writer.communicate(timeout=120)
        assert writer.returncode == 0, errors.decode()
    names = [f"writer{writer}-{number}" for writer in range(3) for number in range(200)]
    found = {name: data for name in names if (data := load_request(store.layout, name)) is not None}
    assert found
    for name, data in found.items():
        assert data == name.replace("-", " ").encode() * 500
    shared = [load_request(store.layout, f"shared-{number}") for number in range(200)]
    assert set(shared) <= {None, b"the same request " * 500}
    assert [path.name for path in _folder(store).iterdir() if path.suffix != ".json"] == []


def test_damage_is_a_miss(store: Store) -> None:
    assert keep_request(store.layout, "a", b"data")
    path = next(_folder(store).iterdir())
    path.write_bytes(b"")
    assert load_request(store.layout, "a") is None
    path.unlink()
    path.mkdir()
    assert load_request(store.layout, "a") is None
    assert not keep_request(store.layout, "a", b"data")
    path.rmdir()
    os.mkfifo(path)
    assert load_request(store.layout, "a") is None, "and nothing waits for a writer"
    assert keep_request(store.layout, "a", b"data")
    assert load_request(store.layout, "a") == b"data"


def test_what_is_too_large_is_not_kept(store: Store) -> None:
    assert not keep_request(store.layout, "a", b"x" * (1 << 20))
    assert load_request(store.layout, "a") is None


def test_a_folder_that_leads_elsewhere_is_left_alone(store: Store, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    _folder(store).symlink_to(outside)
    assert not keep_request(store.layout, "a", b"data")
    assert load_request(store.layout, "a") is None
    assert list(outside.iterdir()) == []


def test_a_read_only_workspace_keeps_nothing_and_says_so(store: Store) -> None:
    store.layout.indexes.chmod(0o500)
    try:
        answer = run(KEEP, store.layout.root, answer=list[bool], prefix=needs_permissions())
    finally:
        store.layout.indexes.chmod(0o700)
    assert answer == [False, True]
