"""Whether a value that stands where a secret would stand is one, or only speaks of it. Pure.

Invariant: these are judgements on one value; where secrets stand in a text is left to store/secrets.py. A value that
may be a real password counts as one; what is plainly a name, a path, a template or a mask does not.
"""

import base64
import binascii
import re

__all__ = ["is_assigned_secret", "is_basic_credentials", "is_mask", "is_url_password"]

_MASK_WORDS = re.compile(
    r"x{4,}|\*{3,}|\.{3}|…|•{3,}|_{4,}|-{4,}"
    r"|(?<![a-z])(?:your|my|some|replace|insert|placeholder|redacted|masked|dummy|change[-_]?(?:me|it|this)|todo)(?![a-z])",
    re.IGNORECASE,
)
_TEMPLATE = re.compile(r"[<>{}\[\]()|`]|\$|^%|%$|^@|\\")
_LEAST_DISTINCT = 4

# Passwords that stand for "a password" in every handbook.
_STOCK = frozenset(
    [
        *("password", "passwd", "passphrase", "pass", "pwd", "pw", "secret", "token", "apikey", "api_key", "api-key"),
        *("key", "changeme", "change_me", "change-me", "example", "sample", "test", "dummy", "foo", "bar", "baz"),
        *("none", "null", "nil", "true", "false", "undefined", "empty", "string", "user", "username"),
    ]
)
_LOCAL_STOCK = frozenset(
    ["postgres", "root", "admin", "guest", "mysql", "redis", "mongo", "rabbitmq", "sa", "dev", "local", "docker"]
)
_LOCAL_HOST = re.compile(r"(?:localhost|127\.\d+\.\d+\.\d+|\[?::1\]?|0\.0\.0\.0|host\.docker\.internal)(?::|$)")

# Names of things that end in digits: algorithms, versions, encodings, sizes.
_TECHNICAL = re.compile(
    r"(?:sha|shake|blake|md|hmac|aes|rsa|ecdsa|base|utf|iso|oauth|oidc|saml|argon|pbkdf|bcrypt|scrypt|jwt|jwk|jws|uuid"
    r"|ulid|ipv|http|tls|ssl|sslv|win|int|uint|float|char|varchar|string|eddsa|log|neo|auth|web|mod|vec|point|rev|step"
    r"|phase|option|type|level|tier|node|page|part|version|build|release|python|php|java)[-_.]?\d[\w.+-]*"
    r"|(?:ed|ec|rs|hs|es|ps|x|i|u|f|s|k|v|h|p|q)[-_.]?\d{1,5}(?:[-_.][\w.+-]*)?",
    re.IGNORECASE,
)
_QUANTITY = re.compile(r"[\d.,:_+-]+(?:[a-zA-Z%]{1,3}|bytes?|bits?|chars?|days?|hours?|mins?|minutes?|secs?|seconds?)?")
_IDENTIFIER_PART = re.compile(r"[a-z]+|[A-Z]+|[A-Z][a-z]+|v?\d{1,4}|[a-z]+\d{1,2}")
_LETTERS_DIGITS = re.compile(r"[A-Za-z]+\d{0,3}")
_CAMEL = re.compile(r"[A-Za-z][a-z]+(?:[A-Z][a-z]{2,}|\d{1,2}(?=[A-Z]|$))+")
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:(?:\.|->|::)[A-Za-z_]\w*)+")
_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}.*")
_FILE = re.compile(r"[\w.-]+\.(?:[a-z]{2,4}|ya?ml|json|toml)", re.IGNORECASE)

_LEAST_PASSWORD = 6
_LEAST_TOKEN = 8
_LEAST_WITH_SLASH = 32


def is_mask(value: str) -> bool:
    """Whether the value is made to stand for another: xxxx, ****, your-key, a single sign over and over."""
    return _MASK_WORDS.search(value) is not None or len(set(value)) < _LEAST_DISTINCT


def is_url_password(user: str, password: str, host: str) -> bool:
    """Whether the password of `scheme://user:password@host` is a real one, not a template or a handbook's."""
    if not password or _TEMPLATE.search(password) or _MASK_WORDS.search(password):
        return False
    word = password.lower()
    if word in _STOCK or word.removeprefix("my").removeprefix("your") in _STOCK:
        return False
    is_local = _LOCAL_HOST.match(host) is not None
    return not (is_local and (word == user.lower() or word in _LOCAL_STOCK))


def is_basic_credentials(encoded: str) -> bool:
    """Whether the argument of `Authorization: Basic` decodes to a name and a real password."""
    try:
        text = base64.b64decode(encoded, validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        return False
    user, colon, password = text.partition(":")
    return bool(colon) and text.isprintable() and is_url_password(user, password, "")


def is_assigned_secret(name: str, value: str) -> bool:
    """Whether `name = value` gives a secret away, `name` being a word for one.

    Needs letters and digits (or, for passwords, signs), and nothing that a name, a path, a version, a quantity, a
    template or an algorithm is made of.
    """
    is_password = not any(word in name.lower() for word in ("key", "secret", "token", "credential"))
    if "public" in name.lower():
        return False
    if len(value) < (_LEAST_PASSWORD if is_password else _LEAST_TOKEN) or len(value) > 512:
        return False
    if is_mask(value) or _TEMPLATE.search(value) or value.lower() in _STOCK:
        return False
    if "/" in value and (len(value) < _LEAST_WITH_SLASH or not _is_mixed(value)):
        return False
    if any(shape.fullmatch(value) for shape in (_TECHNICAL, _QUANTITY, _DOTTED, _DATE, _FILE)):
        return False
    if _UUID.fullmatch(value):
        return "token" not in name.lower() or any(word in name.lower() for word in ("auth", "access", "api", "bearer"))
    has_letter = any(char.isalpha() for char in value)
    has_digit = any(char.isdigit() for char in value)
    has_sign = is_password and any(char in "!@#%^&?" for char in value.strip("!?#"))
    if not has_letter or not (has_digit or has_sign):
        return False
    if all(_IDENTIFIER_PART.fullmatch(part) for part in re.split(r"[-_.]", value)):
        return is_password and "-" not in value and "_" not in value and "." not in value
    return is_password or not (_LETTERS_DIGITS.fullmatch(value) or _CAMEL.fullmatch(value))


def _is_mixed(value: str) -> bool:
    return (
        any(char.isdigit() for char in value)
        and any(char.isupper() for char in value)
        and any(char.islower() for char in value)
    )
