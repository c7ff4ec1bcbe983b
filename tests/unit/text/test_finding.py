"""What people report that they could not find: saved one way, asked for another."""

import pytest

from memofs.text.analyzer import document_terms, query_words


def finds(saved: str, query: str) -> bool:
    """Whether the memory has one of the words asked for."""
    return not {word.term for word in query_words(query)}.isdisjoint(term for term, _ in document_terms(saved))


@pytest.mark.parametrize(
    ("saved", "query"),
    [
        ("the user_id column", "id"),
        ("the userId column", "user_id"),
        ("the user-id header", "userId"),
        ("the user_id column", "userid"),
        ("call getUserById", "getuserbyid"),
        ("call getUsers", "getusers"),
        ("the invoice service", "InvoiceService"),
        ("InvoiceService", "invoice service"),
        ("InvoiceService", "invoices"),
        ("缓存必须先预热", "必须先预热"),
        ("缓存必须先预热", "预热"),
        ("缓存必须先预热", "热"),
        ("重启api-gateway后", "gateway"),
        ("重启api-gateway后", "api-gateway"),
        ("the café", "cafe"),
        ("the cafe", "café"),
        ("naïve approach", "naive"),
        ("Straße", "strasse"),
        ("STRASSE", "straße"),
        ("since v2.0", "2.0"),
        ("since 2.0", "v2.0"),
        ("fails with E1042", "e1042"),
        ("src/auth/jwt.ts", "jwt.ts"),
        ("src/auth/jwt.ts", "src/auth/jwt.ts"),
        ("src/auth/jwt.ts", "jwt"),
        (r"src\auth\jwt.ts", "src/auth/jwt.ts"),
        ("commit with --no-verify", "--no-verify"),
        ("commit with --no-verify", "no-verify"),
        ("written in C++", "c++"),
        ("written in C#", "C#"),
        ("runs on .NET", ".net"),
        ("runs on ASP.NET", ".NET"),
        ("JSON Web Token", "jwt"),
        ("Use JSON Web Tokens here", "JWT"),
        ("node.js", "nodejs"),
        ("nodejs", "node.js"),
        ("micro-services", "microservices"),
        ("microservices", "micro-services"),
        ("python3.11", "python 3.11"),
        ("oauth2", "oauth"),
        ("10,000 items", "10000"),
        ("the user’s token", "user's tokens"),
        ("to-do", "todo"),
    ],
)
def test_found(saved: str, query: str) -> None:
    assert finds(saved, query)


@pytest.mark.parametrize(
    ("saved", "query"),
    [
        ("written in C", "C++"),
        ("written in C++", "C#"),
        ("the net income", ".NET"),
        ("E1042", "E1043"),
        ("version 2.0", "2.1"),
        ("logged in", "login"),
        ("先预热", "热先"),
    ],
)
def test_not_found(saved: str, query: str) -> None:
    assert not finds(saved, query)


@pytest.mark.parametrize("query", ["what is this", "the", "I", "why should we"])
def test_a_query_of_stop_words_still_asks_for_them(query: str) -> None:
    assert [word.term for word in query_words(query)] == query.lower().split()


@pytest.mark.parametrize("query", ["", "   ", "?!", "🚀", "\ufeff"])
def test_an_empty_query_asks_for_nothing(query: str) -> None:
    assert query_words(query) == []
