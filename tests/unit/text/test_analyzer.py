"""How text is read: each table is one rule of the analyzer, over its whole kind of case."""

import pytest

from memofs.text.analyzer import PIECE, WHOLE, WORD, document_terms, find_terms, plain, query_words, words
from memofs.text.stop_words import STOP_WORDS


def read(text: str) -> str:
    """The terms of a text as words() has them, stop words too."""
    return " ".join(word.term for word in words(text))


def asked(text: str) -> str:
    return " ".join(word.term for word in query_words(text))


def kept(text: str) -> set[str]:
    return {term for term, _ in document_terms(text)}


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("getUserById", "get user by id getuserbyid"),
        ("HTTPServer", "http server httpserver"),
        ("parseJSON", "parse json parsejson"),
        ("XMLHttpRequest", "xml http request xmlhttprequest"),
        ("user_id", "user id userid"),
        ("user-id", "user id userid"),
        ("config.user.id", "config user id configuserid"),
        ("__init__", "init"),
        ("_private", "private"),
        ("ERR_CONN_RESET", "err conn reset errconnreset"),
        ("MAX_RETRIES", "max retry maxretries maxretry"),
        ("AuthService.getUser", "auth service authservice get user getuser authservicegetuser"),
        ("node.js", "node js nodejs nodej"),
        ("micro-services", "micro service microservices microservice"),
        (r"snake\_case", "snake case snakecase"),
        ("O'Reilly", "o reilly oreilly"),
    ],
)
def test_parts_and_wholes(text: str, terms: str) -> None:
    assert read(text) == terms


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("src/auth/jwt.ts", "src auth jwt ts jwtts jwtt src/auth/jwt.ts"),
        ("./src/auth", "src auth src/auth"),
        ("../src/auth/", "src auth src/auth"),
        ("/usr/bin", "usr bin usr/bin"),
        (r"C:\Src\auth", "c src auth src/auth"),
        ("CI/CD", "ci cd ci/cd"),
        ("@scope/pkg", "scope pkg scope/pkg"),
        (".env", "env .env"),
        (".github/workflows", "github .github workflow .github/workflows"),
    ],
)
def test_paths(text: str, terms: str) -> None:
    assert read(text) == terms


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("iOS", "ios"),
        ("eBay", "ebay"),
        ("OAuth", "oauth"),
        ("getX", "getx"),
        ("createOAuthToken", "create oauth token createoauthtoken"),
        ("iOSApp", "ios app iosapp"),
        ("GitHub", "git hub github"),
        ("aB", "ab"),
    ],
)
def test_one_letter_pieces_stay(text: str, terms: str) -> None:
    assert read(text) == terms


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("v2.0", "2.0"),
        ("V2.0", "2.0"),
        ("2.0", "2.0"),
        ("2.0.", "2.0"),
        ("1.2.3", "1.2.3"),
        ("127.0.0.1", "127.0.0.1"),
        ("v1.2.3-beta.1", "1.2.3 beta 1.2.3beta 1 1.2.3beta1"),
        ("python3.11", "python 3.11 python3.11"),
        ("dev2.0", "dev 2.0 dev2.0"),
        ("v2", "v2"),
        ("2024-01-15", "2024 01 15 2024-01-15"),
        ("10,000", "10 000 10000"),
        ("10_000", "10 000 10000"),
        ("3,14", "3 14"),
    ],
)
def test_versions_and_numbers(text: str, terms: str) -> None:
    assert read(text) == terms


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("E1042", "e1042"),
        ("E1101", "e1101"),
        ("TS2345", "ts2345"),
        ("k8s", "k8s"),
        ("42P01", "42p01"),
        ("3F2A9C", "3f2a9c"),
        ("oauth2", "oauth2 oauth"),
        ("OAuth2", "oauth2 oauth"),
        ("base64", "base64 base"),
        ("sha256", "sha256"),
        ("utf8Decode", "utf8 decode utf8decode"),
        ("CVE-2024-1234", "cve 2024 1234 cve2024-1234"),
    ],
)
def test_letters_and_digits(text: str, terms: str) -> None:
    assert read(text) == terms


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("C++", "c++"),
        ("C#", "c#"),
        ("F#", "f#"),
        (".NET", ".net"),
        ("ASP.NET", "asp net .net aspnet"),
        ("C/C++", "c c++ c/c++"),
        ("C++17", "c++ 17"),
        ("C#-based", "c# based c#based"),
        ("count++", "count"),
        ("# C", "c"),
    ],
)
def test_names_with_signs(text: str, terms: str) -> None:
    assert read(text) == terms


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("--no-verify", "no verify noverify --no-verify"),
        ("`--force`", "force --force"),
        ("--depth=1", "depth --depth 1"),
        ("-m", "m"),
        ("well -- then", "well then"),
    ],
)
def test_flags(text: str, terms: str) -> None:
    assert read(text) == terms


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("user's", "user"),
        ("user’s", "user"),
        ("users'", "user"),
        ("API's", "api"),
        ("it's we're they've I'll he'd I'm", "it we they i he i"),
        ("don't isn't can't won't shan't", "do is can will shall"),
        ("user's-guide", "user guide userguide"),
    ],
)
def test_possessives_and_contractions(text: str, terms: str) -> None:
    assert read(text) == terms


@pytest.mark.parametrize(
    "forms",
    [
        ["token", "tokens", "Tokens", "TOKENS"],
        ["policy", "policies"],
        ["branch", "branches"],
        ["cache", "caches"],
        ["index", "indexes", "indices"],
        ["box", "boxes"],
        ["cookie", "cookies"],
        ["database", "databases"],
        ["class", "classes"],
        ["status", "statuses"],
        ["alias", "aliases"],
        ["size", "sizes"],
        ["jwt", "JWTs", "JWT"],
        ["id", "IDs", "ids"],
        ["café", "cafés", "CAFÉS", "cafe\u0301s"],
    ],
)
def test_singular_and_plural_are_one_term(forms: list[str]) -> None:
    assert len({document_terms(form)[0][0] for form in forms}) == 1


@pytest.mark.parametrize("text", ["bus", "css", "ios", "gas", "aws"])
def test_short_words_are_not_stemmed(text: str) -> None:
    assert read(text) == text


def test_a_whole_keeps_its_plural_beside_the_stem() -> None:
    assert {"getusers", "getuser"} <= kept("getUsers")
    assert "getusers" not in kept("getUser")


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("café", "cafe"),
        ("cafe\u0301", "cafe"),
        ("naïve", "naive"),
        ("Straße STRASSE", "strasse strasse"),
        ("ＡＰＩ ｖ２．０", "api 2.0"),
        ("ﬁle", "file"),
        ("soft\u00adware", "software"),
        ("\ufeffWord", "word"),
        ("Foo™", "foo"),
        ("non‑breaking", "non breaking nonbreaking"),
        ("İstanbul", "istanbul"),
        ("Ångström", "angstrom"),
        ("ёлка", "елка"),
        ("हिन्दी में", "हिन्दी में"),
        ("🚀 launch 🚀", "launch"),
    ],
)
def test_folding(text: str, terms: str) -> None:
    assert read(text) == terms


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("缓存必须先预热", "缓存 存必 必须 须先 先预 预热"),
        ("缓存", "缓存"),
        ("库", "库"),
        ("重启api-gateway后", "重启 api gateway apigateway 后"),
        ("カタカナ", "カタ タカ カナ"),
        ("ｶﾀｶﾅ", "カタ タカ カナ"),
        ("か\u3099き", "がき"),
        ("한국어", "한국 국어"),
        ("ภาษา", "ภา าษ ษา"),
    ],
)
def test_scripts_without_spaces(text: str, terms: str) -> None:
    assert read(text) == terms


def test_single_characters_are_indexed_and_asked_for_alone() -> None:
    assert {"预热", "预", "热"} <= kept("预热")
    assert asked("热") == "热"
    assert asked("热 queue") == "queue"
    assert asked("预热") == "预热"


@pytest.mark.parametrize(
    ("text", "roles"),
    [
        ("getUserById", {"get": PIECE, "user": PIECE, "id": PIECE, "getuserbyid": WHOLE}),
        ("user_id", {"user": WORD, "id": WORD, "userid": WHOLE}),
        ("iOS", {"ios": WORD}),
        ("src/auth", {"src": WORD, "auth": WORD, "src/auth": WHOLE}),
        ("oauth2", {"oauth2": WORD, "oauth": WHOLE}),
        ("预热", {"预热": WORD, "预": WHOLE, "热": WHOLE}),
        ("TSLint", {"ts": PIECE, "lint": PIECE, "tslint": WHOLE}),
        ("JSON Web Token", {"json": WORD, "web": WORD, "token": WORD, "jwt": WHOLE}),
    ],
)
def test_roles(text: str, roles: dict[str, int]) -> None:
    assert dict(document_terms(text)) == roles


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("what is auth", "auth"),
        ("what is it", "what is it"),
        ("the of and", "the of and"),
        ("to-do", "todo"),
        ("", ""),
        ("… — !", ""),
    ],
)
def test_stop_words_of_a_query(text: str, terms: str) -> None:
    assert asked(text) == terms


def test_a_query_always_has_a_word_to_ask_for() -> None:
    assert [word.role for word in query_words("to-do and/or")] == [WORD, WORD]


def test_documents_keep_no_stop_words() -> None:
    assert kept("the user_of_it's own getThis") == {"user", "own", "userofit", "get", "getthis", "getthi"}
    assert len(STOP_WORDS) == 94


def test_offsets_are_of_the_original_text() -> None:
    text = "Ein cafe\u0301 für getUserId, ﬁle v2.0 重启api"
    shown = {word.term: text[word.start : word.end] for word in words(text)}
    assert shown == {
        "ein": "Ein",
        "cafe": "cafe\u0301",
        "fur": "für",
        "get": "get",
        "user": "User",
        "id": "Id",
        "getuserid": "getUserId",
        "file": "ﬁle",
        "2.0": "v2.0",
        "重启": "重启",
        "api": "api",
    }


def test_find_terms_finds_what_the_document_is_found_by() -> None:
    text = "The JSON Web Token of getUserById；先预热, tokens"
    found = find_terms(text, {"token", "jwt", "user", "预", "absent"})
    assert [(word.term, text[word.start : word.end]) for word in found] == [
        ("jwt", "JSON Web Token"),
        ("token", "Token"),
        ("user", "User"),
        ("预", "预"),
        ("token", "tokens"),
    ]


def test_endless_words_are_cut() -> None:
    [word] = words("x" * 1_000)
    assert word.term == "x" * 128
    assert (word.start, word.end) == (0, 1_000)
    assert kept("a" + "_b" * 500) == {"b"}


def test_plain_keeps_ascii_only() -> None:
    assert plain("Use the café_API v2", frozenset({"the"})) == ["use", "caf", "api", "v2"]
