import pytest

from briefings import HANDLE, cursors, item, keys
from memofs.briefing.cursor import HANDLE_BYTES, handle, read
from memofs.briefing.cut import CUT_MARK, cut
from memofs.briefing.expand import PAGE_BYTES, page
from memofs.model.briefing import Item


def test_a_page_has_everything_where_it_fits() -> None:
    items = [item(1, "One."), item(2, "Two.")]
    cursor_for, kept = cursors()
    made = page(section="recall", heading="## Recall", items=items, cursor_for=cursor_for)
    assert made.text == (
        "## Recall\n- mem_000001 · decision · 2027-01-14\n> One.\n- mem_000002 · decision · 2027-01-14\n> Two.\n"
    )
    assert (made.shown, made.rest, made.cursor) == (tuple(keys(items)), (), None)
    assert made.bytes == len(made.text.encode())
    assert kept == {}


def test_pages_follow_one_another() -> None:
    items = [item(number, "word " * 400) for number in range(100)]
    cursor_for, kept = cursors()
    first = page(section="recall", heading="## Recall", items=items, cursor_for=cursor_for)
    assert first.cursor is not None
    assert 0.95 * PAGE_BYTES < first.bytes <= PAGE_BYTES
    assert kept == {first.cursor: ("recall", first.rest)}
    assert first.text.endswith(
        f'\n\n↳ expand ({len(first.rest)} more): memofs.context(section="recall", expand="{first.cursor}")'
        f" or memofs expand {first.cursor}\n"
    )
    rest = [one for one in items if one.key in first.rest]
    found = [*first.shown]
    while rest:
        following = page(section="recall", heading="## Recall", items=rest, cursor_for=cursor_for)
        found += following.shown
        rest = [one for one in items if one.key in following.rest]
    assert found == keys(items)


def test_an_item_larger_than_a_page_is_cut_and_says_so() -> None:
    items = [item(1, "word " * 40_000), item(2, "Two.")]
    made = page(section="recall", heading="## Recall", items=items, cursor_for=cursors()[0])
    assert made.shown == ("mem_000001",)
    assert made.rest == ("mem_000002",)
    assert 0.98 * PAGE_BYTES < made.bytes <= PAGE_BYTES
    assert "word…\n[cut to fit a page: memofs show has the whole]\n\n↳ expand (1 more): " in made.text


def test_a_line_of_its_own_larger_than_a_page_is_shown_by_its_title() -> None:
    huge = Item(key="mem_000001", title="The title", text="- " + "x" * 2_000)
    made = page(section="notes", heading="## Notes", items=[huge], cursor_for=cursors()[0], max_bytes=1_024)
    assert made.text == '## Notes\n> "The title"\n[cut to fit a page: memofs show has the whole]\n'


def test_a_page_of_nothing() -> None:
    made = page(section="recall", heading="## Recall", items=[], cursor_for=cursors()[0])
    assert (made.text, made.shown, made.cursor) == ("## Recall\n", (), None)


def test_handles_are_short_and_the_same_for_the_same() -> None:
    made = handle("/work/a", b"1")
    assert len(made) == HANDLE_BYTES < 64
    assert handle("/work/a", b"1") == made
    assert handle("/work/a", b"2") != made
    assert read(made, "/work/a") == (made, None)
    assert read(f' "{made}"\n', "/work/a") == (made, None)


def test_no_handle_looks_like_an_option() -> None:
    assert all(handle(f"/work/{number}", b"")[0].isalpha() for number in range(500))


@pytest.mark.parametrize("text", ["", "abc", "x" * 16, "../../etc/passwd", "é" * 16, "a" * 100_000, "\x00" * 16])
def test_garbled_handles(text: str) -> None:
    assert read(text, "/work/a")[1] == "garbled"


def test_a_handle_with_a_slip_is_garbled_and_one_of_another_workspace_is_told() -> None:
    made = handle("/work/a", b"1")
    slips = {made[:at] + ("A" if made[at] != "A" else "B") + made[at + 1 :] for at in range(len(made))}
    assert [read(slip, "/work/a")[1] for slip in slips] == ["garbled"] * len(made)
    assert read(made[:-1], "/work/a")[1] == "garbled"
    assert read(handle("/work/b", b"1"), "/work/a")[1] == "elsewhere"


def test_a_cut_item_ends_at_a_line_or_a_word() -> None:
    text = "- mem_000001 · decision\n> one two three\n> four five six"
    assert cut(text, 1_000, least_bytes=1) is None
    by_word = cut(text, 24 + len(CUT_MARK) + 28, least_bytes=1)
    assert by_word == f"- mem_000001 · decision\n> one two three\n> four…\n{CUT_MARK}"
    by_line = cut(text, 24 + len(CUT_MARK) + 18, least_bytes=1)
    assert by_line == f"- mem_000001 · decision\n> one two three\n{CUT_MARK}"


def test_a_line_of_a_briefing_itself_is_never_torn() -> None:
    text = "- mem_000001 · decision · src/a/very/long/path.py:12-40\n> said"
    assert all(cut(text, room, least_bytes=1) is None for room in range(-3, 55 + len(CUT_MARK)))
    assert cut("a line of its own " * 9, 100, least_bytes=1) is None


def test_too_little_is_not_shown() -> None:
    text = "- mem_000001 · decision\n> " + "word " * 99
    assert cut(text, 100, least_bytes=80) is None
    assert cut(text, 200, least_bytes=80) is not None


def test_the_shape_of_a_handle() -> None:
    import re

    assert re.fullmatch(HANDLE, handle("/", b""))
