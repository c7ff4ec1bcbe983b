"""How long pure work learns that nobody waits for it any more."""

from typing import Protocol

__all__ = ["NEVER", "CancelToken"]


class CancelToken(Protocol):
    """Checked every few hundred items; `check` raises `model.errors.Cancelled` once the caller has gone."""

    def check(self) -> None:
        """Return, or raise `Cancelled`."""
        ...


class _Never:
    def check(self) -> None:
        return


NEVER: CancelToken = _Never()
"""The token of work that nothing cancels."""
