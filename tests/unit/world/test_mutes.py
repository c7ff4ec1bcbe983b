"""Mutes as values: what they cover, and when they end."""

import pytest

from memofs.model.mute import Mute, Scope, is_muted, key_of, without

NOW_MS = 1_000


def muted(mute: Mute, *, scope: Scope = "lens", memory: str = "mem_a", index: int = 0, digest: str = "d") -> bool:
    return is_muted([mute], scope, memory=memory, index=index, path="a.py", digest=digest, now_ms=NOW_MS)


@pytest.mark.parametrize(
    ("mute", "expected"),
    [
        (Mute(scope="lens", since_ms=0), True),
        (Mute(scope="diagnostics", since_ms=0), False),
        (Mute(scope="lens", since_ms=0, memory="mem_a"), True),
        (Mute(scope="lens", since_ms=0, memory="mem_b"), False),
        (Mute(scope="lens", since_ms=0, memory="mem_a", index=1), False),
        (Mute(scope="lens", since_ms=0, path="a.py"), True),
        (Mute(scope="lens", since_ms=0, memory="mem_a", path="b.py"), False),
        (Mute(scope="lens", since_ms=0, until_ms=NOW_MS), False),
        (Mute(scope="lens", since_ms=0, until_ms=NOW_MS + 1), True),
        (Mute(scope="lens", since_ms=0, code={key_of("mem_a", 0): "d"}), True),
        (Mute(scope="lens", since_ms=0, code={key_of("mem_a", 0): "other"}), False),
        (Mute(scope="lens", since_ms=0, code={}), False),
    ],
)
def test_a_mute_covers_what_it_names_for_as_long_as_it_says(mute: Mute, *, expected: bool) -> None:
    assert muted(mute) is expected


def test_unmuting_takes_back_what_is_about_the_same_and_what_has_ended() -> None:
    kept = Mute(scope="lens", since_ms=0, memory="mem_b")
    mutes = [
        Mute(scope="lens", since_ms=0, memory="mem_a"),
        Mute(scope="diagnostics", since_ms=0, memory="mem_a", index=2),
        Mute(scope="lens", since_ms=0, memory="mem_c", until_ms=NOW_MS),
        kept,
    ]
    left = without(mutes, memory="mem_a", index=None, path=None, scope=None, now_ms=NOW_MS)
    assert left == (kept,)
    assert without(mutes, memory=None, index=None, path=None, scope=None, now_ms=NOW_MS) == ()
