"""What briefings left out: kept by handle, for the last 256, whatever else happens to the folder."""

import os
import textwrap
from pathlib import Path

import pytest

from memofs.store.handles import MOST_HANDLES, Handles
from memofs.store.store import Store
from unit.store.on_disk import needs_permissions, run, start

WRITER = textwrap.dedent("""\
    import sys
    from memofs.store.layout import Layout
    from memofs.store.handles import Handles

    handles, name = Handles(Layout.of(sys.argv[1])), sys.argv[2]
    for number in range(200):
        assert handles.keep(f"{name}-{number}", f"{name} {number}".encode() * 500)
        assert handles.keep(f"shared-{number}", b"the same request " * 500)
    """)

KEEP = textwrap.dedent("""\
    import json, sys
    from memofs.store.layout import Layout
    from memofs.store.handles import Handles

    layout = Layout.of(sys.argv[1])
    handles = Handles(layout)
    kept = handles.keep("new", b"list")
    print(json.dumps([kept, handles.find("new") == b"list", Handles(layout).find("new") is None]))
    """)


def _keep(store: Store, handle: str, data: bytes) -> bool:
    return Handles(store.layout).keep(handle, data)


def _find(store: Store, handle: str) -> bytes | None:
    """What another process finds."""
    return Handles(store.layout).find(handle)


def _folder(store: Store) -> Path:
    return store.layout.indexes / "briefings"


def test_what_was_kept_comes_back_as_it_was(store: Store) -> None:
    assert _find(store, "aBc") is None
    assert _keep(store, "aBc", b"one")
    assert _keep(store, "AbC", b"two")
    assert (_find(store, "aBc"), _find(store, "AbC")) == (b"one", b"two")
    assert _keep(store, "aBc", b"three")
    assert _find(store, "aBc") == b"three"
    assert {path.stat().st_mode & 0o777 for path in _folder(store).iterdir()} == {0o600}


@pytest.mark.parametrize("handle", ["", "../../../etc/passwd", "/etc/passwd", "a\0b", "\udcff", "x" * 100_000])
def test_a_handle_is_never_a_way_elsewhere(store: Store, handle: str) -> None:
    assert _find(store, handle) is None
    assert _keep(store, handle, b"data")
    assert _find(store, handle) == b"data"
    assert len(list(_folder(store).iterdir())) == 1


def test_the_last_ones_stay(store: Store) -> None:
    for number in range(MOST_HANDLES + 100):
        assert _keep(store, str(number), str(number).encode())
        newest = max(_folder(store).iterdir(), key=lambda path: path.stat().st_mtime_ns)
        os.utime(newest, ns=(number, number))  # clocks of file systems may be coarse
    kept = [number for number in range(MOST_HANDLES + 100) if _find(store, str(number)) is not None]
    assert len(kept) >= MOST_HANDLES
    assert kept == list(range(MOST_HANDLES + 100 - len(kept), MOST_HANDLES + 100))
    assert len(kept) < MOST_HANDLES + 64


def test_many_processes_at_once_spoil_nothing(store: Store) -> None:
    writers = [start(WRITER, store.layout.root, f"writer{number}") for number in range(3)]
    for writer in writers:
        _, errors = writer.communicate(timeout=120)
        assert writer.returncode == 0, errors.decode()
    names = [f"writer{writer}-{number}" for writer in range(3) for number in range(200)]
    found = {name: data for name in names if (data := _find(store, name)) is not None}
    assert found
    for name, data in found.items():
        assert data == name.replace("-", " ").encode() * 500
    shared = [_find(store, f"shared-{number}") for number in range(200)]
    assert set(shared) <= {None, b"the same request " * 500}
    assert [path.name for path in _folder(store).iterdir() if path.suffix != ".json"] == []


def test_damage_is_a_miss(store: Store) -> None:
    assert _keep(store, "a", b"data")
    path = next(_folder(store).iterdir())
    path.write_bytes(b"")
    assert _find(store, "a") is None
    path.unlink()
    path.mkdir()
    assert _find(store, "a") is None
    assert not _keep(store, "a", b"data")
    path.rmdir()
    os.mkfifo(path)
    assert _find(store, "a") is None, "and nothing waits for a writer"
    assert _keep(store, "a", b"data")
    assert _find(store, "a") == b"data"


def test_what_is_too_large_is_not_kept(store: Store) -> None:
    assert not _keep(store, "a", b"x" * (1 << 20))
    assert _find(store, "a") is None


def test_a_folder_that_leads_elsewhere_is_left_alone(store: Store, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    _folder(store).symlink_to(outside)
    assert not _keep(store, "a", b"data")
    assert _find(store, "a") is None
    assert list(outside.iterdir()) == []


def test_a_read_only_workspace_keeps_it_for_this_process_and_says_so(store: Store) -> None:
    store.layout.indexes.chmod(0o500)
    try:
        answer = run(KEEP, store.layout.root, answer=list[bool], prefix=needs_permissions())
    finally:
        store.layout.indexes.chmod(0o700)
    assert answer == [False, True, True]
