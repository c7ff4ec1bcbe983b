import pytest

from memofs.text.passage import marks, passage

BODY = """\
# Use D1

## Context

We need a database for   tenant metadata.
There were many options.

## Decision

- We pick **D1** because of edge latency; see `src/db/tenantStore.ts`.
> The JSON Web Token note says more.

```sql
select * from tenant_metadata;
```

| a | b |
|---|---|
| x | y |
"""


def shown(terms: set[str], *, text: str = BODY, width: int = 240) -> tuple[str, list[str], int]:
    found = passage(text, terms, width=width)
    return found.text, [found.text[start:end] for start, end in found.marks], found.line


def test_one_line_without_the_marks_of_markdown() -> None:
    text, marked, line = shown({"tenant"}, width=1_000)
    assert text == (
        "We need a database for tenant metadata. There were many options. We pick **D1** because of edge latency; "
        "see `src/db/tenantStore.ts`. The JSON Web Token note says more. select * from tenant_metadata; "
        "| a | b | | x | y |"
    )
    assert marked == ["tenant", "tenant", "tenant"]
    assert line == 4


def test_from_the_sentence_of_the_match() -> None:
    assert shown({"latency"}, width=90) == (
        "…We pick **D1** because of edge latency; see `src/db/tenantStore.ts`. The JSON Web Token…",
        ["latency"],
        9,
    )


def test_the_window_with_most_words_wins() -> None:
    text, marked, line = shown({"tenant", "jwt", "select"}, width=80)
    assert marked == ["tenant", "JSON Web Token", "select", "tenant"]
    assert line == 9
    assert len(text) <= 80


def test_headings_show_where_nothing_else_can() -> None:
    assert shown({"context"}, width=40) == ("…Context We need a database for tenant…", ["Context"], 2)
    assert shown(set(), text="# Only\n\n## Headings\n") == ("Only Headings", [], 0)


def test_the_beginning_where_nothing_matches() -> None:
    assert shown({"absent"}, width=30) == ("We need a database for…", [], 4)
    assert shown({"absent"}, text="") == ("", [], 0)
    assert shown({"absent"}, text="\n---\n\n```\n```\n") == ("", [], 0)


def test_the_end_is_not_cut_short() -> None:
    text = "word " * 40 + "the last needle"
    found, marked, _ = shown({"needle"}, text=text, width=60)
    assert found.startswith("…word")
    assert found.endswith("the last needle")
    assert marked == ["needle"]


def test_scripts_without_spaces_are_cut_anywhere() -> None:
    text = "缓存必须先预热" * 40
    found, marked, _ = shown({"预热"}, text=text, width=50)
    assert len(found) <= 50
    assert set(marked) == {"预热"}


def test_a_word_longer_than_the_window() -> None:
    found, marked, _ = shown({"x" * 128}, text="before " + "x" * 400 + " after", width=40)
    assert len(found) <= 40
    assert marked == ["x" * len(marked[0])]


@pytest.mark.parametrize(
    ("title", "terms", "spans"),
    [
        ("Use getUserById", {"user"}, ((7, 11),)),
        ("Use getUserById", {"get", "user", "id", "getuserbyid"}, ((4, 15),)),
        ("Café tokens", {"cafe", "token"}, ((0, 4), (5, 11))),
        ("先预热", {"先预", "预热"}, ((0, 3),)),
        ("Nothing", {"absent"}, ()),
        ("", {"absent"}, ()),
    ],
)
def test_marks(title: str, terms: set[str], spans: tuple[tuple[int, int], ...]) -> None:
    assert marks(title, terms) == spans
