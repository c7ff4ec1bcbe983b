import pytest

from memofs.text.acronyms import acronyms, aliases


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a JSON Web Token", ["jwt"]),
        ("JSON Web\nTokens", ["jwt"]),
        ("Use JSON Web Tokens.", ["ujwt", "jwt"]),
        ("The JSON Web Token", ["jwt"]),
        ("we run GitHub Actions", ["ga"]),
        ("a Write-Ahead Log", ["wal"]),
        ("## Content Delivery Network", ["cdn", "dn"]),
        ("see Amazon Web Services and Google Cloud", ["aws", "gc"]),
        ("json web token", []),
        ("Word", []),
        ("One Two Three Four Five Six", ["ttffs"]),
        ("in One Two Three Four Five Six", []),
        ("errors E1101 TS2345, ERR_CONN Reset_X", []),
        ("the Système De Gestion", ["sdg"]),
        ("наша Система Управления", ["су"]),
        ("for Information Technology", []),
        ("First paragraph\n\nSecond Paragraph", ["sp"]),
    ],
)
def test_acronyms(text: str, found: list[str]) -> None:
    assert acronyms(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a JSON Web Token (JWT) is", [("JSON Web Token", "JWT")]),
        ("JWT (JSON Web Token)", [("JSON Web Token", "JWT")]),
        ("a write-ahead log (WAL)", [("write-ahead log", "WAL")]),
        ("the Hypertext Transfer Protocol (HTTP)", [("Hypertext Transfer Protocol", "HTTP")]),
        ("kept twice: content network (CN), content network (CN)", [("content network", "CN")]),
        ("something else (JWT)", []),
        ("a token (see below)", []),
        ("(JWT)", []),
        ("an (unclosed", []),
    ],
)
def test_aliases(text: str, found: list[tuple[str, str]]) -> None:
    assert aliases(text) == found
