import pytest

from briefings import cursors, item, keys, read
from memofs.briefing.pack import pack
from memofs.briefing.sections import offer, section_heading
from memofs.model.briefing import Briefing, BriefingSection, Item, Offer, SectionName

WORDS = (
    *("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa"),
    *("lambda", "mu", "nu", "xi", "omicron", "pi", "rho", "sigma", "tau", "upsilon"),
)


def words(number: int, size: int) -> str:
    """A text of about `size` bytes whose words are this number's own."""
    text = ""
    place = 0
    while len(text) < size:
        text += f"{WORDS[(number + place) % len(WORDS)]}{number}x{place} "
        place += 1
    return text[:size].strip()


def some(count: int, size: int, *, start: int = 1) -> list[Item]:
    return [item(number, words(number, size)) for number in range(start, start + count)]


def packed(*offers: Offer, max_bytes: int = 8_192, core: str = "") -> Briefing:
    made = pack(core=core, offers=offers, max_bytes=max_bytes, cursor_for=cursors()[0])
    assert made.bytes == len(made.text.encode()) <= max_bytes
    return made


def section(of: Briefing, name: SectionName) -> BriefingSection:
    return next(each for each in of.sections if each.name == name)


def test_what_fits_is_shown_in_order_and_nothing_else_is_said() -> None:
    made = packed(
        offer("here", [item(1, "Tenants are opened once.")], about="src/db.py:12-40"),
        offer("recall", [item(2, "Use D1 for tenant metadata."), item(3, "Reads come from the edge.")]),
        core="# Quayside\n\nRun `make check` before a commit.\n",
    )
    assert made.text.split("\n\n", 1)[1] == (
        "## Core memory\n"
        "> #### Quayside\n"
        ">\n"
        "> Run `make check` before a commit.\n"
        "\n"
        "## Here: src/db.py:12-40\n"
        "- mem_000001 · decision · 2027-01-14\n"
        "> Tenants are opened once.\n"
        "\n"
        "## Recall\n"
        "- mem_000002 · decision · 2027-01-14\n"
        "> Use D1 for tenant metadata.\n"
        "- mem_000003 · decision · 2027-01-14\n"
        "> Reads come from the edge.\n"
    )
    assert [each.name for each in made.sections] == ["directive", "core", "here", "recall"]
    assert section(made, "recall").shown == ("mem_000002", "mem_000003")
    assert made.warnings == ()
    assert all(each.cursor is None for each in made.sections)


def test_what_was_left_out_is_named_with_the_way_to_it() -> None:
    titles = [
        "Auth token validation failure handled with 401",
        "Database connection pool timeout set to 5000ms",
        "Third",
        "Fourth",
    ]
    left_out = [item(10 + at, words(at, 2_000), title=title) for at, title in enumerate(titles)]
    cursor_for, kept = cursors()
    made = pack(
        core="",
        offers=[offer("recall", [*some(2, 200), *left_out], most=2)],
        max_bytes=8_192,
        cursor_for=cursor_for,
    )
    (cursor,) = kept
    assert section(made, "recall").text.endswith(
        "\n"
        "[Omitted 4 items to fit context budget:\n"
        ' ↳ "Auth token validation failure handled with 401"\n'
        ' ↳ "Database connection pool timeout set to 5000ms"\n'
        " ↳ and 2 more items...\n"
        "To view these, run recall with specific search terms]\n"
        f'↳ expand (4 more): memofs.context(section="recall", expand="{cursor}") or memofs expand {cursor}\n'
    )
    assert kept == {cursor: ("recall", tuple(keys(left_out)))}
    assert section(made, "recall").omitted == tuple(keys(left_out))
    assert section(made, "recall").cursor == cursor


@pytest.mark.parametrize(("count", "named"), [(1, 1), (2, 2), (3, 3), (4, 2), (50, 2)])
def test_at_most_three_are_named(count: int, named: int) -> None:
    made = packed(offer("recall", some(count + 1, 300), most=1))
    (_, recall) = read(made.text)
    assert recall.hidden == count
    assert recall.named == named + (count > named)


def test_an_item_that_does_not_fit_ends_nothing() -> None:
    small = some(3, 200)
    made = packed(offer("recall", [small[0], item(90, words(90, 9_000)), *small[1:]]), max_bytes=2_048)
    assert section(made, "recall").shown == tuple(keys(small))
    assert section(made, "recall").omitted == ("mem_000090",)


def test_a_section_takes_its_share_by_weight_where_all_could_use_more() -> None:
    made = packed(
        offer("entities", some(40, 300)),
        offer("recall", some(40, 300, start=100)),
        offer("recent", some(40, 300, start=200)),
    )
    entities, recall, recent = (section(made, name).bytes for name in ("entities", "recall", "recent"))
    assert recall / entities == pytest.approx(3 / 2, abs=0.3)
    assert recall / recent == pytest.approx(3, abs=0.7)


def test_what_a_section_does_not_use_flows_on_and_back() -> None:
    many = some(40, 300)
    after = packed(offer("here", some(1, 100, start=90)), offer("recall", many))
    before = packed(offer("recall", many), offer("recent", some(1, 100, start=90)))
    alone = packed(offer("recall", many))
    for made in (after, before):
        assert len(section(made, "recall").shown) >= len(section(alone, "recall").shown) - 1
        assert made.bytes > 0.9 * 8_192


def test_caps_hold_although_there_is_room() -> None:
    made = packed(offer("recall", some(12, 100), most=8), offer("recent", some(9, 100, start=50), most=3))
    assert len(section(made, "recall").shown) == 8
    assert len(section(made, "recent").shown) == 3
    assert section(made, "recent").omitted == tuple(keys(some(6, 100, start=53)))


def test_one_memory_larger_than_the_budget_is_shown_in_part() -> None:
    made = packed(offer("recall", [item(1, words(1, 100_000))]))
    recall = section(made, "recall")
    assert recall.shown == ()
    assert recall.cut == recall.omitted == ("mem_000001",)
    assert made.bytes > 0.98 * 8_192
    lines = recall.text.split("\n")
    assert lines[1] == "- mem_000001 · decision · 2027-01-14"
    assert lines[2].startswith("> beta1x0 gamma1x1")
    assert lines[2].endswith("…")
    assert (
        lines[2].removeprefix("> ").removesuffix("…").split() == words(1, 100_000).split()[: len(lines[2].split()) - 1]
    )
    ways = f'memofs.context(section="recall", expand="{recall.cursor}") or memofs expand {recall.cursor}'
    assert lines[3:] == ["[cut to fit: expand shows the whole]", "", f"↳ expand (1 cut): {ways}", ""]


def test_the_best_of_a_section_is_not_pushed_out_by_lesser_ones() -> None:
    made = packed(offer("recall", [item(1, words(1, 20_000)), *some(60, 300, start=2)]))
    recall = section(made, "recall")
    assert recall.cut == ("mem_000001",)
    assert len(recall.shown) > 5
    assert read(made.text)[1].ids[0] == "mem_000001"


def test_an_item_is_shown_once_in_the_first_section_that_has_room_for_it() -> None:
    shared = some(4, 200)
    made = packed(offer("here", shared[:2]), offer("recall", [*shared, *shared]), offer("recent", shared))
    assert section(made, "here").shown == tuple(keys(shared[:2]))
    assert section(made, "recall").shown == tuple(keys(shared[2:]))
    assert section(made, "recent").text == ""


def test_what_one_section_leaves_out_another_may_show() -> None:
    many = some(60, 400)
    late = many[-1]
    made = packed(offer("here", many), offer("recall", [late]))
    assert late.key not in section(made, "here").omitted
    assert section(made, "recall").shown == (late.key,)


def test_what_two_sections_leave_out_is_counted_in_the_first() -> None:
    many = some(60, 400)
    made = packed(offer("here", many, most=1), offer("recall", list(reversed(many)), most=1))
    assert section(made, "here").omitted == tuple(keys(many[1:-1]))
    assert section(made, "recall").omitted == ()
    assert section(made, "recall").cursor is None


def test_near_duplicates_are_folded_across_sections() -> None:
    said = " ".join(WORDS)
    made = packed(
        offer("here", [item(1, "First.", terms=said)]),
        offer("recall", [item(2, "Again.", terms=said + " once more"), item(3, "Else.", terms="quite another thing")]),
        offer("recent", [item(4, "Half.", terms=" ".join(WORDS[:10]))]),
    )
    assert section(made, "recall").shown == ("mem_000003",)
    assert section(made, "recall").folded == ("mem_000002",)
    assert section(made, "recall").omitted == ()
    assert section(made, "recent").shown == ("mem_000004",)
    assert "Again." not in made.text


def test_what_repeats_an_item_shown_is_not_counted_as_left_out() -> None:
    said = " ".join(WORDS)
    first, again, other = item(1, "First.", terms=said), item(2, words(2, 9_000), terms=said), item(3, words(3, 300))
    made = packed(
        offer("recall", [first, again, other], most=1), offer("recent", [item(4, "Again.", terms=said)], most=0)
    )
    assert section(made, "recall").omitted == ("mem_000003",)
    assert section(made, "recall").folded == ("mem_000002",)
    assert section(made, "recent").folded == ("mem_000004",)


def test_a_few_small_items_are_shown_rather_than_named() -> None:
    """Where an outline would take more than what it stands for."""
    for count in range(2, 40):
        items = [Item(key=str(n), title=words(n, 60), text="> - " + words(n, 40)) for n in range(count)]
        made = packed(offer("entities", items), offer("recent", some(1, 100, start=90)), max_bytes=2_048)
        omitted = section(made, "entities").omitted
        left = 2_048 - made.bytes + len(f"↳ expand ({len(omitted)} more): memofs expand {'x' * 16}\n\n".encode())
        assert not omitted or sum(len(each.text.encode()) + 1 for each in items if each.key in omitted) > left


def test_items_without_terms_are_like_nothing() -> None:
    made = packed(offer("entities", [item(1, "One.", terms=""), item(2, "Two.", terms="")]))
    assert section(made, "entities").shown == ("mem_000001", "mem_000002")


def test_a_huge_core_memory_leaves_room_for_recall() -> None:
    found = some(10, 300)
    made = packed(offer("recall", found), core="# Rules\n\n" + "Never do this. " * 70_000)
    core = section(made, "core")
    assert 0.9 * 4_096 < core.bytes <= 4_096
    assert core.text.endswith("[core.md is cut here: it has 1,050,009 bytes, read the file for the rest]\n")
    assert len(section(made, "recall").shown) >= 7
    (warning,) = made.warnings
    assert warning.startswith("core.md has 1,050,009 bytes")


def test_at_the_smallest_budget_something_was_found_is_still_shown() -> None:
    made = packed(
        offer("here", some(3, 300)),
        offer("recall", some(8, 300, start=10)),
        offer("recent", some(3, 300, start=30)),
        core="A fact. " * 500,
        max_bytes=1_024,
    )
    assert any(each.shown or each.cut for each in made.sections)
    assert sum(len(each.omitted) for each in made.sections) >= 12


@pytest.mark.parametrize("core", ["", "A fact. " * 40])
def test_a_budget_can_be_used_to_the_last_byte_and_no_further(core: str) -> None:
    endless = item(1, "x" * 5_000)
    sizes = {
        budget - packed(offer("recall", [endless]), max_bytes=budget, core=core).bytes for budget in range(1_024, 1_200)
    }
    assert sizes == {0}


def test_sections_without_any_room_are_named() -> None:
    names: list[SectionName] = ["here", "stale", "constraints", "entities", "recall", "recent", "notes"]
    offers = [
        Offer(name=name, heading=section_heading(name, "x" * 120), weight=1, items=tuple(some(9, 300, start=100 * at)))
        for at, name in enumerate(names, 1)
    ]
    made = packed(*offers, max_bytes=1_024)
    left_out = [each for each in made.sections if each.omitted and not each.text]
    assert left_out
    assert all(each.cursor and len(each.omitted) == 9 for each in left_out)
    line = made.text.rstrip().rsplit("\n", 1)[1]
    assert line.startswith("[No room for ")
    assert made.warnings == (line.strip("[]"),)
    assert all(each.name.capitalize() in line for each in left_out)


def test_nothing_to_say_is_a_briefing_of_the_directive() -> None:
    made = packed(offer("recall", []), core="# Quayside\n\n<!-- Nothing yet. -->\n")
    assert [each.name for each in made.sections] == ["directive"]
    assert made.text == made.sections[0].text


@pytest.mark.parametrize("max_bytes", [0, 1_023, 262_145])
def test_budgets_out_of_bounds(max_bytes: int) -> None:
    with pytest.raises(ValueError, match=f"1024 to 262144 bytes, not {max_bytes}"):
        pack(core="", offers=(), max_bytes=max_bytes, cursor_for=cursors()[0])


def test_a_cursor_that_is_too_long() -> None:
    def too_long(_section: SectionName, _keys: tuple[str, ...]) -> str:
        return "x" * 17

    with pytest.raises(ValueError, match="more than the 16 bytes"):
        pack(core="", offers=[offer("recall", some(99, 300))], max_bytes=1_024, cursor_for=too_long)


def test_thousands_of_entities() -> None:
    entities = [
        Item(key=f"concept:e{n}", title=f"Entity {n} (concept)", text=f"> - Entity {n} (concept)") for n in range(5_000)
    ]
    made = packed(offer("entities", entities), offer("recall", some(8, 300)))
    one = section(made, "entities")
    assert one.shown[:2] == ("concept:e0", "concept:e1")
    assert len(one.shown) + len(one.omitted) == 5_000
    assert len(section(made, "recall").shown) == 8
