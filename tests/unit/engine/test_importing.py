import itertools
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime

import msgspec
import pytest

from memofs.engine.importing import Existing, ImportPlan, Options, Planned, Source, plan, source_name
from memofs.model.cancel import NEVER, CancelToken
from memofs.model.errors import Cancelled
from memofs.model.memory import Memory

ADR = Options(what="adr")
NOTES = Options(what="markdown")


def day_ms(year: int, month: int = 1, day: int = 1) -> int:
    return int(datetime(year, month, day, tzinfo=UTC).timestamp() * 1000)


NOW_MS = day_ms(2026, 12, 1)


def adr(number: int, status: str, *, more: str = "", folder: str = "docs/adr", title: str = "") -> Source:
    name = title or f"Choice {number}"
    slug = name.lower().replace(" ", "-")
    return Source(
        path=f"{folder}/{number:04}-{slug}.md",
        text=f"# {number}. {name}\n\nDate: 20{number:02}-01-01\n\n## Status\n\n{status}\n\n## Context\n\nWhy.\n{more}",
    )


def ids(first: int) -> Callable[[int], str]:
    count = itertools.count(first)
    return lambda _: f"mem_{next(count):06}"


def planned(
    sources: Sequence[Source],
    existing: Mapping[str, Existing] | None = None,
    options: Options = ADR,
    cancel: CancelToken = NEVER,
) -> ImportPlan:
    there = existing or {}
    return plan(sources, there, options, now_ms=NOW_MS, new_id=ids(len(there) + 1), cancel=cancel)


def done(made: ImportPlan, before: Mapping[str, Existing] | None = None) -> dict[str, Existing]:
    """What is there once the plan is carried out."""
    after = dict(before or {})
    for entry in (*made.new, *made.updates):
        assert entry.memory.source is not None
        after[entry.memory.source] = Existing(memory=entry.memory, imported=entry.imported)
    return after


def only(entries: Sequence[Planned]) -> Memory:
    assert len(entries) == 1
    return entries[0].memory


def edited(existing: Mapping[str, Existing], source_path: str, /, **changes: object) -> dict[str, Existing]:
    name = source_name("adr", source_path)
    known = existing[name]
    return {**existing, name: msgspec.structs.replace(known, memory=msgspec.structs.replace(known.memory, **changes))}


def pairs(made: ImportPlan) -> set[tuple[str, str]]:
    """The links by the numbers of the records."""
    number = {entry.memory.id: entry.path.rpartition("/")[2][:4] for entry in (*made.new, *made.updates)}
    return {(number[new], number[old]) for new, old in made.links}


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        ("Accepted", ("active", (), None)),
        ("", ("active", (), None)),
        ("Proposed", ("active", ("proposed",), 0.5)),
        ("Draft", ("active", ("proposed",), 0.5)),
        ("Rejected", ("retired", ("rejected",), None)),
        ("Deprecated", ("retired", ("deprecated",), None)),
        ("Superseded by ADR 9", ("retired", ("superseded",), None)),
    ],
)
def test_status_becomes_status_tag_and_confidence(
    status: str, expected: tuple[str, tuple[str, ...], float | None]
) -> None:
    memory = only(planned([adr(7, status)]).new)
    assert (memory.status, memory.tags, memory.confidence) == expected


def test_a_new_memory() -> None:
    made = planned([adr(7, "Accepted")], options=Options(what="adr", tags=("adr", "old")))
    memory = only(made.new)
    assert memory == Memory(
        id="mem_000001",
        kind="decision",
        title="Choice 7",
        body="Date: 2007-01-01\n\n## Status\n\nAccepted\n\n## Context\n\nWhy.",
        path="",
        digest="",
        tags=("adr", "old"),
        created_ms=day_ms(2007),
        updated_ms=day_ms(2007),
        source="import:adr:docs/adr/0007-choice-7.md",
    )
    assert made.new[0].path == "docs/adr/0007-choice-7.md"
    assert made.new[0].state == "accepted"
    assert made.warnings == ()


def test_kind_can_be_chosen() -> None:
    assert only(planned([adr(7, "Accepted")], options=Options(what="adr", kind="constraint")).new).kind == "constraint"
    assert only(planned([Source(path="a.md", text="# T\n\nt")], options=NOTES).new).kind == "note"


def test_dates() -> None:
    undated = Source(path="adr/0001-x.md", text="# X\n\nt", created_ms=day_ms(2020), changed_ms=day_ms(2021))
    memory = only(planned([undated]).new)
    assert (memory.created_ms, memory.updated_ms) == (day_ms(2020), day_ms(2021))
    memory = only(planned([Source(path="adr/0001-x.md", text="# X\n\nt")]).new)
    assert (memory.created_ms, memory.updated_ms) == (None, None), "when it was copied says nothing"
    future = Source(path="adr/0001-x.md", text="# X\n\nDate: 2099-01-01\n\nt", created_ms=day_ms(2020))
    made = planned([future])
    assert only(made.new).created_ms == day_ms(2020)
    assert "future" in made.warnings[0]


def test_ids_are_asked_for_in_the_order_of_creation() -> None:
    asked: list[int] = []

    def new_id(ms: int) -> str:
        asked.append(ms)
        return f"mem_{len(asked):06}"

    plan([adr(9, "Accepted"), adr(7, "Accepted")], {}, ADR, now_ms=NOW_MS, new_id=new_id)
    assert asked == [day_ms(2007), day_ms(2009)]


def test_what_is_no_record_is_skipped_with_the_reason() -> None:
    made = planned(
        [
            Source(path="adr/README.md", text="# Index\n\nt"),
            Source(path="adr/0001-a.md", text=""),
            Source(path="adr/0002-b.md", text="# B\n\nt\0"),
            Source(path="adr/0003-c.md", text="# C\n\n" + "word " * 500_000),
            Source(path="adr/0004-d.md", text="# D\n\nt\udc80"),
        ]
    )
    assert made.new == ()
    reasons = {entry.path: entry.reason for entry in made.skipped}
    assert "README" in reasons["adr/README.md"]
    assert "empty" in reasons["adr/0001-a.md"]
    assert "binary" in reasons["adr/0002-b.md"]
    assert "2,097,152" in reasons["adr/0003-c.md"]
    assert "UTF-8" in reasons["adr/0004-d.md"]


def test_a_readme_is_a_note_of_its_own() -> None:
    made = planned([Source(path="docs/README.md", text="# Welcome\n\nt")], options=NOTES)
    assert only(made.new).title == "Welcome"
    assert only(made.new).source == "import:markdown:docs/README.md"


def test_a_path_twice_is_one_source() -> None:
    assert len(planned([adr(7, "Accepted"), adr(7, "Accepted")]).new) == 1


def test_titles_and_tags_fit_a_memory() -> None:
    text = f"---\ntags: [ok, {'x' * 101}]\n---\n# {'long ' * 60}\n\nt"
    memory = only(planned([Source(path="adr/0001-a.md", text=text)]).new)
    assert len(memory.title) <= 200
    assert memory.title.endswith("…")
    assert memory.tags == ("ok",)


# Links


@pytest.mark.parametrize(
    ("status_7", "status_9"),
    [
        ("Superseded by ADR 9", "Accepted"),
        ("Superseded by [9](0009-choice-9.md)", "Accepted"),
        ("Superseded by [9](./0009-choice-9.md#why)", "Accepted"),
        ("Superseded by [9](/docs/adr/0009-choice-9)", "Accepted"),
        ("Superseded by [9](../../docs/adr/0009-CHOICE-9.md)", "Accepted"),
        ("Superseded by [9. Choice 9](https://x.example/blob/main/docs/adr/0009-choice-9.md)", "Accepted"),
        ("Superseded by [9. Choice 9](../moved/0009-choice-9.md)", "Accepted"),
        ("Superseded by [Choice 9](0011-wrong.md)", "Accepted"),
        ("Superseded by [9. Choice nine](0009-choice-nine.md)", "Accepted"),
        ("Superseded by ADR 9", "Proposed"),
        ("Accepted", "Accepted\n\nSupersedes ADR 7"),
        ("Accepted", "Accepted\n\nSupersedes [7. Choice 7](0007-choice-7.md)"),
        ("Superseded by ADR 9", "Accepted\n\nSupersedes ADR 7"),
        ("Superseded", "Accepted\n\nSupersedes ADR 7"),
        ("Accepted", "Superseded by ADR 11\n\nSupersedes ADR 7"),
    ],
)
def test_link(status_7: str, status_9: str) -> None:
    made = planned([adr(7, status_7), adr(8, "Accepted"), adr(9, status_9)])
    assert pairs(made) == {("0009", "0007")}
    old, _, new = (entry.memory for entry in made.new)
    assert new.supersedes == (old.id,)
    assert old.supersedes == ()
    assert (old.status, old.tags) == ("active", ())


def test_links_in_a_chain() -> None:
    made = planned([adr(7, "Superseded by ADR 8"), adr(8, "Superseded by ADR 9"), adr(9, "Accepted")])
    assert pairs(made) == {("0008", "0007"), ("0009", "0008")}
    assert made.warnings == ()


def test_link_across_folders_by_path_but_not_by_number() -> None:
    other = adr(9, "Accepted", folder="docs/infra")
    made = planned([adr(7, "Superseded by [9](../infra/0009-choice-9.md)"), other])
    assert pairs(made) == {("0009", "0007")}
    made = planned([adr(7, "Superseded by ADR 9"), other])
    assert made.links == ()
    assert "not among the imported records" in "\n".join(made.warnings)


def test_link_from_outside_the_workspace() -> None:
    here = "../other/adr"
    made = planned([adr(7, "Superseded by [9](0009-choice-9.md)", folder=here), adr(9, "Accepted", folder=here)])
    assert pairs(made) == {("0009", "0007")}


def test_link_between_records_that_are_folders() -> None:
    old = Source(path="adr/0007-a/README.md", text="# A\n\n- Status: superseded by [9](../0009-b/README.md)\n\nt")
    new = Source(path="adr/0009-b/README.md", text="# B\n\n- Status: accepted\n- Supersedes: ADR 7\n\nt")
    assert len(planned([old, new]).links) == 1


def test_a_number_that_two_records_have_names_none_of_them() -> None:
    made = planned([adr(7, "Superseded by ADR 9"), adr(9, "Accepted"), adr(9, "Accepted", title="Twin")])
    assert made.links == ()
    assert "2 records have that number" in "\n".join(made.warnings)
    assert made.new[0].memory.status == "retired"


def test_a_title_tells_records_of_one_number_apart() -> None:
    made = planned([adr(7, "Superseded by [9. Twin](gone.md)"), adr(9, "Accepted"), adr(9, "Accepted", title="Twin")])
    assert made.links == ((made.new[2].memory.id, made.new[0].memory.id),)


def test_a_number_does_not_outweigh_a_path_and_title_that_say_otherwise() -> None:
    made = planned([adr(7, "Superseded by [9. Turn off scripts](0009-turn-off-scripts.md)"), adr(9, "Accepted")])
    assert made.links == ()
    assert made.new[0].memory.tags == ("superseded",)


def test_what_supersedes_but_is_not_there() -> None:
    made = planned([adr(7, "Superseded by ADR 99")])
    assert made.links == ()
    text = "\n".join(made.warnings)
    assert "number 99: not among the imported records" in text
    assert "docs/adr/0007-choice-7.md: superseded, but no record here takes its place: retired" in text


@pytest.mark.parametrize("state", ["Proposed", "Draft", "Rejected"])
def test_a_proposal_does_not_supersede_what_does_not_know_of_it(state: str) -> None:
    made = planned([adr(7, "Accepted"), adr(9, f"{state}\n\nSupersedes ADR 7")])
    assert made.links == ()
    assert "so it does not supersede" in "\n".join(made.warnings)


def test_said_in_passing_by_the_older_record() -> None:
    more = "These limits are superseded by ADR 7."
    made = planned([adr(7, "Accepted"), adr(9, "Accepted", more=more)])
    assert made.links == ()
    made = planned([adr(7, "Accepted", more="These limits are superseded by ADR 9."), adr(9, "Accepted")])
    assert pairs(made) == {("0009", "0007")}
    assert "only a part" in "\n".join(made.warnings)
    assert made.new[0].memory.status == "active"


def test_a_link_to_itself_is_dropped() -> None:
    made = planned([adr(7, "Superseded by ADR 7")])
    assert made.links == ()
    assert "itself" in "\n".join(made.warnings)


def test_a_cycle_is_broken_where_the_order_of_the_records_says() -> None:
    made = planned([adr(7, "Accepted\n\nSupersedes ADR 9"), adr(9, "Accepted\n\nSupersedes ADR 7")])
    assert pairs(made) == {("0009", "0007")}
    assert "would supersede each other" in "\n".join(made.warnings)
    made = planned(
        [adr(7, "Superseded by ADR 8"), adr(8, "Superseded by ADR 9"), adr(9, "Superseded by ADR 7")],
    )
    assert pairs(made) == {("0008", "0007"), ("0009", "0008")}


def test_amending_is_no_superseding() -> None:
    made = planned([adr(7, "Accepted\n\nAmended by ADR 9"), adr(9, "Accepted\n\nAmends ADR 7")])
    assert made.links == ()
    assert made.warnings == ()


# Again


SOURCES = (adr(7, "Superseded by ADR 9"), adr(8, "Proposed"), adr(9, "Accepted"))


def test_again_does_nothing() -> None:
    there = done(planned(SOURCES))
    again = planned(SOURCES, there)
    assert (again.new, again.updates, again.skipped, again.links, again.warnings) == ((), (), (), (), ())
    assert again.unchanged == tuple(source.path for source in SOURCES)


def test_again_with_other_line_ends_does_nothing() -> None:
    there = done(planned(SOURCES))
    crlf = [msgspec.structs.replace(source, text=source.text.replace("\n", "\r\n")) for source in SOURCES]
    again = planned(crlf, there)
    assert (again.new, again.updates) == ((), ())


@pytest.mark.parametrize("force", [False, True])
def test_what_a_person_changed_survives_while_the_source_is_the_same(force: bool) -> None:
    there = edited(done(planned(SOURCES)), SOURCES[2].path, body="Mine.", title="Mine", supersedes=())
    again = planned(SOURCES, there, Options(what="adr", force=force))
    assert (again.new, again.updates, again.skipped) == ((), (), ())


def test_a_changed_source_updates_an_unchanged_memory() -> None:
    there = done(planned(SOURCES))
    there = edited(there, SOURCES[1].path, kind="constraint", tags=("proposed", "mine"), digest="d", path="p")
    again = planned([SOURCES[0], adr(8, "Accepted", more="And more."), SOURCES[2]], there)
    memory = only(again.updates)
    before = there[source_name("adr", SOURCES[1].path)].memory
    assert memory.body.endswith("And more.")
    assert (memory.id, memory.kind, memory.tags, memory.confidence) == (before.id, "constraint", ("mine",), None)
    assert (memory.digest, memory.path, memory.created_ms) == ("d", "p", before.created_ms)
    assert memory.updated_ms == NOW_MS
    assert again.updates[0].imported != there[source_name("adr", SOURCES[1].path)].imported
    after = done(again, there)
    assert planned([SOURCES[0], adr(8, "Accepted", more="And more."), SOURCES[2]], after).updates == ()


def test_both_changed_is_skipped_unless_forced() -> None:
    there = edited(done(planned(SOURCES)), SOURCES[1].path, body="Mine.")
    changed = [SOURCES[0], adr(8, "Accepted", more="And more."), SOURCES[2]]
    again = planned(changed, there)
    assert again.updates == ()
    assert [entry.path for entry in again.skipped] == [SOURCES[1].path]
    assert "--force" in again.skipped[0].reason
    forced = planned(changed, there, Options(what="adr", force=True))
    assert only(forced.updates).body.endswith("And more.")


def test_a_title_is_a_change_of_the_memory_too() -> None:
    there = edited(done(planned(SOURCES)), SOURCES[1].path, title="A better name")
    again = planned([adr(8, "Accepted", more="And more.")], there)
    assert again.updates == ()
    assert len(again.skipped) == 1


def test_the_same_change_on_both_sides_is_no_conflict() -> None:
    changed = adr(8, "Proposed", more="And more.")
    there = edited(done(planned(SOURCES)), changed.path, body=only(planned([changed]).new).body)
    again = planned([changed], there)
    assert (again.updates, again.skipped, again.unchanged) == ((), (), (changed.path,))


def test_without_the_key_only_a_difference_is_a_conflict() -> None:
    there = {name: msgspec.structs.replace(known, imported=None) for name, known in done(planned(SOURCES)).items()}
    assert planned(SOURCES, there).skipped == ()
    changed = adr(8, "Accepted", more="And more.")
    assert len(planned([changed], there).skipped) == 1
    assert len(planned([changed], there, Options(what="adr", force=True)).updates) == 1


def test_a_person_who_retires_an_imported_memory_is_right() -> None:
    there = edited(done(planned(SOURCES)), SOURCES[2].path, status="retired")
    again = planned([adr(9, "Accepted", more="And more.")], there)
    assert only(again.updates).status == "retired"


def test_a_record_that_was_rejected_and_is_accepted_now() -> None:
    there = done(planned([adr(7, "Rejected")]))
    memory = only(planned([adr(7, "Accepted")], there).updates)
    assert (memory.status, memory.tags) == ("active", ())


def test_a_record_that_is_deprecated_now() -> None:
    there = done(planned([adr(7, "Accepted")]))
    memory = only(planned([adr(7, "Deprecated")], there).updates)
    assert (memory.status, memory.tags) == ("retired", ("deprecated",))


def test_a_successor_that_comes_later() -> None:
    there = done(planned([adr(7, "Accepted")]))
    made = planned([adr(7, "Superseded by ADR 9"), adr(9, "Accepted")], there)
    old, new = only(made.updates), only(made.new)
    assert new.supersedes == (old.id,)
    assert (old.status, old.tags) == ("active", ())


def test_a_successor_that_is_there_already_gets_nothing_but_the_link() -> None:
    there = done(planned([adr(7, "Accepted"), adr(9, "Accepted")]))
    there = edited(there, "docs/adr/0009-choice-9.md", body="Mine.", supersedes=("mem_999999",))
    sources = [adr(7, "Superseded by ADR 9"), adr(9, "Accepted")]
    made = planned(sources, there)
    old, new = (entry.memory for entry in made.updates)
    assert new.supersedes == ("mem_999999", old.id)
    assert new.body == "Mine."
    assert made.unchanged == ()
    again = planned(sources, done(made, there))
    assert (again.updates, again.links) == ((), ())


def test_one_file_alone_finds_the_records_imported_before() -> None:
    there = done(planned([adr(7, "Accepted"), adr(8, "Accepted")]))
    made = planned([adr(9, "Accepted\n\nSupersedes ADR 7 and [8. Choice 8](0008-choice-8.md)")], there)
    assert only(made.new).supersedes == ("mem_000001", "mem_000002")
    made = planned([adr(7, "Superseded by ADR 8")], there)
    assert [entry.memory.supersedes for entry in made.updates] == [(), ("mem_000001",)]


def test_a_link_that_a_person_took_out_stays_out() -> None:
    there = edited(done(planned(SOURCES)), SOURCES[2].path, supersedes=())
    assert planned(SOURCES, there).updates == ()


def test_what_a_person_linked_makes_no_cycle() -> None:
    there = done(planned([adr(7, "Accepted"), adr(9, "Accepted")]))
    there = edited(there, "docs/adr/0007-choice-7.md", supersedes=("mem_000002",))
    made = planned([adr(7, "Superseded by ADR 9"), adr(9, "Accepted")], there)
    assert made.links == ()
    assert "would supersede each other" in "\n".join(made.warnings)


def test_the_other_kind_of_import_is_another_memory() -> None:
    there = done(planned([adr(7, "Accepted")]))
    made = planned([adr(7, "Accepted")], there, NOTES)
    assert only(made.new).source == "import:markdown:docs/adr/0007-choice-7.md"


def test_nobody_waits_any_more() -> None:
    class Gone:
        def check(self) -> None:
            raise Cancelled

    with pytest.raises(Cancelled):
        planned(SOURCES, cancel=Gone())
