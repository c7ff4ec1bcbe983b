"""config.json: read with its faults as Problems, changed key by key. Pure but for the packaged schema.

Invariant: whatever the file holds, there is a valid Config; a bad value costs that setting and nothing else.
Changing a setting keeps unknown keys, order, indentation and line ends. Writing the file is left to store/journal.py.
"""

import difflib
import json
import re
from collections.abc import Mapping
from typing import cast, get_args

import msgspec

from memofs.model.config import AgentSettings, AnchorSettings, Config, EmbedSettings, Layer, RerankSettings
from memofs.model.errors import InvalidRequest
from memofs.model.problem import Problem
from memofs.store.layout import CONFIG_PATH

__all__ = ["LoadedConfig", "config_schema", "get_setting", "read_config", "set_setting", "unset_setting"]

_BY_HAND = "mend it in an editor; until then the defaults hold"
_INDENT = re.compile(r"[{\[]\r?\n([ \t]+)")
_FIELDS = {field.encode_name: field for field in msgspec.structs.fields(Config)}
_TABLES = frozenset({"lexicon", "floorsDays"})
_GROUPS = {
    "embedding": tuple(field.encode_name for field in msgspec.structs.fields(EmbedSettings)),
    "reranking": tuple(field.encode_name for field in msgspec.structs.fields(RerankSettings)),
    "anchors": tuple(field.encode_name for field in msgspec.structs.fields(AnchorSettings)),
    "agents": tuple(field.encode_name for field in msgspec.structs.fields(AgentSettings)),
}


class LoadedConfig(msgspec.Struct, frozen=True, kw_only=True):
    """The settings that hold, what the file says literally, and what is wrong with it."""

    config: Config
    values: Mapping[str, object]
    problems: tuple[Problem, ...] = ()


def read_config(data: bytes | None) -> LoadedConfig:
    """The settings of the file's bytes; None or an empty file means the defaults. Never raises."""
    values = _parsed(data)
    if isinstance(values, Problem):
        return LoadedConfig(config=Config(), values={}, problems=(values,))
    problems: list[Problem] = []
    good: dict[str, object] = {}
    for key, value in values.items():
        if key not in _FIELDS:
            continue
        try:
            msgspec.convert({key: value}, Config)
            good[key] = value
        except msgspec.ValidationError as error:
            message = f"`{key}` is ignored: {_told(error)}"
            line = _line_of(data or b"", key)
            hint = f"memofs config unset {key}, or mend it in an editor"
            if key == "format":
                hint = "a newer MemoFS wrote this folder: use that version"
            problems.append(
                Problem(path=CONFIG_PATH, code="badConfig", message=message, line=line, hint=hint, severity="warning")
            )
    return LoadedConfig(config=msgspec.convert(good, Config), values=values, problems=tuple(problems))


def get_setting(loaded: LoadedConfig, key: str | None) -> tuple[object, bool]:
    """The value that holds for a dotted key (None: all settings), and whether it is a default.

    Raises InvalidRequest for a key that is no setting.
    """
    effective = _shown(loaded.config)
    if key is None:
        return effective, not any(name in loaded.values for name in _FIELDS)
    name, part = _split(key)
    value = effective.get(name)
    if part is None:
        return value, name not in loaded.values
    table = cast("dict[str, object]", value)
    said = loaded.values.get(name)
    return table.get(part), not (isinstance(said, dict) and part in said)


def set_setting(data: bytes | None, key: str, value: object) -> bytes:
    """The file's bytes with one setting changed. Raises InvalidRequest where key or value is wrong."""
    values = _editable(data)
    name, part = _split(key)
    table = values.get(name)
    if part is None:
        values[name] = value
    else:
        values[name] = {**(cast("dict[str, object]", table) if isinstance(table, dict) else {}), part: value}
    try:
        msgspec.convert({name: values[name]}, Config)
    except msgspec.ValidationError as error:
        raise InvalidRequest("badValue", f"{key}: {_told(error)}", _FIELD_HINTS.get(name)) from error
    return _printed(values, data)


def unset_setting(data: bytes | None, key: str) -> bytes:
    """The file's bytes without the setting, so that its default holds. Raises InvalidRequest for an unknown key."""
    values = _editable(data)
    if key in values:
        del values[key]  # whatever it is: also the way to be rid of a key that nobody knows
        return _printed(values, data)
    name, part = _split(key)
    table = values.get(name)
    if part is not None and isinstance(table, dict) and part in table:
        kept = {each: value for each, value in cast("dict[str, object]", table).items() if each != part}
        if kept:
            values[name] = kept
        else:
            del values[name]
        return _printed(values, data)
    return data if data is not None else _printed(values, data)


def config_schema() -> bytes:
    """The JSON Schema of config.json, as it is shipped in store/data/config.schema.json."""
    schema = msgspec.json.schema(Config)
    return msgspec.json.format(msgspec.json.encode(schema, order="sorted"), indent=2) + b"\n"


_FIELD_HINTS = {
    "ranking": "adaptive or classic",
    "precision": "strict, balanced or all",
    "rewrite": "weighted or original",
    "without": f"a list of layers to leave out, of {', '.join(get_args(Layer))}",
    "kinds": 'a list of names, such as ["incident", "runbook"]',
    "lexicon": "a word and its expansions: memofs config set lexicon.k8s '[\"kubernetes\"]'",
    "embedding": "provider is local, none, openai, compatible, voyage or workersAi",
    "anchors": "probable is missing or accept",
    "agents": "writes is direct or review",
    "reranking": "provider is rules, local, voyage or cohere",
    "floorsDays": "a number of days for a kind: memofs config set floorsDays.note 60",
}


def _shown(settings: msgspec.Struct) -> dict[str, object]:
    """The settings with their defaults, under the names that the file uses."""
    shown: dict[str, object] = {}
    for field in msgspec.structs.fields(settings):
        value: object = getattr(settings, field.name)
        shown[field.encode_name] = _shown(value) if isinstance(value, msgspec.Struct) else msgspec.to_builtins(value)
    return shown


def _parsed(data: bytes | None) -> dict[str, object] | Problem:
    if data is None:
        return {}
    try:
        text = data.decode("utf-8-sig")
        value: object = json.loads(text) if text.strip() else {}
    except json.JSONDecodeError as error:
        message = f"not valid JSON: {error.msg}"
        return Problem(path=CONFIG_PATH, code="badConfig", message=message, line=error.lineno - 1, hint=_BY_HAND)
    except (ValueError, RecursionError):
        return Problem(path=CONFIG_PATH, code="badConfig", message="not valid JSON", hint=_BY_HAND)
    if not isinstance(value, dict):
        return Problem(path=CONFIG_PATH, code="badConfig", message="not a JSON object", hint=_BY_HAND)
    return cast("dict[str, object]", value)


def _editable(data: bytes | None) -> dict[str, object]:
    values = _parsed(data)
    if isinstance(values, Problem):
        raise InvalidRequest("badConfig", f"{CONFIG_PATH} cannot be changed: {values.message}", "mend it in an editor")
    return values


def _split(key: str) -> tuple[str, str | None]:
    """The setting and, for those that are tables, the entry in it."""
    name, dot, part = key.partition(".")
    if name in _FIELDS and not dot:
        return name, None
    if name in _TABLES and part:
        return name, part
    if name in _GROUPS and part:
        if part in _GROUPS[name]:
            return name, part
        raise InvalidRequest("unknownSetting", f"there is no setting {key!r}", f"in it: {', '.join(_GROUPS[name])}")
    near = difflib.get_close_matches(name, _FIELDS, n=1)
    hint = f"did you mean {near[0]}?" if near and near[0] != name else f"settings: {', '.join(_FIELDS)}"
    raise InvalidRequest("unknownSetting", f"there is no setting {key!r}", hint)


def _printed(values: dict[str, object], data: bytes | None) -> bytes:
    text = "" if data is None else data.decode("utf-8-sig")
    match = _INDENT.search(text)
    indent = match[1] if match else 2
    printed = json.dumps(values, indent=indent, ensure_ascii=False) + ("\n" if not text or text[-1] == "\n" else "")
    if "\r\n" in text:
        printed = printed.replace("\n", "\r\n")
    mark = b"\xef\xbb\xbf" if data is not None and data.startswith(b"\xef\xbb\xbf") else b""
    try:
        return mark + printed.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InvalidRequest("notText", "the settings hold characters that are not valid UTF-8") from error


def _told(error: msgspec.ValidationError) -> str:
    text = str(error).partition(" - at `$")[0]
    return text[:1].lower() + text[1:]


def _line_of(data: bytes, key: str) -> int:
    at = data.find(json.dumps(key).encode())
    return 0 if at < 0 else data.count(b"\n", 0, at)
