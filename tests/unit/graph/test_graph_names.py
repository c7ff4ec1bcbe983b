"""Which spellings are one name, and what follows for ids and types."""

import pytest

from memofs.graph.names import MOST_LABEL, is_file, known_names, name_key, node_id, slug, split_id, type_of_key
from memofs.graph.word_lists import word_list


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("React.js", "React"),
        ("ReactJS", "react"),
        ("Foo.js", "foo"),
        ("Postgres", "PostgreSQL"),
        ("k8s", "Kubernetes"),
        ("JSON Web Token", "jwt"),
        ("`TenantStore.open()`", "TenantStore.open"),
        ("Café  Déjà", "cafe deja"),
        ("./src/a.py", "src/a.py"),
        ("@Ada", "@ada"),
        ("the-gateway", "The Gateway"),
        ("Ada's", "ada"),
    ],
)
def test_one_name(one: str, other: str) -> None:
    assert name_key(one) == name_key(other) != ""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("React Native", "React"),
        ("Java", "JavaScript"),
        ("src/a.py", "src/A.py"),
        ("src/a-b.py", "src/a/b.py"),
        ("C++", "C#"),
        ("retry.js", "Retry.js"),
        ("@ada", "Ada"),
        ("Next.js", "Next"),
    ],
)
def test_two_names(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


@pytest.mark.parametrize("text", ["", "→", "…", "``", "x" * (MOST_LABEL + 1)])
def test_no_name(text: str) -> None:
    assert name_key(text) == ""


@pytest.mark.parametrize(
    "label", ["Redis", "React Native", "src/db/tenants.py", "@ada", "JSON Web Token", "C++", "泊数"]
)
def test_the_key_of_an_id_is_that_of_the_name(label: str) -> None:
    type_ = type_of_key(name_key(label))
    parts = split_id(node_id(type_, label))
    assert parts is not None
    assert parts[0] == type_
    assert name_key(parts[1] if type_ != "person" else label) == name_key(label)


def test_long_names_have_short_slugs_that_differ() -> None:
    one, other = slug("a very long name " * 9), slug("a very long name " * 8 + "indeed")
    assert len(one) <= 80
    assert len(other) <= 80
    assert one != other


@pytest.mark.parametrize(
    ("key", "type_"),
    [("redis", "tool"), ("oauth", "concept"), ("file:a.py", "file"), ("@ada", "person"), ("billing", "concept")],
)
def test_types(key: str, type_: str) -> None:
    assert type_of_key(key) == type_


@pytest.mark.parametrize("text", ["redis", "thing:redis", "tool:", "tool: x", "mem_aaaaaa", ":x", "tool:" + "x" * 200])
def test_no_id(text: str) -> None:
    assert split_id(text) is None


@pytest.mark.parametrize(
    ("label", "expected"),
    [("src/a.py", True), ("a.ts", True), (".env", False), ("React.js", False), ("v1.2", False), ("e.g", False)],
)
def test_files(label: str, expected: bool) -> None:
    assert is_file(label) == expected


def test_known_names_are_each_listed_once() -> None:
    known = known_names()
    assert len(known) > 250
    names = [name for each in known.values() for name in (each.label, *each.aliases)]
    assert len(names) == len({name.casefold() for name in names})
    for key, each in known.items():
        assert {name_key(name) for name in (each.label, *each.aliases)} == {key}


def test_a_word_list_that_is_not_there_is_told() -> None:
    assert "the" in word_list("determiners")
    with pytest.raises(KeyError):
        word_list("nothing")
