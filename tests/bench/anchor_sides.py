"""The releases of the packages with their outlines, worked out once and kept in the cache."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path

import msgspec

from bench import anchor_outline, anchor_python, anchor_typescript
from bench.anchor_cases import language_group
from bench.anchor_histories import Sides
from bench.anchor_outline import Outline
from bench.anchor_packages import Release, read, tools

__all__ = ["outlines", "side"]


def side(release: Release, cache: Path) -> Sides:
    """Return a release: fetched if need be, its outlines from the cache unless what makes them changed since."""
    texts = {path: text for path, text in read(release, cache).items() if language_group(path)}
    kept = (
        cache / "outlines" / f"{release.name.replace('/', '-').lstrip('@')}-{release.version}-{_maker(texts)}.msgpack"
    )
    if kept.exists():
        return Sides(texts=texts, outlines=msgspec.msgpack.decode(kept.read_bytes(), type=dict[str, Outline]))
    found = outlines(texts, cache)
    kept.parent.mkdir(parents=True, exist_ok=True)
    partial = kept.with_suffix(".partial")
    partial.write_bytes(msgspec.msgpack.encode(found))
    partial.rename(kept)
    return Sides(texts=texts, outlines=found)


def outlines(texts: Mapping[str, str], cache: Path) -> dict[str, Outline]:
    """Return the outlines of the Python, TypeScript and JavaScript files that parse; without node, of Python alone."""
    found: dict[str, Outline] = {}
    for path, text in texts.items():
        if language_group(path) == "python" and (outline := anchor_python.python_outline(text)) is not None:
            found[path] = outline
    scripts = {path: text for path, text in texts.items() if language_group(path) in {"typescript", "javascript"}}
    folder = tools(cache) if scripts else None
    if folder is not None:
        found |= anchor_typescript.typescript_outlines(scripts, folder)
    return found


def _maker(texts: Mapping[str, str]) -> str:
    """Return what changes when the texts or the way to outlines does."""
    hashed = blake2b(digest_size=6)
    for module in (anchor_outline, anchor_python, anchor_typescript):
        hashed.update(Path(str(module.__file__)).read_bytes())
    hashed.update(Path(str(anchor_typescript.__file__)).with_suffix(".mjs").read_bytes())
    for path, text in texts.items():
        hashed.update(f"{path}\0{len(text)}\0".encode())
    return hashed.hexdigest()
