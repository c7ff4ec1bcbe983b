"""New ids: sorted by age, one of a kind, from any thread and whatever the clock does."""

from concurrent.futures import ThreadPoolExecutor

from memofs.store.identity import IdSource
from memofs.text.identity import is_id

NOW_MS = 1_790_000_000_000


def test_an_id_is_one_that_readers_accept() -> None:
    id_ = IdSource().next(NOW_MS)
    assert is_id(id_)
    assert len(id_) == 16


def test_ids_sort_by_time() -> None:
    made = [IdSource().next(NOW_MS + day * 86_400_000) for day in range(0, 20_000, 500)]
    assert made == sorted(made)
    assert [id_[:13] for id_ in made] == sorted({id_[:13] for id_ in made})


def test_within_a_millisecond_and_when_the_clock_goes_back_they_still_grow() -> None:
    source = IdSource()
    made = [source.next(NOW_MS) for _ in range(40_000)] + [source.next(NOW_MS - 5_000) for _ in range(100)]
    assert made == sorted(set(made))


def test_threads_never_get_the_same_one() -> None:
    source = IdSource()
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(source.next, [NOW_MS] * 5_000))
    assert len(set(made)) == 5_000


def test_two_processes_differ_by_chance() -> None:
    assert len({IdSource().next(NOW_MS) for _ in range(20)}) > 15


def test_other_things_have_other_prefixes() -> None:
    assert IdSource().next(NOW_MS, prefix="evt_").startswith("evt_")
