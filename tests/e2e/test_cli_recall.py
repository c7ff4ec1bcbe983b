"""`memofs recall`, every option of it, on a small library."""

import re
from pathlib import Path

import pytest

from e2e.memofs_program import LATELY, Workspace
from memofs.wire.read import RecallResult

D1, OLD, JWT, RETRY, GONE, PENDING = (f"mem_aaaaaaaa{end}" for end in ("d100", "old1", "jwt1", "ret1", "gone", "pend"))


def ids(workspace: Workspace, *args: str) -> list[str]:
    return [hit["id"] for hit in workspace.json("recall", *args)["hits"]]


def test_a_question_finds_the_decision_and_shows_it_readably(library: Workspace) -> None:
    lines = library.ok("recall", "what", "database", "holds", "tenant", "metadata?").splitlines()
    assert lines[0] == "1. Use D1 for tenant metadata"
    assert re.fullmatch(
        rf"   decision · 2026-01-10 \(.+ ago\) · verified {LATELY[:10]} · confidence 0\.9 · #database, #tenants",
        lines[1],
    ), lines[1]
    assert "   at src/db/tenants.py:2 TenantStore.open" in lines
    assert f"   {D1}  .memofs/memory/use-d1-d100.md" in lines
    assert "\x1b" not in "".join(lines)


def test_json_is_the_result_of_the_wire_and_nothing_else(library: Workspace) -> None:
    document = library.json("recall", "tenant metadata", "--explain")
    keys = {"revision", "degraded", "hits", "more", "weaker", "absent", "notice", "without"}
    assert set(document) == keys == set(RecallResult.__struct_encode_fields__)
    hit = document["hits"][0]
    assert hit["id"] == D1
    assert hit["path"] == ".memofs/memory/use-d1-d100.md"
    assert hit["uri"].startswith("file:///")
    start, end = hit["matches"]["title"][0]
    assert hit["title"][start:end].lower() in {"tenant", "metadata"}
    assert hit["signals"]["words"]["place"] == 1


def test_options_stand_before_and_after_the_command(library: Workspace) -> None:
    front = library.memofs("--json", "recall", "tenant")
    behind = library.memofs("recall", "--json", "tenant")
    with_root = library.memofs("-C", str(library.root), "recall", "tenant", "--json", cwd=library.home)
    assert front.json()["hits"] == behind.json()["hits"] == with_root.json()["hits"] != []


@pytest.mark.parametrize(
    ("args", "first"),
    [
        (["session token"], JWT),
        (["jwt"], JWT),
        (["invoice service"], RETRY),
        (["InvoiceService"], RETRY),
        (["--", "--no-verify"], RETRY),
        (["databse"], D1),
        (["cloudflare d1"], D1),
    ],
)
def test_words_find_what_was_meant(library: Workspace, args: list[str], first: str) -> None:
    assert ids(library, *args)[:1] == [first]


def test_limit(library: Workspace) -> None:
    assert len(ids(library, "-n", "1", "tenant", "session", "upload", "--precision", "all")) == 1
    assert len(ids(library, "--limit", "2", "tenant", "session", "upload", "--precision", "all")) == 2


def test_kind_tag_and_path_narrow(library: Workspace) -> None:
    question = ["--precision", "all", "tenant session upload"]
    assert ids(library, "-k", "note", *question) == [RETRY]
    assert set(ids(library, "--kind", "note,decision", *question)) == {D1, JWT, RETRY}
    assert set(ids(library, "-t", "auth", "--tag", "uploads", *question)) <= {JWT, RETRY}
    assert ids(library, "--path", "src/db", *question) == [D1]
    assert ids(library, "--path", "src/web", *question) == []


def test_a_path_is_taken_from_where_the_person_stands(library: Workspace) -> None:
    ran = library.memofs("recall", "tenant", "--path", "tenants.py", "--json", cwd="src/db")
    assert [hit["id"] for hit in ran.json()["hits"]] == [D1]
    shown = library.memofs("recall", "tenant", cwd="src/db")
    assert "  ../../.memofs/memory/use-d1-d100.md\n" in shown.out


def test_flag_asks_for_memories_in_that_state(library: Workspace) -> None:
    assert ids(library, "--flag", "unverified", "uploads are retried") == [RETRY]
    assert "not verified lately" in library.ok("recall", "--flag", "unverified", "uploads are retried")


def test_task_type_steers_and_is_accepted_for_every_task(library: Workspace) -> None:
    assert JWT in ids(library, "--task-type", "coding", "login failure session")
    assert library.memofs("recall", "--task-type", "cooking", "x").code == 2


def test_superseded_and_retired_memories_are_left_out_unless_asked_for(library: Workspace) -> None:
    assert OLD not in ids(library, "--precision", "all", "sqlite tenant metadata")
    assert ids(library, "--include-retired", "partners FTP server")[:1] == [GONE]
    text = library.ok("recall", "--include-retired", "use SQLite for tenant metadata")
    assert f"superseded by {D1}" in text


def test_why_not_names_the_rule(library: Workspace) -> None:
    ran = library.ok("recall", "--why-not", OLD, "--why-not", "gone", "tenant metadata")
    assert re.search(rf"^{OLD} is not shown: .*superseded", ran, re.MULTILINE), ran
    assert re.search(rf"^{GONE} is not shown: .*retired", ran, re.MULTILINE), ran


def test_explain_shows_what_each_signal_adds(library: Workspace) -> None:
    text = library.ok("recall", "--explain", "-n", "1", "tenant metadata")
    assert re.search(r"^   signal +value +usual +z +place +adds$", text, re.MULTILINE)
    assert re.search(r"^   words +\d", text, re.MULTILINE)
    assert re.search(r"^   score +0\.\d+ = relevance ", text, re.MULTILINE)


def test_weaker_matches_are_counted_and_precision_all_shows_them(sample: Workspace) -> None:
    sample.ok("config", "set", "without", '["hop"]')  # neighbours by relation match nothing themselves
    question = ["-n", "100", "berth search database"]
    strict = sample.json("recall", "--precision", "strict", *question)
    everything = sample.json("recall", "--precision", "all", *question)
    assert strict["weaker"] > 0
    assert len(everything["hits"]) == len(strict["hits"]) + strict["weaker"]
    text = sample.ok("recall", "--precision", "strict", *question)
    assert f"\n{strict['weaker']} weaker matches not shown (--precision all shows them)\n" in text
    text = sample.ok("recall", "-n", "1", "--precision", "all", "berth search database")
    number = len(everything["hits"])
    assert f"\n{number - 1} more matches not shown (--limit {number} shows them)\n" in text


def test_nothing_relevant_is_an_answer(library: Workspace) -> None:
    text = library.ok("recall", "zebra crossing volcano")
    assert text.startswith("Nothing relevant found for “zebra crossing volcano”.\n")
    assert library.json("recall", "zebra crossing volcano")["notice"] == "nothingRelevant"


@pytest.mark.parametrize("args", [[], [""], ["   "]])
def test_an_empty_query_is_no_error_and_shows_recent_memories(library: Workspace, args: list[str]) -> None:
    document = library.json("recall", *args)
    assert document["notice"] == "emptyQuery"
    assert document["hits"]
    assert library.ok("recall", *args).startswith("No query: the ")


def test_a_query_of_stop_words_is_no_error(library: Workspace) -> None:
    ran = library.memofs("recall", "what", "is", "the")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out


def test_verbose_says_what_was_asked_on_standard_error(library: Workspace) -> None:
    ran = library.memofs("recall", "-v", "tenant", "--json", "--no-daemon")
    assert ran.json()["hits"]
    first, second = ran.err.splitlines()
    assert first.startswith(f"workspace {Path(library.root)}, memofs ")
    assert re.fullmatch(r"memofs/recall in [\d.]+ ms, revision \d+(, degraded: .+)?", second)
