"""What the name of a file and its heading say: the record's number and title, or that it is no record."""

import re

from memofs.text.adr_dates import date_in_name
from memofs.text.adr_outline import plain, words

__all__ = ["bare_title", "name_parts", "not_a_record_name", "number_in_name", "placeholder", "title_from_name"]

_NUMBER = re.compile(r"(?:(?:adr|madr|ad|dr|decision|record)s?[-_. #]*)?(\d{1,5})(?=[-_. ]|$)", re.IGNORECASE)
_CODED = re.compile(r"[A-Za-z][A-Za-z-]{1,20}-(0\d{1,4})(?=[-_. ]|$)")
_LETTERED = re.compile(r"(?:adr|madr|decision|record)[-_. #]*(\d{1,5})(?=[-_. ]|$)", re.IGNORECASE)
_PREFIX = re.compile(
    r"""
    \s*\[?
    (?:
        (?:(?:M?ADR|Architectur(?:e|al)\ Decision(?:\ Records?)?|Decision(?:\ Record)?)\b)
            [\s#№._–—-]*(?P<lettered>\d{1,5}\b)?
      | \#?(?P<bare>\d{1,5})(?!\w)
    )
    \]?
    (?P<mark>\s*[.:)\]–—]+(?=\s|$)|\s+[-–—|](?=\s)|\s*:|(?=\s|$))
    \s*
    """,
    re.IGNORECASE | re.VERBOSE,
)
_PLACEHOLDER = re.compile(
    r"\s*(?:\{[^{}]*\}|<[^<>]*>|\[[^\[\]]*\]|NUMBER\.?\s+TITLE|TITLE|(?:short\s+)?title(?:\s+here)?|\.{3}|…)\s*",
)
_TEMPLATE_WORDS = frozenset(
    {"a", "adr", "an", "architectural", "architecture", "bare", "blank", "decision", "decisions", "default", "empty"}
    | {"example", "full", "lightweight", "long", "madr", "markdown", "md", "minimal", "new", "nygard", "record"}
    | {"records", "short", "template", "templates", "the"}
)
_NOT_RECORDS = {
    "readme": "a README",
    "index": "an index",
    "_index": "an index",
    "toc": "a table of contents",
    "summary": "a table of contents",
    "_sidebar": "a table of contents",
    "changelog": "a change log",
    "contributing": "a guide for contributors",
    "license": "a licence",
}


def name_parts(path: str) -> tuple[str, str]:
    """The name of the folder that holds the file, and the file's name without its last suffix."""
    folder, _, name = path.rpartition("/")
    stem, dot, _ = name.rpartition(".")
    return folder.rpartition("/")[2], stem if dot and stem else name


def number_in_name(stem: str) -> int | None:
    """The record's number in a file's name (`0012-use-x`, `ADR-0012-use-x`, `adr_12`, `DB-003-x`); a date is none."""
    match = _NUMBER.match(stem) or _CODED.match(stem)
    if not match or (date_in_name(stem) is not None and not _LETTERED.match(stem)):
        return None
    return int(match[1])


def not_a_record_name(path: str) -> str | None:
    """Why a file of this name is no record, if its name says so.

    A README or an index in a folder with a number is that folder's record.
    """
    folder, stem = name_parts(path)
    if reason := _NOT_RECORDS.get(stem.casefold()):
        return None if number_in_name(folder) is not None else reason
    parts = [word for word in words(stem.replace("_", " ")) if not word.isdigit()]
    if any(word in {"template", "templates"} for word in parts) and _TEMPLATE_WORDS.issuperset(parts):
        return "a template"
    return None


def bare_title(heading: str, number: int | None) -> tuple[str, int | None]:
    """The title without "1.", "ADR-0001:" and the like, and the number that stood before it.

    A number without punctuation is a part of the title ("3 ways to deploy") unless it is the record's own `number`
    or padded with zeros.
    """
    text = plain(heading)
    match = _PREFIX.match(text)
    if not match:
        return text, None
    digits = match["lettered"] or match["bare"]
    rest = text[match.end() :]
    if match["bare"]:
        own = int(digits) == number or digits.startswith("0")
        if not match["mark"].strip() and not own:
            return text, None
        if match["mark"].strip() == "-" and not own and not rest:
            return text, None
    elif not match["mark"].strip() and digits is None and rest:
        # "Decision making in teams", "ADR tooling": words of the title.
        return text, None
    return rest, int(digits) if digits else None


def placeholder(title: str) -> bool:
    """True for what templates have where the title goes."""
    return _PLACEHOLDER.fullmatch(title) is not None


def title_from_name(stem: str) -> str:
    """A title made from a file's name: without number or date, words with spaces."""
    rest = re.sub(r"^(?:m?adr[-_. ]*)?\d{1,8}(?:[-_]\d{2}){0,2}[-_. ]*", "", stem, flags=re.IGNORECASE) or stem
    text = " ".join(re.sub(r"[-_]+", " ", rest).split())
    return text[:1].upper() + text[1:]
