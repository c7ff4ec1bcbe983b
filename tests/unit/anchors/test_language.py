"""The language of a file by its name, its ending or its first line."""

import pytest

from memofs.anchors.language import LANGUAGES, language_of


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("src/app.py", "python"),
        ("stubs/app.pyi", "python"),
        ("a.js", "javascript"),
        ("a.mjs", "javascript"),
        ("a.jsx", "jsx"),
        ("a.ts", "typescript"),
        ("a.d.ts", "typescript"),
        ("a.tsx", "tsx"),
        ("main.go", "go"),
        ("lib.rs", "rust"),
        ("A.java", "java"),
        ("a.c", "c"),
        ("a.h", "cpp"),
        ("a.cpp", "cpp"),
        ("A.cs", "csharp"),
        ("a.rb", "ruby"),
        ("a.php", "php"),
        ("a.sh", "bash"),
        ("a.json", "json"),
        ("a.yaml", "yaml"),
        ("a.yml", "yaml"),
        ("README.md", "markdown"),
        ("UPPER.PY", "python"),
        ("deploy/Rakefile", "ruby"),
        (".clang-format", "yaml"),
        (".bashrc", "bash"),
    ],
)
def test_by_path(path: str, language: str) -> None:
    assert language_of(path) == language


@pytest.mark.parametrize("path", ["Makefile", "a.txt", "a.unknown", ".py", "py", "src/", "", "a.", "x.py/other"])
def test_a_path_that_says_nothing(path: str) -> None:
    assert language_of(path) is None


@pytest.mark.parametrize(
    ("line", "language"),
    [
        ("#!/bin/sh", "bash"),
        ("#!/usr/bin/env python3", "python"),
        ("#!/usr/bin/env python3.11 -u", "python"),
        ("#! /usr/bin/python", "python"),
        ("#!/usr/bin/env -S FOO=1 node --harmony", "javascript"),
        ("#!/usr/bin/env ruby", "ruby"),
        ("#!/usr/bin/env ts-node", "typescript"),
        ("\ufeff#!/bin/bash -e", "bash"),
        ("#!/usr/bin/env perl", None),
        ("# python", None),
        ("", None),
    ],
)
def test_by_first_line(line: str, language: str | None) -> None:
    assert language_of("bin/tool", line) == language


def test_the_path_goes_before_the_first_line() -> None:
    assert language_of("tool.rb", "#!/usr/bin/env python3") == "ruby"


ENDINGS = ("sh", "c", "cpp", "cs", "go", "java", "js", "json", "jsx", "md", "php", "py", "rb", "rs", "tsx", "ts", "yml")


def test_every_language_is_the_language_of_some_file() -> None:
    assert {language_of(f"x.{ending}") for ending in ENDINGS} == set(LANGUAGES)
