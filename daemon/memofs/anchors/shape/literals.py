"""Numbers and strings by what they stand for, however they are written."""

import re
from typing import Final, Literal

__all__ = ["number", "unescaped"]


def number(text: str, whole_numbers: Literal["apart", "alike"] = "apart") -> str:
    """Return one spelling for all spellings of a number: in small letters, no separators, no idle zeros or signs.

    Exact: no digit is lost. A float equals an integer only where the language has no integers (`alike`). What is no
    such number, and one with a leading zero, which is octal in some languages, comes back in small letters.
    """
    small = text.lower()
    plain = small.replace("_", "")
    based = _BASED.fullmatch(plain)
    if based:
        # Not as an integer: Python refuses to write one of thousands of digits.
        return f"{based[1][0]}{based[1][1:].lstrip('0') or 0}{based[2]}"
    found = _DECIMAL.fullmatch(plain)
    if not found or (len(found[1]) > 1 and found[1][0] == "0"):
        return small
    whole, fraction, exponent, suffix = found[1], found[2], found[3], found[4]
    if fraction is None and exponent is None and whole_numbers == "apart":
        return whole + suffix
    digits = (whole + (fraction or "")).lstrip("0")
    bare = digits.rstrip("0")
    power = int(exponent or 0) - len(fraction or "") + len(digits) - len(bare)
    return f"{bare or 0}e{power if bare else 0}{suffix}"


def unescaped(text: str, *, unicode_escapes: bool = True) -> str:
    r"""Return the inside of a string with C-like escapes undone; what is no escape stays as written.

    `\N{NAME}` stays an escape with its name in small letters: looking it up would need a table. Without
    `unicode_escapes` (bytes) `\u`, `\U` and `\N` stand for themselves.
    """
    if "\\" not in text:
        return text
    return (_ESCAPE if unicode_escapes else _ESCAPE_OF_BYTES).sub(_character, text)


def _character(found: re.Match[str]) -> str:
    name = found[1]
    if name in _SIMPLE:
        return _SIMPLE[name]
    if name[0] in "xuU":
        code = int(name[1:].strip("{}"), 16)
    elif name[0] == "N":
        return f"\x03{name.lower()}"
    else:
        code = int(name, 8)
    # Beyond the last character it is no escape, and stays what it is.
    return chr(code) if code < 0x110000 else found[0]


_BASED: Final = re.compile(r"0(x[0-9a-f]+|o[0-7]+|b[01]+)([lnuijz]*)")
_DECIMAL: Final = re.compile(r"(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?([a-df-z]*)")
_SIMPLE: Final = {
    **{"\n": "", "\\": "\\", "'": "'", '"': '"', "`": "`"},
    **{"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"},
}
_OCTAL_HEX_SIMPLE: Final = r"[\n\\'\"`abfnrtv]|[0-7]{1,3}|x[0-9a-fA-F]{2}"
_ESCAPE: Final = re.compile(
    rf"\\({_OCTAL_HEX_SIMPLE}|u\{{[0-9a-fA-F]{{1,8}}\}}|u[0-9a-fA-F]{{4}}|U[0-9a-fA-F]{{8}}|N\{{[^}}]*\}})"
)
_ESCAPE_OF_BYTES: Final = re.compile(rf"\\({_OCTAL_HEX_SIMPLE})")
