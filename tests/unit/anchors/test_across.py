"""Regions that left their file."""

import pytest

from anchor_texts import marked, shown
from memofs.anchors.across import OtherFile, may_hold, resolve_across
from memofs.anchors.anchoring import anchored
from memofs.anchors.source import Source
from memofs.model.memory import Anchor
from memofs.model.place import Resolution

OLD = """\
def slug(title):
    return title.lower()


«def render(template, values):
    text = loader.load(template)
    for key, value in values.items():
        text = text.replace(key, value)
    return text»
"""
RENDER = marked(OLD)[0].partition("\n\n\n")[2]
EDITED = RENDER.replace("loader.load(template)", "loader.load(template, cache=True)")


def source(text: str) -> Source:
    return Source(text, "python")


def anchor_of(text: str = OLD) -> tuple[Anchor, Source]:
    bare, region = marked(text)
    return anchored(source(bare), "a.py", region), source(bare)


def other(path: str, now: str, before: str | None = None) -> OtherFile:
    return OtherFile(path=path, now=source(now), before=source(before) if before is not None else None)


def told(found: Resolution) -> tuple[str, str | None]:
    return found.verdict, found.path


@pytest.mark.parametrize("by_mark", [False, True], ids=["old text", "mark"])
@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ([other("b.py", RENDER)], ("moved", "b.py")),
        ([other("b.py", "import x\n\n\n" + RENDER, "import x\n")], ("moved", "b.py")),
        ([other("b.py", EDITED)], ("changed", "b.py")),
        # It was there before: it is that file's own.
        ([other("b.py", RENDER, RENDER)], ("missing", None)),
        # Two may be it.
        ([other("b.py", RENDER), other("c.py", RENDER)], ("missing", None)),
        # One says the same, one was edited.
        ([other("b.py", EDITED.replace("render", "draw")), other("c.py", RENDER)], ("moved", "c.py")),
        ([other("b.py", "def other():\n    return 1\n")], ("missing", None)),
        ([], ("missing", None)),
    ],
)
def test_where_it_went(files: list[OtherFile], expected: tuple[str, str | None], *, by_mark: bool) -> None:
    anchor, old = anchor_of()
    assert told(resolve_across(anchor, None if by_mark else old, files)) == expected


def test_a_renamed_file_is_the_file() -> None:
    anchor, old = anchor_of("def f():\n    a()\n    «b(1)»\n    c()\n")
    renamed = OtherFile(path="new.py", now=source("def f():\n    a()\n    b(2)\n    c()\n"), is_renamed=True)
    found = resolve_across(anchor, old, [renamed])
    assert told(found) == ("changed", "new.py")


def test_little_text_is_not_followed_into_other_files() -> None:
    anchor, old = anchor_of("def f():\n    a()\n    «b(1)»\n    c()\n")
    found = resolve_across(anchor, old, [other("b.py", "def g():\n    x()\n    b(1)\n    y()\n")])
    assert found.verdict == "missing"


def test_what_two_files_may_hold_is_offered() -> None:
    anchor, old = anchor_of()
    found = resolve_across(anchor, old, [other("b.py", RENDER), other("c.py", RENDER)])
    assert {one.path for one in found.candidates} == {"b.py", "c.py"}
    assert shown(RENDER, found.candidates[0].span) == RENDER.strip()


def test_the_same_name_wins_over_likeness() -> None:
    anchor, old = anchor_of()
    like = RENDER.replace("def render", "def shell_render")
    short = "def render(template, values):\n    text = loader.load(template)\n    return text.fill(values)\n"
    found = resolve_across(anchor, old, [other("b.py", like), other("c.py", short)])
    assert told(found) == ("changed", "c.py")


def test_line_ends_do_not_matter() -> None:
    anchor, old = anchor_of()
    text = "\ufeffimport x\r\n\r\n\r\n" + RENDER.replace("\n", "\r\n")
    found = resolve_across(anchor, old, [other("b.py", text, "import x\r\n")])
    assert told(found) == ("moved", "b.py")
    assert shown(text, found.span) == RENDER.strip().replace("\n", "\r\n")


def test_a_cheap_look_beforehand() -> None:
    anchor, old = anchor_of()
    assert may_hold(anchor, old, "def render(): ...")
    assert may_hold(anchor, None, "def render(): ...")
    assert not may_hold(anchor, old, "def other(): ...")
    part, text = anchor_of("def f():\n    «connect(host, port, timeout)»\n")
    assert may_hold(part, text, "    connect(host, port, timeout)\n")
    assert may_hold(part, None, "    connect(host, port, timeout)\n")
    assert not may_hold(part, text, "connect(other)")


KEPT = "def slug(title):\n    return title.lower().replace(' ', '-')\n"


@pytest.mark.parametrize(
    ("stays", "now", "expected"),
    [
        (KEPT, KEPT + "\n\n" + RENDER, ("missing", None)),
        # Of what is left, it holds what all files hold.
        ("import loader\n\n\n" + KEPT, "import loader\n\n\n" + RENDER, ("moved", "b.py")),
        # Nothing is left that could have been copied.
        ("import loader\n", "import loader\n\n\n" + RENDER, ("moved", "b.py")),
    ],
)
def test_a_copy_of_what_is_left_is_not_where_it_went(stays: str, now: str, expected: tuple[str, str | None]) -> None:
    anchor, old = anchor_of()
    found = resolve_across(anchor, old, [other("b.py", now)], stays=source(stays))
    assert told(found) == expected
    assert found.span is not None or [(one.path, one.score) for one in found.candidates] == [("b.py", 1.0)]


def test_a_part_goes_with_its_function() -> None:
    part = OLD.replace("«", "").replace("»", "").replace("text.replace(key, value)", "«text.replace(key, value)»")
    anchor, old = anchor_of(part)
    moved = RENDER.replace("«", "").replace("»", "")
    now = source(f"import x\r\n\r\n\r\n{moved}".replace("\n", "\r\n"))
    found = resolve_across(anchor, old, [OtherFile(path="b.py", now=now)])
    assert told(found) == ("moved", "b.py")
    assert found.span is not None
    assert now.text[found.span.start : found.span.end] == "text.replace(key, value)"
    for otherwise in (moved.replace("(key, value)\n", "(value, key)\n"), moved + "\n    text.replace(key, value)\n"):
        assert told(resolve_across(anchor, old, [other("b.py", otherwise)])) == ("missing", None)
    two = [other("b.py", moved), other("c.py", moved)]
    assert told(resolve_across(anchor, old, two)) == ("missing", None)
