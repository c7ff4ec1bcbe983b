"""What a session keeps of its last briefings."""

from memofs.engine.kept import KEPT_MS, MOST_KEPT, Kept


def test_the_lists_of_the_last_briefings_are_kept() -> None:
    kept: Kept[int] = Kept()
    for number in range(MOST_KEPT + 3):
        kept.put({f"recall {number}": number, f"recent {number}": -number}, now_ms=number)
    gone = [kept.get(f"recall {number}", now_ms=100) for number in range(3)]
    assert gone == [None, None, None]
    assert [kept.get(f"recall {number}", now_ms=100) for number in range(3, MOST_KEPT + 3)] == [*range(3, 11)]
    assert kept.get("recent 5", now_ms=100) == -5
    assert kept.get("never", now_ms=100) is None


def test_what_was_looked_at_stays_longer() -> None:
    kept: Kept[int] = Kept()
    for number in range(MOST_KEPT):
        kept.put({str(number): number}, now_ms=0)
    assert kept.get("0", now_ms=1) == 0
    kept.put({"new": 99}, now_ms=1)
    assert (kept.get("0", now_ms=1), kept.get("1", now_ms=1), kept.get("new", now_ms=1)) == (0, None, 99)


def test_after_ten_minutes_it_is_gone_however_often_it_was_looked_at() -> None:
    kept: Kept[int] = Kept()
    kept.put({"a": 1}, now_ms=1_000)
    assert kept.get("a", now_ms=1_000 + KEPT_MS // 2) == 1
    assert kept.get("a", now_ms=1_000 + KEPT_MS) == 1
    assert kept.get("a", now_ms=1_001 + KEPT_MS) is None
    assert kept.get("a", now_ms=1_000) is None


def test_the_same_handle_again_is_as_new_as_its_last_briefing() -> None:
    kept: Kept[int] = Kept()
    kept.put({"a": 1}, now_ms=0)
    kept.put({"a": 2}, now_ms=KEPT_MS)
    assert kept.get("a", now_ms=2 * KEPT_MS) == 2


def test_a_briefing_that_leaves_nothing_out_takes_no_place() -> None:
    kept: Kept[int] = Kept()
    kept.put({"a": 1}, now_ms=0)
    for _ in range(MOST_KEPT):
        kept.put({}, now_ms=0)
    assert kept.get("a", now_ms=0) == 1
