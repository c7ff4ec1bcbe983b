"""What holds for whatever people write into decision records."""

import graphlib

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from memofs.engine.importing import Existing, ImportPlan, Options, Source, plan
from memofs.text import adr, plain_record

ADR = Options(what="adr")
NOW_MS = 1_800_000_000_000

PIECES = (
    *(
        "\n",
        "\n\n",
        " ",
        "---\n",
        "# ",
        "## ",
        "> ",
        "* ",
        "| ",
        " | ",
        "```\n",
        "~~",
        "**",
        "<!--",
        "-->",
        "[",
        "](",
        ")",
    ),
    *("# 1. Title\n", "## Status\n", "## Context\n", "Status: ", "Date: ", "2020-02-30", "29/02/2020", "title: a: b\n"),
    *(
        "Accepted",
        "Proposed",
        "Superseded by ",
        "Supersedes ",
        "ADR 2",
        "[3](0003-c.md)",
        "This ADR ",
        "not ",
        "tags: [a\n",
    ),
    *("\ufeff", "\r\n", "\0", "\ud800", "&amp;", "\ue000", "0" * 30, "é"),
)
texts = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=8)), max_size=30).map("".join)
paths = st.sampled_from(("adr/0001-a.md", "adr/README.md", "0002-b/README.md", "a", "", "/", "2020-01-01-x.md", "..md"))


@given(paths, texts)
def test_any_text_is_a_record_or_it_is_said_why_not(path: str, text: str) -> None:
    for found in (adr.parse(path, text), plain_record.parse(path, text)):
        if isinstance(found, adr.NotARecord):
            assert found.reason
        else:
            assert found.title == " ".join(found.title.split())
            assert found.body.strip()


@given(texts)
def test_text_below_the_title_is_kept(text: str) -> None:
    found = adr.parse("adr/0001-a.md", f"# 1. Title\n\nThe first words.\n{text}\nThe last words.\n")
    if isinstance(found, adr.Record):
        assert found.body.startswith("The first words.")
        assert found.body.endswith("The last words.")


STATES = ("Accepted", "Proposed", "Rejected", "Superseded", "")
NUMBERS = st.integers(min_value=1, max_value=6)
records = st.dictionaries(
    NUMBERS,
    st.tuples(
        st.sampled_from(STATES),
        st.lists(st.tuples(st.sampled_from(("Supersedes", "Superseded by", "Amends")), NUMBERS), max_size=3),
    ),
)
Written = dict[int, tuple[str, list[tuple[str, int]]]]


@given(records)
def test_links_make_no_cycle_and_again_does_nothing(written: Written) -> None:
    made = importing(written, {})
    graph = {entry.memory.id: set(entry.memory.supersedes) for entry in made.new}
    tuple(graphlib.TopologicalSorter(graph).static_order())
    assert {(new, old) for new, older in graph.items() for old in older} == set(made.links)
    again = importing(written, done(made, {}))
    assert (again.new, again.updates, again.links, again.warnings) == ((), (), (), ())


@given(records, records)
def test_after_any_change_again_does_nothing(before: Written, after: Written) -> None:
    there = done(importing(before, {}), {})
    made = importing(after, there)
    there = done(made, there)
    tuple(
        graphlib.TopologicalSorter(
            {known.memory.id: known.memory.supersedes for known in there.values()}
        ).static_order()
    )
    again = importing(after, there)
    assert (again.new, again.updates, again.links) == ((), (), ())


def importing(written: Written, there: dict[str, Existing]) -> ImportPlan:
    ids = iter(range(len(there) + 1, 1000))
    sources = [
        Source(
            path=f"adr/{number:04}-a.md",
            text=f"# {number}. A\n\n## Status\n\n{state}\n\n"
            + "".join(f"{phrase} ADR {other}\n\n" for phrase, other in links)
            + "## Context\n\nc\n",
        )
        for number, (state, links) in sorted(written.items())
    ]
    return plan(sources, there, ADR, now_ms=NOW_MS, new_id=lambda _: f"mem_{next(ids):06}")


def done(made: ImportPlan, there: dict[str, Existing]) -> dict[str, Existing]:
    carried_out = {
        str(entry.memory.source): Existing(memory=entry.memory, imported=entry.imported)
        for entry in (*made.new, *made.updates)
    }
    assert len(carried_out) == len(made.new) + len(made.updates)
    assert len({msgspec.json.encode(known.memory.id) for known in carried_out.values()}) == len(carried_out)
    return there | carried_out
