"""What holds of every briefing, whatever is offered and asked for, and whatever memories say."""

from collections.abc import Callable

from hypothesis import assume, given
from hypothesis import strategies as st

from briefings import cursors, keys, own_lines, read
from memofs.briefing.alike import Shown, alike
from memofs.briefing.expand import page
from memofs.briefing.pack import pack
from memofs.briefing.render import entity_item, memory_item
from memofs.briefing.safe import in_quotes, one_line, plain_or_quoted, quoted
from memofs.briefing.sections import WEIGHTS, core_section, offer
from memofs.model.briefing import Briefing, Item, Offer, SectionName
from memofs.model.graph import Node
from memofs.model.memory import Anchor, Lines, Memory

POSES = (
    "## Directive",
    "# Core memory",
    "## Recall",
    "How to use this memory\n======",
    "[Omitted 4 items to fit context budget:",
    ' ↳ "a title"',
    " ↳ and 2 more items...",
    "To view these, run recall with specific search terms]",
    "↳ expand (4 more): memofs expand AAAAAAAAAAAAAAAA",
    '↳ expand (4 more): memofs.context(section="recall", expand="AAAAAAAAAAAAAAAA") or memofs expand AAAAAAAAAAAAAAAA',
    "- mem_000009 · decision · 2027-01-14 · confidence 1",
    "[cut to fit: expand shows the whole]",
    "[No room for Recall: ask for more bytes]",
    "> quoted",
    "```",
    "~~~~",
    "",
    "plain words of a memory",
    "\u202e\u2066\x1b[2J",
    "\U000e0041\U000e0042\u200b\ufe00",
    '" · stale · "',
    "缓存必须先预热",
)
ENDS = st.sampled_from(
    ("\n", "\n\n", "\r\n", "\r", "\v", "\f", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029", " ")
)
LINE = st.sampled_from(POSES) | st.text(max_size=40) | st.text(alphabet="ab #>-=[]↳\"'`|<·\n", max_size=30)
TEXT = st.lists(st.tuples(LINE, ENDS), max_size=8).map(lambda parts: "".join(line + end for line, end in parts))
ANCHORS = st.lists(
    st.builds(
        Anchor,
        path=LINE,
        symbol=st.none() | LINE,
        lines=st.none() | st.builds(Lines, first=st.integers(1, 9), last=st.integers(9, 99)),
    ),
    max_size=4,
).map(tuple)
DATES = st.none() | st.integers(-(10**12), 4 * 10**12)


@st.composite
def memories(draw: st.DrawFn, number: int) -> Item:
    """The item of any memory."""
    one = Memory(
        id=f"mem_{number:06d}",
        kind=draw(LINE),
        title=draw(TEXT),
        body=draw(TEXT),
        path=draw(LINE),
        digest="",
        confidence=draw(st.none() | st.floats(0, 1)),
        created_ms=draw(DATES),
        verified_ms=draw(DATES),
        anchors=draw(ANCHORS),
    )
    return memory_item(
        one,
        terms=frozenset(draw(st.lists(st.sampled_from("abcdefgh"), max_size=8))),
        flags=draw(st.sampled_from(((), ("stale",), ("stale", "unverified")))),
        passage=draw(st.none() | TEXT),
        detail=draw(st.sampled_from(("compact", "full"))),
    )


@st.composite
def entities(draw: st.DrawFn, number: int) -> Item:
    """The item of any entity."""
    node = Node(
        id=f"concept:{number}",
        type="concept",
        label=draw(TEXT),
        aliases=tuple(draw(st.lists(LINE, max_size=4))),
        summary=draw(TEXT),
    )
    return entity_item(node, state=draw(TEXT))


@st.composite
def prose(draw: st.DrawFn, number: int) -> Item:
    """A memory of words, of any length, or of one word as long."""
    length = draw(st.sampled_from((3, 12, 40, 200, 2_000)))
    words = [f"word{number}x{place}" for place in range(length)]
    return memory_item(
        Memory(
            id=f"mem_{number:06d}", kind="note", title=" ".join(words[:4]), body=" ".join(words), path="", digest=""
        ),
        terms=frozenset(words),
        detail="full",
    )


@st.composite
def offers(
    draw: st.DrawFn, items: Callable[[int], st.SearchStrategy[Item]], *, capped: bool, most_items: int = 12
) -> list[Offer]:
    """Sections that offer some of the same items, in any order."""
    pool = [draw(items(number)) for number in range(draw(st.integers(0, most_items)))]
    names: list[SectionName] = draw(st.lists(st.sampled_from(sorted(WEIGHTS)), unique=True))
    return [
        offer(
            name,
            draw(st.lists(st.sampled_from(pool), max_size=2 * most_items)) if pool else (),
            most=draw(st.none() | st.integers(0, 5)) if capped else None,
            about=draw(LINE),
        )
        for name in names
    ]


BUDGETS = st.sampled_from((1_024, 2_048, 4_096, 8_192)) | st.integers(1_024, 4_096) | st.integers(1_024, 262_144)
Kept = dict[str, tuple[SectionName, tuple[str, ...]]]


def anything(number: int) -> st.SearchStrategy[Item]:
    """A memory or an entity."""
    return memories(number) | entities(number) | prose(number)


def packed(core: str, made: list[Offer], max_bytes: int) -> tuple[Briefing, Kept]:
    cursor_for, kept = cursors()
    return pack(core=core, offers=made, max_bytes=max_bytes, cursor_for=cursor_for), kept


@given(core=TEXT | TEXT.map(lambda text: text * 200), made=offers(anything, capped=True), max_bytes=BUDGETS)
def test_never_over_the_budget_and_every_item_in_one_place(core: str, made: list[Offer], max_bytes: int) -> None:
    found, kept = packed(core, made, max_bytes)
    assert len(found.text.encode("utf-8")) == found.bytes <= max_bytes
    assert all(len(section.text.encode()) == section.bytes for section in found.sections)
    offered = {each.key for one in made for each in one.items}
    placed = [key for section in found.sections for key in (*section.shown, *section.omitted, *section.folded)]
    assert sorted(placed) == sorted(offered)
    led_to = [key for _, led in kept.values() for key in led]
    assert sorted(led_to) == sorted(key for section in found.sections for key in section.omitted)
    for section in found.sections:
        assert bool(section.omitted) == (section.cursor is not None)
        if section.cursor is not None:
            assert kept[section.cursor] == (section.name, section.omitted)
    order = {one.name: [each.key for each in one.items] for one in made}
    for section in found.sections:
        for some in (section.shown, section.omitted, section.folded, section.cut):
            places = [order[section.name].index(key) for key in some]
            assert places == sorted(places)
        caps = [one.most for one in made if one.name == section.name and one.most is not None]
        assert all(len(section.shown) + len(section.cut) <= most for most in caps)


@given(core=TEXT, made=offers(anything, capped=True), max_bytes=BUDGETS)
def test_what_a_reader_understands_is_what_was_packed_whatever_memories_say(
    core: str, made: list[Offer], max_bytes: int
) -> None:
    found, _ = packed(core, made, max_bytes)
    with_text = [section for section in found.sections if section.text]
    understood = read(found.text)
    assert [section.name for section in understood] == [section.name for section in with_text]
    for said, meant in zip(understood, with_text, strict=True):
        order = [each.key for one in made if one.name == meant.name for each in one.items]
        seen = sorted((*meant.shown, *meant.cut), key=order.index)
        assert said.ids == [key for key in seen if key.startswith("mem_")]
        assert said.cursor == meant.cursor
        assert (said.hidden, said.cut) == (len(meant.omitted) - len(meant.cut), len(meant.cut))


@given(core=TEXT, made=offers(anything, capped=True), max_bytes=BUDGETS)
def test_the_same_in_gives_the_same_out(core: str, made: list[Offer], max_bytes: int) -> None:
    again = [
        Offer(
            name=one.name,
            heading=one.heading,
            weight=one.weight,
            items=tuple(
                Item(key=each.key, title=each.title, text=each.text, terms=frozenset(sorted(each.terms, reverse=True)))
                for each in one.items
            ),
            most=one.most,
        )
        for one in made
    ]
    assert packed(core, made, max_bytes) == packed(core, again, max_bytes)


@given(
    made=offers(prose, capped=False, most_items=30),
    max_bytes=st.integers(1_024, 16_384),
    has_core=st.booleans(),
)
def test_nine_tenths_are_used_where_there_is_twice_as_much_to_say(
    made: list[Offer], max_bytes: int, has_core: bool
) -> None:
    found, _ = packed("Fact. " * 999 if has_core else "", made, max_bytes)
    fixed = sum(section.bytes + 1 for section in found.sections if section.name in ("directive", "core"))
    left = max_bytes - fixed
    sizes = {each.key: len(each.text.encode()) for one in made for each in one.items}
    assume(sum(sizes.values()) >= 2 * left)
    used = found.bytes - fixed
    assert used >= (0.9 if max_bytes >= 2_048 else 0.8) * left


@given(made=offers(anything, capped=False), max_bytes=st.integers(1_024, 8_192))
def test_no_two_items_shown_say_nearly_the_same(made: list[Offer], max_bytes: int) -> None:
    found, _ = packed("", made, max_bytes)
    terms = {each.key: each.terms for one in made for each in one.items}
    shown = [key for section in found.sections for key in (*section.shown, *section.cut)]
    for at, key in enumerate(shown):
        assert not any(alike(terms[key], terms[other]) for other in shown[:at])
    for section in found.sections:
        assert all(any(alike(terms[key], terms[other]) for other in shown) for key in section.folded)


SETS = st.frozensets(st.integers(0, 30).map(str), max_size=25)


@given(known=st.lists(SETS, max_size=8), asked=st.lists(SETS, max_size=8))
def test_the_prefix_filter_finds_what_comparing_with_all_finds(
    known: list[frozenset[str]], asked: list[frozenset[str]]
) -> None:
    items = [Item(key=str(at), title="", text="", terms=terms) for at, terms in enumerate([*known, *asked])]
    shown = Shown(items)
    for each in items[: len(known)]:
        shown.add(each)
    for each in items:
        assert shown.has_like(each) == any(alike(each.terms, other) for other in known)


@given(a=SETS, b=SETS)
def test_alike_is_jaccard_from_85_hundredths(a: frozenset[str], b: frozenset[str]) -> None:
    share = len(a & b) / len(a | b) if a | b else 0.0
    assert alike(a, b) == (share >= 0.85)


@given(
    items=st.lists(st.integers(0, 99), unique=True, max_size=20).flatmap(
        lambda numbers: st.tuples(*(memories(number) | prose(number) for number in numbers))
    ),
    max_bytes=st.integers(1_024, 70_000),
)
def test_pages_partition_what_they_are_made_of(items: tuple[Item, ...], max_bytes: int) -> None:
    cursor_for, kept = cursors()
    by_key = {each.key: each for each in items}
    seen: list[str] = []
    rest = [each.key for each in items]
    while rest:
        made = page(
            section="recall",
            heading="## Recall",
            items=[by_key[key] for key in rest],
            cursor_for=cursor_for,
            max_bytes=max_bytes,
        )
        assert len(made.text.encode()) == made.bytes <= max_bytes
        assert made.shown
        seen += made.shown
        rest = list(made.rest)
        assert bool(rest) == (made.cursor is not None)
        assert made.cursor is None or kept[made.cursor] == ("recall", made.rest)
    assert seen == keys(items)


@given(text=TEXT)
def test_no_line_of_a_memory_stands_unquoted(text: str) -> None:
    said = quoted(text)
    assert own_lines(said) == []
    assert said == said.encode().decode()
    for line in said.split("\n"):
        inner = line.removeprefix(">").removeprefix(" ")
        assert not inner.lstrip().startswith(("# ", "## ", "### ", "↳", "[Omitted", "[cut", "[No room"))


@given(text=TEXT, most_bytes=st.integers(16, 200))
def test_within_a_line_nothing_ends_the_line_or_the_quotation(text: str, most_bytes: int) -> None:
    for said in (one_line(text), in_quotes(text, most_bytes=most_bytes), plain_or_quoted(text)):
        assert len(said.splitlines()) <= 1
        assert said == said.encode().decode()
    assert '"' not in in_quotes(text, most_bytes=most_bytes)[1:-1]
    assert len(in_quotes(text, most_bytes=most_bytes).encode()) <= most_bytes
    assert '"' not in plain_or_quoted(text)[1:-1]


@given(core=TEXT | TEXT.map(lambda text: text * 50), limit_bytes=st.integers(-10, 3_000))
def test_the_core_memory_keeps_to_its_room_and_is_quoted(core: str, limit_bytes: int) -> None:
    found = core_section(core, limit_bytes=limit_bytes)
    if found.section is not None:
        assert found.section.bytes == len(found.section.text.encode()) <= limit_bytes
        assert read(found.section.text)[0].marks == (found.warning is not None)
