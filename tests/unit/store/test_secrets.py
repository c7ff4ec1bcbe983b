"""Secrets are found by shape, and prose about secrets is left alone."""

import os
import zipfile
from pathlib import Path

import pytest

from memofs.store.secrets import find_secret

# Put together from parts, so that no scanner of repositories takes this file for a leak.
LETTERS = "Ab3dEf6hIj9lMn2pQr5tUv8xYz1bCd4fGh7jKl0nOp3rSt6vWx9z"
HEX = "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0"

SECRETS = {
    "OpenAI": "sk-" + LETTERS[:48],
    "OpenAI, letters only": "sk-" + "abcdefghijklmnopqrstuvwxyz",
    "OpenAI project": "sk-proj-" + LETTERS + "_" + LETTERS,
    "Anthropic": "sk-ant-" + "api03-" + LETTERS + "-" + LETTERS,
    "GitHub": "ghp_" + LETTERS[:36],
    "GitHub, in order": "ghp_" + "abcdefghijklmnopqrstuvwxyz0123456789",
    "GitHub OAuth": "gho_" + LETTERS[:36],
    "GitHub server": "ghs_" + LETTERS[:36],
    "GitHub fine-grained": "github_" + "pat_" + LETTERS[:22] + "_" + LETTERS[:40],
    "GitLab": "glpat-" + LETTERS[:20],
    "AWS": "AKIA" + "ABCDEFGHIJKLMNOP",
    "AWS temporary": "ASIA" + "Z3XW5VQTPR7NMLKJ",
    "AWS secret": 'aws_secret_access_key = "' + (LETTERS + "/+")[:20] + "/" + LETTERS[:19] + '"',
    "Slack bot": "xoxb-" + "123456789012-1234567890123-" + LETTERS[:24],
    "Slack webhook": "https://hooks.slack.com/services/" + "T00000001/B00000001/" + LETTERS[:24],
    "Stripe": "sk_" + "live_" + LETTERS[:24],
    "Stripe test": "sk_" + "test_" + LETTERS[:24],
    "npm": "npm_" + LETTERS[:36],
    "npmrc": "//registry.npmjs.org/:_authToken=" + "npm_" + LETTERS[:36],
    "PyPI": "pypi-" + "AgEIcHlwaS5vcmc" + LETTERS + LETTERS,
    "Google": "AIza" + LETTERS[:35],
    "SendGrid": "SG." + LETTERS[:22] + "." + LETTERS[:43],
    "Azure": "AccountKey=" + (LETTERS + LETTERS)[:86] + "==",
    "Twilio": "SK" + HEX[:32],
    "Hugging Face": "hf_" + LETTERS[:34],
    "JWT": "eyJhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiIxMjM0NTY3ODkwIn0." + LETTERS[:43],
    "private key": "-----BEGIN RSA " + "PRIVATE KEY-----\n" + LETTERS + "\n-----END RSA PRIVATE KEY-----",
    "private key, OpenSSH": "-----BEGIN OPENSSH " + "PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAA\n",
    "private key, PKCS8, CRLF": "-----BEGIN " + "PRIVATE KEY-----\r\n" + LETTERS + "\r\n",
    "private key, with headers": "-----BEGIN EC " + "PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n" + LETTERS,
    "private key, in one line": 'key = "-----BEGIN ' + "PRIVATE KEY-----\\n" + LETTERS + '\\n"',
    "private key, cut off": "look:\n\n-----BEGIN " + "PRIVATE KEY-----",
    "PGP key": "-----BEGIN PGP " + "PRIVATE KEY BLOCK-----\n\n" + LETTERS,
    "postgres": "postgres://admin:" + "hunter2@db.internal:5432/prod",
    "postgres, short": "postgres://u:" + "p@host/db",
    "mongodb": "mongodb+srv://app:" + "s3cr3t-Pw@cluster0.abc.mongodb.net/test",
    "redis without a user": "redis://:" + "Tr0ub4dor@cache:6379/0",
    "amqp, its own name": "amqp://rabbit:" + "rabbit@mq.internal/",
    "api key": "api_key = " + "abc123def456ghi",
    "api key, JSON": '"apiKey": "' + LETTERS[:24] + '"',
    "api key, markdown": "the key is `API_KEY=" + LETTERS[:24] + "`",
    "password": "password = " + "hunter2",
    "password, YAML": "  db_password: " + "S3cure!Pass",
    "password, quoted": "password: '" + "correct7horse" + "'",
    "password, signs": 'PASSWORD="' + "geh!eim?nis" + '"',
    "pass": "export DB_PASS=" + "S3curePw1",
    "password, JSON": '{"password": "' + "hunter2" + '"}',
    "password, Chinese": "密码：" + "hunter2",
    "password, German": "Passwort: " + "geh3im",
    "password in a DSN": "Server=db;User Id=sa;Password=" + "Yukon9000;Encrypt=true",
    "client secret": 'clientSecret: "' + HEX[:32] + '"',
    "UUID as a key": "api_key: " + "550e8400-e29b-41d4-a716-446655440000",
    "bearer": "Authorization: Bearer " + LETTERS[:40],
    "basic": "Authorization: Basic " + "YWRtaW46aHVudGVyMg==",
}

HARMLESS = [
    "rotate the password every 90 days",
    "password: must be rotated",
    "Password: at least 12 characters, 1 digit",
    "the password is hashed with argon2id, cost 3",
    "Password: required!",
    "password = hash+salt",
    "password: **mandatory**",
    "密码：必须轮换",
    "das Passwort: mindestens 12 Zeichen",
    "first-pass: lint42; second_pass = none",
    "bypass: rule12x",
    "we use bcrypt",
    "token: oauth2 access token issued by the gateway",
    "token = getToken2()",
    'password = os.environ["DB_PASSWORD_2"]',
    "password = settings.database.password1",
    "apiKey: process.env.API_KEY_V2",
    "API_KEY=<your-key-1>",
    "API_KEY=${API_KEY_1}",
    "api_key: {{ vault.api_key_1 }}",
    "api_key = YOUR_API_KEY_123",
    "password: changeme",
    "password=xxxxxxxx1",
    "secret: ********",
    "token: ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "sk-... is what their keys look like",
    "keys begin with sk-, ghp_, github_pat_ or AKIA",
    "see sk-learn-contrib-imbalanced and sk-fading-circle-animation",
    "a commit: 3f786850e387550fdab836ed7e6dc881de23001b",
    "sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "uuid 550e8400-e29b-41d4-a716-446655440000",
    "idempotency token: 550e8400-e29b-41d4-a716-446655440000",
    "password_hash = 5f4dcc3b5aa765d61d8327deb882cf99",
    "token_ttl = 3600s; max_tokens: 4096; session_token_ttl: 15m",
    "the test vector Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmE= decodes to text",
    "integrity: sha512-4+fA6/3uJwVxYk1Nq2b3yQYkVq0uCqkE9fPpYw3mA8q0wRzX2aJ1vK5tL7nD9eGhB4cF6iM8oP0rS2uT4vW6xQ==",
    "postgres://user@host/db",
    "postgres://localhost:5432/app",
    "postgres://user:password@host:5432/db",
    "postgres://${DB_USER}:${DB_PASSWORD}@db/app",
    "mysql://<user>:<password>@<host>/db",
    "amqp://guest:guest@localhost:5672",
    "postgresql://postgres:postgres@localhost/test",
    "https://example.com:8443/a@b",
    "git@github.com:owner/repo.git and ssh://git@github.com/owner/repo",
    "http://localhost:3000/@scope/package",
    "PEM files start with -----BEGIN PRIVATE KEY----- and end with the END line",
    "it must contain -----BEGIN PRIVATE KEY-----",
    "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
    "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A\n-----END PUBLIC KEY-----",
    "-----BEGIN CERTIFICATE-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A\n-----END CERTIFICATE-----",
    "Authorization: Bearer <token>",
    "Authorization: Basic dXNlcjpwYXNzd29yZA==",
    "send `Authorization: token OAUTH-TOKEN`",
    "secretName: db-credentials-v2",
    "secret: app-tls-2",
    "access_token: string",
    "private_key: /etc/ssl/private/service1.pem",
    "signing_key: keys/2024-01.json",
    "token: RS256",
    "credential: x509-v3",
    "the API key `X-API-Key` goes into a header: X-API-Key: abc",
    "const token = useAuth2Token;",
    "user_id, InvoiceService, E1042, v2.0, --no-verify, src/auth/jwt.ts",
    "eyJ is how a JSON Web Token begins",
    "secret sharing (Shamir 1979): threshold = 3of5shares",
    "The cookie is called SESSIONTOKEN2 and lives 30min",
]


@pytest.mark.parametrize("text", SECRETS.values(), ids=SECRETS.keys())
def test_a_secret_is_found_and_not_repeated(text: str) -> None:
    found = find_secret(f"Some prose before it.\n\n{text}\nand after.")
    alone = find_secret(text)
    assert found is not None or text.endswith("-----")
    assert alone is not None
    assert text[-8:] not in repr(alone)
    if found is not None:
        assert found.rule
        assert found.line >= 2


@pytest.mark.parametrize("text", HARMLESS)
def test_prose_about_secrets_is_left_alone(text: str) -> None:
    assert find_secret(text) is None
    assert find_secret(f"- {text}\n\n```\n{text}\n```\n") is None


def test_the_line_is_the_first_secrets() -> None:
    text = f"one\ntwo\nkey: {SECRETS['GitHub']}\n{SECRETS['AWS']}\n"
    found = find_secret(text)
    assert found is not None
    assert (found.rule, found.line) == ("GitHub token", 2)


def test_what_only_the_library_knows_is_found() -> None:
    found = find_secret("the list server:\n" + HEX[:32] + "-us" + "12")
    assert found is not None
    assert (found.rule, found.line) == ("Mailchimp key", 1)


def test_a_secret_beyond_the_first_window_is_found_at_its_line() -> None:
    text = "a line of prose about nothing\n" * 500 + HEX[:32] + "-us" + "12\n"
    found = find_secret(text)
    assert found is not None
    assert found.line == 500


def test_a_secret_in_a_very_long_line_is_found() -> None:
    assert find_secret("word " * 5_000 + HEX[:32] + "-us" + "12 " + "word " * 5_000) is not None


@pytest.mark.parametrize("part", ["sk-", "a_", "://a:", "xoxb-", "glpat-", "eyJ.", "password=", "//x/:_authToken="])
def test_no_text_makes_the_search_explode(part: str) -> None:
    # Quadratic patterns take minutes for this much; the run's own time limit is what fails.
    find_secret(part * (200_000 // len(part)))


@pytest.mark.shared
@pytest.mark.slow
def test_no_real_decision_record_is_taken_for_a_secret() -> None:
    shared = Path(os.environ.get("MEMOFS_SHARED") or Path(__file__).parents[4] / "shared")
    archive = shared / "eval" / "open" / "adr-files.zip"
    if not archive.is_file():
        pytest.skip(f"the measuring data is not there: {archive}")
    with zipfile.ZipFile(archive) as files:
        names = [info for info in files.infolist() if not info.is_dir()]
        found = {
            info.filename: secret
            for info in names
            if (secret := find_secret(files.read(info).decode("utf-8", "replace"))) is not None
        }
    assert len(names) > 600
    assert found == {}
