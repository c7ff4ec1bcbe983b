"""The packages the benchmark of anchors runs over, fetched from PyPI and npm into a cache.

Invariant: nothing fetched is ever committed or imported; a release is unpacked once, whole or not at all, and only its
text files are kept. Releases are pinned, so that two runs see the same code.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Final, Literal

import msgspec

__all__ = ["CACHE", "EXTRA", "PAIRS", "Pair", "Release", "fetch", "read", "read_folder", "tools"]

CACHE: Final = Path(__file__).resolve().parents[2] / ".cache" / "anchors"
Registry = Literal["pypi", "npm"]


class Release(msgspec.Struct, frozen=True):
    """One release of a package. `under` are the folders whose files are looked at, all if empty."""

    registry: Registry
    name: str
    version: str
    under: tuple[str, ...] = ()


class Pair(msgspec.Struct, frozen=True):
    """Two releases of a package, some versions apart."""

    old: Release
    new: Release

    @property
    def name(self) -> str:
        """The package's name."""
        return self.old.name


def _pypi(name: str, old: str, new: str, *under: str) -> Pair:
    return Pair(Release("pypi", name, old, under), Release("pypi", name, new, under))


def _npm(name: str, old: str, new: str, *under: str) -> Pair:
    return Pair(Release("npm", name, old, under), Release("npm", name, new, under))


PAIRS: Final = (
    _pypi("requests", "2.25.1", "2.32.3", "requests"),
    _pypi("flask", "2.0.3", "3.0.3", "flask"),
    _pypi("click", "8.0.4", "8.1.8", "click"),
    _pypi("rich", "12.6.0", "13.9.4", "rich"),
    _pypi("httpx", "0.22.0", "0.27.2", "httpx"),
    _pypi("attrs", "21.4.0", "24.2.0", "attr"),
    _pypi("pydantic", "2.5.3", "2.9.2", "pydantic"),
    _pypi("jinja2", "2.10.3", "2.11.3", "jinja2"),
    _pypi("werkzeug", "1.0.1", "2.3.8", "werkzeug"),
    _pypi("starlette", "0.20.4", "0.41.3", "starlette"),
    _pypi("pytest", "7.1.3", "8.2.2", "_pytest"),
    _pypi("ansible-core", "2.13.13", "2.16.6", "ansible/config", "ansible/galaxy", "ansible/cli", "ansible/parsing"),
    _pypi("django", "4.1.13", "5.1.4", "django/db/models", "django/http", "django/forms", "django/template"),
    _npm("zod", "3.25.76", "4.1.13", "src"),
    _npm("rxjs", "7.0.1", "7.8.1", "src"),
    _npm("@reduxjs/toolkit", "1.9.7", "2.2.7", "src"),
    _npm("@tanstack/query-core", "4.36.1", "5.59.20", "src"),
    _npm("@tanstack/react-query", "4.36.1", "5.59.20", "src"),
    _npm("@react-spectrum/table", "3.8.0", "3.15.1", "src"),
    _npm("ajv", "8.0.5", "8.17.1", "lib"),
    _npm("mobx", "6.3.13", "6.13.5", "src"),
    _npm("immer", "9.0.21", "10.1.1", "src"),
    _npm("express", "4.17.3", "5.0.1"),
    _npm("fastify", "4.10.2", "5.2.2"),
    _npm("commander", "9.5.0", "12.1.0"),
    _npm("undici", "5.28.4", "6.21.0"),
    _npm("axios", "1.1.3", "1.7.9", "lib"),
    _npm("koa", "2.13.4", "2.16.1"),
    _npm("eslint", "8.23.1", "9.17.0", "lib/cli-engine", "lib/linter", "lib/rule-tester", "lib/rules", "lib/eslint"),
    _npm("webpack", "5.74.0", "5.97.1", "lib/util", "lib/optimize", "lib/javascript", "lib/node", "schemas/plugins"),
)
"""Both releases of each can be fetched, hold the source people wrote (not only what was built from it), and differ."""

EXTRA: Final = (
    Release("npm", "@capacitor/android", "4.8.2"),
    Release("npm", "node-addon-api", "7.1.1"),
    Release("npm", "edge-js", "22.1.1", ("src",)),
    Release("npm", "bats", "1.11.0"),
    Release("npm", "@wordpress/block-library", "9.0.0", ("src",)),
)
"""Code in languages of which no truth over two releases is to be had: Java, C++, C#, Bash and PHP, for edits only."""

_TOOLS: Final = ("typescript@5.6.3", "prettier@3.4.2")
_DEADLINE_S: Final = 300.0
_LARGEST_BYTES: Final = 400_000
_ENDINGS: Final = frozenset(
    {
        *(".py", ".pyi", ".ts", ".tsx", ".mts", ".js", ".jsx", ".mjs", ".cjs", ".md", ".yml", ".yaml", ".json"),
        *(".java", ".h", ".hpp", ".cpp", ".c", ".cs", ".bash", ".sh", ".php", ".go", ".rs", ".rb"),
    }
)
_GENERATED: Final = (".d.ts", ".min.js", ".check.js", "configValidator.js", "jquery.js", "error-serializer.js")
_BUILT: Final = frozenset({"dist", "build", "node_modules", "vendor", "_vendor", "cjs", "esm", "umd", "legacy"})


def fetch(release: Release, cache: Path) -> Path:
    """Return the folder of a release, fetched by pip or npm if it is not there yet."""
    folder = cache / release.registry / f"{release.name.replace('/', '-').lstrip('@')}-{release.version}"
    if folder.is_dir():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as work:
        archive = Path(work, "archive")
        archive.mkdir()
        _run(_command(release, archive), archive)
        unpacked = Path(work, "unpacked")
        for name, data in _members(next(archive.iterdir()), release.registry):
            if name.suffix in _ENDINGS and len(data) <= _LARGEST_BYTES:
                path = unpacked.joinpath(*name.parts)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
        unpacked.rename(folder)
    return folder


def read(release: Release, cache: Path) -> dict[str, str]:
    """Return the text of each file of a fetched release, by path in it, line ends made `\\n`.

    Without what was built or generated and what is not UTF-8; of code, what is in `under`.
    """
    return read_folder(fetch(release, cache), release.under)


def read_folder(root: Path, under: Sequence[str] = ()) -> dict[str, str]:
    """Return the text of each file in a folder, as of a release's."""
    texts: dict[str, str] = {}
    for path in sorted(root.rglob("*")):
        place = PurePosixPath(path.relative_to(root).as_posix())
        if (
            path.suffix not in _ENDINGS
            or not path.is_file()
            or _BUILT.intersection(place.parts)
            or place.name.endswith(_GENERATED)
        ):
            continue
        prose = len(place.parts) == 1 and place.suffix in {".md", ".json"}
        if under and not prose and not any(place.is_relative_to(folder) for folder in under):
            continue
        try:
            texts[str(place)] = path.read_text("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
        except UnicodeDecodeError:
            continue
    return texts


def tools(cache: Path) -> Path | None:
    """Return the folder in which node finds TypeScript and Prettier, installed if need be; None without node."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        return None
    folder = cache / "tools"
    ready = folder / ".ready"
    wanted = "\n".join(_TOOLS)
    if not ready.exists() or ready.read_text("utf-8") != wanted:
        folder.mkdir(parents=True, exist_ok=True)
        options = ["--ignore-scripts", "--no-package-lock", "--no-save", "--silent", "--prefix", str(folder)]
        _run(["npm", "install", *options, *_TOOLS], folder)
        ready.write_text(wanted, "utf-8")
    return folder


def _command(release: Release, into: Path) -> list[str]:
    if release.registry == "npm":
        return ["npm", "pack", "--silent", "--pack-destination", str(into), f"{release.name}@{release.version}"]
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    return [*pip, "--only-binary=:all:", "--dest", str(into), f"{release.name}=={release.version}"]


def _run(command: Sequence[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=_DEADLINE_S)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")


def _members(archive: Path, registry: Registry) -> Iterator[tuple[PurePosixPath, bytes]]:
    """Yield what a wheel or an npm package holds, under the names it has in the package; nothing that points out."""
    if registry == "pypi":
        with zipfile.ZipFile(archive) as packed:
            for entry in packed.infolist():
                if not entry.is_dir():
                    yield from _safe(PurePosixPath(entry.filename), packed.read(entry))
        return
    with tarfile.open(archive) as packed:
        for member in packed:
            content = packed.extractfile(member) if member.isfile() else None
            if content is not None:
                # npm packs everything under one folder, whatever it is called.
                yield from _safe(PurePosixPath(*PurePosixPath(member.name).parts[1:]), content.read())


def _safe(name: PurePosixPath, data: bytes) -> Iterator[tuple[PurePosixPath, bytes]]:
    if name.parts and not name.is_absolute() and ".." not in name.parts:
        yield name, data
