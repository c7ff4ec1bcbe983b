"""Agents' files: JSON with comments spliced, markdown between markers, TOML; golden files of every agent."""

import contextlib
import json
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from memofs.agents import jsonc
from memofs.agents.catalog import AGENTS, JsonFile, Places
from memofs.agents.marked import BEGIN, END, drop_block, put_block
from memofs.agents.setup import Change, plan
from memofs.agents.wish import Unreadable, Wish

GOLDEN = Path(__file__).parents[2] / "golden" / "agents"
PLACES = Places(
    project="/p/",
    home="/h/",
    claude="/h/.claude/",
    codex="/h/.codex/",
    opencode="/h/.config/opencode/",
    copilot="/h/.copilot/",
)
SCOPES = ("project", "user")
OPEN = "<!-- memofs:begin"


def planned(wish: Wish, files: Mapping[str, str]) -> tuple[Change, ...]:
    return plan(wish, PLACES, read=files.get, same=str)


def after(changes: tuple[Change, ...], files: Mapping[str, str]) -> dict[str, str]:
    """The files once the changes are made."""
    assert all(change.problem is None for change in changes), changes
    made: dict[str, str | None] = {**files, **{change.path: change.after for change in changes}}
    return {path: text for path, text in made.items() if text is not None}


def parsed(path: str, text: str) -> Any:
    """What the file's own format makes of it."""
    if path.endswith(".json"):
        return json.loads(text)
    if path.endswith(".toml"):
        return tomllib.loads(text)
    if path.endswith(".mdc"):
        _, head, body = text.split("---\n", 2)
        assert body.strip().startswith(OPEN)
        return yaml.safe_load(head)
    assert text.count(OPEN) == text.count(END) == 1
    return text


@pytest.mark.parametrize("scope", SCOPES)
@pytest.mark.parametrize("name", AGENTS)
def test_the_files_of_an_agent_are_the_golden_ones_and_parse(name: str, scope: Any) -> None:
    wish = Wish(agents=(name,), scope=scope, project="My API")
    made = after(planned(wish, {}), {})
    text = "".join(f"==== {path}\n{content}" for path, content in made.items())
    golden = GOLDEN / f"{name}-{scope}.txt"
    if os.environ.get("MEMOFS_UPDATE"):
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(text, encoding="utf-8")
    assert golden.read_text(encoding="utf-8") == text, "run the tests once with MEMOFS_UPDATE=1 and commit the file"
    for path, content in made.items():
        assert parsed(path, content)
    assert planned(wish, made) == tuple(
        Change(path=path, agents=(name,), before=content, after=content) for path, content in made.items()
    )
    assert after(planned(Wish(agents=(name,), scope=scope, remove=True), made), made) == {}


THEIRS: Mapping[str, str] = {
    "/p/CLAUDE.md": "# Ours\n\nBe brief.\n",
    "/p/AGENTS.md": "Windows\r\n\r\nline ends\r\n",
    "/p/.cursor/rules/memofs.mdc": "---\nalwaysApply: false\n---\n\nMine.\n",
    "/p/GEMINI.md": "no line end",
    "/p/.mcp.json": '{\n\t"mcpServers": {\n\t\t"other": {"command": "x"} // theirs\n\t}\n}\n',
    "/p/.claude/settings.json": json.dumps(
        {"model": "x", "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "make lint"}]}]}}, indent=4
    ),
    "/p/.cursor/mcp.json": '{"mcpServers":{}}',
    "/p/.cursor/hooks.json": (
        '{\n  // ours\n  "version": 1,\n  "hooks": {\n    "stop": [\n      {"command": "say done"},\n    ],\n  },\n}\n'
    ),
    "/p/.gemini/settings.json": '\ufeff{\r\n  "theme": "dark" /* why */\r\n}\r\n',
    "/p/.vscode/mcp.json": '{\n  "inputs": [],\n  "servers": {\n    "a": {\n      "command": "b"\n    }\n  }\n}',
    "/p/opencode.jsonc": '{\n  // settings\n  "theme": "x",\n}\n',
    "/h/.codex/config.toml": '# mine\nmodel = "o5"  # why\n\n[mcp_servers.other]\ncommand = "x"\n\n[tui]\ntheme = 1\n',
}


def test_what_others_wrote_stays_and_comes_back_byte_for_byte() -> None:
    wish = Wish(agents=tuple(AGENTS), project="My API")
    made = after(planned(wish, THEIRS), THEIRS)
    for path, text in THEIRS.items():
        assert made[path] != text or path == "/h/.codex/hooks.json"
    assert made["/p/CLAUDE.md"].startswith(THEIRS["/p/CLAUDE.md"])
    assert "\r\n" + OPEN in made["/p/AGENTS.md"]
    assert "\n" not in made["/p/AGENTS.md"].replace("\r\n", "")
    assert "// theirs" in made["/p/.mcp.json"]
    assert jsonc.parse(made["/p/.mcp.json"])["mcpServers"].keys() == {"other", "memofs"}
    stop = json.loads(made["/p/.claude/settings.json"])["hooks"]["Stop"]
    assert stop[0]["hooks"][0]["command"] == "make lint"
    assert len(stop) == 2
    assert jsonc.parse(made["/p/.cursor/hooks.json"])["hooks"]["stop"][0] == {"command": "say done"}
    assert "opencode.json" not in {path.rpartition("/")[2] for path in made}
    assert tomllib.loads(made["/h/.codex/config.toml"])["mcp_servers"].keys() == {"other", "memofs"}
    assert "# why" in made["/h/.codex/config.toml"]
    assert after(planned(wish, made), made) == made, "twice is once"
    left = after(planned(Wish(agents=tuple(AGENTS), remove=True), made), made)
    for path, text in THEIRS.items():
        if path.endswith((".md", ".mdc", ".toml")):
            assert left[path] == text + ("\n" if path.endswith("GEMINI.md") else ""), path
        else:
            assert jsonc.parse(left.get(path, "{}").removeprefix("\ufeff")) in (
                jsonc.parse(text.removeprefix("\ufeff")),
                {},
            ), path
    assert "/* why */" in left["/p/.gemini/settings.json"]
    assert left["/p/.gemini/settings.json"].startswith("\ufeff")


def test_only_our_part_is_brought_up_to_date() -> None:
    wish = Wish(agents=("claude",), project="Old")
    made = after(planned(wish, THEIRS), THEIRS)
    settings = json.loads(made["/p/.claude/settings.json"])
    settings["hooks"]["SessionStart"][0]["hooks"][0]["command"] = "memofs context --hook claude --old"
    settings["hooks"]["SessionStart"].append(
        {"hooks": [{"type": "command", "command": "memofs context --hook claude"}]}
    )
    settings["hooks"]["Stop"][0]["hooks"].append({"type": "command", "command": "memofs status --hook claude"})
    del settings["hooks"]["Stop"][1]
    files = {**made, "/p/.claude/settings.json": json.dumps(settings, indent=2)}
    files["/p/CLAUDE.md"] = files["/p/CLAUDE.md"].replace("Ask before you decide", "Do as you like") + "\nAfter.\n"
    files["/p/.mcp.json"] = jsonc.put(files["/p/.mcp.json"], ("mcpServers", "memofs", "args"), ["old"])
    again = after(planned(Wish(agents=("claude",), project="New"), files), files)
    assert again["/p/CLAUDE.md"].startswith("# Ours\n\nBe brief.\n")
    assert again["/p/CLAUDE.md"].endswith("\nAfter.\n")
    assert "The memory of New" in again["/p/CLAUDE.md"]
    assert "Do as you like" not in again["/p/CLAUDE.md"]
    assert jsonc.parse(again["/p/.mcp.json"])["mcpServers"]["memofs"]["args"] == ["old", "mcp"]
    hooks = json.loads(again["/p/.claude/settings.json"])["hooks"]
    assert len(hooks["SessionStart"]) == 1
    assert "--old" not in json.dumps(hooks)
    assert hooks["Stop"][0]["hooks"][0]["command"] == "make lint"
    assert json.dumps(hooks["Stop"]).count("memofs status --hook claude") == 1


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("/p/.mcp.json", "{not json"),
        ("/p/.mcp.json", "[]"),
        ("/p/.mcp.json", '{"mcpServers": []}'),
        ("/p/.mcp.json", '{"mcpServers": {"a": 1}} trailing'),
        ("/p/.mcp.json", "<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> x\n"),
        ("/p/.claude/settings.json", '{"hooks": {"Stop": {}}}'),
        ("/p/CLAUDE.md", f"{BEGIN}\nno end\n"),
        ("/h/.codex/config.toml", "a = = b"),
        ("/h/.codex/config.toml", "mcp_servers = 5"),
    ],
)
def test_what_cannot_be_merged_is_left_alone_and_the_rest_is_done(path: str, text: str) -> None:
    for remove in (False, True):
        changes = planned(Wish(agents=("claude", "codex"), remove=remove), {path: text})
        (failed,) = [change for change in changes if change.path == path]
        assert failed.after == failed.before == text
        if remove and failed.problem is None:
            continue  # there was nothing of ours to take out, and nothing had to be understood
        assert failed.problem is not None
        assert all(change.problem is None for change in changes if change.path != path)


def test_a_file_that_cannot_be_read_is_told() -> None:
    def read(path: str) -> str | None:
        if path.endswith(".mcp.json"):
            raise Unreadable("it is not UTF-8")
        return None

    changes = plan(Wish(agents=("claude",)), PLACES, read=read, same=str)
    assert [change.problem for change in changes] == [None, "it is not UTF-8", None]


def test_files_that_are_one_by_a_link_get_our_part_once() -> None:
    def same(path: str) -> str:
        return path.replace("CLAUDE.md", "AGENTS.md")

    changes = plan(Wish(agents=("claude", "codex")), PLACES, read=dict[str, str]().get, same=same)
    (rules,) = [change for change in changes if change.path.endswith(".md")]
    assert rules.agents == ("claude", "codex")
    assert (rules.after or "").count(BEGIN) == 1


@pytest.mark.parametrize(("hooks", "server"), [(False, True), (True, False), (False, False)])
def test_parts_can_be_left_out(hooks: bool, server: bool) -> None:
    made = after(planned(Wish(agents=tuple(AGENTS), with_hooks=hooks, with_server=server), {}), {})
    whole = "".join(made.values())
    assert ("--hook" in whole) == hooks
    assert ('"mcp"' in whole) == server
    assert "memofs.recall" in whole
    assert "memofs_recall" in whole


@pytest.mark.parametrize(
    ("there", "is_ours"),
    [
        ({"command": "/opt/bin/memofs", "args": ["mcp"], "env": {"A": "1"}}, True),
        ({"command": "memofs", "args": ["mcp", "--root", "/x"], "disabled": True}, True),
        ({"command": "uvx", "args": ["memofs", "mcp", "--tool-names=dotted"]}, True),
        ({"command": "python3", "args": ["-m", "memofs", "mcp"], "type": "stdio"}, True),
        ({"args": ["mcp"], "command": "C:\\tools\\memofs.exe"}, True),
        ({"command": ["memofs"]}, True),
        ({}, False),
        ("memofs", False),
        ({"command": "x", "args": ["mcp"]}, False),
    ],
)
def test_what_a_person_changed_in_the_servers_entry_stays(there: Any, is_ours: bool) -> None:
    """For every agent whose entry is in JSON, and for Codex."""
    for name, agent in AGENTS.items():
        server = agent.server("project", PLACES)
        assert server is not None
        ours = Wish(agents=(name,), with_hooks=False)
        if isinstance(server, JsonFile):
            (edit,) = server.edits
            files = {server.path: jsonc.put("{}\n", edit.path, there)}
        elif isinstance(there, dict) and there:
            said = cast("dict[str, Any]", there).items()
            lines = "".join(f"{key} = {json.dumps(value)}\n" for key, value in said if key != "env")
            files = {server.path: f"[mcp_servers.memofs]\n{lines}"}
        else:
            continue
        (change,) = [each for each in planned(ours, files) if each.path == server.path]
        if not is_ours:
            assert change.problem is not None
            assert "another server" in change.problem
            assert change.after == change.before
            removal = planned(Wish(agents=(name,), remove=True), files)
            (removed,) = [each for each in removal if each.path == server.path]
            assert removed.after == removed.before, "what is not ours is not taken out"
            continue
        assert change.problem is None
        assert planned(ours, {server.path: change.after or ""})[-1].after == change.after, "twice is once"
        made = entry(server.path, change.after or "", there_at(server))
        before = cast("dict[str, Any]", there)
        for key, value in before.items():
            if key not in ("command", "args") and not (key == "env" and server.path.endswith(".toml")):
                assert made[key] == value, (name, key)
        said = words(made)
        assert said[: len(words(before))] == words(before), (name, said)
        assert "mcp" in said
        assert ("underscore" in said) == (agent.names == "underscore" and "--tool-names=dotted" not in said)


@pytest.mark.parametrize("line", ["memofs mcp", "cd /x && exec /opt/bin/memofs -C /x mcp", "'/a b/memofs' mcp --http"])
def test_a_line_for_a_shell_is_the_persons_own(line: str) -> None:
    entry = {"command": "bash", "args": ["-lc", line]}
    files = {"/p/.mcp.json": json.dumps({"mcpServers": {"memofs": entry}})}
    assert after(planned(Wish(agents=("claude",)), files), files)["/p/.mcp.json"] == files["/p/.mcp.json"]
    assert "/p/.mcp.json" not in after(planned(Wish(agents=("claude",), remove=True), files), files)
    other = {"/p/.mcp.json": files["/p/.mcp.json"].replace("mcp", "log").replace("logServers", "mcpServers")}
    (change,) = [each for each in planned(Wish(agents=("claude",)), other) if each.path == "/p/.mcp.json"]
    assert change.problem is not None


def there_at(server: Any) -> tuple[str, ...]:
    return server.edits[0].path if isinstance(server, JsonFile) else server.table


def entry(path: str, text: str, at: tuple[str, ...]) -> dict[str, Any]:
    found: Any = tomllib.loads(text) if path.endswith(".toml") else jsonc.parse(text)
    for key in at:
        found = found[key]
    return found


def words(made: Mapping[str, Any]) -> list[str]:
    command: Any = made["command"]
    return [*(cast("list[str]", command) if isinstance(command, list) else [command]), *made.get("args", [])]


@pytest.mark.parametrize("name", ["claude", "codex", "cursor", "gemini", "copilot"])
def test_what_a_person_changed_in_a_hook_stays(name: str) -> None:
    wish = Wish(agents=(name,))
    made = after(planned(wish, {}), {})
    (path,) = [path for path, text in made.items() if "--hook" in text]
    for old, new in (('out": 5', 'out": 60'), ('Sec": 5', 'Sec": 60'), ('_limit": 1', '_limit": 3')):
        made[path] = made[path].replace(old, new)
    made[path] = made[path].replace("memofs context", "/opt/bin/memofs context")
    assert after(planned(wish, made), made) == made
    left = after(planned(Wish(agents=(name,), remove=True), made), made)
    assert path not in left


@pytest.mark.parametrize("goes", ["codex", "opencode"])
def test_what_another_agent_reads_stays_until_that_one_goes_too(goes: str) -> None:
    (stays,) = {"codex", "opencode"} - {goes}
    made = after(planned(Wish(agents=("codex", "opencode"), project="X"), {}), {})
    removal = planned(Wish(agents=(goes,), remove=True), made)
    (rules,) = [change for change in removal if change.path == "/p/AGENTS.md"]
    assert rules.kept_for == (stays,)
    left = after(removal, made)
    assert left["/p/AGENTS.md"] == made["/p/AGENTS.md"]
    assert not any(stays not in path and "AGENTS" not in path and goes in path for path in left), left
    assert after(planned(Wish(agents=(stays,), remove=True), left), left) == {}
    assert after(planned(Wish(agents=("codex", "opencode"), remove=True), made), made) == {}


def codex_in(project: str) -> Places:
    return msgspec.structs.replace(PLACES, project=project)


@pytest.mark.parametrize("theirs", ["", '[projects."/q"]\ntrust_level = "trusted"\n'])
def test_codexs_server_stays_while_another_project_uses_it(theirs: str) -> None:
    files = {"/h/.codex/config.toml": theirs} if theirs else {}
    wish, remove = Wish(agents=("codex",)), Wish(agents=("codex",), remove=True)
    for project in ("/p/", "/q/"):
        files = after(plan(wish, codex_in(project), read=files.get, same=str), files)
    config = files["/h/.codex/config.toml"]
    assert tomllib.loads(config)["mcp_servers"]["memofs"]["command"] == "memofs"
    removal = plan(remove, PLACES, read=files.get, same=str)
    assert [change.kept_for for change in removal if change.path == "/h/.codex/config.toml"] == [("/q",)]
    files = after(removal, files)
    assert "/p" not in files["/h/.codex/config.toml"]
    assert tomllib.loads(files["/h/.codex/config.toml"])["mcp_servers"]["memofs"]["command"] == "memofs"
    files = after(plan(remove, codex_in("/q/"), read=files.get, same=str), files)
    assert files == ({"/h/.codex/config.toml": theirs} if theirs else {})


def test_codexs_server_stays_while_it_is_set_up_for_all_projects_and_goes_when_nobody_is_left() -> None:
    user = Wish(agents=("codex",), scope="user")
    files = after(planned(user, {}), {})
    files = after(planned(Wish(agents=("codex",)), files), files)
    files = after(planned(Wish(agents=("codex",), remove=True), files), files)
    assert "memofs" in files["/h/.codex/config.toml"]
    assert after(planned(Wish(agents=("codex",), scope="user", remove=True), files), files) == {}
    gone = {"/h/.codex/config.toml": '[mcp_servers.memofs]\n# memofs is used by /gone\ncommand = "memofs"\n'}
    assert after(planned(Wish(agents=("codex",), remove=True), gone), gone) == {}, (
        "a project that is gone needs nothing"
    )


@pytest.mark.parametrize("name", ['My "API" & Co', "a -- b --> c", "<!-- x", "Ünï\ncode"])
def test_a_name_that_was_given_is_kept_and_the_usual_one_is_followed(name: str) -> None:
    first = Wish(agents=("claude",), project=name, usual_project="folder")
    made = after(planned(first, {}), {})
    assert made["/p/CLAUDE.md"].count("-->") == 2
    again = Wish(agents=("claude", "codex"), usual_project="other")
    then = after(planned(again, made), made)
    assert then["/p/CLAUDE.md"] == made["/p/CLAUDE.md"]
    title = then["/p/CLAUDE.md"].splitlines()[1]
    assert "folder" not in title
    assert title in then["/p/AGENTS.md"], "one project, one name"
    reset = after(planned(Wish(agents=("claude",), project="", usual_project="folder"), made), made)
    assert "## The memory of folder" in reset["/p/CLAUDE.md"]
    moved = after(planned(Wish(agents=("claude",), usual_project="new"), reset), reset)
    assert "## The memory of new" in moved["/p/CLAUDE.md"]


@pytest.mark.parametrize("scope", SCOPES)
def test_rules_call_the_tools_as_the_agents_server_does(scope: Any) -> None:
    for name, agent in AGENTS.items():
        made = after(planned(Wish(agents=(name,), scope=scope), {}), {})
        config = "".join(text for path, text in made.items() if not path.endswith((".md", ".mdc")))
        assert ("underscore" in config) == (agent.names == "underscore" and '"mcp"' in config), name
        for text in (text for path, text in made.items() if path.endswith((".md", ".mdc"))):
            assert ("memofs_context" in text) == (agent.names == "underscore"), name
            assert ("memofs.context" in text) == (agent.names == "dotted"), name


def test_files_that_are_one_by_a_link_have_one_spelling_whoever_is_set_up() -> None:
    def same(path: str) -> str:
        return path.replace("CLAUDE.md", "AGENTS.md")

    made: dict[str, str] = {}
    for name in ("claude", "codex", "claude"):
        changes = plan(Wish(agents=(name,)), PLACES, read=made.get, same=same)
        (rules,) = [change for change in changes if change.path.endswith(".md")]
        assert "memofs_context" in (rules.after or "")
        assert "memofs.context" not in (rules.after or "")
        made = dict.fromkeys(("/p/CLAUDE.md", "/p/AGENTS.md"), rules.after or "")


SPACES = st.sampled_from(["", " ", "\n", "\n  ", "\t", " /* c */ ", " // d\n", "\r\n"])
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(-999, 999), st.text(max_size=8))
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@st.composite
def written(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """An object as somebody may have written it, with comments and trailing commas, and its value."""

    def text(value: Any) -> str:
        gap = draw(SPACES)
        if isinstance(value, dict):
            parts = [
                f"{draw(SPACES)}{json.dumps(key)}{draw(SPACES)}:{text(each)}"
                for key, each in cast("dict[str, Any]", value).items()
            ]
            sign = "{}"
        elif isinstance(value, list):
            parts, sign = [text(each) for each in cast("list[Any]", value)], "[]"
        else:
            return f"{gap}{json.dumps(value)}{draw(SPACES)}"
        comma = "," if parts and draw(st.booleans()) else ""
        return f"{gap}{sign[0]}{','.join(parts)}{comma}{draw(SPACES)}{sign[1]}{draw(SPACES)}"

    value = draw(st.dictionaries(st.text(max_size=4), VALUES, max_size=4))
    return text(value), value


@given(written(), st.text(max_size=4), st.text(max_size=4), VALUES)
def test_a_splice_changes_what_it_is_asked_to_and_nothing_else(
    made: tuple[str, dict[str, Any]], outer: str, inner: str, value: Any
) -> None:
    text, before = made
    assert jsonc.parse(text) == before
    expected = {**before, outer: value}
    put = jsonc.put(text, (outer,), value)
    assert jsonc.parse(put) == expected
    assert jsonc.put(put, (outer,), value) == put
    dropped = jsonc.drop(put, (outer,))
    assert jsonc.parse(dropped) == {key: each for key, each in before.items() if key != outer}
    if isinstance(before.get(outer, {}), dict):
        deep = jsonc.put(text, (outer, inner), value)
        assert jsonc.parse(deep) == {**before, outer: {**before.get(outer, {}), inner: value}}
    else:
        with pytest.raises(jsonc.JsoncError):
            jsonc.put(text, (outer, inner), value)
    if isinstance(before.get(outer, []), list):
        assert jsonc.parse(jsonc.append(text, (outer,), value))[outer] == [*before.get(outer, []), value]


@given(st.text(max_size=60))
def test_no_text_makes_it_fail_in_another_way(text: str) -> None:
    with contextlib.suppress(jsonc.JsoncError):
        jsonc.parse(text)


@given(st.text(alphabet="ab\n\r#<!->", max_size=60), st.text(alphabet="ab \n", min_size=1, max_size=20))
def test_a_block_goes_in_and_comes_out_again(text: str, body: str) -> None:
    put = put_block(text, body)
    assert put_block(put, body) == put
    dropped = drop_block(put)
    assert (
        dropped == text or (not text.strip() and not dropped.strip()) or dropped.rstrip("\r\n") == text.rstrip("\r\n")
    )
