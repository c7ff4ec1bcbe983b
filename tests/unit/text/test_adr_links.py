import pytest

from memofs.text.adr import Link, Record, parse


def links(text: str, path: str = "adr/0012-x.md") -> list[str]:
    """Each link as `relation target[ in part][ in passing]`."""
    return [shown(link) for link in record(text, path).links]


def record(text: str, path: str = "adr/0012-x.md") -> Record:
    found = parse(path, text)
    assert isinstance(found, Record), found
    return found


def shown(link: Link) -> str:
    target = link.target.path or link.target.title or link.target.number
    return f"{link.relation} {target}{' in part' * link.partly}{' in passing' * link.prose}"


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        ("Superseded by [9. Y](0009-y.md)", ["superseded_by 0009-y.md"]),
        ("Superceded by [9. Y](0009-y.md)", ["superseded_by 0009-y.md"]),
        ("Superseded [0019](0019-y.md)", ["superseded_by 0019-y.md"]),
        ("Superseded by ADR-0009", ["superseded_by 9"]),
        ("Superseded by ADR #9", ["superseded_by 9"]),
        ("Superseded by 0009", ["superseded_by 9"]),
        ("Superseded by 9. Y", ["superseded_by 9"]),
        ("Superseded by 0009-y.md", ["superseded_by 0009-y.md"]),
        ("Superseded by [[0009-y|Y]]", ["superseded_by 0009-y"]),
        ("Superseded by [Y][y]\n\n[y]: 0009-y.md", ["superseded_by 0009-y.md"]),
        ("Superseded by [ADR 9]\n\n[adr 9]: 0009-y.md", ["superseded_by 0009-y.md"]),
        ("Superseded by [Y](0009-y.md#why)", ["superseded_by 0009-y.md"]),
        ("Superseded by [Y](<0009-y.md>)", ["superseded_by 0009-y.md"]),
        ("Superseded by [Y](0009%20y.md)", ["superseded_by 0009 y.md"]),
        ("Replaced by ADR 9", ["superseded_by 9"]),
        ("Deprecated by [ADR 9](0009-y.md)", ["superseded_by 0009-y.md"]),
        ("Superseded\n\nSee [ADR 9](0009-y.md)", ["superseded_by 0009-y.md"]),
        ("Superseded\n\n[The code has moved.](https://x.example/y)", []),
        ("Superseded\n\nSee the discussion in ADR 9 and what came of it", []),
        ("Superseded — the move is complete. `X` is gone.", []),
        ("Superseded by 2 other systems", []),
        ("Superseded by 1.5.3", []),
        ("Superseded on 2019-12-19", []),
        ("Superseded by ADRs 9 and 10", ["superseded_by 9", "superseded_by 10"]),
        ("Superseded by ADR 9. ADR 10 has the background.", ["superseded_by 9"]),
        ("Superseded by [9](0009-y.md)\n\nSuperseded by [10](0010-z.md)",
         ["superseded_by 0009-y.md", "superseded_by 0010-z.md"]),
        ("Accepted\n\nSupersedes [6. A](0006-a.md)\nSupersedes [7. B](0007-b.md)",
         ["supersedes 0006-a.md", "supersedes 0007-b.md"]),
        ("Accepted, superseding ADR-6", ["supersedes 6"]),
        ("Accepted. Supersedes ADR-0006.", ["supersedes 6"]),
        ("Accepted\n\n-> Supercedes [6. A](0006-a.md)", ["supersedes 0006-a.md"]),
        ("Accepted\n\nReplaces ADR 6 and amends ADR 7", ["supersedes 6", "amends 7"]),
        ("Accepted\n\nAmended by [13. C](0013-c.md)", ["amended_by 0013-c.md"]),
        ("Accepted\n\nOverrides [6. A](0006-a.md)", ["amends 0006-a.md"]),
        ("Accepted\n\nPartial supersede of [6. A](0006-a.md)", ["supersedes 0006-a.md in part"]),
        ("Superseded in part by ADR 9", ["superseded_by 9 in part"]),
        ("Accepted; the storage superseded by [9](0009-y.md)", ["superseded_by 0009-y.md in part"]),
        ("Accepted\n\nSupersedes the routing chosen in ADR 6", ["supersedes 6 in part"]),
        ("Accepted\n\nSupersedes the decision made in ADR 6", ["supersedes 6"]),
        ("Accepted\n\nSupersedes ADR 6 only for uploads", ["supersedes 6 in part"]),
        ("Accepted\n\nDoes not supersede ADR 6", []),
        ("Will be superseded by ADR 9", []),
        ("Deprecated (no superseding ADR)", []),
        ("Accepted\n\nADR 3 supersedes ADR 6", []),
        ("Accepted\n\nADR 12 supersedes ADR 6", ["supersedes 6"]),
    ],
)  # fmt: skip
def test_in_the_status_section(status: str, expected: list[str]) -> None:
    assert links(f"# 12. X\n\n## Status\n\n{status}\n\n## Context\n\nc\n") == expected


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("* Status: superseded by [ADR-0009](0009-y.md)", ["superseded_by 0009-y.md"]),
        ("- **Status:** Superseded By [Y](../adr/2025-05-09-y.md)", ["superseded_by ../adr/2025-05-09-y.md"]),
        ("Date: 2018-12-12\nSuperseded: 2019-12-19 by [ADR 14](0014-y.md)", ["superseded_by 0014-y.md"]),
        ("| Superseded by | [ADR 9](0009-y.md) |", ["superseded_by 0009-y.md"]),
        ("- Supersedes: None\n- Superseded by: ADR-0009", ["superseded_by 9"]),
        ("- Supersedes: —\n- Superseded by: —", []),
        ("Deciders: Ann, Bo\nSuperseded by: ADR 9", ["superseded_by 9"]),
        ("_Superseded by [ADR 9](0009-y.md)_", ["superseded_by 0009-y.md"]),
        ("__superseded__ by ADR 9", ["superseded_by 9"]),
        ("_Partly superseded by [ADR 9](0009-y.md): the rest holds._", ["superseded_by 0009-y.md in part"]),
        ("> **Superseded by [ADR 9](0009-y.md)** (2026-05-24).", ["superseded_by 0009-y.md"]),
        ("> **Status:** Superseded by [ADR 9](0009-y.md)", ["superseded_by 0009-y.md"]),
        ("> [!NOTE]\n> This decision is **superseded by [ADR 9](0009-y.md)**.", ["superseded_by 0009-y.md"]),
        ("> Flag name superseded by [ADR 9](0009-y.md)", ["superseded_by 0009-y.md in part in passing"]),
    ],
)
def test_below_the_title(head: str, expected: list[str]) -> None:
    assert links(f"# 12. X\n\n{head}\n\n## Context\n\nc\n") == expected


@pytest.mark.parametrize(
    ("front", "expected"),
    [
        ('status: "superseded by ADR-0057"', ["superseded_by 57"]),
        ('status: "accepted; supersedes ADR-0045"', ["supersedes 45"]),
        ("superseded-by: 0009", ["superseded_by 9"]),
        ("superseded_by: 0009-y", ["superseded_by 0009-y"]),
        ("superseded-by: [ADR-0009, ADR-0010]", ["superseded_by 9", "superseded_by 10"]),
        ('replaces:\n  - "0008-y.md"', ["supersedes 0008-y.md"]),
        ("amends: ADR-3", ["amends 3"]),
        ("partially_supersedes: ADR-3", ["supersedes 3 in part"]),
        ("supersedes: none\nsuperseded-by: n/a", []),
        ('supersedes: []\nsuperseded-by: ""', []),
        ("supersedes:", []),
    ],
)
def test_in_front_matter(front: str, expected: list[str]) -> None:
    assert links(f"---\n{front}\n---\n# X\n\n## Context\n\nc\n") == expected


@pytest.mark.parametrize(
    ("section", "expected"),
    [
        ("## Supersedes\n\n- [ADR 6](0006-a.md)\n- ADR 7", ["supersedes 0006-a.md", "supersedes 7"]),
        ("## Superseded by\n\nNone.", []),
        ("## Supersedes\n\n- None. This one carries out what [ADR 6](0006-a.md) put off.", []),
        ("## Supersedes\n\n- [ADR 6](0006-a.md), which had followed from ADR 5 long ago", ["supersedes 0006-a.md"]),
        ("## Links\n\n* Supersedes [ADR 6](0006-a.md)", ["supersedes 0006-a.md"]),
        ("## Links\n\n* _Supersedes_ ADR 6", ["supersedes 6"]),
        ("## Links\n\n* [Superseded by] [ADR 9](0009-y.md)", ["superseded_by 0009-y.md"]),
        ("## More\n\n* [ADR 6](0006-a.md), which this decision supersedes", ["supersedes 0006-a.md"]),
        ("## Decision\n\nThis ADR in part supersedes [0006](0006-a.md).", ["supersedes 0006-a.md in part"]),
        ("## Context\n\nThis ADR supersedes the decisions made in ADRs 6 and 7, but keeps the code.",
         ["supersedes 6", "supersedes 7"]),
        ("## Context\n\nThis ADR supersedes the certificate part of ADR 6.", ["supersedes 6 in part"]),
        ("## Decision\n\n**These ranges have been superseded by [ADR #9](0009-y.md).**",
         ["superseded_by 0009-y.md in part in passing"]),
        # What other records, libraries and plans do:
        ("## Related\n\n- [Y](0009-y.md) says more\n and supersedes ADR 6.", []),
        ("## Related\n\nADR 7 was superseded by ADR 9.", []),
        ("## Context\n\nLog4j is superseded by log4j2, see ADR 9.", []),
        ("## Context\n\nThe value is known as `x` and supersedes the one stored before.", []),
        ("## Context\n\nA `TypeScript` superset replaces ADR tooling 9.", []),
        ("## Context\n\nThe queue was replaced by [a new one](0009-y.md).", []),
        ("## Status vocabulary\n\nA record may be superseded by ADR 9.", []),
        ("## Context\n\nIf this decision is superseded by ADR 9, say so.", []),
        ("## Example\n\n```md\nSuperseded by ADR 9\n```", []),
        ("## Note\n\n<!-- Superseded by ADR 9 -->", []),
    ],
)  # fmt: skip
def test_elsewhere(section: str, expected: list[str]) -> None:
    assert links(f"# 12. X\n\n## Status\n\nAccepted\n\n{section}\n") == expected


def test_a_link_makes_the_record_superseded() -> None:
    assert record("# X\n\n- Status: accepted\n- Superseded by: ADR 9\n\nt").status == "superseded"
    assert record("# X\n\n- Status: accepted\n- Partly superseded by: ADR 9\n\nt").status == "accepted"


def test_evidence_and_line() -> None:
    (link,) = record("---\na: b\n---\n\n# X\n\n## Status\n\nSuperseded  by\n[ADR 9](0009-y.md)\n").links
    assert link.evidence == "Superseded by [ADR 9](0009-y.md)"
    assert link.line == 8


def test_label_of_a_link_is_kept_for_finding_the_record() -> None:
    (link,) = record("# X\n\nSuperseded by: [16. Turn it off](0016-turn-off.md)\n").links
    assert (link.target.path, link.target.number, link.target.title) == ("0016-turn-off.md", 16, "Turn it off")
    (link,) = record("# X\n\nSuperseded by: [here](0016-turn-off.md)\n").links
    assert link.target.title is None


def test_title_that_names_its_successor() -> None:
    assert links("# X (superseded by [ADR 9](0009-y.md))\n\nt") == ["superseded_by 0009-y.md"]
