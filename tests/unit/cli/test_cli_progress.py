"""The line that shows how far long work is. What it looks like on a real terminal is tested end to end."""

import subprocess
import sys

import pytest

from memofs.cli.progress import ProgressLine
from memofs.wire.values import Progress


def test_work_without_reports_draws_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with ProgressLine("Importing", width=60):
        pass
    assert capsys.readouterr() == ("", "")


def test_the_terminal_gets_its_cursor_back_even_after_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    def fail() -> None:
        with ProgressLine("Importing", width=60) as line:
            line.update(Progress(kind="report", done=1, total=2, message="docs/\x1b[2J.md"))
            line.update(Progress(kind="end"))
            raise ValueError("stop")

    with pytest.raises(ValueError, match="stop"):
        fail()
    assert "\x1b[2J" not in capsys.readouterr().err, "a file name cannot drive the terminal"


def test_rich_is_imported_only_to_draw() -> None:
    code = (
        "import sys; from memofs.cli.progress import ProgressLine\n"
        "with ProgressLine('Importing', width=60): pass\n"
        "sys.exit('rich' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
