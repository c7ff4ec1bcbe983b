"""Symbolic links that lead to each other: every command says so, or goes on without them; none falls over."""

import pytest

from e2e.anchored import CODE, Anchored
from e2e.memofs_program import Workspace
from memofs.cli.paths import in_workspace, prefix_to

STORE = "src/store.py"
LOOPS = ("src/loop", "src/loop/below.py", "ring")


@pytest.fixture
def code(workspace: Workspace) -> Anchored:
    made = Anchored(workspace)
    for name, target in (("src/loop", "loop"), ("ring", "ring2"), ("ring2", "ring")):
        made.path(name).symlink_to(target)
    return made


@pytest.mark.parametrize("named", LOOPS)
@pytest.mark.parametrize(
    ("command", "codes"),
    [
        (("remember", "Something true", "--anchor"), {1}),
        (("verify",), {1}),
        (("check",), {2}),
        (("stale",), {0}),
        (("anchors",), {0}),
        (("list", "--path"), {0}),
        (("recall", "--path"), {0}),
        (("context", "--here"), {0, 1}),
        (("import", "markdown"), {2}),
    ],
)
def test_no_command_falls_over_a_loop(code: Anchored, command: tuple[str, ...], codes: set[int], named: str) -> None:
    ran = code.workspace.memofs(*command, named)
    assert ran.code in codes, ran
    assert "Traceback" not in ran.err
    assert "internal" not in ran.err
    if command[0] == "remember":
        assert "links go round in a circle" in ran.err


def test_paths_with_a_loop_are_paths_of_the_workspace(code: Anchored) -> None:
    for named in LOOPS:
        assert in_workspace(named, here=code.root, root=code.root) == named
    assert prefix_to(code.root, here=code.root / "src" / "loop") == "../../"


def test_an_anchored_file_that_becomes_a_loop_is_not_checked_and_says_why(code: Anchored) -> None:
    id_ = code.remember("Opening is lazy", f"{STORE}#TenantStore.open")
    code.path(STORE).unlink()
    code.path(STORE).symlink_to("store.py")
    for command, exits in (("check", 2), ("stale", 0), ("anchors", 0)):
        ran = code.workspace.memofs(command)
        assert ran.code == exits, ran
        assert "links go round in a circle" in ran.out + ran.err
    for command in (("verify", id_), ("changes", id_), ("show", id_), ("recall", "lazy"), ("doctor",)):
        assert "Traceback" not in code.workspace.memofs(*command).err
    code.path(STORE).unlink()
    code.workspace.write(STORE, CODE[STORE])
    assert code.where(id_)[0] == "current"
