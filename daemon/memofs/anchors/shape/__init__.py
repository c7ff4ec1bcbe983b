"""What a region of code means, as far as formatters and comments cannot change it: a hash of its syntax.

    shape_of(source, span)      Shape: `digest` (16 bytes) and what it was made by
    shape_of_file(source)       the same for a whole file, in which the order of imports does not count
    SHAPE_VERSION               of the rules; a mark names it, so that new rules never turn an old mark stale
    Shape.made_by               the version of the rules and the grammar's: only shapes made alike can be compared
    Shape.basis                 "syntax", or "text": no tree, or nothing but comments, docstrings and blanks

Invariant: equal shapes mean that the region says the same to the language, but for documentation and
comments that instruct nobody.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

import msgspec

from memofs.anchors.grammar import Grammar
from memofs.anchors.language import LANGUAGES, LanguageName, language_of
from memofs.anchors.shape.bash import BASH
from memofs.anchors.shape.c_family import C_FAMILY
from memofs.anchors.shape.directives import directives
from memofs.anchors.shape.ecmascript import ECMASCRIPT
from memofs.anchors.shape.go import GO
from memofs.anchors.shape.java import CSHARP, JAVA
from memofs.anchors.shape.json import JSON
from memofs.anchors.shape.markdown import markdown
from memofs.anchors.shape.php import PHP
from memofs.anchors.shape.python import PYTHON
from memofs.anchors.shape.ruby import RUBY
from memofs.anchors.shape.rules import DIRECTIVE, ShapeRules
from memofs.anchors.shape.rust import RUST
from memofs.anchors.shape.walk import tokens_of_file, tokens_of_region
from memofs.anchors.shape.yaml import YAML
from memofs.anchors.source import Source, line_at, stripped
from memofs.model.place import Span

__all__ = [
    "DIRECTIVES_VERSION",
    "SHAPE_BYTES",
    "SHAPE_VERSION",
    "Basis",
    "Shape",
    "shape_of",
    "shape_of_file",
    "shape_tokens",
]

SHAPE_VERSION: Final = 1
DIRECTIVES_VERSION: Final = 2
"""Of the rules that let directives, the ends of preprocessor lines and the tabs of recipes count.

Shapes without any are what they were before; so they go by the old version, and marks of it hold.
"""
SHAPE_BYTES: Final = 16
Basis: TypeAlias = Literal["syntax", "text"]


class Shape(msgspec.Struct, frozen=True, kw_only=True):
    """The shape of a region. `made_by` is "1 python 0.25.0+…", or "1" where no grammar had a part in it."""

    digest: bytes
    basis: Basis
    made_by: str


def shape_of(source: Source, span: Span) -> Shape:
    """Return the shape of a region; blanks at its ends do not count.

    Where there is no tree it is that of the text with each run of blanks as one; for a region of comments or
    documentation alone that of its words and signs, whatever blanks and quotes are around them.
    """
    return _shape(source, _bare(source, span), "region")


def shape_of_file(source: Source) -> Shape:
    """Return the shape of the whole text, in which the order of imports does not count."""
    return _shape(source, _bare(source, Span(0, len(source.text))), "file")


def shape_tokens(source: Source, span: Span) -> tuple[str, ...]:
    """Return what the shape of a region is the hash of; empty where the text is."""
    rules = _RULES.get(source.language) if source.language else None
    root = source.root
    if rules is None or root is None:
        return ()
    bare = _bare(source, span)
    tokens = tokens_of_region(source, root, bare, rules)
    return (*tokens, *directives(source, root, bare)) if tokens else ()


def _bare(source: Source, span: Span) -> Span:
    """Return a region without blanks and byte order mark at its ends."""
    marked = span.start == 0 < span.end and source.text.startswith("\ufeff")
    return stripped(source.text, Span(1, span.end) if marked else span)


def _shape(source: Source, bare: Span, what: Literal["region", "file"]) -> Shape:
    rules = _RULES.get(source.language) if source.language else None
    root, grammar = source.root, source.grammar
    if rules is None or root is None or not isinstance(grammar, Grammar):
        words = _recipe(source, bare) if source.has_recipes else source.text[bare.start : bare.end].split()
        return Shape(digest=_digest(["text", *words]), basis="text", made_by=_version(words))
    tokens = tokens_of_file(source, root, rules) if what == "file" else tokens_of_region(source, root, bare, rules)
    if not tokens:
        words = _PROSE.findall(_PREFIX.sub("", source.text[bare.start : bare.end]))
        made_by = f"{_version(words)} {grammar.name} {grammar.version}"
        return Shape(digest=_digest(["prose", *words]), basis="text", made_by=made_by)
    tokens += directives(source, root, bare)
    made_by = f"{_version(tokens)} {grammar.name} {grammar.version}"
    return Shape(digest=_digest(["syntax", *tokens]), basis="syntax", made_by=made_by)


def _version(tokens: Sequence[str]) -> str:
    """Return the version of the rules that had a part in these."""
    return f"{DIRECTIVES_VERSION if any(token.startswith(DIRECTIVE) for token in tokens) else SHAPE_VERSION}"


def _recipe(source: Source, bare: Span) -> list[str]:
    """Return the words of a makefile, with a token for each tab that makes a line one of a recipe."""
    words: list[str] = []
    for line in range(line_at(source, bare.start), line_at(source, max(bare.start, bare.end - 1)) + 1):
        start, end = source.starts[line], source.index.ends[line]
        if source.text.startswith("\t", start) and source.text[start:end].strip():
            words.append(f"{DIRECTIVE}recipe")
        words += source.text[max(start, bare.start) : min(end, bare.end)].split()
    return words


def _digest(tokens: list[str]) -> bytes:
    return hashlib.sha256("\0".join(tokens).encode("utf-8", "surrogatepass")).digest()[:SHAPE_BYTES]


def _fenced(name: str, code: str) -> tuple[str, ...]:
    """Return the tokens of code in markdown; none if its language is not known or it does not parse."""
    source = Source(code, _NAMES.get(name) or language_of(f"fence.{name}"))
    return () if source.language == "markdown" else shape_tokens(source, Span(0, len(code)))


_NAMES: Final[Mapping[str, LanguageName]] = MappingProxyType(
    {**{language: language for language in LANGUAGES}, "shell": "bash", "c#": "csharp", "golang": "go"}
)
# Black turns '''a''' into """a""" and #a into # a.
_PREFIX: Final = re.compile(r"\A[rRuU](?=['\"])")
_PROSE: Final = re.compile(r"\w+|[^\w\s'\"]")
_RULES: Final[Mapping[LanguageName, ShapeRules]] = MappingProxyType(
    {
        "bash": BASH,
        "c": C_FAMILY,
        "cpp": C_FAMILY,
        "csharp": CSHARP,
        "go": GO,
        "java": JAVA,
        "javascript": ECMASCRIPT,
        "json": JSON,
        "jsx": ECMASCRIPT,
        "markdown": markdown(_fenced),
        "php": PHP,
        "python": PYTHON,
        "ruby": RUBY,
        "rust": RUST,
        "tsx": ECMASCRIPT,
        "typescript": ECMASCRIPT,
        "yaml": YAML,
    }
)
