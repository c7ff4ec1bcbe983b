"""What the editor side must not do: block the reader's threads, or let pygls see what is not its business."""

import ast
from pathlib import Path

import memofs.server.editor

FOLDER = Path(memofs.server.editor.__file__).parent
ONLY_FENCE = {"pygls_fence.py", "executing.py"}
"""The fence itself, and the exception by which a client refuses a request."""


def test_only_the_fence_knows_pygls() -> None:
    knowing: set[str] = set()
    for path in FOLDER.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "pygls":
                knowing.add(path.name)
            if isinstance(node, ast.Import) and any(name.name.split(".")[0] == "pygls" for name in node.names):
                knowing.add(path.name)
    assert knowing <= ONLY_FENCE


def test_no_handler_runs_in_a_thread_of_pygls() -> None:
    """Such handlers share the reader's pool: a few slow ones keep out every message, cancelling ones too."""
    for path in FOLDER.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            assert not (isinstance(node, ast.Attribute) and node.attr == "thread"), path
