"""Changes made by others, one batch a storm, on real files."""

import asyncio
import os
import shutil
import subprocess
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing

import pytest

from memofs.store.store import Store
from memofs.store.watch import EVERYTHING, watch
from unit.store.on_disk import NOW_MS, commit, creation, memory_bytes, put, run

QUIET_MS = 300
"""Longer than a loaded machine pauses between two writes of a loop."""
TIMEOUT_S = 60

Batches = AsyncGenerator[frozenset[str]]


def watched(
    store: Store,
    scenario: Callable[[Batches], Awaitable[None]],
    *,
    force_polling: bool = False,
    quiet_ms: int = QUIET_MS,
) -> None:
    """Run the scenario on the batches, after the first, and see that watching stops when it is told to."""

    async def main() -> None:
        stop = asyncio.Event()
        async with (
            asyncio.timeout(TIMEOUT_S),
            aclosing(watch(store.layout, stop=stop, quiet_ms=quiet_ms, force_polling=force_polling)) as batches,
        ):
            assert await anext(batches) == EVERYTHING
            await scenario(batches)
            stop.set()
            assert [batch async for batch in batches] == []

    asyncio.run(main())


async def until(batches: Batches, paths: set[str]) -> list[frozenset[str]]:
    """The batches up to the one that completes the paths."""
    seen: list[frozenset[str]] = []
    while paths - frozenset().union(*seen):
        seen.append(await anext(batches))
    return seen


@pytest.mark.parametrize("force_polling", [False, True])
def test_a_storm_of_writes_is_one_batch(store: Store, force_polling: bool) -> None:
    async def scenario(batches: Batches) -> None:
        names = [f"{number} #%é🚀.md" for number in range(200)]
        for name in names:
            put(store, name, memory_bytes())
        paths = {f".memofs/memory/{name}" for name in names}
        seen = await until(batches, paths)
        assert frozenset().union(*seen) - {".memofs/memory"} == paths
        # Polling looks once a second, so it may look in the middle of the storm.
        assert len(seen) == 1 or (force_polling and len(seen) == 2)

    watched(store, scenario, force_polling=force_polling)


def test_what_is_private_or_half_written_is_no_change(store: Store) -> None:
    async def scenario(batches: Batches) -> None:
        for folder in (store.layout.tmp, store.layout.indexes, store.layout.snapshots, store.layout.events.parent):
            (folder / "x.md").write_text("x")
        put(store, ".memofs-1.tmp", "x")
        put(store, ".git/x.md", "x")
        (store.layout.base / "other.json").write_text("x")
        put(store, "core.md", "# Core")
        (store.layout.graph / "nodes.jsonl").write_text("x")
        store.layout.config.write_text("{}")
        wanted = {".memofs/memory/core.md", ".memofs/graph/nodes.jsonl", ".memofs/config.json"}
        seen = await until(batches, wanted)
        assert frozenset().union(*seen) - {".memofs/memory", ".memofs/graph"} == wanted

    watched(store, scenario)


def test_an_own_write_is_named_and_is_no_change_when_it_is_looked_at(store: Store) -> None:
    async def scenario(batches: Batches) -> None:
        store.load(now_ms=NOW_MS)
        edit = creation("a.md", memory_bytes())
        commit(store, edit)
        assert len(store.refresh([edit.path], now_ms=NOW_MS).put) == 1
        for batch in await until(batches, {edit.path}):
            change = store.refresh(batch, now_ms=NOW_MS)
            assert (change.put, change.removed) == ((), ())

    watched(store, scenario)


def test_renames_and_removals_name_the_paths_that_are_gone(store: Store) -> None:
    put(store, "old.md", memory_bytes())
    put(store, "sub/a.md", memory_bytes("mem_bbbbbb"))

    async def scenario(batches: Batches) -> None:
        store.load(now_ms=NOW_MS)
        memory = store.layout.memory
        (memory / "old.md").rename(memory / "new.md")
        (memory / "sub").rename(memory / "moved")
        wanted = {f".memofs/memory/{name}" for name in ("old.md", "new.md", "sub", "moved")}
        seen = await until(batches, wanted)
        change = store.refresh({path for batch in seen for path in batch}, now_ms=NOW_MS)
        assert [memory.path for memory in change.put] == [".memofs/memory/new.md", ".memofs/memory/moved/a.md"]
        assert change.removed == ()

    watched(store, scenario)


def test_switching_branches_is_one_storm_and_the_records_follow(store: Store) -> None:
    root = store.layout.root
    settings = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}

    def git(*arguments: str) -> None:
        identity = ["-c", "user.name=x", "-c", "user.email=x@example.invalid", "-c", "init.defaultBranch=main"]
        command = ["git", *identity, *arguments]
        subprocess.run(command, cwd=root, check=True, capture_output=True, env=os.environ | settings)

    def ids() -> set[str]:
        return {memory.id for memory in Store(root).load(now_ms=NOW_MS).memories}

    git("init")
    for number in range(150):
        put(store, f"{number}.md", memory_bytes(f"mem_aaa{number:03}"))
    git("add", ".")
    git("commit", "-m", "main")
    git("checkout", "-b", "other")
    for number in range(50, 250):
        put(store, f"{number}.md", memory_bytes(f"mem_bbb{number:03}"))
    (store.layout.memory / "0.md").unlink()
    git("add", ".")
    git("commit", "-m", "other")

    async def scenario(batches: Batches) -> None:
        known = {memory.id for memory in store.load(now_ms=NOW_MS).memories}
        for branch in ("main", "other"):
            await asyncio.to_thread(git, "checkout", branch)
            wanted = ids()
            count = 0
            while known != wanted:
                change = store.refresh(await anext(batches), now_ms=NOW_MS)
                known = (known - set(change.removed)) | {memory.id for memory in change.put}
                count += 1
            assert count == 1

    watched(store, scenario)


def test_a_memofs_that_is_replaced_is_everything_anew(store: Store) -> None:
    put(store, "a.md", memory_bytes())
    base = store.layout.base
    aside = base.with_name("aside")

    async def scenario(batches: Batches) -> None:
        base.rename(aside)
        shutil.copytree(aside, base)
        while await anext(batches) != EVERYTHING:
            pass
        put(store, "b.md", memory_bytes())
        await until(batches, {".memofs/memory/b.md"})

    watched(store, scenario)


def test_leaving_early_ends_the_watching(store: Store) -> None:
    async def main() -> None:
        stop = asyncio.Event()
        async with asyncio.timeout(TIMEOUT_S), aclosing(watch(store.layout, stop=stop)) as batches:
            async for _ in batches:
                break
        assert len(asyncio.all_tasks()) == 1

    asyncio.run(main())


POLLED = """
import asyncio, json, sys
from pathlib import Path
from memofs.store.layout import Layout
from memofs.store.watch import watch

async def main():
    seen = []
    async with asyncio.timeout(60):
        async for batch in watch(Layout.of(sys.argv[1]), stop=asyncio.Event()):
            Path(sys.argv[1], ".memofs/memory/a.md").write_text("# A")
            seen.append(sorted(batch))
            if ".memofs/memory/a.md" in batch:
                break
    print(json.dumps(seen))

asyncio.run(main())
"""

NO_INOTIFY = ("unshare", "-Ur", "sh", "-c", 'echo 0 > /proc/sys/user/max_inotify_instances && exec "$@"', "sh")


def test_where_the_system_cannot_notify_the_files_are_polled(store: Store) -> None:
    try:
        possible = subprocess.run([*NO_INOTIFY, "true"], check=False, capture_output=True).returncode == 0
    except FileNotFoundError:
        possible = False
    if not possible:
        pytest.skip("no user name space to take inotify away in (needs Linux)")
    batches = run(POLLED, store.layout.root, prefix=NO_INOTIFY, answer=list[list[str]])
    assert set(batches[0]) == EVERYTHING
    assert ".memofs/memory/a.md" in batches[-1]
