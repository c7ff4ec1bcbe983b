"""What docs/check.md and the hook definition tell people to run is there, and does what they say."""

import re
import shlex
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from memofs.cli.app import program

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "check.md").read_text(encoding="utf-8")
BLOCKS = [yaml.safe_load(block) for block in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)]
HOOK = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
STAGES = {"commit-msg", "manual", "pre-commit", "pre-merge-commit", "pre-push", "pre-rebase", "prepare-commit-msg"}


def calls() -> list[str]:
    """Every `memofs …` that a block or the page itself runs."""
    found: list[str] = [hook["entry"] for hook in (*HOOK, *BLOCKS[1]["repos"][0]["hooks"])]
    for block in BLOCKS[2:]:
        (job,) = block["jobs"].values()
        found += [step["run"] for step in job["steps"] if step.get("run", "").startswith("memofs ")]
    found += re.findall(r"^\$ (memofs .*)$", PAGE, re.MULTILINE)
    return [*found, *re.findall(r"`(memofs \w+ [^`]*)`", PAGE)]


@pytest.mark.parametrize("call", calls())
def test_every_call_parses(call: str) -> None:
    words = shlex.split(re.split(r" > | \|\| ", call)[0].replace("${{ github.base_ref }}", "main"))
    assert words[0] == "memofs"
    command = program.get_command(click.Context(program), words[1])
    assert command is not None
    command.make_context(words[1], words[2:], resilient_parsing=True)
    taken = {name for parameter in command.params for name in parameter.opts}
    assert {word for word in words[2:] if word.startswith("--")} <= taken


def test_the_page_has_what_it_promises() -> None:
    assert len(BLOCKS) == 4
    assert len(calls()) >= 8
    assert [hook["id"] for hook in BLOCKS[0]["repos"][0]["hooks"]] == [hook["id"] for hook in HOOK]


def test_the_hook_is_one_that_pre_commit_takes() -> None:
    hook: dict[str, Any]
    for hook in HOOK:
        assert {"id", "name", "entry", "language"} <= hook.keys()
        assert set(hook["stages"]) <= STAGES
        assert (hook["pass_filenames"], hook["always_run"]) == (False, True)
