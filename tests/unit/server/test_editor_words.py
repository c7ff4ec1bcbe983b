"""What a memory says is shown and never acted on."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memofs.server.editor.words import line_of, markdown_of, paragraph


@pytest.mark.parametrize(
    "text",
    [
        "![x](http://example.org/a.png)",
        "[run](command:workbench.action.terminal.new)",
        "<img src=x onerror=alert(1)>",
        "# heading",
        "`code` and **bold** and ~~struck~~",
        "https://example.org and user@example.org",
        "| a | b |",
        "1. list",
    ],
)
def test_markdown_in_a_memory_is_text(text: str) -> None:
    shown = markdown_of(text)
    unescaped = shown.replace("\\", "")
    assert unescaped == text
    for place, char in enumerate(shown):
        if char in "[]()<>`*#|!~:@/.":
            assert shown[place - 1] == "\\"


@given(st.text())
def test_what_is_not_seen_is_not_shown(text: str) -> None:
    shown = line_of(text)
    assert "\n" not in shown
    assert not any(ord(char) < 32 or 0x7F <= ord(char) < 0xA0 or char in "\u202e\u200b\ufeff\u2066" for char in shown)


def test_the_first_paragraph_that_says_something_new() -> None:
    body = "# Title\n\nTitle\n\nFirst\nlines.\n\nSecond."
    assert paragraph(body, but="Title") == "First lines."
    assert paragraph("## only a heading") == ""
    assert paragraph("word " * 500).endswith("…")
