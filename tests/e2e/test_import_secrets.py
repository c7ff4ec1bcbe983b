"""A record that holds a secret is left out, and what it would have replaced is told."""

from pathlib import Path

from e2e.test_rpc import Raw


def test_a_refused_record_does_not_take_its_predecessors_place(tmp_path: Path) -> None:
    folder = tmp_path / "adr"
    folder.mkdir()
    (folder / "0001-use-a.md").write_text(
        "# 1. Use A\n\nDate: 2025-01-01\n\n## Status\n\nSuperseded by [2. Use B](0002-use-b.md)\n\n## Context\n\nWhy.\n"
    )
    secret = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
    (folder / "0002-use-b.md").write_text(
        f"# 2. Use B\n\nDate: 2025-02-01\n\n## Status\n\nAccepted\n\n## Context\n\nThe token is {secret}.\n"
    )
    client = Raw(tmp_path)
    client.hello()
    client.ask("memofs/init")
    result = client.ask("memofs/import", {"what": "adr", "path": "adr"})["result"]
    assert [each["title"] for each in result["imported"]] == ["Use A"]
    assert ["0002-use-b.md" in each["path"] for each in result["skipped"]] == [True]
    assert "secret" in result["skipped"][0]["reason"]
    assert secret not in str(result)
    assert any("retired" in warning for warning in result["warnings"])
    allowed = client.ask("memofs/import", {"what": "adr", "path": "adr", "allowSecrets": True})["result"]
    assert len(allowed["links"]) == 1
    client.socket.close()
    client.wait()
