"""Secrets in a text that is about to be kept: found by shape, named by rule, never repeated.

Invariant: one function, `find_secret`, decides; what it answers holds a rule's name and a line, no part of the
value. Two sources: the patterns of detect-secrets (its entropy, keyword and network checks are not used: they take
hashes and prose for secrets), and rules of our own for key shapes it lacks and for passwords in URLs and assignments.
"""

import functools
import importlib
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, cast

import msgspec

from memofs.store.secret_values import is_assigned_secret, is_basic_credentials, is_mask, is_url_password

__all__ = ["Secret", "find_secret"]


class Secret(msgspec.Struct, frozen=True, kw_only=True):
    """A secret that was found: the rule that found it, in words, and its 0-based line."""

    rule: str
    line: int


def find_secret(text: str) -> Secret | None:
    """The first secret in the text, or None.

    Loads detect-secrets on first use (about 0.1 s); our own rules go first and need none of it.
    """
    found = min(_own(text), default=None)
    found = found or min(_library(text), default=None)
    return None if found is None else Secret(rule=found[1], line=text.count("\n", 0, found[0]))


# Key shapes. Repeats are bounded, so that no text can make the search quadratic.
_SHAPES: tuple[tuple[str, str], ...] = (
    ("Anthropic API key", r"sk-ant-[A-Za-z0-9]{2,8}-[A-Za-z0-9_-]{16,200}"),
    (
        "OpenAI API key",
        r"sk-(?:proj-|svcacct-|admin-|or-v1-|None-)?(?=[A-Za-z0-9_-]{0,200}[A-Za-z0-9]{16})[A-Za-z0-9_-]{20,200}",
    ),
    ("GitHub token", r"gh[pousr]_[A-Za-z0-9]{20,}"),
    ("GitHub token", r"github_pat_[A-Za-z0-9_]{20,}"),
    ("GitLab token", r"gl(?:pat|dt|ft|rt|soat|ptt|oas|agent|imt)-[A-Za-z0-9_.-]{16,200}"),
    ("AWS access key", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])"),
    ("Slack token", r"xox[abeoprs](?:\.xox[a-z])?-[A-Za-z0-9-]{0,60}\d[A-Za-z0-9-]{8,200}"),
    ("Slack app token", r"xapp-\d-[A-Z0-9]+-\d+-[a-z0-9]+"),
    ("Slack webhook", r"hooks\.slack\.com/(?:services|workflows)/T\w{6,}/[AB]\w{6,}/\w{16,}"),
    ("Stripe key", r"[rs]k_(?:live|test)_[A-Za-z0-9]{16,}"),
    ("Stripe webhook secret", r"whsec_[A-Za-z0-9+/=]{24,}"),
    ("npm token", r"npm_[A-Za-z0-9]{30,}"),
    ("PyPI token", r"pypi-AgE[A-Za-z0-9_-]{40,}"),
    ("Google API key", r"AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])"),
    ("Google OAuth secret", r"GOCSPX-[A-Za-z0-9_-]{20,}"),
    ("Google OAuth token", r"ya29\.[A-Za-z0-9_-]{30,}"),
    ("Hugging Face token", r"hf_[A-Za-z0-9]{30,}"),
    ("Groq API key", r"gsk_[A-Za-z0-9]{40,}"),
    ("Vault token", r"hv[sb]\.[A-Za-z0-9_-]{24,}"),
    ("DigitalOcean token", r"do[opr]_v1_[a-f0-9]{60,}"),
    ("Docker token", r"dckr_pat_[A-Za-z0-9_-]{20,}"),
    ("Databricks token", r"dapi[a-f0-9]{32}(?![a-f0-9])"),
    ("Shopify token", r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"),
    ("Atlassian token", r"ATATT3[A-Za-z0-9_=-]{50,}"),
    ("Linear API key", r"lin_api_[A-Za-z0-9]{30,}"),
    ("Supabase token", r"sbp_[a-f0-9]{40}"),
    ("SendGrid API key", r"SG\.[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{40,}"),
    ("Telegram bot token", r"\d{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])"),
    ("age secret key", r"AGE-SECRET-KEY-1[A-Z0-9]{50,}"),
    ("JSON Web Token", r"eyJ[A-Za-z0-9_-]{8,2000}\.eyJ[A-Za-z0-9_-]{8,8000}\.[A-Za-z0-9_-]{16}"),
)
_KEYS = re.compile(
    r"(?<![A-Za-z0-9])(?:" + "|".join(f"(?P<shape{at}>{shape})" for at, (_, shape) in enumerate(_SHAPES)) + ")"
)

_PRIVATE_KEY = re.compile(
    r"""
    -----BEGIN[ ](?:[A-Z0-9]+[ ])*PRIVATE[ ]KEY(?:[ ]BLOCK)?-----
    (?:
        (?:\\n|[ ])*[A-Za-z0-9+/]{16}                             # the key on the same line
      | [ \t"'`,]*\r?\n(?:[ \t>*"']*\r?\n)*[ \t>*"']*
        (?: [A-Za-z0-9+/]{16} | [A-Za-z-]+:[ ] )                  # or below, perhaps after headers
      | [ \t"'`]*\Z                                               # or cut off right there
    )
    """,
    re.VERBOSE,
)
_ALONE = re.compile(r"[ \t>*\"'`]*\Z")

_URL = re.compile(r"://(?P<user>[^\s/:@\"'`<>]{0,200}):(?P<password>[^\s/@\"'`]{1,200})@(?P<host>[^\s/\"'`]{1,200})")
_AUTHORIZATION = re.compile(
    r"\b(?P<scheme>Bearer|Basic|token)[ ]+(?P<value>[A-Za-z0-9._~+/-]{16,2000}=*)(?![A-Za-z0-9])", re.IGNORECASE
)
_ASSIGNED = re.compile(
    r"""
    (?: api[_-]?key | secret[_-]?(?:access[_-]?)?key
      | (?:access|auth|account|private|encryption|signing|license|master)[_-]?key
      | pass(?:word|wd|phrase) | (?<=_)pass | pwd | secret | token | credential
      | passwort | kennwort | contraseña | senha | пароль | 密码 | 密碼 | パスワード )
    (?:_?\d)?
    ["'`*]{0,3}[ \t]*(?P<sign>:=|=>|==?|:|：)[ \t]*(?P<quote>["'`]{0,3})(?P<value>[^\s"'`,;]{6,512})
    (?P<rest>[^\n]{0,200})
    """,
    re.VERBOSE | re.IGNORECASE,
)
_BEFORE = re.compile(r"[A-Za-z0-9_.-]*\Z")
_MOST_BEFORE = 40

_Found = tuple[int, str]


def _own(text: str) -> Iterator[_Found]:
    for finder in (_keys, _private_keys, _urls, _authorizations, _assignments):
        yield from finder(text)


def _keys(text: str) -> Iterator[_Found]:
    for match in _KEYS.finditer(text):
        rule = _SHAPES[int((match.lastgroup or "shape0").removeprefix("shape"))][0]
        if not is_mask(match.group()):
            yield match.start(), rule


def _private_keys(text: str) -> Iterator[_Found]:
    for match in _PRIVATE_KEY.finditer(text):
        before = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
        # At the text's very end the header must stand alone: prose may end with it.
        if not match.group().rstrip().endswith("-----") or _ALONE.match(before):
            yield match.start(), "private key"


def _urls(text: str) -> Iterator[_Found]:
    for match in _URL.finditer(text):
        if is_url_password(match["user"], match["password"], match["host"]):
            yield match.start(), "password in a connection string"


def _authorizations(text: str) -> Iterator[_Found]:
    for match in _AUTHORIZATION.finditer(text):
        value = match["value"]
        is_basic = match["scheme"].lower() == "basic"
        if is_basic_credentials(value) if is_basic else is_assigned_secret("bearer token", value):
            yield match.start(), "credentials in an Authorization header"


def _assignments(text: str) -> Iterator[_Found]:
    for match in _ASSIGNED.finditer(text):
        value, rest, quote = match["value"], match["rest"], match["quote"]
        if not quote:
            value = value.lstrip("*_").rstrip(".)]}*_")
            if match["sign"] in ":：" and not _ends_there(rest):
                continue  # prose: "token: oauth2 is what we use"
        before = _BEFORE.search(text[max(0, match.start() - _MOST_BEFORE) : match.start()])
        name = (before.group() if before else "") + match.group()[: match.start("sign") - match.start()]
        if is_assigned_secret(name, value):
            yield match.start(), "password or key in an assignment"


def _ends_there(rest: str) -> bool:
    return not rest.strip(" \t\r\"'`.,;)*|") or rest.lstrip().startswith(("#", "//", ",", ";"))


# --- detect-secrets -----------------------------------------------------------------------------------------------

# Those of its detectors whose patterns are a key's shape. Left out: the entropy detectors and the keyword detector
# (they take hashes, test vectors and prose for secrets), private keys and URLs (rules of our own above, which tell
# mentions from keys), Artifactory (takes words in capitals for tokens), OpenAI (its pattern is quadratic; ours finds
# what it finds) and public IP addresses (no secrets).
_DETECTORS: tuple[tuple[str, str, str], ...] = (
    ("aws", "AWSKeyDetector", "AWS key"),
    ("azure_storage_key", "AzureStorageKeyDetector", "Azure storage key"),
    ("cloudant", "CloudantDetector", "Cloudant credentials"),
    ("discord", "DiscordBotTokenDetector", "Discord bot token"),
    ("github_token", "GitHubTokenDetector", "GitHub token"),
    ("gitlab_token", "GitLabTokenDetector", "GitLab token"),
    ("ibm_cloud_iam", "IbmCloudIamDetector", "IBM Cloud key"),
    ("ibm_cos_hmac", "IbmCosHmacDetector", "IBM Cloud Object Storage key"),
    ("jwt", "JwtTokenDetector", "JSON Web Token"),
    ("mailchimp", "MailchimpDetector", "Mailchimp key"),
    ("npm", "NpmDetector", "npm token"),
    ("pypi_token", "PypiTokenDetector", "PyPI token"),
    ("sendgrid", "SendGridDetector", "SendGrid API key"),
    ("slack", "SlackDetector", "Slack token"),
    ("softlayer", "SoftlayerDetector", "SoftLayer credentials"),
    ("square_oauth", "SquareOAuthDetector", "Square secret"),
    ("stripe", "StripeDetector", "Stripe key"),
    ("twilio", "TwilioKeyDetector", "Twilio key"),
)


_WINDOW = 4_000
_OVERLAP = 500


class _Detector(Protocol):
    # Only the patterns: `analyze_line` and `verify` of the library would ask the services over the network.
    def analyze_string(self, string: str) -> Iterable[str]: ...


@functools.cache
def _detectors() -> tuple[tuple[_Detector, str], ...]:
    made: list[tuple[_Detector, str]] = []
    for module, name, rule in _DETECTORS:
        plugin: object = importlib.import_module(f"detect_secrets.plugins.{module}")
        made.append((cast("Callable[[], _Detector]", getattr(plugin, name))(), rule))
    return tuple(made)


def _library(text: str) -> Iterator[_Found]:
    for start, window in _windows(text):
        for detector, rule in _detectors():
            for value in detector.analyze_string(window):
                at = max(window.find(value), 0)
                before = window[at - 1] if at > 0 else " "
                if not (before.isalnum() or is_mask(value)):
                    yield start + at, rule


def _windows(text: str) -> Iterator[tuple[int, str]]:
    """The text in pieces of whole lines, long lines cut with some overlap: the library's patterns know no bounds."""
    start = 0
    while start < len(text):
        end = start + _WINDOW
        if end >= len(text):
            yield start, text[start:]
            return
        line_end = text.rfind("\n", start, end) + 1
        yield start, text[start : line_end or end]
        start = line_end or end - _OVERLAP
