"""What README.md quotes is what the program prints."""

from pathlib import Path

from contract.readme_examples import EXAMPLE, PAGE, replayed


def test_examples_are_current(tmp_path: Path) -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert len(EXAMPLE.findall(text)) >= 5
    assert replayed(text, tmp_path) == text, "run: .venv/bin/python tests/contract/readme_examples.py"
