"""Reading and changing config.json, through the same write path as memories."""

import json
from typing import Final

from memofs.embed.choose import services_in
from memofs.engine.engine import Engine
from memofs.engine.secrecy import refuse_secrets
from memofs.store.config import get_setting, set_setting, unset_setting
from memofs.store.edit import Edit
from memofs.store.layout import CONFIG_PATH
from memofs.text.identity import digest

__all__ = ["PEOPLE", "change_setting", "read_setting"]

PEOPLE: Final = frozenset({"cli", "editor"})
"""Who can allow something: whoever asks in these roles is a person, or has the rights of one."""


def read_setting(engine: Engine, key: str | None) -> tuple[object, bool]:
    """The value that holds, and whether it is the default. Raises InvalidRequest for a key that is no setting."""
    return get_setting(engine.store.config, key)


def change_setting(engine: Engine, key: str, value: object, *, remove: bool, actor: str) -> None:
    """Set or remove one setting. Raises InvalidRequest where key or value is wrong; `undo` takes it back.

    A person who names a service here allows it by that; an agent cannot.
    """
    refuse_secrets(json.dumps(value, ensure_ascii=False))
    before = engine.store.config_bytes()
    after = unset_setting(before, key) if remove else set_setting(before, key, value)
    edit = Edit(
        path=CONFIG_PATH,
        before_digest=None if before is None else digest(before),
        after=after,
        summary=f"{key} {'removed' if remove else 'set'}",
    )
    engine.commit([edit], kind="config", actor=actor, summary=edit.summary)
    named = () if remove or actor not in PEOPLE else services_in(key, value)
    if named:
        engine.consent.allow(named)
    engine.reconfigure()
    if named:
        engine.reopen_models()
