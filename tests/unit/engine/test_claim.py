import pytest

from memofs.engine.claim import same_claim


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Use JWT tokens for API sessions", "Use JWT tokens for each API session!"),
        ("We don't cache this", "we don’t cache this."),
    ],
)
def test_same(one: str, other: str) -> None:
    assert same_claim(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The pool timeout is 5000 ms", "The pool timeout is 8000 ms"),
        ("We use Redis", "We do not use Redis"),
        ("We use Redis", "We don't use Redis"),
        ("Pin python3.11", "Pin python3.12"),
    ],
)
def test_correction(one: str, other: str) -> None:
    assert not same_claim(one, other)
