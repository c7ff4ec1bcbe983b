"""Lines that resemble each other, and tokens that survive."""

from memofs.anchors.hunks import Kept, kept_tokens, paired_lines
from memofs.anchors.tokens import bag


def pairs(old: str, new: str) -> tuple[tuple[int, int], ...]:
    return paired_lines([bag(line) for line in old.split("\n")], [bag(line) for line in new.split("\n")])


def test_edited_lines_pair_in_order() -> None:
    old = "total = price * count\nreturn total"
    new = "log(price)\ntotal = price * count + tax\nreturn total, tax"
    assert pairs(old, new) == ((0, 1), (1, 2))


def test_unlike_lines_do_not_pair() -> None:
    assert pairs("import os", "return None") == ()


def test_a_long_line_is_worth_more_than_a_brace() -> None:
    # Either the braces or the calls can be kept in order, not both.
    assert pairs("}\nconnect(host, port, timeout)", "connect(host, port, timeout, tls)\n}") == ((1, 0),)


def test_a_rewrite_is_not_paired_line_by_line() -> None:
    line = "value = compute(alpha)"
    assert pairs("\n".join([line] * 100), "\n".join([line] * 100)) == ()


def test_tokens_that_survive_say_where() -> None:
    old, new = "if (a) b(c);", "if (a && d) b(c);"
    kept = kept_tokens(old, (0, len(old)), new, (0, len(new)))
    assert "".join(old[run.old : run.old + run.length] for run in kept) == "if(a)b(c);"
    for run in kept:
        assert old[run.old : run.old + run.length] == new[run.new : run.new + run.length]


def test_nothing_survives_of_or_in_nothing() -> None:
    assert kept_tokens("a", (0, 1), " ", (0, 1)) == []


def test_very_long_pieces_are_compared_by_their_rare_tokens() -> None:
    old = " ".join(f"w{i}" for i in range(600))
    new = "start " + old
    kept = kept_tokens(old, (0, len(old)), new, (0, len(new)))
    assert kept[0] == Kept(0, 6, 2)
    assert len(kept) == 600
