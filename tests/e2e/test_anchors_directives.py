"""What instructs a tool is code, though it is a comment or a blank: who changes it, changes what memories are about."""

import pytest

from e2e.anchored import Anchored
from e2e.memofs_program import Workspace

GO = """\
package site

import _ "embed"

//go:embed index.html
var page string

// Count counts.
func Count() int { return 1 }
"""
MAKE = "CC = cc\n\napp: app.c\n\t$(CC) -o app app.c\n\tstrip app\n\nclean:\n\trm app\n"
C = "int before;\n#define LIMIT 10\nint limit = LIMIT;\nint after;\n"
PYTHON = """\
#!/usr/bin/env python3
# Says hello.
import sys


def hello() -> None:
    sys.stdout.write(1)  # type: ignore[arg-type]
"""


@pytest.fixture
def code(workspace: Workspace) -> Anchored:
    made = Anchored(workspace)
    for path, text in {"site.go": GO, "Makefile": MAKE, "limit.c": C, "hello.py": PYTHON}.items():
        workspace.write(path, text)
    made.repo.commit("more code")
    return made


@pytest.mark.parametrize(
    ("anchor", "old", "new", "verdict"),
    [
        ("site.go:5-6", "index.html", "other.html", "changed"),
        ("site.go:5-6", "//go:embed", "// go:embed", "changed"),
        ("site.go", "//go:embed index.html\n", "", "changed"),
        ("site.go", "// Count counts.", "// Count counts to one.", "reformatted"),
        ("Makefile:3-5", "\tstrip", "        strip", "changed"),
        ("Makefile:3-5", "app: app.c", "app:  app.c", "reformatted"),
        ("Makefile:4-5", "\t$(CC) -o app app.c\n\tstrip", "    $(CC) -o app app.c\n    strip", "changed"),
        ("Makefile:7-8", "\tstrip", "        strip", "current"),
        ("limit.c", "10\nint limit", "10 int limit", "changed"),
        ("limit.c:2-3", "#define", "#  define", "reformatted"),
        ("hello.py", "python3", "python3 -I", "changed"),
        ("hello.py", "Says hello", "Greets", "reformatted"),
        ("hello.py#hello", "ignore[arg-type]", "ignore", "changed"),
        ("hello.py#hello", "  # type", "  #  type", "reformatted"),
    ],
)
def test_a_directive_is_code(code: Anchored, anchor: str, old: str, new: str, verdict: str) -> None:
    id_ = code.remember("About a directive", anchor)
    path = anchor.partition(":")[0].partition("#")[0]
    assert code.where(id_)[0] == "current"
    code.replace(path, old, new)
    assert code.where(id_)[0] == verdict
