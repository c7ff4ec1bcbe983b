"""Where everything lies under `.memofs/`, and setting it up.

Invariant: every path that is read or written lies inside the workspace once symbolic links are followed. Finding
the workspace is left to link/, what the files hold to the modules beside this one.
"""

import contextlib
import json
import os
from pathlib import Path, PurePosixPath

import msgspec

from memofs.model.errors import Refused, Unavailable
from memofs.store.disk import failure, replace_file
from memofs.text.fields import is_inside
from memofs.text.slug import slug

__all__ = [
    "ARCHIVE_PATH",
    "CONFIG_PATH",
    "CORE_PATH",
    "GRAPH_PATH",
    "MEMORY_PATH",
    "NAME",
    "Layout",
    "initialize",
    "memory_path",
]

NAME = ".memofs"
MEMORY_PATH = f"{NAME}/memory"
GRAPH_PATH = f"{NAME}/graph"
ARCHIVE_PATH = f"{NAME}/archive"
"""Where `memofs migrate` puts the log that it made files of."""
CONFIG_PATH = f"{NAME}/config.json"
CORE_PATH = f"{MEMORY_PATH}/core.md"

_IGNORED = ("events", "snapshots", "indexes", "logs", "tmp")
_GITIGNORE = "".join(f"/{name}/\n" for name in _IGNORED)
_GITATTRIBUTES = "graph/*.jsonl merge=union\n"
_CORE = """\
# {name}

<!-- What everybody who works here should know, in a few lines: it stands at the head of every briefing. -->
"""


class Layout(msgspec.Struct, frozen=True, kw_only=True):
    """The paths of one workspace. `root` is absolute, with symbolic links resolved."""

    root: Path

    @staticmethod
    def of(root: Path | str) -> "Layout":
        """The layout of the workspace at `root`, which need not be set up yet."""
        return Layout(root=Path(root).resolve())

    @property
    def base(self) -> Path:
        """`.memofs/` itself."""
        return self.root / NAME

    @property
    def config(self) -> Path:
        """Settings."""
        return self.base / "config.json"

    @property
    def memory(self) -> Path:
        """Memory files, core.md and notes.md."""
        return self.base / "memory"

    @property
    def core(self) -> Path:
        """The standing briefing."""
        return self.memory / "core.md"

    @property
    def graph(self) -> Path:
        """Curated entities and edges."""
        return self.base / "graph"

    @property
    def events(self) -> Path:
        """The audit trail."""
        return self.base / "events" / "memory-events.jsonl"

    @property
    def snapshots(self) -> Path:
        """Restore points."""
        return self.base / "snapshots"

    @property
    def indexes(self) -> Path:
        """Caches."""
        return self.base / "indexes"

    @property
    def tmp(self) -> Path:
        """Locks, and what is being written."""
        return self.base / "tmp"

    @property
    def undo(self) -> Path:
        """The bytes before the last writes."""
        return self.tmp / "undo"

    @property
    def lock(self) -> Path:
        """The short write lock."""
        return self.tmp / "write.lock"

    @property
    def is_initialized(self) -> bool:
        """Whether there is a `.memofs/` folder."""
        return self.base.is_dir()

    def relative(self, path: Path) -> str:
        """The path relative to the workspace, with slashes."""
        return path.relative_to(self.root).as_posix()

    def holds(self, path: Path) -> bool:
        """Whether the path, symbolic links followed, lies inside the workspace."""
        try:
            return path.resolve().is_relative_to(self.root)
        except (OSError, RuntimeError):  # a loop of links
            return False

    def make(self, folder: Path) -> None:
        """Make a folder and those above it, but not `.memofs/`: what a person has removed stays removed.

        Raises OSError, also where `.memofs/` is not there.
        """
        missing = [folder, *folder.parents]
        for each in reversed(missing[: missing.index(self.base)]):
            each.mkdir(mode=0o700, exist_ok=True)

    def inside(self, path: str) -> Path:
        """The absolute path of a workspace-relative one, with the symbolic links in it followed.

        Raises Refused if it leads out of the workspace or in a circle.
        """
        if is_inside(path) and not PurePosixPath(path).is_absolute():
            try:
                resolved = (self.root / path).resolve()
            except (OSError, RuntimeError) as error:
                message = f"{path} leads nowhere: its symbolic links go round in a circle"
                raise Refused("linkLoop", message, "put a file there, or name another") from error
            if resolved.is_relative_to(self.root):
                return resolved
        raise Refused("outside", f"{path!r} leads out of the workspace", "use a path inside the workspace")


def memory_path(layout: Layout, title: str, id_: str, *, taken: frozenset[str] | set[str] = frozenset()) -> str:
    """A free workspace-relative path for a new memory: `<slug>-<last 4 of the id>.md`.

    `taken` are the paths that the same batch is about to write. Where the name is in use, more of the id goes in.
    """
    name = slug(title)
    bare = id_.rpartition("_")[2]
    path = ""
    for length in (4, 6, 8, len(bare)):
        path = f"{MEMORY_PATH}/{name}-{bare[-length:]}.md"
        if path not in taken and not os.path.lexists(layout.root / path):
            break
    return path


def initialize(root: Path, *, project_name: str | None = None) -> tuple[str, ...]:
    """Set up `.memofs/` in the workspace; answers the workspace-relative paths that were created, sorted.

    What is there already stays as it is, so running it again repairs what is missing. Raises Unavailable where
    nothing can be written, Refused where `.memofs` leads out of the workspace.
    """
    layout = Layout.of(root)
    layout.inside(NAME)
    name = project_name or layout.root.name or "This project"
    settings: dict[str, object] = {"format": 1, "projectName": name}
    files = {
        layout.config: json.dumps(settings, indent=2, ensure_ascii=False) + "\n",
        layout.core: _CORE.format(name=name),
        layout.base / ".gitignore": _GITIGNORE,
        layout.base / ".gitattributes": _GITATTRIBUTES,
    }
    created: list[str] = []
    try:
        for folder in (layout.base, layout.memory, layout.graph, *(layout.base / each for each in _IGNORED)):
            if not folder.is_dir():
                folder.mkdir(mode=0o700 if folder.name in _IGNORED else 0o755)
                created.append(layout.relative(folder))
        for path, text in files.items():
            if not os.path.lexists(path):
                with contextlib.suppress(FileExistsError):
                    replace_file(path, text.encode("utf-8"), mode=0o644, may_exist=False)
                    created.append(layout.relative(path))
    except OSError as error:
        told = failure(error, f"cannot set up {NAME}/")
        hint = "once that is mended, memofs init goes on where it stopped"
        raise Unavailable(told.code, told.message, hint) from error
    return tuple(sorted(created))
