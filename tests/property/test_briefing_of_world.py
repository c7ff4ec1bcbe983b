"""What holds of every briefing of a World: its budget, what it leaves out, what it may show."""

from hypothesis import given
from hypothesis import strategies as st

from memofs.briefing.cursor import handle
from memofs.model.memory import Memory
from memofs.model.place import Place
from memofs.model.query import Query
from memofs.world.assemble import Assembled, assemble
from memofs.world.briefing import CANDIDATES, Wanted, offers
from memofs.world.left_out import LeftOut, items_of, today
from memofs.world.recall import recall
from memofs.world.state import World
from stores import NOW_MS, memory, world

PIECES = (
    *("gateway", "uses", "Envoy", "token", "login", "error", "database", "必須", "é🙂"),
    *("`x`", "##", ">", "\x1b[2J", "\u202e"),
)
words = st.lists(st.sampled_from(PIECES), max_size=30).map(" ".join)
long = words.map(lambda text: f"{text}\n\n" * 40)
bodies = st.one_of(words, st.text(max_size=200), long, st.just("gateway " * 3_000))
memories = st.builds(
    memory,
    st.integers(0, 10_000).map(lambda number: f"m{number:05}"),
    st.one_of(words, st.text(max_size=30)),
    bodies,
    kind=st.sampled_from(["note", "decision", "constraint"]),
    status=st.sampled_from(["active", "active", "active", "retired", "pending"]),
    days=st.sampled_from([1.0, 40.0, 500.0, None]),
    paths=st.sampled_from([(), ("src/a.py",), ("src/b c.py", "src/a.py")]),
)
stores = st.lists(memories, max_size=25, unique_by=lambda each: each.id)
wanteds = st.builds(
    Wanted,
    text=st.one_of(st.just(""), words, st.text(max_size=30)),
    task_type=st.sampled_from([None, "debug", "coding"]),
    max_bytes=st.one_of(st.integers(1_024, 3_000), st.integers(1_024, 20_000), st.just(262_144)),
    detail=st.sampled_from(["compact", "full"]),
    place=st.sampled_from([None, Place(path="src/a.py"), Place(path="src")]),
)
remarks = st.lists(st.just("Something that has to be known, in a sentence"), max_size=3)


def made(of: World, wanted: Wanted, said: list[str], core: str = "") -> Assembled:
    query = Query(text=wanted.text, limit=CANDIDATES[wanted.detail], task_type=wanted.task_type)
    found = recall(of, query, now_ms=NOW_MS) if wanted.text.strip() else None
    if found is not None and found.notice == "emptyQuery":
        found = None
    offered = offers(of, wanted, found=found, changed=("src/",), now_ms=NOW_MS)
    hits = () if found is None else found.hits
    return assemble(of, wanted, offered, handle_of=_handle, hits=hits, core=core, remarks=said, now_ms=NOW_MS)


def _handle(left: LeftOut) -> str:
    return handle("here", repr(left).encode("utf-8", "surrogatepass"))


@given(stores, wanteds, remarks, st.one_of(st.just(""), bodies))
def test_a_briefing_keeps_to_its_budget_and_leads_to_all_it_leaves_out(
    store: list[Memory], wanted: Wanted, said: list[str], core: str
) -> None:
    of = world(*store)
    done = made(of, wanted, said, core)
    briefing = done.briefing
    assert briefing.bytes == len(briefing.text.encode()) <= wanted.max_bytes
    assert briefing.warnings[len(briefing.warnings) - len(said) :] == tuple(said)
    whole = [key for each in briefing.sections for key in each.shown]
    left = [key for each in briefing.sections if each.cursor for key in done.lists[each.cursor].keys]
    folded = [key for each in briefing.sections for key in each.folded]
    assert len({*whole, *left}) == len(whole) + len(left)
    assert {each.cursor for each in briefing.sections if each.cursor} == set(done.lists)
    for each in briefing.sections:
        assert each.omitted == (done.lists[each.cursor].keys if each.cursor else ())
    holds = {memory.id for memory in store if memory.status == "active"}
    shown = {key for key in (*whole, *left, *folded) if key.startswith("mem_")}
    assert shown <= holds
    for list_ in done.lists.values():
        now = today(of, list_, now_ms=NOW_MS)
        assert (now.keys, now.changed, now.gone) == (list_.keys, 0, 0)
        assert [item.key for item in items_of(of, now.keys, now_ms=NOW_MS)] == [*list_.keys]


@given(stores, wanteds, remarks)
def test_the_same_memory_gives_the_same_briefing(store: list[Memory], wanted: Wanted, said: list[str]) -> None:
    first, second = made(world(*store), wanted, said), made(world(*reversed(store)), wanted, said)
    assert first.briefing == second.briefing
