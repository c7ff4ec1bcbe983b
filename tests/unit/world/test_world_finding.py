"""What people could not find with such tools, from the memory to the answer."""

import pytest

from memofs.model.query import Query
from stores import ARTICLE, ask, ids, memory, world

OTHERS = (
    memory("noise1", "Release notes", "Written by hand before each release, never generated."),
    memory("noise2", "Colours of charts", "Use the palette of the design system for all charts."),
    memory("noise3", "Office hours", "Ask for help on Tuesdays."),
)

FOUND = [
    ("user_id", "id"),
    ("user_id", "user"),
    ("The invoice service sends them.", "InvoiceService"),
    ("InvoiceService sends them.", "invoice service"),
    ("Call InvoiceService.", "invoiceservice"),
    ("Look at getUserById.", "user by id"),
    ("The HTTPServer is slow.", "http server"),
    ("缓存必须先预热", "必须先预热"),
    ("缓存必须先预热", "预热"),
    ("重启api-gateway后", "gateway"),
    ("重启api-gateway后", "api-gateway"),
    ("Meet in the café.", "cafe"),
    ("Meet in the cafe.", "café"),
    ("A naïve cache.", "naive cache"),
    ("Die Straße ist lang.", "STRASSE"),
    ("Since v2.0 it is off.", "2.0"),
    ("Since 2.0 it is off.", "v2.0"),
    ("It fails with E1042.", "e1042"),
    ("Tokens are made in src/auth/jwt.ts today.", "src/auth/jwt.ts"),
    ("Tokens are made in src/auth/jwt.ts today.", "jwt.ts"),
    ("Never push with --no-verify here.", "--no-verify"),
    ("The core is C++ code.", "C++"),
    ("The tools are C# code.", "c#"),
    ("The service runs on .NET only.", ".NET"),
    ("The replication lags behind.", "replicaton lag"),
    ("The replication lags behind.", "repliaction"),
    ("Deployments happen on Fridays.", "deployment"),
    ("One deployment a day.", "deployments"),
    ("ERR_CONN_RESET means the proxy restarted.", "err_conn_reset"),
    ("ERR_CONN_RESET means the proxy restarted.", "conn reset"),
    ("It doesn't matter, don't retry.", "doesn't retry"),
    ("Rotate the server's certificates.", "servers certificate"),
    ("oauth2 is used for partners.", "oauth"),
    ("k8s runs it.", "kubernetes"),
]


@pytest.mark.parametrize(("text", "query"), FOUND)
@pytest.mark.parametrize("where", ["title", "body", "alone"])
def test_found_first(text: str, query: str, where: str) -> None:
    wanted = memory("wanted", text if where == "title" else "Something else", text if where != "title" else "Said so.")
    of = world(wanted) if where == "alone" else world(wanted, *OTHERS, *ARTICLE)
    answer = ask(of, query)
    assert ids(answer)[:1] == ["wanted"]
    shown = answer.hits[0].title if where == "title" else answer.hits[0].snippet
    assert shown.marks, "what was asked for is marked"


@pytest.mark.parametrize("query", ["", "   ", "\n\t", "?!", "…", "()", "🙂"])
def test_a_question_without_words_gets_the_newest(query: str) -> None:
    of = world(memory("old", "Old", days=90), memory("new", "New", days=1), memory("undated", "Undated", days=None))
    answer = ask(of, query)
    assert answer.notice == "emptyQuery"
    assert ids(answer) == ["new", "old", "undated"]
    assert ids(ask(of, query, Query(text=query, limit=1))) == ["new"]


def test_a_question_of_stop_words_is_matched_with_titles() -> None:
    of = world(memory("be", "To be or not to be", "A question."), *OTHERS)
    answer = ask(of, "to be or not to be")
    assert ids(answer) == ["be"]
    assert answer.notice is None


def test_stop_words_beside_others_do_not_count() -> None:
    of = world(memory("be", "To be or not to be", "A question."), *OTHERS)
    assert ids(ask(of, "what is the palette of the charts")) == ["noise2"]


@pytest.mark.parametrize("query", ["kubernetes helm operators", "zyxwvut", "the of and"])
def test_nothing_relevant_is_an_answer(query: str) -> None:
    answer = ask(world(*OTHERS), query)
    assert answer.hits == ()
    assert answer.notice == "nothingRelevant"


def test_a_question_of_any_length_is_answered() -> None:
    words = " ".join(f"word{number}" for number in range(5_000))
    answer = ask(world(*OTHERS, memory("long", "All words", words)), f"charts palette {words}")
    assert "long" in ids(answer)


def test_a_pasted_log_of_unknown_words_still_finds_what_it_names() -> None:
    log = " ".join(f"zq{number}xv" for number in range(3_000))
    assert ids(ask(world(*OTHERS), f"palette of charts {log}")) == []
    assert ids(ask(world(*OTHERS), "", Query(text=f"palette of charts {log}", precision="all"))) == ["noise2"]
