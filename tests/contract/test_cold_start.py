"""A command starts fast because it imports little: what a cold `memofs recall` loads, up to the connection."""

import subprocess
import sys

COLD_RECALL = """
import sys
before = set(sys.modules)
from memofs.cli.app import run
from memofs.link.client import RemoteError

def refuse(root, *, no_daemon, note):
    raise RemoteError("no daemon here", family="Unavailable")

code = run(["recall", "why", "postgres", "-k", "decision"], refuse)
print(code, *sorted(set(sys.modules) - before))
"""
OTHERS = {"click", "msgspec", "memofs", "typing_extensions"}
"""All that is not of Python itself. (msgspec looks for typing_extensions when it is installed.)"""
HEAVY = {
    *("asyncio", "concurrent.futures", "ctypes", "email", "http", "importlib.metadata", "json", "logging"),
    *("multiprocessing", "queue", "random", "shutil", "signal", "sqlite3", "ssl", "subprocess", "tempfile"),
    *("unittest", "urllib.request", "xml", "zipfile"),
}


def cold_recall() -> tuple[int, set[str]]:
    ran = subprocess.run([sys.executable, "-I", "-c", COLD_RECALL], capture_output=True, check=True, text=True)
    code, *modules = ran.stdout.split()
    assert ran.stderr == "error: no daemon here\n"
    return int(code), set(modules)


def test_a_cold_recall_imports_click_msgspec_and_nothing_heavy() -> None:
    code, modules = cold_recall()
    assert code == 1, "the command ran up to the connection"
    packages = {module.partition(".")[0] for module in modules}
    assert {package for package in packages if package not in sys.stdlib_module_names} <= OTHERS
    assert modules & HEAVY == set()


def test_a_cold_recall_imports_its_own_command_and_no_other() -> None:
    _, modules = cold_recall()
    commands = {module for module in modules if module.startswith("memofs.cli.commands.")}
    assert commands == {"memofs.cli.commands.recall"}
    views = {module for module in modules if module.startswith("memofs.cli.views.")}
    assert views == {"memofs.cli.views.recall", "memofs.cli.views.words"}


def test_a_cold_recall_sees_nothing_of_the_engine_side() -> None:
    _, modules = cold_recall()
    sides = {module.split(".")[1] for module in modules if module.startswith("memofs.")}
    assert sides <= {"cli", "link", "wire"}
