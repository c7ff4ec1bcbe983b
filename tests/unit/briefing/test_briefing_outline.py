import pytest

from memofs.briefing.outline import FORMS, NAMED, TITLE_BYTES, Form, most_bytes, outline, title

CURSOR = "AbCdEfGhIjKlMnOp"
TITLES = ['"First"', '"Second"', '"Third"', '"Fourth"']


@pytest.mark.parametrize(
    ("form", "hidden", "cut", "said"),
    [
        ("brief", 4, 0, f"↳ expand (4 more): memofs expand {CURSOR}"),
        ("brief", 0, 1, f"↳ expand (1 cut): memofs expand {CURSOR}"),
        ("first", 4, 0, f'[Omitted 4 items: "First" and 3 more]\n↳ expand (4 more): memofs expand {CURSOR}'),
        ("first", 1, 0, f'[Omitted 1 item: "First"]\n↳ expand (1 more): memofs expand {CURSOR}'),
        (
            "line",
            3,
            2,
            f'[Omitted 3 items: "First", "Second", "Third"]\n↳ expand (3 more and 2 cut): memofs expand {CURSOR}',
        ),
        ("line", 9, 0, f'[Omitted 9 items: "First", "Second" and 7 more]\n↳ expand (9 more): memofs expand {CURSOR}'),
        (
            "full",
            4,
            0,
            "[Omitted 4 items to fit context budget:\n"
            ' ↳ "First"\n'
            ' ↳ "Second"\n'
            " ↳ and 2 more items...\n"
            "To view these, run recall with specific search terms]\n"
            f'↳ expand (4 more): memofs.context(section="recall", expand="{CURSOR}") or memofs expand {CURSOR}',
        ),
        (
            "full",
            1,
            0,
            "[Omitted 1 item to fit context budget:\n"
            ' ↳ "First"\n'
            "To view these, run recall with specific search terms]\n"
            f'↳ expand (1 more): memofs.context(section="recall", expand="{CURSOR}") or memofs expand {CURSOR}',
        ),
        (
            "full",
            0,
            2,
            f'↳ expand (2 cut): memofs.context(section="recall", expand="{CURSOR}") or memofs expand {CURSOR}',
        ),
        ("full", 0, 0, ""),
    ],
)
def test_forms(form: Form, hidden: int, cut: int, said: str) -> None:
    assert outline(form, "recall", TITLES, hidden=hidden, cut=cut, cursor=CURSOR) == said


@pytest.mark.parametrize("form", FORMS)
def test_no_outline_takes_more_than_is_kept_for_it_however_many_are_folded(form: Form) -> None:
    widest = [title("Ä" * 99, TITLE_BYTES)] * NAMED
    assert len(widest[0].encode()) in (TITLE_BYTES, TITLE_BYTES - 1)
    for cut in (0, 1, 12):
        kept = 0
        for hidden in range(130):
            size = len(outline(form, "recall", widest, hidden=hidden, cut=cut, cursor=CURSOR).encode())
            at_most = most_bytes(form, "recall", hidden=hidden, cut=cut, cursor_bytes=len(CURSOR))
            assert at_most >= size
            assert at_most >= kept, f"{hidden} hidden items must not need less than fewer do"
            kept = at_most


def test_forms_grow() -> None:
    sizes = [len(outline(form, "recall", TITLES, hidden=9, cut=0, cursor=CURSOR)) for form in FORMS]
    assert sizes == sorted(sizes)
