"""How a text names other records: markdown and wiki links, "ADR 12", file names. Pure.

Nothing is looked up here: a reference may lead nowhere.
"""

import re
from collections.abc import Iterator, Mapping
from urllib.parse import unquote

import msgspec

from memofs.text.adr_dates import without_dates
from memofs.text.adr_names import bare_title, name_parts, number_in_name
from memofs.text.adr_outline import plain, words

__all__ = ["MARK", "Masked", "Reference", "bare_numbers", "masked", "name_alone"]


class Reference(msgspec.Struct, frozen=True, kw_only=True):
    """How a text names a record: by `path` (or URL) as written, by `number`, by `title`; at least one is there."""

    path: str | None = None
    number: int | None = None
    title: str | None = None


class Masked(msgspec.Struct, frozen=True, kw_only=True):
    """A text with a mark (`MARK`) in the place of each reference, so that no label or path is taken for words."""

    text: str
    references: tuple[Reference, ...]

    def at(self, mark: re.Match[str]) -> Reference:
        """The reference that the mark stands for."""
        return self.references[int(mark[1])]


MARK = re.compile(r"\ue000(\d+)\ue001")

_LINK = re.compile(
    r"\[\[(?P<wiki>[^\[\]|#]+)(?:[|#][^\[\]]*)?\]\]"
    r"|(?<!!)\[(?P<label>[^\[\]]*)\]"
    r"(?:\(\s*<?(?P<target>[^()\s<>]*(?:\([^()\s]*\)[^()\s<>]*)?)>?(?:\s+[\"'(][^()]*)?\s*\)|\[(?P<key>[^\[\]]*)\])?"
)
_NAMED = re.compile(
    r"\b(?:M?ADRs?|decisions?|(?:decision\s+)?records?)[\s#№:_-]*(?P<numbers>\d{1,5}\b"
    r"(?:\s*(?:,|&|/|and\b|or\b|,\s*and\b)\s*(?:M?ADR)?[\s#№-]*\d{1,5}\b)*)"
    r"|(?<![\w/.:~-])(?P<file>(?:[\w.~-]+/)*[\w.-]+\.(?:md|markdown))\b",
    re.IGNORECASE,
)
_BARE_NUMBERS = re.compile(
    r"[\s:#(–—-]*(?:no\.?\s*)?"
    r"(\d{1,5}(?![\w.]*\d)(?:(?:\s*,\s*|\s+and\s+|\s*&\s*)#?\d{1,5}(?![\w.]*\d))*)(?=\s*(?:$|[^\w\s]|and\b|or\b))",
    re.IGNORECASE,
)
_ONLY_A_NUMBER = re.compile(r"\W*(?:M?ADR\W*)?(\d{1,5})\W*", re.IGNORECASE)
_NAME = re.compile(r"[\w./-]*[A-Za-z]\w*")
_EMPHASIS = re.compile(r"\*+|(?<!\w)_+|_+(?!\w)")
_GENERIC = frozenset(
    {"adr", "adrs", "decision", "decisions", "favor", "favour", "here", "in", "link", "madr", "new", "of", "old"}
    | {"record", "see", "that", "the", "this"}
)


def masked(text: str, targets: Mapping[str, str]) -> Masked:
    """The text, without emphasis, and the references in it. `targets` are the document's link definitions."""
    found: list[Reference] = []

    def mark(reference: Reference) -> str:
        found.append(reference)
        return f"\ue000{len(found) - 1}\ue001"

    def link(match: re.Match[str]) -> str:
        label = match["label"] or ""
        target = match["wiki"] or match["target"] or targets.get((match["key"] or label).casefold())
        return label if not target or target.startswith("#") else mark(_from_link(label, target.strip()))

    def named(match: re.Match[str]) -> str:
        if path := match["file"]:
            return mark(Reference(path=path, number=number_in_name(name_parts(path)[1])))
        return " and ".join(mark(Reference(number=number)) for number in _numbers(match["numbers"]))

    clean = text.replace("\ue000", " ").replace("\ue001", " ")
    linked = _NAMED.sub(named, _LINK.sub(link, clean))
    return Masked(text=_EMPHASIS.sub("", linked), references=tuple(found))


def bare_numbers(text: str) -> tuple[Reference, ...]:
    """Numbers that stand at the beginning without a name, as after "Superseded by"; dates and versions are none."""
    match = _BARE_NUMBERS.match(without_dates(text))
    return tuple(Reference(number=number) for number in _numbers(match[1])) if match else ()


def name_alone(text: str) -> tuple[Reference, ...]:
    """A record by nothing but its file's name without suffix, as front matter has it: `0016-use-x`."""
    name = text.strip()
    number = number_in_name(name_parts(f"{name}.md")[1])
    return (Reference(path=name, number=number),) if number is not None and _NAME.fullmatch(name) else ()


def _from_link(label: str, target: str) -> Reference:
    path = unquote(target.partition("#")[0].partition("?")[0])
    named = number_in_name(name_parts(path.rstrip("/"))[1])
    title, number = bare_title(label, named)
    if number is None and (match := _ONLY_A_NUMBER.fullmatch(plain(label))):
        number, title = int(match[1]), ""
    telling = any(word not in _GENERIC and not word.isdigit() for word in words(title))
    return Reference(
        path=path, number=number if number is not None else named, title=title.strip() if telling else None
    )


def _numbers(text: str) -> Iterator[int]:
    return (int(digits) for digits in re.findall(r"\d+", text))
