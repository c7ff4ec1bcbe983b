import pytest

from memofs.text.adr_status import status_in_title, status_of


@pytest.mark.parametrize(
    ("lines", "status"),
    [
        (["Accepted"], "accepted"),
        (["✅ Accepted"], "accepted"),
        (["**Accepted**"], "accepted"),
        (["Approved."], "accepted"),
        (["{Active}"], "accepted"),
        (["Accepted (after a vote) & implemented"], "accepted"),
        (["Accepted; supersedes ADR-0045"], "accepted"),
        (["Accepted", "Amended by ADR 5"], "accepted"),
        (["Implemented, though not yet used everywhere"], "accepted"),
        (["Partially accepted"], "accepted"),
        (["Proposed"], "proposed"),
        (["🤔 Proposed"], "proposed"),
        (["In review."], "proposed"),
        (["Pending"], "proposed"),
        (["Not yet accepted"], "proposed"),
        (["To be approved in May"], "proposed"),
        (["Proposed", "Not implemented yet."], "proposed"),
        (["Proposed", "Was partially implemented in v0.35"], "proposed"),
        (["Draft."], "draft"),
        (["WIP"], "draft"),
        (["❌ Rejected (see [9](0009-x.md))"], "rejected"),
        (["Declined", "Until somebody needs it."], "rejected"),
        (["Deprecated (no superseding ADR)"], "deprecated"),
        (["No longer valid"], "deprecated"),
        (["Superseded"], "superseded"),
        (["Superceded by [9. X](0009-x.md)"], "superseded"),
        (["⌛️ Superseded [0019](0019-x.md)"], "superseded"),
        (["Replaced by ADR 9"], "superseded"),
        (["Accepted, superseded by ADR 9"], "superseded"),
        (["Accepted and later superseded: 2020-01-01 by ADR 9"], "superseded"),
        (["Proposed 2018-01-01", "Accepted 2018-02-01", "Superseded by ADR 9 2019-01-01"], "superseded"),
        (["Proposed on 2018-01-01", "Accepted on 2018-02-01"], "accepted"),
        (["2018-01-01: proposed", "2018-02-01: rejected"], "rejected"),
        (["Partly superseded"], "accepted"),
        (["Superseded in part by ADR 9"], "accepted"),
        (["Accepted, and partly superseded by ADR 9"], "accepted"),
        (["Accepted; the storage superseded by ADR 9"], "accepted"),
        (["~~Proposed~~ Accepted"], "accepted"),
        (["- [ ] Accepted", "- [x] Rejected"], "rejected"),
        (["Proposed | Accepted | Rejected"], "unknown"),
        (["{Deprecated|Proposed|Accepted}"], "unknown"),
        (["> A decision may be proposed or accepted"], "unknown"),
        (["Not-Implemented"], "unknown"),
        (["Supersedes ADR 9"], "unknown"),
        (["?"], "unknown"),
        ([""], "unknown"),
        ([], "unknown"),
    ],
)
def test_status(lines: list[str], status: str) -> None:
    assert status_of(lines) == status


@pytest.mark.parametrize(
    ("title", "bare", "status"),
    [
        ("[DEPRECATED] Use a queue", "Use a queue", "deprecated"),
        ("Use a queue (superseded by ADR 9)", "Use a queue", "superseded"),
        ("Use a queue (draft)", "Use a queue", "draft"),
        ("Use a queue (RabbitMQ)", "Use a queue (RabbitMQ)", "unknown"),
        ("Use an (accepted standard) queue", "Use an (accepted standard) queue", "unknown"),
        ("(Rejected)", "(Rejected)", "unknown"),
        ("Use a queue", "Use a queue", "unknown"),
    ],
)
def test_status_in_title(title: str, bare: str, status: str) -> None:
    assert status_in_title(title) == (bare, status)
