"""Agents' files: JSON with comments spliced, markdown between markers, TOML; golden files of every agent."""

import contextlib
import json
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from memofs.agents import jsonc
from memofs.agents.catalog import AGENTS, Places
from memofs.agents.marked import BEGIN, END, drop_block, put_block
from memofs.agents.setup import Change, Unreadable, Wish, plan

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
        assert body.strip().startswith(BEGIN)
        return yaml.safe_load(head)
    assert text.count(BEGIN) == text.count(END) == 1
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
    assert "\r\n" + BEGIN in made["/p/AGENTS.md"]
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
    files["/p/.mcp.json"] = jsonc.put(files["/p/.mcp.json"], ("mcpServers", "memofs", "command"), "old")
    again = after(planned(Wish(agents=("claude",), project="New"), files), files)
    assert again["/p/CLAUDE.md"].startswith("# Ours\n\nBe brief.\n")
    assert again["/p/CLAUDE.md"].endswith("\nAfter.\n")
    assert "The memory of New" in again["/p/CLAUDE.md"]
    assert "Do as you like" not in again["/p/CLAUDE.md"]
    assert jsonc.parse(again["/p/.mcp.json"])["mcpServers"]["memofs"]["command"] == "memofs"
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
