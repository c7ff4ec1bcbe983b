"""Anchors that a body says itself."""

import pytest

from memofs.model.memory import Anchor, Lines
from memofs.text.memory_file import known_kinds, parse_memory_file
from memofs.text.said_anchors import said_anchors


@pytest.mark.parametrize(
    ("body", "anchors"),
    [
        ("see @anchor(file=src/a.py, symbol=Store.open).", (Anchor(path="src/a.py", symbol="Store.open"),)),
        ("@anchor(file=src/a.py)", (Anchor(path="src/a.py"),)),
        ("@anchor( path = './src/a b.py' , lines = 3-9 )", (Anchor(path="src/a b.py", lines=Lines(first=3, last=9)),)),
        ('@anchor(file="a,b.py", symbol="f(int, str)")', (Anchor(path="a,b.py", symbol="f(int, str)"),)),
        ("@anchor(file=b.cc, symbol=f(int))", (Anchor(path="b.cc", symbol="f(int)"),)),
        (
            "@anchor(file=a.py) and again @anchor(file=a.py), @anchor(file=b.py)",
            (Anchor(path="a.py"), Anchor(path="b.py")),
        ),
        ("`@anchor(file=a.py)` and ``x ` @anchor(file=b.py)``", ()),
        ("```\n@anchor(file=a.py)\n```\n@anchor(file=b.py)", (Anchor(path="b.py"),)),
        ("~~~\n@anchor(file=a.py) never closed", ()),
        ("an @anchor without more, anchor(file=a.py), @anchor(", ()),
        ("一 @anchor(file=源/缓存.py, symbol=预热) 二", (Anchor(path="源/缓存.py", symbol="预热"),)),
    ],
)
def test_what_is_said(body: str, anchors: tuple[Anchor, ...]) -> None:
    assert said_anchors(body).anchors == anchors


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("@anchor(file=../../etc/passwd)", "leads out of the workspace"),
        ("@anchor(file=/etc/passwd)", "leads out of the workspace"),
        ("@anchor(symbol=f)", "names no file"),
        ("@anchor(file=a.py, lines=9-3)", "is not a range of lines"),
        ("@anchor(file=a.py, lines=all)", "is not a range of lines"),
        ("@anchor(a.py)", "is not written as key=value"),
        ("@anchor()", "names no file"),
    ],
)
def test_what_cannot_be_one_is_told_with_its_line(said: str, why: str) -> None:
    found = said_anchors(f"one\ntwo {said}\n@anchor(file=good.py)")
    assert found.anchors == (Anchor(path="good.py"),)
    ((line, message),) = found.faults
    assert line == 1
    assert why in message


def test_what_the_front_matter_has_is_not_said_twice() -> None:
    text = """---
id: mem_aaaaaaaaaaaa
title: T
anchors:
  - path: a.py
    symbol: f
    lines: 3-4
---

@anchor(file=a.py, symbol=f) and @anchor(file=a.py, symbol=g), @anchor(file=../x)
"""
    parsed = parse_memory_file("m.md", text.encode(), now_ms=0, kinds=known_kinds())
    (memory,) = parsed.memories
    assert [anchor.symbol for anchor in memory.every_anchor] == ["f", "g"]
    (problem,) = parsed.problems
    assert (problem.code, problem.line, problem.severity) == ("badAnchor", 9, "warning")


def test_a_huge_body_is_read_in_time_and_within_bounds() -> None:
    body = "@anchor(file=a.py) ` `` ``` " * 40_000
    assert len(said_anchors(body).anchors) <= 1
    many = "\n".join(f"@anchor(file=f{number}.py)" for number in range(500))
    assert len(said_anchors(many).anchors) == 100
