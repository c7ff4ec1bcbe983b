"""The tree-sitter grammar of a language, loaded when first asked for.

Invariant: a grammar that is not installed, does not load or does not fit the tree-sitter library is a `NoGrammar`
that says so, never an exception: whoever parses falls back on rules for text and tells. Nothing is loaded when this
module is imported, and nothing is ever downloaded.
"""

import importlib
from collections.abc import Callable
from functools import cache
from typing import Final, Literal, cast

import msgspec
import tree_sitter

from memofs.anchors.language import LanguageName

__all__ = ["Grammar", "NoGrammar", "Wheel", "grammar", "load"]


class Grammar(msgspec.Struct, frozen=True, kw_only=True):
    """A grammar ready to parse with. `name` is its language: jsx is parsed by the grammar javascript.

    `version` tells two builds apart that may parse differently; it is part of what a mark records.
    """

    name: str
    version: str
    language: tree_sitter.Language


class NoGrammar(msgspec.Struct, frozen=True, kw_only=True):
    """Why there is no grammar: none is known for the language, not installed, does not load, or does not fit."""

    reason: Literal["unknown", "absent", "broken", "incompatible"]
    message: str


class Wheel(msgspec.Struct, frozen=True, kw_only=True):
    """Where a grammar comes from: a package and the function in it that returns the language."""

    name: str
    module: str
    function: str = "language"


@cache
def grammar(language: LanguageName | None) -> Grammar | NoGrammar:
    """Return the grammar of `language`, loaded at the first call, or why there is none.

    What was found is remembered: a grammar installed later is seen after a restart.
    """
    wheel = _WHEELS.get(language) if language else None
    if wheel is None:
        return NoGrammar(reason="unknown", message="no grammar is known for this kind of file")
    return load(wheel)


def load(wheel: Wheel) -> Grammar | NoGrammar:
    """Return the grammar in `wheel`, or why it cannot be used."""
    try:
        module = importlib.import_module(wheel.module)
        pointer = cast("Callable[[], object]", getattr(module, wheel.function))()
    except ModuleNotFoundError as error:
        return NoGrammar(reason="absent", message=f"the grammar of {wheel.name} is not installed ({error})")
    except (ImportError, OSError, AttributeError, TypeError, RuntimeError, SystemError) as error:
        return NoGrammar(reason="broken", message=f"the grammar of {wheel.name} does not load: {error}")
    try:
        language = tree_sitter.Language(pointer)
        tree_sitter.Parser(language)
    except (ValueError, TypeError, RuntimeError) as error:
        fits = f"{tree_sitter.MIN_COMPATIBLE_LANGUAGE_VERSION} to {tree_sitter.LANGUAGE_VERSION}"
        message = f"the grammar of {wheel.name} does not fit tree-sitter (it needs ABI {fits}): {error}"
        return NoGrammar(reason="incompatible", message=message)
    return Grammar(name=wheel.name, version=_version(language), language=language)


def _version(language: tree_sitter.Language) -> str:
    """Return the version a grammar states (older ones state none) and the size of its tables.

    The tables differ between nearly any two grammars that parse differently, whatever the version says.
    """
    stated = language.semantic_version
    tables = f"{language.parse_state_count}-{language.node_kind_count}"
    return f"{'.'.join(map(str, stated))}+{tables}" if stated else tables


_WHEELS: Final[dict[LanguageName, Wheel]] = {
    "bash": Wheel(name="bash", module="tree_sitter_bash"),
    "c": Wheel(name="c", module="tree_sitter_c"),
    "cpp": Wheel(name="cpp", module="tree_sitter_cpp"),
    "csharp": Wheel(name="csharp", module="tree_sitter_c_sharp"),
    "go": Wheel(name="go", module="tree_sitter_go"),
    "java": Wheel(name="java", module="tree_sitter_java"),
    "javascript": Wheel(name="javascript", module="tree_sitter_javascript"),
    "json": Wheel(name="json", module="tree_sitter_json"),
    "jsx": Wheel(name="javascript", module="tree_sitter_javascript"),
    "markdown": Wheel(name="markdown", module="tree_sitter_markdown"),
    "php": Wheel(name="php", module="tree_sitter_php", function="language_php"),
    "python": Wheel(name="python", module="tree_sitter_python"),
    "ruby": Wheel(name="ruby", module="tree_sitter_ruby"),
    "rust": Wheel(name="rust", module="tree_sitter_rust"),
    "tsx": Wheel(name="tsx", module="tree_sitter_typescript", function="language_tsx"),
    "typescript": Wheel(name="typescript", module="tree_sitter_typescript", function="language_typescript"),
    "yaml": Wheel(name="yaml", module="tree_sitter_yaml"),
}
