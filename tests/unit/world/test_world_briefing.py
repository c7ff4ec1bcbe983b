"""What a World offers to a briefing, and what becomes of what one left out."""

import msgspec
import pytest

from memofs.briefing.sections import WEIGHTS
from memofs.model.briefing import Detail, Item, Offer, SectionName
from memofs.model.change import Change
from memofs.model.config import Config
from memofs.model.graph import Curated, Edge, Node, NodeStatus
from memofs.model.memory import Anchor, Lines, Memory
from memofs.model.place import Place
from memofs.model.query import Query
from memofs.model.relation import RelationType
from memofs.world.briefing import CANDIDATES, Wanted, offers, with_wholes
from memofs.world.left_out import items_of, left_out, today
from memofs.world.recall import recall
from memofs.world.state import World, apply, build, drifted
from stores import NOW_MS, memory, world

LONG = " ".join(f"Sentence number {number} about the gateway." for number in range(60))


def tied(id_: str, path: str, first: int, last: int, *, kind: str = "note") -> Memory:
    made = memory(id_, f"About {id_}", kind=kind)
    return msgspec.structs.replace(made, anchors=(Anchor(path=path, lines=Lines(first=first, last=last)),))


def node(id_: str, label: str, *aliases: str, summary: str = "", status: NodeStatus = "active") -> Node:
    return Node(id=id_, type="tool", label=label, aliases=aliases, summary=summary, status=status, curated=True)


def edge(source: str, relation: RelationType, target: str) -> Edge:
    return Edge(source=source, relation=relation, target=target)


CURATED = Curated(
    nodes=(
        node("tool:envoy", "Envoy", "edge proxy"),
        node("tool:dns", "DNS", summary="Names of hosts."),
        node("tool:nginx", "nginx", status="deprecated"),
        node("tool:silent", "Gateway plugin"),
        node("tool:debugger", "Debugger", summary="Stops at a line."),
        node("tool:bounty", "Bug bounty", summary="Pays finders."),
    ),
    edges=(edge("tool:envoy", "depends_on", "tool:dns"), edge("tool:nginx", "uses", "tool:dns")),
)

STORE = build(
    [
        memory("gateway", "The gateway retries", f"The gateway tries again. {LONG}", kind="decision", confidence=0.9),
        memory("timeouts", "Gateway timeouts", "Timeouts of the gateway are five seconds."),
        memory("rules", "Rules of the gateway", "The gateway never sees a password.", kind="constraint", days=400),
        memory("old", "Gateway on nginx", "The gateway was nginx once.", days=700),
        memory("new", "Gateway on Envoy", "It replaced nginx.", kind="decision", supersedes=["old"], days=3),
        memory("gone", "Gateway of the partners", "Partners have a gateway.", status="retired"),
        memory("waiting", "Gateway of the future", "A gateway to come.", status="pending"),
        *(memory(f"other{n}", f"Chart {n}", f"Palette {n} is fixed.", days=n + 10) for n in range(30)),
    ],
    config=Config(),
    curated=CURATED,
)


def asked(of: World, text: str, wanted: Wanted | None = None, *, notes: bool = False) -> tuple[Offer, ...]:
    wanted = wanted or Wanted(text=text)
    query = Query(text=text, limit=CANDIDATES[wanted.detail], task_type=wanted.task_type)
    found = recall(of, query, now_ms=NOW_MS)
    others = msgspec.structs.replace(query, kinds=("note",), precision="all")
    also = recall(of, others, now_ms=NOW_MS) if notes else None
    return offers(of, wanted, now_ms=NOW_MS, found=found, notes=also)


def section(made: tuple[Offer, ...], name: str) -> Offer:
    return next(each for each in made if each.name == name)


def keys(each: Offer) -> list[str]:
    return [item.key.removeprefix("mem_") for item in each.items]


def text_of(each: Offer, id_: str) -> str:
    return next(item.text for item in each.items if item.key == f"mem_{id_}")


def test_a_question_gets_entities_recall_and_what_is_recent() -> None:
    made = asked(STORE, "gateway envoy")
    assert [each.name for each in made] == ["entities", "recall", "recent"]
    assert {each.name: each.weight for each in made} == {
        name: WEIGHTS[name] for name in ("entities", "recall", "recent")
    }
    assert set(keys(section(made, "recall"))) == {"gateway", "timeouts", "rules", "new"}
    assert keys(section(made, "recent")) == ["other0", "other1", "other2"]


def test_what_no_longer_holds_is_offered_nowhere() -> None:
    full = Wanted(text="gateway", detail="full", place=Place(path="src/gateway.py"))
    for made in (asked(STORE, "gateway", full, notes=True), offers(STORE, Wanted(detail="full"), now_ms=NOW_MS)):
        shown = {key for each in made for key in keys(each)}
        assert not shown & {"old", "gone", "waiting"}


def test_flags_of_today_are_shown() -> None:
    of = drifted(STORE, ["mem_gateway"])
    recalled = section(asked(of, "gateway"), "recall")
    assert " · stale" in text_of(recalled, "gateway").partition("\n")[0]
    assert " · unverified" in text_of(recalled, "rules").partition("\n")[0]
    assert "wordsOnly" not in "".join(item.text for item in recalled.items)


def test_a_memory_shows_its_id_kind_date_confidence_and_place() -> None:
    of = world(tied("here", "src/gate way.py", 3, 9, kind="decision"))
    head = section(offers(of, Wanted(), now_ms=NOW_MS), "recent").items[0].text.partition("\n")[0]
    assert head == '- mem_here · decision · 2027-01-14 · "src/gate way.py":3-9'


def test_entities_say_what_holds_and_silent_ones_are_left_out() -> None:
    entities = section(asked(STORE, "gateway on envoy or nginx, with DNS"), "entities")
    assert [item.text for item in entities.items] == [
        "> - Envoy (tool; also edge proxy) — currently: depends on DNS",
        "> - DNS (tool) — Names of hosts.",
    ]


@pytest.mark.parametrize(
    ("text", "found"), [("edge proxy", "Envoy"), ("the EDGE proxy of ours", "Envoy"), ("proxies", "Envoy")]
)
def test_entities_are_named_by_phrases_and_other_forms(text: str, found: str) -> None:
    assert section(asked(STORE, text), "entities").items[0].title == f"{found} (tool)"


def test_words_of_the_task_name_entities_only_as_whole_words() -> None:
    plain = asked(STORE, "chart")
    assert "entities" not in [each.name for each in plain]
    debug = asked(STORE, "chart", Wanted(text="chart", task_type="debug"))
    assert [item.title for item in section(debug, "entities").items] == ["Bug bounty (tool)"]


def test_full_detail_has_notes_and_no_caps() -> None:
    made = asked(STORE, "gateway", Wanted(text="gateway", detail="full"), notes=True)
    assert {each.name: each.most for each in made}["recall"] is None
    recalled = set(keys(section(made, "recall"))) | set(keys(section(made, "recent")))
    assert all(not set(keys(each)) & recalled for each in made if each.name == "notes")
    assert LONG.split(". ")[40] in text_of(section(made, "recall"), "gateway")
    compact = asked(STORE, "gateway envoy")
    assert {each.name: each.most for each in compact} == {"entities": 8, "recall": 8, "recent": 8}
    assert len(text_of(section(compact, "recall"), "gateway")) < 600


def test_what_is_here_comes_first_and_is_not_recent_too() -> None:
    of = world(tied("here", "src/a.py", 10, 20), memory("other", "Other", "Something else."))
    place = Place(path="src/a.py", lines=Lines(first=12, last=12))
    made = asked(of, "nothing like it", Wanted(text="nothing like it", place=place))
    assert [(each.name, keys(each)) for each in made] == [("here", ["here"]), ("recent", ["other"])]
    assert made[0].heading == "## Here: src/a.py:12-12"


def test_a_session_gets_what_binds_what_is_new_and_what_to_check() -> None:
    of = world(
        tied("rule", "src/a.py", 1, 2, kind="constraint"),
        tied("fact", "src/a.py", 1, 2),
        memory("aged", "Aged", LONG, days=100),
    )
    made = offers(of, Wanted(), now_ms=NOW_MS, changed=("src/", "README.md"))
    assert [(each.name, keys(each)) for each in made] == [
        ("constraints", ["rule"]),
        ("recent", ["fact", "rule", "aged"]),
        ("stale", ["aged"]),
    ]
    assert "2 paths changed" in made[0].heading
    assert made[2].items[0].text.splitlines()[1:] == ["> **Aged**"]


def test_a_task_type_leans_a_session_towards_its_kinds() -> None:
    of = world(memory("note", days=1), memory("rule", kind="constraint", days=50), memory("goal", kind="goal", days=2))
    made = offers(of, Wanted(task_type="coding"), now_ms=NOW_MS)
    assert keys(section(made, "recent")) == ["rule", "note", "goal"]


@pytest.mark.parametrize("name", ["entities", "recall", "recent"])
def test_only_the_sections_asked_for(name: SectionName) -> None:
    wanted = Wanted(text="gateway envoy", sections=frozenset({name}))
    assert [each.name for each in asked(STORE, "gateway envoy", wanted)] == [name]


def test_a_small_budget_goes_to_what_answers() -> None:
    assert "recent" not in [each.name for each in asked(STORE, "gateway", Wanted(text="gateway", max_bytes=2_048))]


@pytest.mark.parametrize("detail", ["compact", "full"])
def test_a_huge_memory_costs_no_more_than_can_be_shown(detail: Detail) -> None:
    of = world(memory("huge", "Gateway", "The gateway is described at length. " * 30_000))
    wanted = Wanted(text="gateway", max_bytes=8_192, detail=detail)
    item = section(asked(of, "gateway", wanted), "recall").items[0]
    assert len(item.text) < 9_000
    assert detail == "compact" or len(item.text) > 8_192, "it cannot seem whole"


def test_what_is_shown_is_made_whole_as_far_as_there_is_room() -> None:
    hits = recall(STORE, Query(text="gateway"), now_ms=NOW_MS).hits
    made = asked(STORE, "gateway")
    compact = section(made, "recall")
    shown: dict[SectionName, set[str]] = {"recall": {"mem_gateway", "mem_timeouts"}}
    richer = with_wholes(STORE, made, shown, hits, room_bytes=10_000, now_ms=NOW_MS)
    assert LONG[-30:] in text_of(section(richer, "recall"), "gateway")
    for room in (0, 100):
        same = with_wholes(STORE, made, shown, hits, room_bytes=room, now_ms=NOW_MS)
        assert section(same, "recall") == compact
    unseen = with_wholes(STORE, made, {"recall": set()}, hits, room_bytes=10_000, now_ms=NOW_MS)
    assert section(unseen, "recall") == compact
    grown = sum(len(item.text.encode()) for item in section(richer, "recall").items)
    assert grown - sum(len(item.text.encode()) for item in compact.items) <= 10_000


def test_of_thousands_the_first_are_offered_and_that_is_said() -> None:
    many = [tied(f"m{number:04}", "src/a.py", number + 1, number + 1, kind="constraint") for number in range(700)]
    nodes = tuple(node(f"tool:n{number:04}", f"Node {number}", summary="A node.") for number in range(3_000))
    of = build(many, config=Config(), curated=Curated(nodes=nodes))
    made = asked(of, "node", Wanted(text="node", place=Place(path="src/a.py", lines=Lines(first=300, last=300))))
    tied_here, entities = section(made, "here"), section(made, "entities")
    assert tied_here.heading == "## Here: src/a.py:300-300 (the first 500 of 700 memories)"
    assert keys(tied_here)[:3] == ["m0299", "m0298", "m0300"]
    assert (len(tied_here.items), len(entities.items)) == (500, 200)
    assert entities.heading == "## Entities: the 200 nearest of more"
    binding = section(offers(of, Wanted(), now_ms=NOW_MS, changed=("src/a.py",)), "constraints")
    assert (len(binding.items), "the first 500 of 700 memories" in binding.heading) == (500, True)


# --- what was left out ----------------------------------------------------------------------------------------------


def _texts(of: World, ids: tuple[str, ...]) -> list[Item]:
    return list(items_of(of, ids, now_ms=NOW_MS))


def test_a_list_is_shown_whole_and_in_its_order() -> None:
    ids = ("mem_rules", "mem_gateway", "mem_timeouts")
    left = left_out(STORE, "recall", "## Recall", ids, now_ms=NOW_MS)
    now = today(STORE, left, now_ms=NOW_MS)
    assert (now.keys, now.changed, now.gone) == (ids, 0, 0)
    assert [item.key for item in _texts(STORE, now.keys)] == [*ids]
    assert LONG[-30:] in _texts(STORE, now.keys)[1].text


def test_a_list_knows_what_has_changed_and_shows_nothing_that_holds_no_longer() -> None:
    ids = ("mem_rules", "mem_gateway", "mem_timeouts", "mem_new", "mem_other1", "mem_other2")
    left = left_out(STORE, "recall", "## Recall", ids, now_ms=NOW_MS)
    later = apply(
        STORE,
        Change(
            put=(
                memory("gateway", "The gateway retries twice", "Another text.", kind="decision"),
                memory("rules", "Rules of the gateway", "The gateway never sees a password.", status="retired"),
                memory("newest", "Gateway on Caddy", "It replaced Envoy.", supersedes=["new"]),
            ),
            removed=("mem_other1",),
        ),
    )
    now = today(later, left, now_ms=NOW_MS)
    assert (now.keys, now.changed, now.gone) == (("mem_gateway", "mem_timeouts", "mem_other2"), 1, 3)
    assert "Another text." in _texts(later, now.keys)[0].text


def test_entities_are_left_out_too() -> None:
    ids = ("tool:dns", "tool:envoy")
    left = left_out(STORE, "entities", "## Entities", ids, now_ms=NOW_MS)
    assert [item.title for item in _texts(STORE, ids)] == ["DNS (tool)", "Envoy (tool)"]
    nodes = (
        node("tool:dns", "DNS", summary="Names of hosts, and more."),
        node("tool:envoy", "Envoy", status="archived"),
    )
    later = apply(STORE, Change(curated=Curated(nodes=nodes)))
    now = today(later, left, now_ms=NOW_MS)
    assert (now.keys, now.changed, now.gone) == (("tool:dns",), 1, 1)


def test_keys_that_nobody_knows_are_passed_over() -> None:
    assert _texts(STORE, ("mem_unknown", "tool:unknown", "", "mem_gone")) == []
