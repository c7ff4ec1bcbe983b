"""Grammars load when first asked for, and one that does not load is named, not raised."""

import subprocess
import sys
from types import ModuleType

import pytest
import tree_sitter

from memofs.anchors.grammar import Grammar, NoGrammar, Wheel, grammar, load
from memofs.anchors.language import LANGUAGES, LanguageName


def test_a_language_without_grammar_is_unknown() -> None:
    missing = grammar(None)
    assert isinstance(missing, NoGrammar)
    assert missing.reason == "unknown"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_a_grammar_that_fits(language: LanguageName) -> None:
    found = grammar(language)
    assert isinstance(found, Grammar)
    assert tree_sitter.Parser(found.language).parse(b"").root_node.child_count == 0
    assert found.version


def test_jsx_is_parsed_as_javascript_and_the_mark_says_so() -> None:
    jsx, javascript = grammar("jsx"), grammar("javascript")
    assert isinstance(jsx, Grammar)
    assert isinstance(javascript, Grammar)
    assert (jsx.name, jsx.version) == (javascript.name, javascript.version)


def test_grammars_have_versions_of_their_own() -> None:
    versions = {(found.name, found.version) for name in LANGUAGES if isinstance(found := grammar(name), Grammar)}
    assert len(versions) == len(LANGUAGES) - 1
    assert len({version for _, version in versions}) == len(versions)


def test_a_grammar_is_loaded_once() -> None:
    assert grammar("go") is grammar("go")


def test_a_grammar_that_is_not_installed() -> None:
    missing = load(Wheel(name="cobol", module="tree_sitter_cobol"))
    assert isinstance(missing, NoGrammar)
    assert missing.reason == "absent"
    assert "cobol" in missing.message


@pytest.fixture
def package(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A package `tree_sitter_of_a_test`, with nothing in it yet."""
    module = ModuleType("tree_sitter_of_a_test")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    return module


def test_a_package_without_the_function(package: ModuleType) -> None:
    missing = load(Wheel(name="toy", module=package.__name__))
    assert isinstance(missing, NoGrammar)
    assert missing.reason == "broken"


def test_a_library_that_does_not_load(package: ModuleType) -> None:
    def language() -> object:
        raise OSError("undefined symbol: tree_sitter_toy")

    vars(package)["language"] = language
    missing = load(Wheel(name="toy", module=package.__name__))
    assert isinstance(missing, NoGrammar)
    assert missing.reason == "broken"
    assert "undefined symbol" in missing.message


@pytest.mark.parametrize("pointer", [None, "text", object()])
def test_a_language_that_does_not_fit(package: ModuleType, pointer: object) -> None:
    vars(package)["language"] = lambda: pointer
    missing = load(Wheel(name="toy", module=package.__name__))
    assert isinstance(missing, NoGrammar)
    assert missing.reason == "incompatible"
    assert "toy" in missing.message


def test_importing_loads_no_grammar() -> None:
    code = (
        "import sys, memofs.anchors.source, memofs.anchors.grammar;"
        "print(*[name for name in sys.modules if name.startswith('tree_sitter_')])"
    )
    ran = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, check=True, text=True)
    assert ran.stdout.split() == []
