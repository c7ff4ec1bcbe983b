"""`memofs lexicon`: what is suggested is added, what is added is found by, what is removed is not."""

import json

import pytest

from e2e.memofs_program import Workspace, memory_file


@pytest.fixture
def harbour(workspace: Workspace) -> Workspace:
    """Memories that explain a short name, and one tied to code that has another."""
    workspace.write(
        ".memofs/memory/dlq.md",
        memory_file("id: mem_aaaaaaaaadlq\nkind: note\ntitle: Queues", "We keep a Dead Letter Queue (DLQ) per tenant."),
    )
    workspace.write(
        ".memofs/memory/berth.md",
        memory_file(
            "id: mem_aaaaaaaberth\nkind: note\ntitle: Berths\nanchors:\n  - path: src/berths.py",
            "The berth allocator runs at night.",
        ),
    )
    workspace.write("src/berths.py", "class BerthAllctr:\n    pass\n")
    workspace.write(
        ".memofs/memory/old.md",
        memory_file("id: mem_aaaaaaaaaold\nkind: note\ntitle: Old\nstatus: retired", "Pretty Old Thing (POT)."),
    )
    return workspace


def test_suggestions_are_shown_with_who_says_so_and_how_to_take_them(harbour: Workspace) -> None:
    text = harbour.ok("lexicon", "suggest")
    assert text == (
        "dlq: dead letter queue\n"
        "  “Dead Letter Queue (DLQ)” in “Queues”\n"
        "  memofs lexicon add dlq 'dead letter queue'\n"
        "\n"
        "allctr: allocator\n"
        "  BerthAllctr in code, “berth allocator” in “Berths”\n"
        "  memofs lexicon add allctr allocator\n"
    )
    found = harbour.json("lexicon", "suggest", "--limit", "1")
    assert [each["word"] for each in found["suggestions"]] == ["dlq"]
    assert found["suggestions"][0]["memories"] == ["mem_aaaaaaaaadlq"]
    assert found["more"] == 1
    assert "1 more suggestion (--limit 2 shows all)" in harbour.ok("lexicon", "suggest", "-n", "1")


def test_what_was_added_is_found_by_and_no_longer_suggested(harbour: Workspace) -> None:
    assert harbour.json("recall", "zeppelin")["hits"] == []
    said = harbour.ok("lexicon", "add", "Zeppelin", "berth  allocator", "queues")
    assert said == "zeppelin: a question that has it also looks for berth allocator, queues\n"
    assert {hit["title"] for hit in harbour.json("recall", "zeppelin")["hits"]} == {"Berths", "Queues"}
    harbour.ok("lexicon", "add", "dlq", "dead letter queue")
    assert "dlq" not in harbour.ok("lexicon", "suggest")
    assert harbour.ok("lexicon", "list") == "dlq       dead letter queue\nzeppelin  berth allocator, queues\n"
    settings = json.loads((harbour.root / ".memofs" / "config.json").read_text())
    assert settings["lexicon"] == {"zeppelin": ["berth allocator", "queues"], "dlq": ["dead letter queue"]}


def test_adding_keeps_what_is_there_and_removing_takes_what_was_named(harbour: Workspace) -> None:
    harbour.ok("lexicon", "add", "cf", "cloudflare")
    harbour.ok("lexicon", "add", "cf", "cloudflare", "edge")
    assert harbour.json("lexicon", "list")["lexicon"] == {"cf": ["cloudflare", "edge"]}
    harbour.ok("lexicon", "remove", "cf", "cloudflare")
    assert harbour.json("lexicon", "list")["lexicon"] == {"cf": ["edge"]}
    assert harbour.ok("lexicon", "remove", "CF") == "cf has no expansions of this project's any more.\n"
    assert harbour.json("lexicon", "list")["lexicon"] == {}
    assert "lexicon suggest" in harbour.ok("lexicon", "list")
    harbour.ok("undo")
    assert harbour.json("lexicon", "list")["lexicon"] == {"cf": ["edge"]}


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["remove", "nothing"], 1, "there is no word 'nothing'"),
        (["remove", "auth"], 1, "built-in ones cannot be removed"),
        (["add", " ", "x"], 1, "which word?"),
        (["add", "x", " "], 1, "at least one word"),
        (["add", "x"], 2, "EXPANSION"),
        (["suggest", "--limit", "0"], 2, "--limit"),
    ],
)
def test_what_cannot_be_done_is_said(harbour: Workspace, arguments: list[str], code: int, says: str) -> None:
    ran = harbour.memofs("lexicon", *arguments)
    assert ran.code == code
    assert says in ran.err


def test_an_expansion_that_is_none_is_said(harbour: Workspace) -> None:
    harbour.ok("lexicon", "add", "cf", "cloudflare")
    ran = harbour.memofs("lexicon", "remove", "cf", "else")
    assert (ran.code, "'else' is no expansion of 'cf'" in ran.err) == (1, True)


def test_nothing_to_suggest_is_an_answer(workspace: Workspace) -> None:
    assert workspace.ok("lexicon", "suggest").startswith("Nothing to suggest")
