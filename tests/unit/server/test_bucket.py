"""The token bucket that limits how fast an agent writes."""

from hypothesis import given
from hypothesis import strategies as st

from memofs.server.bucket import BURST, PER_SECOND, Bucket


def test_a_burst_is_taken_at_once_and_then_one_a_second() -> None:
    bucket = Bucket()
    assert all(bucket.take(0.0) == 0 for _ in range(int(BURST)))
    assert bucket.take(0.0) == 1 / PER_SECOND
    assert bucket.take(0.25) == 0.75 / PER_SECOND
    assert bucket.take(1.0) == 0
    assert bucket.take(1.0) > 0


@given(st.lists(st.floats(min_value=-1, max_value=50), max_size=300))
def test_never_more_than_the_burst_and_what_time_gave(waits: list[float]) -> None:
    bucket, now_s, latest_s, taken = Bucket(), 0.0, 0.0, 0
    for wait_s in waits:
        now_s += wait_s
        latest_s = max(latest_s, now_s)
        taken += bucket.take(now_s) == 0
    went_s = latest_s - min(0.0, sum(wait for wait in waits if wait < 0))
    assert taken <= BURST + went_s * PER_SECOND + 1
