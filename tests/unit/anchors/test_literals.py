"""Numbers and strings by what they stand for."""

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memofs.anchors.shape.literals import number, unescaped


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1", "1"),
        ("0XFF", "0xff"),
        ("0xff", "0XfF"),
        ("0B11", "0b1_1"),
        ("0o17", "0O17"),
        ("1_000", "1000"),
        ("1.0", "1."),
        (".5", "0.50"),
        ("1E5", "1e+5"),
        ("1e5", "100000.0"),
        ("12.5e-1", "1.25"),
        ("0.0", "0e9"),
        ("5J", "5j"),
        ("1.50f", "1.5F"),
        ("0xFFL", "0xffl"),
    ],
)
def test_numbers_that_are_the_same(one: str, other: str) -> None:
    assert number(one) == number(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1", "1.0"),
        ("1", "2"),
        ("0x10", "10"),
        ("010", "10"),
        ("1.5", "15"),
        ("1e5", "1e6"),
        ("1e-5", "1e5"),
        ("0.1", "0.01"),
        ("5j", "5"),
        ("1f", "1d"),
        ("0xffl", "0xff"),
        ("10n", "10"),
        ("9007199254740993", "9007199254740992"),
        ("0.1000000000000000055", "0.1"),
    ],
)
def test_numbers_that_are_not(one: str, other: str) -> None:
    assert number(one) != number(other)


def test_without_integers_whole_numbers_are_floats() -> None:
    assert number("1", "alike") == number("1.0", "alike") == number("1e0", "alike")
    assert number("100", "alike") == number("1e2", "alike")
    assert number("0x10", "alike") != number("10", "alike")


FLOATS = st.floats(min_value=0, allow_nan=False, allow_infinity=False)


@given(FLOATS, FLOATS)
def test_floats_are_the_same_where_python_says_so(one: float, other: float) -> None:
    """For spellings as Python writes them: the shortest that say which float it is."""
    assert (number(repr(one)) == number(repr(other))) == (one == other)
    assert number(repr(one)) == number(repr(one).upper())


@given(FLOATS, st.integers(0, 3))
def test_idle_zeros_and_separators_say_nothing(value: float, zeros: int) -> None:
    digits, _, exponent = f"{value:.17e}".partition("e")
    assert number(f"{digits}{'0' * zeros}e{exponent}") == number(f"{digits}e{int(exponent)}")
    assert number(f"{digits[:4]}_{digits[4:]}e{exponent}") == number(f"{digits}e{exponent}")


def test_a_number_of_thousands_of_digits() -> None:
    assert number(f"0x{'f' * 9_000}") == number(f"0X{'F' * 9_000}") != number(f"0x{'f' * 9_001}")
    assert number("9" * 9_000) != number("9" * 8_999 + "8")


@pytest.mark.parametrize("text", ["abc", "0x", "1.2.3", "", "0b2", "1e", "08"])
def test_what_is_no_number_comes_back(text: str) -> None:
    assert number(text) == text


LITERALS = st.text(alphabet=st.sampled_from("abfnrtvxuUN\\'\"01479aF{}\n é"), max_size=12)


@pytest.mark.filterwarnings("ignore::SyntaxWarning", "ignore::DeprecationWarning")
@given(LITERALS)
def test_strings_as_python_reads_them(text: str) -> None:
    literal = f'"""{text}"""'
    try:
        value = ast.literal_eval(literal)
    except (SyntaxError, ValueError):
        return
    if "\\N" not in text and '"""' not in text and not text.endswith('"') and isinstance(value, str):
        assert unescaped(text) == value


@pytest.mark.filterwarnings("ignore::SyntaxWarning", "ignore::DeprecationWarning")
@given(st.text(alphabet=st.sampled_from("abfnrtvxuUN\\'\"01479aF{}\n "), max_size=12))
def test_bytes_as_python_reads_them(text: str) -> None:
    try:
        value = ast.literal_eval(f'b"""{text}"""')
    except (SyntaxError, ValueError):
        return
    if '"""' not in text and isinstance(value, bytes):
        # An octal escape beyond a byte is cut to one by Python.
        assert [ord(sign) & 0xFF for sign in unescaped(text, unicode_escapes=False)] == list(value)


def test_a_named_character_stays_named_whatever_its_letters_case() -> None:
    assert unescaped("\\N{EM DASH}") == unescaped("\\N{em dash}") != unescaped("\\N{EN DASH}")
    assert unescaped("\\N{DASH}") != unescaped("\\\\N{DASH}")


@pytest.mark.parametrize(
    ("text", "value"), [("\\u{1F600}", "😀"), ("\\d", "\\d"), ("\\u{110000}", "\\u{110000}"), ("", "")]
)
def test_escapes_of_other_languages(text: str, value: str) -> None:
    assert unescaped(text) == value
