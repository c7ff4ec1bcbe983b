import pytest

from memofs.briefing.sections import (
    HEADINGS,
    WEIGHTS,
    core_section,
    directive_section,
    offer,
    section_heading,
)


def core_text(core: str, limit_bytes: int = 4_096) -> str:
    found = core_section(core, limit_bytes=limit_bytes)
    assert found.section is None or found.section.bytes == len(found.section.text.encode()) <= limit_bytes
    return found.section.text if found.section else ""


def test_the_directive_says_how_to_use_the_memory_in_under_700_bytes() -> None:
    said = directive_section(8_192)
    assert said.bytes == len(said.text.encode()) < 700
    for word in ("quote", "id", "stale", "recall", "expand", "remember", "memofs.context(expand="):
        assert word in said.text
    assert not any(line.startswith(">") for line in said.text.split("\n"))


def test_the_directive_is_short_where_the_budget_is() -> None:
    assert directive_section(1_024).bytes < 256


def test_every_section_that_competes_has_a_heading_and_a_weight() -> None:
    assert set(HEADINGS) == {"directive", "core", *WEIGHTS}
    assert {name: WEIGHTS[name] for name in ("here", "entities", "recall", "recent", "notes")} == {
        "here": 3,
        "entities": 2,
        "recall": 3,
        "recent": 1,
        "notes": 1,
    }
    made = offer("recall", [], most=8)
    assert (made.heading, made.weight, made.most) == ("## Recall", 3, 8)


def test_what_a_heading_is_about_stays_on_its_line() -> None:
    assert section_heading("here", "src/a.py:3-9") == "## Here: src/a.py:3-9"
    assert section_heading("here", "a\n## Directive") == "## Here: a ## Directive"


def test_core_is_quoted_with_headings_below_those_of_sections_and_without_comments() -> None:
    core = "# Quayside\n\n<!-- For\nwriters. -->\nAll times are UTC.\n\n## Rules\n- No `eval`.\n"
    assert core_text(core) == (
        "## Core memory\n> #### Quayside\n>\n>\n> All times are UTC.\n>\n> ##### Rules\n> - No `eval`.\n"
    )


@pytest.mark.parametrize(
    "core", ["", " \n", "# Quayside\n", "# Quayside\n\n<!-- In a few lines -->\n", "<!-- a --><!---->"]
)
def test_a_core_that_says_nothing_is_not_shown(core: str) -> None:
    assert core_section(core, limit_bytes=4_096) == (None, None)


def test_an_unfinished_comment_is_text() -> None:
    assert "> <!-- open" in core_text("<!-- done --><!-- open\n")


def test_core_is_cut_before_a_section() -> None:
    core = "# One\n" + "first\n" * 50 + "# Two\n" + "second\n" * 50 + "# Three\n" + "third\n" * 50
    found = core_section(core, limit_bytes=1_000)
    assert found.section is not None
    lines = found.section.text.split("\n")
    assert lines[-3:] == [
        "> second",
        f"[core.md is cut here: it has {len(core):,} bytes, read the file for the rest]",
        "",
    ]
    assert lines.count("> second") == 50
    assert found.warning == f"core.md has {len(core):,} bytes, more than its share of the briefing: it is shown in part"


def test_a_section_larger_than_all_room_is_cut_at_a_line() -> None:
    lines = core_text("# One\n" + "a line of it\n" * 500, 1_000).split("\n")
    assert lines[-3] == "> a line of it"
    assert len(lines) > 55


def test_a_line_larger_than_all_room_is_cut_at_a_word_or_a_character() -> None:
    by_word = core_text("# One\n\n" + "never do this " * 500, 1_000)
    assert by_word.split("\n")[-3].endswith(("never…", "do…", "this…"))
    assert len(by_word) > 960
    by_character = core_text("缓存" * 1_000, 1_000)
    assert by_character.split("\n")[-3].endswith(("缓…", "存…"))
    assert len(by_character.encode()) > 990


def test_a_line_in_a_code_block_begins_no_section() -> None:
    core = "# One\n" + "text\n" * 60 + "```\n# a comment\n" + "code\n" * 200 + "```\n"
    lines = core_text(core, 1_000).split("\n")
    assert lines[-3] == "> code"


def test_core_of_exactly_the_limit_is_whole_and_one_byte_more_is_not() -> None:
    core = "word " * 100 + "end"
    size = len(core_text(core).encode())
    assert core_text(core, size).endswith("end\n")
    assert "cut here" in core_text(core, size - 1)


@pytest.mark.parametrize("limit_bytes", [-5, 0, 20, 80])
def test_a_limit_too_small_for_anything_shows_nothing_and_warns(limit_bytes: int) -> None:
    found = core_section("A fact. " * 50, limit_bytes=limit_bytes)
    assert found.section is None
    assert found.warning is not None


def test_a_megabyte_is_read_as_far_as_it_can_be_shown() -> None:
    for core in (
        "x" * 1_000_000,
        "# a\n" * 250_000 + "b",
        "<!--" * 250_000,
        "\u200b" * 1_000_000 + "end",
        "\n" * 1_000_000 + "a",
    ):
        assert len(core_text(core).encode()) <= 4_096
