"""Which services a person lets have the text of a workspace's memories: kept on this machine, outside the workspace.

Invariant: nothing that lies in a workspace, and so may come with a clone of it, can give consent; a file that cannot
be read is no consent. What a service is called is the settings' concern: the provider's name, or the address of an
endpoint.
"""

import contextlib
import os
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final, TypeAlias

import filelock
import msgspec

from memofs.model.errors import MemoError, Unavailable
from memofs.store.disk import read_regular, replace_file

__all__ = ["ALLOWED_BY_ENVIRONMENT", "Consent"]

ALLOWED_BY_ENVIRONMENT: Final = "MEMOFS_ALLOW_PROVIDERS"
"""For machines without a person: names and addresses, separated by commas or spaces, or `all`."""
LOCK_WAIT_S: Final = 10.0
_NAME: Final = "allowed.json"
_MOST_BYTES: Final = 1 << 20
_Services: TypeAlias = tuple[str, ...]

_decoder = msgspec.json.Decoder(dict[str, _Services])


class Consent:
    """What one workspace may use. `folder` is the user's own; it is made when something is first allowed."""

    def __init__(self, root: Path, folder: Path, environment: Mapping[str, str] | None = None) -> None:
        found = os.environ if environment is None else environment
        self._key = os.fsencode(os.path.realpath(root)).decode("utf-8", "backslashreplace")
        self._by_environment = frozenset(re.split(r"[,\s]+", found.get(ALLOWED_BY_ENVIRONMENT, "").strip())) - {""}
        self.path = folder / _NAME

    def allows(self, service: str) -> bool:
        """Whether the service may be used, by what was recorded or by the environment."""
        return bool({"all", service} & self._by_environment) or service in self._read().get(self._key, ())

    def allow(self, services: Iterable[str]) -> None:
        """Return when it is recorded that these may be used. Raises Unavailable."""
        recorded = self._read().get(self._key, ())
        if new := tuple(each for each in services if each not in recorded):
            self._change(lambda before: tuple(dict.fromkeys((*before, *new))))

    def revoke(self) -> None:
        """Return when no service may be used any more, but by the environment. Raises Unavailable."""
        if self._key in self._read():
            self._change(lambda _: ())

    def _read(self) -> dict[str, _Services]:
        with contextlib.suppress(OSError, msgspec.DecodeError, UnicodeDecodeError):
            data, _ = read_regular(self.path, most_bytes=_MOST_BYTES)
            return _decoder.decode(data)
        return {}

    def _change(self, change: Callable[[_Services], _Services]) -> None:
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with filelock.FileLock(self.path.with_suffix(".lock"), timeout=LOCK_WAIT_S, mode=0o600):
                allowed = self._read()
                allowed[self._key] = change(allowed.get(self._key, ()))
                kept = {root: services for root, services in sorted(allowed.items()) if services}
                data = msgspec.json.format(msgspec.json.encode(kept), indent=2) + b"\n"
                replace_file(self.path, data, mode=0o600)
        except (OSError, filelock.Timeout, MemoError) as error:
            raise Unavailable(
                "consent",
                f"{self.path} cannot be written: {error}",
                f"or name what is allowed in the environment: {ALLOWED_BY_ENVIRONMENT}",
            ) from error
