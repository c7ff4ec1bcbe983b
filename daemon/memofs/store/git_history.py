"""What became of files in git's history and in the working tree: renames, commit by commit, and what changed beside.

Invariant: read-only and bounded: each question is a few calls of git with a time limit, and where git does not know or
does not get done, the answer is empty. Paths are relative to the workspace; what lies outside of it does not occur.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal

import msgspec

from memofs.store.git_program import names_in, no_filters, run, spelled

__all__ = ["TIMEOUT_S", "FileChange", "GitHistory", "Step", "Version"]

TIMEOUT_S: Final = 3.0
_MOST_CHANGES: Final = 2_000
"""A step that changes more files is a merge of trees or a mass edit: it tells nothing about one of them."""
_DIFF: Final = ("--no-ext-diff", "--no-textconv", "--no-color", "--relative", "-z")
_RENAMES: Final = ("-M", "-l1000")
_COMMIT: Final = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_STATUSES: Final = {"A": "added", "C": "added", "D": "deleted", "M": "changed", "T": "changed", "R": "renamed"}


class FileChange(msgspec.Struct, frozen=True, kw_only=True):
    """What one step did to one file; `before` is where it was, for a rename."""

    status: Literal["added", "deleted", "changed", "renamed"]
    path: str
    before: str | None = None


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """The files that changed together: in a commit, or since HEAD (`commit` is None)."""

    commit: str | None
    changes: tuple[FileChange, ...] = ()


class Version(msgspec.Struct, frozen=True, kw_only=True):
    """One commit that changed a file, with the blobs before and after (None where there was none)."""

    commit: str
    before: str | None
    after: str | None


class GitHistory:
    """Asks git about one workspace. Keeps nothing: what it answers changes with every commit."""

    def __init__(self, root: Path, *, timeout_s: float = TIMEOUT_S) -> None:
        self._root = root
        self._timeout_s = timeout_s

    def head(self) -> str | None:
        """The commit that is checked out; None without git or before the first commit."""
        return self._commit("HEAD")

    def cut(self) -> frozenset[str]:
        """The commits at which a shallow clone's history ends; they look as if they had added every file."""
        named = self._run("rev-parse", "--git-path", "shallow")
        if not named:
            return frozenset()
        try:
            text = (self._root / spelled(named.removesuffix(b"\n"))).read_text("ascii", "replace")
        except OSError:  # not shallow
            return frozenset()
        return frozenset(line for line in text.splitlines() if _COMMIT.fullmatch(line))

    def merge_base(self, revision: str) -> str | None:
        """The commit from which HEAD and the revision went apart, else the revision's own; None for an unknown one."""
        commit = self._commit(revision)
        if commit is None:
            return None
        found = self._run("merge-base", commit, "HEAD")
        return _word(found) or commit

    def changed_since(self, commit: str) -> frozenset[str] | None:
        """The files that differ between a commit and the working tree, untracked ones too; None if git fails."""
        output = self._run("diff", "--name-only", "--no-renames", *_DIFF, commit, "--", ".", filters=False)
        others = self.untracked()
        return None if output is None or others is None else names_in(output) | others

    def untracked(self) -> frozenset[str] | None:
        """The files that git neither tracks nor ignores; None if git fails."""
        output = self._run("ls-files", "-z", "--others", "--exclude-standard")
        return None if output is None else names_in(output)

    def files(self) -> frozenset[str] | None:
        """All files that git does not ignore; None if git fails. One that was deleted may be among them."""
        output = self._run("ls-files", "-z", "--cached", "--others", "--exclude-standard")
        return None if output is None else names_in(output)

    def uncommitted(self) -> Step:
        """What differs between HEAD and the working tree; an untracked file counts as added."""
        output = self._run("diff", "--name-status", *_RENAMES, *_DIFF, "HEAD", "--", ".", filters=False)
        changes = list(_changes(output or b""))
        known = {change.path for change in changes}
        added = [FileChange(status="added", path=path) for path in sorted(self.untracked() or ()) if path not in known]
        return _step(None, [*changes, *added])

    def step(self, commit: str) -> Step:
        """What a commit did, against its first parent."""
        if not _COMMIT.fullmatch(commit):
            return Step(commit=commit)
        against = ("diff-tree", "-r", "--root", "--no-commit-id", "-m", "--first-parent")
        output = self._run(*against, "--name-status", *_RENAMES, *_DIFF, commit, "--", ".")
        return _step(commit, list(_changes(output or b"")))

    def removed_in(self, path: str) -> str | None:
        """The last commit before HEAD, and in it, that took the path away; None if none did."""
        output = self._run("log", "-1", "--format=%H", "--diff-filter=D", "--no-renames", "HEAD", "--", path)
        return _word(output)

    def versions(self, path: str, *, most: int = 50) -> tuple[Version, ...]:
        """The last commits that changed the file at this path, newest first."""
        output = self._run(
            *("log", f"-{most}", "--format=%x01%H", "--raw", "--abbrev=64", "--no-renames", "--no-merges"),
            *(*_DIFF, "HEAD", "--", path),
        )
        return tuple(_versions(output or b""))

    def holding(self, word: str, *, most: int = 200) -> tuple[str, ...]:
        """The files, tracked or not but not ignored, that hold the word; at most so many, by path."""
        output = self._run(
            *(
                "grep",
                "-l",
                "-z",
                "-I",
                "-w",
                "-F",
                "--untracked",
                "--no-color",
                "--no-textconv",
                "-e",
                word,
                "--",
                ".",
            ),
        )
        return tuple(sorted(names_in(output))[:most])

    def _commit(self, revision: str) -> str | None:
        if revision.startswith("-") or "\0" in revision:
            return None
        return _word(self._run("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}"))

    def _run(self, *arguments: str, filters: bool = True) -> bytes | None:
        """`filters=False` for what compares the working tree: no program of the repository's choosing is to run."""
        more = None if filters else no_filters(self._root)
        return run(self._root, *arguments, timeout_s=self._timeout_s, more=more)


def _step(commit: str | None, changes: list[FileChange]) -> Step:
    return Step(commit=commit, changes=tuple(changes) if len(changes) <= _MOST_CHANGES else ())


def _changes(output: bytes) -> Iterator[FileChange]:
    """The entries of `--name-status -z`: status, path, and for a rename or copy the new path."""
    fields = iter(output.split(b"\0"))
    for field in fields:
        letter = field.strip(b"\n")[:1].decode("ascii", "replace")
        status = _STATUSES.get(letter)
        first = next(fields, b"")
        if letter in ("R", "C"):
            new = spelled(next(fields, b""))
            if letter == "R":
                yield FileChange(status="renamed", path=new, before=spelled(first))
            else:
                yield FileChange(status="added", path=new)
        elif status is not None and first:
            yield FileChange(status=msgspec.convert(status, _Status), path=spelled(first))


_Status = Literal["added", "deleted", "changed", "renamed"]


def _versions(output: bytes) -> Iterator[Version]:
    """The entries of `log --format=%x01%H --raw -z`: a commit, then ":modes before after status", then the path."""
    for entry in output.split(b"\x01")[1:]:
        commit, _, rest = entry.partition(b"\0")
        words = rest.strip(b"\n").partition(b"\0")[0].split()
        if len(words) == 5:
            before, after = words[2].decode("ascii", "replace"), words[3].decode("ascii", "replace")
            yield Version(
                commit=commit.decode("ascii", "replace"),
                before=before if before.strip("0") else None,
                after=after if after.strip("0") else None,
            )


def _word(output: bytes | None) -> str | None:
    text = (output or b"").decode("ascii", "replace").strip()
    return text if _COMMIT.fullmatch(text) else None
