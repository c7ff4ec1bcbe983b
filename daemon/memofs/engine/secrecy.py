"""Secrets are refused before anything is written."""

from memofs.model.errors import Refused
from memofs.store.secrets import Secret, find_secret

__all__ = ["found_secret", "refuse_secrets"]


def refuse_secrets(*texts: str) -> None:
    """Return if no text holds a secret. Raises Refused, naming the rule and the line, never the value."""
    if (found := found_secret(*texts)) is not None:
        raise Refused(
            "secret",
            f"line {found.line + 1} holds what looks like a secret ({found.rule}); nothing was written",
            "leave the value out and say where it is kept; a person can write it anyway with --allow-secrets",
        )


def found_secret(*texts: str) -> Secret | None:
    """The first secret in the texts, if there is one."""
    for text in texts:
        if (found := find_secret(text)) is not None:
            return found
    return None
