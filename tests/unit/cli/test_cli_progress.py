"""The line that shows how far long work is."""

import pytest

from memofs.cli.progress import ProgressLine, draw
from memofs.wire.base import Progress


@pytest.mark.parametrize(
    ("progress", "line"),
    [
        (Progress(kind="report", done=0, total=627), "Importing [........................] 0/627"),
        (Progress(kind="report", done=1254, total=2508), "Importing [############............] 1,254/2,508"),
        (Progress(kind="report", done=9, total=3), "Importing [########################] 9/3"),
        (Progress(kind="report", done=12), "Importing 12"),
        (Progress(kind="begin", title="import"), "Importing"),
        (Progress(kind="report", message="docs/\x1b[2J.md"), "Importing docs/<U+001B>[2J.md"),
    ],
)
def test_draw(progress: Progress, line: str) -> None:
    assert draw(progress, "Importing", 79) == line


def test_a_line_fits_the_terminal() -> None:
    assert draw(Progress(kind="report", message="x" * 200), "Importing", 40) == "Importing " + "x" * 29 + "…"


def test_the_line_is_wiped_even_after_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    def fail() -> None:
        with ProgressLine("Importing", width=60) as line:
            line.update(Progress(kind="report", done=1, total=2))
            line.update(Progress(kind="report", done=1, total=2))
            line.update(Progress(kind="report", done=2, total=2))
            line.update(Progress(kind="end"))
            raise ValueError("stop")

    with pytest.raises(ValueError, match="stop"):
        fail()
    drawn = capsys.readouterr().err
    assert drawn.count("1/2") == 1, "a report right after another is not drawn"
    assert drawn.count("2/2") == 1, "the last one always is"
    assert drawn.endswith("2/2\r\x1b[2K")


def test_work_without_reports_draws_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with ProgressLine("Importing", width=60):
        pass
    assert capsys.readouterr() == ("", "")
