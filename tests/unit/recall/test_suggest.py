"""What a project's lexicon is offered: what texts explain themselves, and nothing else."""

import pytest

from memofs.model.cancel import CancelToken
from memofs.model.errors import Cancelled
from memofs.model.memory import Anchor, Memory
from memofs.recall.suggest import Code, Suggestion, suggestions
from stores import memory

Found = dict[str, tuple[str, ...]]


def found(*memories: Memory, code: tuple[Code, ...] = (), project: Found | None = None) -> Found:
    return {each.word: each.expansions for each in suggestions(memories, code, project=project)}


def only(*memories: Memory, code: tuple[Code, ...] = ()) -> Suggestion:
    (one,) = suggestions(memories, code)
    return one


@pytest.mark.parametrize(
    ("text", "word", "expansion"),
    [
        ("We keep a Dead Letter Queue (DLQ) for these.", "dlq", "dead letter queue"),
        ("The DLQ (dead letter queue) is drained at night.", "dlq", "dead letter queue"),
        ("Personally identifiable information (PII) is masked.", "pii", "personally identifiable information"),
        ("Key Performance Indicators (KPIs) are shown.", "kpi", "key performance indicator"),
        ("Security advisories are GitHub Security Advisories (GHSAs).", "ghsa", "github security advisory"),
        ("Mutual TLS (mTLS) between services.", "mtls", "mutual tls"),
        ("The quartermaster (qtr) assigns berths.", "qtr", "quartermaster"),
        ("The internationalisation (i18n) of menus.", "i18n", "internationalisation"),
    ],
)
def test_what_parentheses_introduce(text: str, word: str, expansion: str) -> None:
    one = only(memory("a", "A title", text))
    assert (one.word, one.expansions, one.source) == (word, (expansion,), "parentheses")
    assert one.memories == ("mem_a",)
    assert "A title" in one.why


@pytest.mark.parametrize(
    "text",
    [
        "Something was done (TODO) and more (see ADR) as (FYI) planned.",
        "Call the function (x) with the arguments (a, b).",
        "The rest of the request (REST) is the rest of a rest.",
        "Use Kafka, Events and Queues for this (FIFO).",
        "format (form) and testing (test)",
        "and nothing (not) else",
    ],
)
def test_other_parentheses_introduce_nothing(text: str) -> None:
    assert found(memory("a", "A title", text)) == {}


def test_an_acronym_and_its_words_in_one_memory() -> None:
    one = only(
        memory("a", "Use a Policy Decision Point", "The PDP answers within 5 ms."),
        memory("b", "Nothing of the kind", "Plain dull prose about plain dull points."),
    )
    assert (one.word, one.expansions, one.source) == ("pdp", ("policy decision point",), "spelledOut")


def test_plain_words_must_stand_there_twice_and_names_as_a_whole() -> None:
    assert found(memory("a", "PDP", "A plain dull page, once.")) == {}
    assert found(memory("a", "PDP", "A plain dull page, and a plain dull page.")) == {"pdp": ("plain dull page",)}
    assert found(memory("a", "SGI", "The Simplified Global Interpreter Lock is held.")) == {}
    assert found(memory("a", "PDP", "Point of a Page: all of it, and more of a page")) == {}


def test_an_alias_that_abbreviates_the_title() -> None:
    one = only(memory("a", "Quartermaster assigns berths", "…", aliases=("qtr", "the boss", "page weight")))
    assert (one.word, one.expansions, one.source) == ("qtr", ("quartermaster",), "alias")
    assert only(memory("a", "Harbour Master Protocol", "…", aliases=("hmp",))).expansions == (
        "harbour master protocol",
    )


def test_an_identifier_that_says_shortly_what_a_memory_says_in_full() -> None:
    told = memory("a", "Berths", "The berth allocator runs at night.")
    code = (Code(path="src/a.py", text="class BerthAllctr: ...\nberth_total = 3\n", memories=("mem_a",)),)
    one = only(told, code=code)
    assert (one.word, one.expansions, one.source) == ("allctr", ("allocator",), "identifier")
    assert one.why == "BerthAllctr in code, “berth allocator” in “Berths”"
    tied = memory("a", "Berths", "The berth allocator runs at night.")
    anchored = Memory(
        **{field: getattr(tied, field) for field in tied.__struct_fields__ if field != "anchors"},
        anchors=(Anchor(path="src/a.py", symbol="berthAllctr.run"),),
    )
    assert only(anchored).expansions == ("allocator",)


def test_letters_and_a_neighbour_in_common_may_be_chance() -> None:
    code = (Code(path="src/a.py", text="berthAllctr", memories=("mem_other",)),)
    told = memory("a", "Berths", "The berth allocator runs at night.")
    again = memory("b", "Nights", "At night the berth allocator runs.")
    assert found(told, code=code) == {}
    assert found(told, again, code=code) == {"allctr": ("allocator",)}
    timeout = (Code(path="src/a.py", text="timeout_ms = read_data(post_id)", memories=("mem_c",)),)
    prose = memory("c", "Reads", "The timeout must hold. Read database rows, and post instead.")
    assert found(prose, code=timeout) == {}


def test_a_word_made_of_two_is_not_cut_short() -> None:
    code = (Code(path="src/a.py", text="berthFirst = 1", memories=("mem_a",)),)
    assert found(memory("a", "Berths", "The berth firsthand, and no other hand."), code=code) == {}


def test_test_names_are_sentences_and_no_abbreviations() -> None:
    told = memory("a", "Guests", "They are forgotten and nothing is kept for theming.")
    code = (
        Code(path="t.py", text="def test_guests_are_forgotten_and_not_kept_for_the_stay(): ...", memories=("mem_a",)),
    )
    assert found(told, code=code) == {}


def test_a_value_that_is_called_shortly_what_it_is() -> None:
    told = memory("a", "Ledger", "The accumulator is flushed hourly.")
    code = (
        Code(
            path="src/a.ts", text="const acctr: Accumulator = open();\nlet other = Accumulator;\n", memories=("mem_a",)
        ),
    )
    one = only(told, code=code)
    assert (one.word, one.expansions, one.source) == ("acctr", ("accumulator",), "assignment")
    elsewhere = (Code(path="src/a.ts", text="const acctr: Accumulator = open();", memories=("mem_b",)),)
    assert found(told, code=elsewhere) == {}


def test_what_the_lexicon_knows_is_not_offered() -> None:
    jwt = memory("a", "A title", "JSON Web Token (JWT), Dead Letter Queue (DLQ) and repository (repo)")
    assert found(jwt) == {"dlq": ("dead letter queue",)}
    assert found(jwt, project={"dlq": ("dead letter queue",)}) == {}
    assert found(jwt, project={"DLQ": ("dead letter queues",)}) == {}
    assert found(jwt, project={"dlq": ("queue of the dead",)}) == {"dlq": ("dead letter queue",)}


def test_a_word_that_people_write_for_itself_is_not_offered() -> None:
    rest = memory("a", "Backend", "Representational State Transfer (REST) it is.")
    plain = memory("b", "Else", "Everything else is the rest.")
    assert found(rest) == {"rest": ("representational state transfer",)}
    assert found(rest, plain, memory("c", "More", "And the rest of it.")) == {}


def test_the_surest_first_and_the_oftenest_among_them() -> None:
    told = (
        memory("a", "One", "Dead Letter Queue (DLQ)"),
        memory("b", "Two", "Dead Letter Queue (DLQ), Policy Point (PP)"),
        memory("c", "Three", "Use the Harbour Master Protocol. HMP is old."),
    )
    words = [(each.word, each.count, each.source) for each in suggestions(told)]
    assert words == [("dlq", 2, "parentheses"), ("pp", 1, "parentheses"), ("hmp", 1, "spelledOut")]


def test_of_two_meanings_the_rarer_is_left_out_and_equals_are_both_offered() -> None:
    first = memory("a", "One", "Policy Decision Point (PDP)")
    again = memory("b", "Two", "Policy Decision Points (PDPs)")
    other = memory("c", "Three", "Pretty Dull Page (PDP)")
    assert found(first, again, other) == {"pdp": ("policy decision point",)}
    assert found(first, other) == {"pdp": ("policy decision point", "pretty dull page")}


@pytest.mark.parametrize("text", ["", "(", "()", "( )" * 500, "A (B" * 500, "\x00(ABC)", "Ä Ö (ÄÖ)", "🙂 (OK)"])
def test_any_text_is_read(text: str) -> None:
    suggestions([memory("a", text, text, aliases=(text,))], [Code(path="x", text=text, memories=("mem_a",))])


def test_it_can_be_cancelled() -> None:
    class Over(CancelToken):
        def check(self) -> None:
            raise Cancelled

    with pytest.raises(Cancelled):
        suggestions([memory("a")], cancel=Over())
