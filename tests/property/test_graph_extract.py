"""Whatever a memory's text is, it is read to the end, and what it states has labels and lines that are there."""

from hypothesis import given
from hypothesis import strategies as st

from memofs.graph.extract import MOST_STATEMENTS, extract
from memofs.graph.fact import SELF
from memofs.graph.names import MOST_LABEL, name_key
from memofs.graph.naming import claims_of, namings_of
from stores import memory

PIECES = (
    *("We ", "The Gateway ", "OAuth ", "`svc` ", "it ", "which ", "and ", "or ", ", ", "not ", "never ", "no longer "),
    *("use ", "uses ", "depends on ", "is owned by ", "replaced ", "with ", "from ", "to ", "instead of ", "if "),
    *("Redis", "JSON Web Token (JWT)", "src/a.py", "@ada", "D1", ". ", "? ", "\n", "\n\n", "- ", "# ", "```\n", " -> "),
    *("(", ")", "`", "*", "_", "|", "> ", "    ", "<!--", "-->", "’s ", "İ", "\u2028", "\r\n", "1. ", "U.S. "),
)
texts = st.lists(st.sampled_from(PIECES), max_size=30).map("".join) | st.text(max_size=80)


@given(texts, texts, st.sampled_from(("decision", "note")))
def test_any_text_is_read(title: str, body: str, kind: str) -> None:
    made = memory("000001", title, body, kind=kind)
    facts = extract(made)
    assert facts == extract(made)
    assert len(facts.statements) <= MOST_STATEMENTS
    assert len(set(facts.statements)) == len(facts.statements)
    for statement in facts.statements:
        assert 0 <= statement.line <= body.count("\n")
        assert statement.target != SELF
        assert statement.source == SELF or name_key(statement.source) != name_key(statement.target)
        for label in (statement.source, statement.target):
            assert len(label) <= MOST_LABEL
            assert "\n" not in label
    for key, naming in namings_of("mem_000001", facts):
        assert key == name_key(naming.label) != ""
    for key, claim in claims_of("mem_000001", facts):
        assert "" not in (key, claim.long)
        assert key != claim.long


SUBJECTS = st.sampled_from(("We", "The Gateway", "OAuth", "`svc`", "Content Store"))
OBJECTS = st.sampled_from(("Redis", "the `Journal` class", "Workers KV", "gRPC and Kafka"))
HINDRANCES = st.sampled_from(("never", "do not", "cannot", "could", "might", "would", "want to", "should not"))


@given(SUBJECTS, HINDRANCES, st.sampled_from(("use", "depend on", "rely on", "prefer")), OBJECTS)
def test_what_is_denied_or_only_possible_is_not_stated(subject: str, hindrance: str, verb: str, object_: str) -> None:
    assert extract(memory("000001", "", f"{subject} {hindrance} {verb} {object_}.")).statements == ()


@given(st.sampled_from(("If", "When", "Unless", "Should")), SUBJECTS, OBJECTS)
def test_what_holds_under_a_condition_is_not_stated(opening: str, subject: str, object_: str) -> None:
    text = f"{opening} {subject} will use {object_}, Celery requires Redis."
    assert extract(memory("000001", "", text)).statements == ()
