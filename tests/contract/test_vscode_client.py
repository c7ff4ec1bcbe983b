"""The VS Code extension names the same commands, settings and requests in its code, its manifest and protocol.md."""

import json
import os
import re
from pathlib import Path
from typing import Any, cast

import pytest

from memofs.server.editor.commands import COMMANDS as SERVER_COMMANDS
from memofs.store.config import config_schema

ROOT = Path(__file__).parents[2]
CLIENT = ROOT / "clients" / "vscode"
NAMES = (CLIENT / "src" / "names.ts").read_text(encoding="utf-8")
MANIFEST: dict[str, Any] = json.loads((CLIENT / "package.json").read_text(encoding="utf-8"))
CONTRIBUTES: dict[str, Any] = MANIFEST["contributes"]
PROTOCOL = (ROOT / "protocol.md").read_text(encoding="utf-8")


def _table(name: str) -> dict[str, str]:
    """Keys and values of one table of names.ts."""
    found = re.search(rf"export const {name} = {{(.*?)}} as const;", NAMES, re.DOTALL)
    assert found, f"names.ts has no table {name}"
    return dict(re.findall(r"^\s*(\w+): '([^']+)',$", found[1], re.MULTILINE))


def _sources() -> str:
    """The text of every module but the table of names."""
    every = sorted((CLIENT / "src").rglob("*.ts"))
    return "\n".join(path.read_text(encoding="utf-8") for path in every if path.name != "names.ts")


def _keys_in(values: Any, key: str) -> set[str]:
    """What stands under a key anywhere in the manifest."""
    if isinstance(values, dict):
        inner = cast("dict[str, Any]", values)
        own = {value for name, value in inner.items() if name == key and isinstance(value, str)}
        return own.union(*(_keys_in(value, key) for value in inner.values()))
    if isinstance(values, list):
        return set[str]().union(*(_keys_in(value, key) for value in cast("list[Any]", values)))
    return set()


def test_commands_of_the_manifest_are_those_of_the_code() -> None:
    declared = [each["command"] for each in CONTRIBUTES["commands"]]
    assert sorted(declared) == sorted(_table("COMMANDS").values())


def test_menus_name_declared_commands() -> None:
    assert _keys_in(CONTRIBUTES["menus"], "command") <= set(_table("COMMANDS").values())


def test_keys_run_declared_commands_and_show_declared_views() -> None:
    views = {f"{each['id']}.focus" for each in CONTRIBUTES["views"]["memofs"]}
    for binding in CONTRIBUTES["keybindings"]:
        every = binding["args"]["commands"] if binding["command"] == "runCommands" else [binding["command"]]
        assert every
        assert set(every) <= views | set(_table("COMMANDS").values())


def test_links_in_texts_name_declared_commands() -> None:
    texts = (CLIENT / "package.nls.json").read_text(encoding="utf-8")
    linked = {name for name in re.findall(r"\(command:([\w.]+)", texts) if name.startswith("memofs.")}
    assert linked
    assert linked <= set(_table("COMMANDS").values())


def test_every_command_is_tied_to_what_it_does() -> None:
    register = (CLIENT / "src" / "commands" / "register.ts").read_text(encoding="utf-8")
    runs = re.search(r"const RUNS[^{]*{(.*?)^};", register, re.DOTALL | re.MULTILINE)
    assert runs
    tied = set(re.findall(r"^  (\w+)[,:]", runs[1], re.MULTILINE))
    assert tied == {*_table("COMMANDS"), *_table("INTERNAL_COMMANDS")}


def test_what_the_server_names_in_lenses_and_fixes_is_routed() -> None:
    found = re.search(r"export const SERVER_COMMANDS = \[(.*?)\] as const;", NAMES, re.DOTALL)
    assert found
    every = {**_table("COMMANDS"), **_table("INTERNAL_COMMANDS")}
    routed = {every[key] for key in re.findall(r"COMMANDS\.(\w+)", found[1])}
    assert routed == set(SERVER_COMMANDS)


def test_settings_of_the_manifest_are_those_of_the_code() -> None:
    settings = _table("SETTINGS")
    assert sorted(CONTRIBUTES["configuration"]["properties"]) == sorted(settings.values())
    sources = _sources()
    # The language client reads its trace setting itself, by the client's id.
    unread = [name for name in settings if name != "trace" and f"SETTINGS.{name}" not in sources]
    assert not unread


def test_settings_that_name_programs_are_the_users_where_the_workspace_is_not_trusted() -> None:
    command = _table("SETTINGS")["command"]
    assert CONTRIBUTES["configuration"]["properties"][command]["scope"] == "machine-overridable"
    untrusted = MANIFEST["capabilities"]["untrustedWorkspaces"]
    assert untrusted["supported"] == "limited"
    assert command in untrusted["restrictedConfigurations"]


def test_views_and_contexts_are_those_of_the_code() -> None:
    views = _table("VIEWS")
    assert [each["id"] for each in CONTRIBUTES["viewsContainers"]["activitybar"]] == [views["container"]]
    assert {each["id"] for each in CONTRIBUTES["views"][views["container"]]} == {
        views[name] for name in ("search", "here", "stale")
    }
    conditions = " ".join(sorted(_keys_in(CONTRIBUTES, "when")))
    named = {
        name
        for name in re.findall(r"\bmemofs\.\w+", conditions.replace("\\", ""))
        if name not in views.values() and not name.endswith(".")
    }
    assert named
    assert named <= set(_table("CONTEXTS").values())


def test_contexts_of_the_table_are_told_and_asked() -> None:
    sources = _sources()
    untold = [name for name in _table("CONTEXTS") if f"CONTEXTS.{name}" not in sources]
    assert not untold


@pytest.mark.parametrize("table", ["REQUESTS", "NOTIFICATIONS"])
def test_requests_are_those_of_the_protocol(table: str) -> None:
    documented = set(re.findall(r"^\| (memofs/\w+) \|", PROTOCOL, re.MULTILINE))
    names = _table(table)
    assert names
    assert set(names.values()) <= documented
    assert all(value == f"memofs/{key}" for key, value in names.items())


def test_no_name_is_spelled_outside_of_the_tables() -> None:
    spelled = re.findall(r"'memofs[./-][\w./-]+'", _sources())
    assert not spelled


def test_the_schema_of_config_json_is_the_daemons() -> None:
    copy = CLIENT / "schemas" / "config.schema.json"
    if os.environ.get("MEMOFS_UPDATE"):
        copy.write_bytes(config_schema())
    assert copy.read_bytes() == config_schema(), "run the tests once with MEMOFS_UPDATE=1 and commit the file"
    validated = {each["fileMatch"]: each["url"] for each in CONTRIBUTES["jsonValidation"]}
    assert validated == {"**/.memofs/config.json": "./schemas/config.schema.json"}


def test_files_that_the_manifest_names_are_there() -> None:
    named = {*_keys_in(MANIFEST, "icon"), *_keys_in(MANIFEST, "svg"), *_keys_in(CONTRIBUTES["jsonValidation"], "url")}
    files = {name for name in named if not name.startswith("$(")}
    assert len(files) >= 7
    assert not [name for name in sorted(files) if not (CLIENT / name).is_file()]
