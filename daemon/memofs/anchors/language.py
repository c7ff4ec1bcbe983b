"""The language of a file, told by its name, its ending or its first line.

Invariant: a name in `LANGUAGES` is what the rest of `anchors` calls a language, however a file came by it. Whether
the text really is in that language is left to the parser.
"""

import re
from typing import Final, Literal, TypeAlias

__all__ = ["LANGUAGES", "LanguageName", "has_recipes", "language_of"]

LanguageName: TypeAlias = Literal[
    "bash",
    "c",
    "cpp",
    "csharp",
    "go",
    "java",
    "javascript",
    "json",
    "jsx",
    "markdown",
    "php",
    "python",
    "ruby",
    "rust",
    "tsx",
    "typescript",
    "yaml",
]
LANGUAGES: Final[tuple[LanguageName, ...]] = (
    *("bash", "c", "cpp", "csharp", "go", "java", "javascript", "json", "jsx", "markdown", "php", "python", "ruby"),
    *("rust", "tsx", "typescript", "yaml"),
)


def language_of(path: str, first_line: str = "") -> LanguageName | None:
    """Return the language of the file at `path` (POSIX), or None where nothing tells it.

    `first_line` is asked only where the path says nothing: it may name an interpreter.
    """
    name = path.rpartition("/")[2].lower()
    if name in _BY_NAME:
        return _BY_NAME[name]
    stem, dot, ending = name.rpartition(".")
    if dot and stem and ending in _BY_ENDING:
        return _BY_ENDING[ending]
    interpreter = _SHEBANG.match(first_line.removeprefix("\ufeff"))
    return _BY_INTERPRETER.get(interpreter[1]) if interpreter else None


def has_recipes(path: str) -> bool:
    """Return whether the file at `path` is a makefile, in which a tab at the start of a line makes it a recipe's."""
    return _MAKEFILE.fullmatch(path.rpartition("/")[2].lower()) is not None


def _table(entries: dict[LanguageName, str]) -> dict[str, LanguageName]:
    return {key: language for language, keys in entries.items() for key in keys.split()}


# Source: the manuals of GNU make, "What Name to Give Your Makefile", and of BSD make.
_MAKEFILE: Final = re.compile(r"(?:gnu|bsd)?makefile(?:\..+)?|.+\.(?:mk|mak|make)")
_BY_ENDING: Final = _table(
    {
        "bash": "bash sh ksh zsh bats ebuild",
        "c": "c",
        # A header may be either; the grammar of C++ reads nearly all of C, not the other way round.
        "cpp": "cpp cc cxx c++ h hh hpp hxx h++ inl ipp tpp cu cuh ino",
        "csharp": "cs csx",
        "go": "go",
        "java": "java",
        "javascript": "js mjs cjs es6",
        "json": "json jsonc json5 webmanifest geojson jsonl ipynb code-workspace",
        "jsx": "jsx",
        "markdown": "md markdown mdown mkd mdx",
        "php": "php php3 php4 php5 php7 phtml phps",
        "python": "py pyi pyw",
        "ruby": "rb rake gemspec ru rbw podspec",
        "rust": "rs",
        "tsx": "tsx",
        "typescript": "ts mts cts",
        "yaml": "yaml yml cff",
    }
)
_BY_NAME: Final = _table(
    {
        "bash": ".bashrc .bash_profile .bash_aliases .bash_logout .profile .zshrc .zshenv .zprofile pkgbuild",
        "json": ".prettierrc .eslintrc .babelrc .jshintrc .swcrc composer.lock pipfile.lock flake.lock",
        "python": "sconstruct sconscript wscript",
        "ruby": "rakefile gemfile podfile vagrantfile guardfile capfile brewfile fastfile dangerfile",
        "yaml": ".clang-format .clang-tidy .clangd .yamllint .gemrc",
    }
)
_BY_INTERPRETER: Final = _table(
    {
        "bash": "bash sh dash ksh zsh ash",
        "javascript": "node nodejs bun",
        "php": "php",
        "python": "python pypy",
        "ruby": "ruby jruby",
        "typescript": "deno ts-node tsx",
    }
)
# "#!/usr/bin/env -S FOO=1 python3.11 -u": the last part of the first word that is neither env, option nor setting,
# without its version.
_SHEBANG: Final = re.compile(r"#!\s*(?:\S*/)?(?:env\s+(?:-\S+\s+|\w+=\S*\s+)*)?(?:\S*/)?([a-z][a-z-]*)[\d.]*(?=\s|$)")
