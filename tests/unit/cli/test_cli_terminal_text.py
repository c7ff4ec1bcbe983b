"""Text of memories can neither drive the terminal nor break the layout."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memofs.cli.terminal_text import cells, clip, neutral_block, neutral_line, pad, wrap

DANGEROUS = "\x00\x07\x08\x1b\x7f\x85\x9b\u2028\u2029\u202a\u202e\u2066\u2069\ufff9\udc80\U000e0041"
ANY_TEXT = st.text(st.characters() | st.sampled_from(DANGEROUS + "\t\r\n"))


def drives_a_terminal(char: str) -> bool:
    if char in "\n\t":
        return False
    category = unicodedata.category(char)
    return category in {"Cc", "Cs", "Zl", "Zp"} or "\u202a" <= char <= "\u202e" or "\u2066" <= char <= "\u2069"


@given(ANY_TEXT)
def test_a_block_keeps_no_character_that_drives_a_terminal(text: str) -> None:
    assert not any(drives_a_terminal(char) for char in neutral_block(text))


@given(ANY_TEXT)
def test_a_line_is_one_line_and_keeps_no_such_character(text: str) -> None:
    line = neutral_line(text)
    assert not set(line) & set("\n\r\t")
    assert not any(drives_a_terminal(char) for char in line)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("Straße café 缓存 👩‍💻 שלום", "Straße café 缓存 👩‍💻 שלום"),
        ("two\nlines\tand\r\na tab", "two lines and a tab"),
        ("\x1b[31mred\x1b[0m", "<U+001B>[31mred<U+001B>[0m"),
        ("\x1b]0;title\x07", "<U+001B>]0;title<U+0007>"),
        ("a\u202eb", "a<U+202E>b"),
        ("\x9b2J", "<U+009B>2J"),
        ("\udc80", "<U+DC80>"),
    ],
)
def test_neutral_line(text: str, shown: str) -> None:
    assert neutral_line(text) == shown


def test_a_block_keeps_its_lines_and_tabs() -> None:
    assert neutral_block("a\r\n\tb\n\rc") == "a\n\tb\n<U+000D>c"


@pytest.mark.parametrize(
    ("text", "width"),
    [("", 0), ("abc", 3), ("缓存", 4), ("café", 4), ("cafe\u0301", 4), ("👍", 2), ("ｗｉｄｅ", 8), ("a\u200bb", 2)],
)
def test_cells(text: str, width: int) -> None:
    assert cells(text) == width


@pytest.mark.parametrize(
    ("text", "width", "shown"),
    [
        ("short", 10, "short"),
        ("exactly", 7, "exactly"),
        ("too long", 5, "too…"),
        ("缓存必须先预热", 5, "缓存…"),
        ("anything", None, "anything"),
        ("anything", 1, "…"),
        ("anything", 0, ""),
    ],
)
def test_clip(text: str, width: int | None, shown: str) -> None:
    assert clip(text, width) == shown


@given(st.text(), st.integers(1, 40))
def test_a_clipped_text_fits(text: str, width: int) -> None:
    assert cells(clip(text, width)) <= width


def test_pad_counts_cells_not_characters() -> None:
    assert pad("缓存", 6) == "缓存  "
    assert pad("7", 3, right=True) == "  7"
    assert pad("longer", 3) == "longer"


def test_wrap_breaks_at_spaces_and_keeps_long_words_whole() -> None:
    assert wrap("one two three", 7) == ("one two", "three")
    assert wrap("a supercalifragilistic b", 6) == ("a", "supercalifragilistic", "b")
    assert wrap("anything at all", None) == ("anything at all",)


@given(st.text(st.sampled_from("ab 缓\t")), st.integers(1, 12))
def test_wrapping_loses_nothing_but_spaces(text: str, width: int) -> None:
    pieces = wrap(text, width)
    assert re.sub(" ", "", "".join(pieces)) == text.replace(" ", "")
    assert all(cells(piece) <= width or " " not in piece.strip() for piece in pieces)
    assert all(piece in text for piece in pieces)
