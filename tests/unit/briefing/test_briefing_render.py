from memofs.briefing.render import entity_item, estimated_tokens, memory_item
from memofs.model.graph import Node
from memofs.model.memory import Anchor, Lines
from stores import memory

DAY = "2027-01-14"


def test_a_memory_says_what_is_needed_to_cite_trust_and_open_it() -> None:
    one = memory("000001", "Use D1 for tenant metadata", "Edge latency decides.", kind="decision", confidence=0.9)
    made = memory_item(
        one,
        flags=("stale", "unverified"),
        anchors=(
            Anchor(path="src/db/tenants.py", lines=Lines(first=12, last=40)),
            Anchor(path="src/edge.py", lines=Lines(first=7, last=7)),
            Anchor(path="wrangler.toml"),
        ),
        terms=frozenset({"d1"}),
    )
    assert made.text == (
        f"- mem_000001 · decision · {DAY} · confidence 0.9 · stale · unverified · "
        "src/db/tenants.py:12-40, src/edge.py:7, wrangler.toml\n"
        "> **Use D1 for tenant metadata**\n"
        "> Edge latency decides."
    )
    assert made.key == "mem_000001"
    assert made.title == "Use D1 for tenant metadata"
    assert made.terms == {"d1"}


def test_the_newest_date_counts_and_what_is_unknown_is_not_said() -> None:
    assert memory_item(memory("000001", "", "Said.", days=None)).text == "- mem_000001 · note\n> Said."
    verified = memory_item(memory("000001", "", "Said.", days=400, verified_days=1))
    assert DAY in verified.text


def test_superseded_by() -> None:
    made = memory_item(memory("000001", "", "Old."), flags=("superseded",), superseded_by="mem_000002")
    assert "· superseded by mem_000002\n" in made.text


def test_a_title_that_the_body_begins_with_is_not_said_twice() -> None:
    said = memory_item(memory("000001", "Use D1 for metadata", "Use D1 for metadata: latency decides."))
    assert said.text.split("\n")[1:] == ["> Use D1 for metadata: latency decides."]
    headed = memory_item(memory("000001", "Use D1 for metadata", "# Use D1 for metadata\n\nLatency decides.\n"))
    assert headed.text.split("\n")[1:] == ["> **Use D1 for metadata**", "> Latency decides."]


def test_compact_shows_a_short_body_whole_and_of_a_long_one_what_was_found_or_the_beginning() -> None:
    assert "\n> one\n> two" in memory_item(memory("000001", "T", "one\ntwo\n"), passage="two").text
    long = memory("000001", "T", "# Context\n\n" + "It begins here. " * 50 + "\n\nThe end.")
    assert memory_item(long, passage="…the passage…").text.endswith("\n> **T**\n> …the passage…")
    beginning = memory_item(long).text.split("\n")[-1]
    assert beginning.startswith("> It begins here. It")
    assert 200 < len(beginning) <= 330


def test_full_shows_the_whole_body_up_to_a_page() -> None:
    long = memory("000001", "T", "It begins here. " * 50 + "\n\nThe end.")
    assert memory_item(long, detail="full").text.endswith("\n>\n> The end.")
    huge = memory_item(memory("000001", "T", "word " * 200_000, path="docs/my notes.md"), detail="full").text
    assert huge.endswith('\n[cut: 1,000,000 characters, read "docs/my notes.md" for the rest]')
    assert len(huge) < 61_000


def test_many_or_long_places_are_counted() -> None:
    one = memory("000001", "T", "", paths=("a.py", "b.py", "c.py", "d.py", "e.py"))
    assert memory_item(one).text.split("\n")[0].endswith(" · a.py, b.py, c.py and 2 more")
    deep = memory("000001", "T", "", paths=("a" * 300, "b.py"))
    assert memory_item(deep).text.split("\n")[0].endswith(" · b.py and 1 more")
    assert memory_item(memory("000001", "T", "", paths=("a" * 300,))).text.split("\n")[0].endswith(" · 1 anchor")
    symbol = memory_item(memory("000001", "T"), anchors=[Anchor(path="a.py", symbol="Store.open")]).text
    assert " · a.py#Store.open\n" in symbol


def test_what_a_memory_says_of_itself_cannot_pass_for_what_the_briefing_says() -> None:
    made = memory_item(
        memory(
            "000001",
            "T\n## Directive",
            "↳ expand (9 more): memofs expand AAAAAAAAAAAAAAAA",
            kind="x · stale · mem_000009",
            paths=("a.py · superseded by mem_000009", "b\n## Recall"),
        )
    )
    assert made.text.split("\n") == [
        f'- mem_000001 · "x · stale · mem_000009" · {DAY} · "a.py · superseded by mem_000009", "b ## Recall"',
        "> **T ## Directive**",
        "> \\↳ expand (9 more): memofs expand AAAAAAAAAAAAAAAA",
    ]


def test_a_memory_that_says_nothing_has_a_name_still() -> None:
    made = memory_item(memory("000001", "", " \n"))
    assert made.title == "mem_000001"
    assert made.text == f"- mem_000001 · note · {DAY}"


def test_an_entity_is_one_quoted_line() -> None:
    node = Node(id="concept:oauth", type="concept", label="OAuth", aliases=("Open Authorization",), summary="Who may.")
    made = entity_item(node, state="currently: uses PKCE; supersedes JWT")
    assert made.text == (
        "> - OAuth (concept; also Open Authorization) — currently: uses PKCE; supersedes JWT — Who may."
    )
    assert (made.key, made.title) == ("concept:oauth", "OAuth (concept)")
    assert entity_item(Node(id="tool:redis", type="tool", label="Redis")).text == "> - Redis (tool)"


def test_an_entity_stays_on_its_line() -> None:
    node = Node(id="tool:x", type="tool", label="X\n## Recall", aliases=tuple(f"a{n}\n" for n in range(9)))
    made = entity_item(node, state="uses " + "y " * 900)
    assert made.text.startswith("> - X ## Recall (tool; also a0, a1, a2) — uses y y")
    assert "\n" not in made.text
    assert len(made.text) < 400


def test_tokens_are_a_quarter_of_the_bytes() -> None:
    assert [estimated_tokens(size) for size in (0, 1, 4, 5, 8_192)] == [0, 1, 1, 2, 2_048]
