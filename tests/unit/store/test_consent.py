"""What a person allows on this machine: for one workspace, kept outside of it, and nothing by accident."""

import os
import stat
from pathlib import Path

import pytest

from memofs.model.errors import Unavailable
from memofs.store.consent import ALLOWED_BY_ENVIRONMENT, Consent

SERVICE = "https://vectors.example/v1"


def consent(tmp_path: Path, project: str = "project", **environment: str) -> Consent:
    return Consent(tmp_path / project, tmp_path / "state" / "memofs", environment)


def test_nothing_is_allowed_before_somebody_does(tmp_path: Path) -> None:
    assert not consent(tmp_path).allows(SERVICE)
    assert list(tmp_path.iterdir()) == [], "asking leaves nothing behind"


def test_what_was_allowed_holds_for_this_workspace_and_this_service(tmp_path: Path) -> None:
    consent(tmp_path).allow([SERVICE])
    consent(tmp_path).allow(["openai"])
    assert [consent(tmp_path).allows(each) for each in (SERVICE, "openai", "voyage")] == [True, True, False]
    assert not consent(tmp_path, "another").allows(SERVICE)


def test_a_workspace_is_known_by_where_it_really_is(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "project")
    consent(tmp_path, "link").allow([SERVICE])
    assert consent(tmp_path).allows(SERVICE)


def test_what_was_revoked_is_not_allowed_and_others_keep_theirs(tmp_path: Path) -> None:
    for project in ("project", "another"):
        consent(tmp_path, project).allow([SERVICE])
    consent(tmp_path).revoke()
    assert not consent(tmp_path).allows(SERVICE)
    assert consent(tmp_path, "another").allows(SERVICE)


@pytest.mark.parametrize(
    ("value", "allowed"),
    [
        ("all", {SERVICE, "openai"}),
        ("openai", {"openai"}),
        (f"openai, {SERVICE}", {SERVICE, "openai"}),
        (f" {SERVICE}\tvoyage ", {SERVICE}),
        ("", set[str]()),
        ("open", set[str]()),
    ],
)
def test_the_environment_allows_where_there_is_no_person(tmp_path: Path, value: str, allowed: set[str]) -> None:
    found = consent(tmp_path, **{ALLOWED_BY_ENVIRONMENT: value})
    assert {each for each in (SERVICE, "openai") if found.allows(each)} == allowed
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"a": 1}', b"\xff", b'{"a": ["b"]}'])
def test_a_file_that_cannot_be_read_is_no_consent_and_is_written_anew(tmp_path: Path, content: bytes) -> None:
    found = consent(tmp_path)
    found.path.parent.mkdir(parents=True)
    found.path.write_bytes(content)
    assert not found.allows(SERVICE)
    found.allow([SERVICE])
    assert found.allows(SERVICE)


def test_the_file_is_its_owners_alone(tmp_path: Path) -> None:
    found = consent(tmp_path)
    found.allow([SERVICE])
    assert stat.S_IMODE(found.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(found.path.parent.stat().st_mode) == 0o700


def test_a_path_that_is_no_text_can_be_allowed(tmp_path: Path) -> None:
    found = Consent(Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff")), tmp_path / "state", {})
    found.allow([SERVICE])
    assert found.allows(SERVICE)


def test_what_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file in the way")
    with pytest.raises(Unavailable, match="cannot be written"):
        consent(tmp_path).allow([SERVICE])
