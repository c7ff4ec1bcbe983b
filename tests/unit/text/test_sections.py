import pytest

from memofs.text.sections import sections


def outline(text: str) -> list[tuple[int, str, int]]:
    return [(section.level, section.heading, section.line) for section in sections(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("only text", [(0, "", 0)]),
        ("before\n# One\ntext\n## Two ##\n", [(0, "", 0), (1, "One", 1), (2, "Two", 3)]),
        ("# One\r\ntext\r\n# Two\r\n", [(1, "One", 0), (1, "Two", 2)]),
        ("#\n##   \n", [(1, "", 0), (2, "", 1)]),
        ("# C# #\n", [(1, "C#", 0)]),
        ("# C#\n", [(1, "C#", 0)]),
        ("### #\n", [(3, "", 0)]),
        ("#tag\n####### seven\n    # code\n", [(0, "", 0)]),
        ("   # three spaces\n", [(1, "three spaces", 0)]),
        ("# a\n```\n# no\n```\n# b\n", [(1, "a", 0), (1, "b", 4)]),
        ("~~~ sh\n# no\n```\n# no\n~~~~\n# b\n", [(0, "", 0), (1, "b", 5)]),
        ("```\n# never closed\n", [(0, "", 0)]),
        ("``` not `a` fence\n# b\n", [(0, "", 0), (1, "b", 1)]),
        ("````\n```\n# no\n````\n# b", [(0, "", 0), (1, "b", 4)]),
    ],
)
def test_outline(text: str, expected: list[tuple[int, str, int]]) -> None:
    assert outline(text) == expected


def test_bodies() -> None:
    text = "# One\nfirst\n\n## Two\nsecond"
    assert [text[section.body : section.end] for section in sections(text)] == ["first\n\n", "second"]
    assert [section.body for section in sections("x\n# at the end")] == [0, 14]
