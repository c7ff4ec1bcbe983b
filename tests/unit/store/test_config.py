"""config.json: faults cost one setting, changes keep the rest of the file."""

import os
from importlib import resources

import msgspec
import pytest

from memofs.model.config import Config
from memofs.model.errors import InvalidRequest
from memofs.store.config import config_schema, get_setting, read_config, set_setting, unset_setting
from memofs.store.store import Store

FILE = b"""{
    "format": 1,
    "x-ours": {"b": 1, "a": [1, 2]},
    "precision": "all",
    "floorsDays": {
        "note": 60
    }
}
"""


@pytest.mark.parametrize("data", [None, b"", b"  \n", b"{}", b"\xef\xbb\xbf{}"])
def test_nothing_means_the_defaults(data: bytes | None) -> None:
    loaded = read_config(data)
    assert (loaded.config, loaded.problems) == (Config(), ())


def test_what_the_file_says_holds() -> None:
    loaded = read_config(FILE)
    assert (loaded.config.precision, loaded.config.floors_days, loaded.problems) == ("all", {"note": 60}, ())


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"{", 0),
        (b'{\n"a": 1,\n}', 2),
        (b"[]", 0),
        (b'"x"', 0),
        (b"\xff\xfe", 0),
        (b"[" * 100_000, 0),
        (b"<<<<<<< HEAD\n{}\n", 0),
    ],
)
def test_a_file_that_is_no_json_object_is_a_problem_and_the_defaults_hold(data: bytes, line: int) -> None:
    loaded = read_config(data)
    (problem,) = loaded.problems
    assert (loaded.config, problem.code, problem.line, problem.severity) == (Config(), "badConfig", line, "error")
    with pytest.raises(InvalidRequest, match="cannot be changed"):
        set_setting(data, "precision", "all")


def test_a_bad_value_costs_its_setting_and_is_found_at_its_line() -> None:
    data = b'{\n  "ranking": "best",\n  "precision": "all",\n  "kinds": "incident",\n  "floorsDays": {"note": 0}\n}'
    loaded = read_config(data)
    assert loaded.config == Config(precision="all")
    assert [(problem.line, problem.severity) for problem in loaded.problems] == [
        (1, "warning"),
        (3, "warning"),
        (4, "warning"),
    ]
    assert "ranking" in loaded.problems[0].message
    assert "best" in loaded.problems[0].message


def test_a_newer_format_says_so() -> None:
    (problem,) = read_config(b'{"format": 2}').problems
    assert "newer MemoFS" in (problem.hint or "")


def test_settings_are_read_by_dotted_key() -> None:
    loaded = read_config(FILE)
    assert get_setting(loaded, "precision") == ("all", False)
    assert get_setting(loaded, "ranking") == ("adaptive", True)
    assert get_setting(loaded, "floorsDays.note") == (60, False)
    assert get_setting(loaded, "floorsDays.goal") == (None, True)
    everything, is_default = get_setting(loaded, None)
    names = msgspec.convert(everything, dict[str, object]).keys()
    assert not is_default
    assert names >= {"format", "projectName", "kinds", "ranking", "precision", "lexicon", "floorsDays", "embedding"}
    assert get_setting(loaded, "embedding.provider") == ("local", True)
    assert get_setting(read_config(b"{}"), None)[1]


@pytest.mark.parametrize(
    ("key", "value", "old", "new"),
    [
        ("precision", "strict", b'"all"', b'"strict"'),
        ("floorsDays.note", 90, b"60", b"90"),
        ("floorsDays.goal", 7, b"60\n", b'60,\n        "goal": 7\n'),
        ("projectName", "Ü", b"    }\n}", '    },\n    "projectName": "Ü"\n}'.encode()),
    ],
)
def test_a_change_keeps_order_unknown_keys_and_indentation(key: str, value: object, old: bytes, new: bytes) -> None:
    spread = FILE.replace(
        b'{"b": 1, "a": [1, 2]}', b'{\n        "b": 1,\n        "a": [\n            1,\n            2\n        ]\n    }'
    )
    assert set_setting(FILE, key, value) == spread.replace(old, new)


def test_line_ends_bom_and_a_missing_final_newline_stay() -> None:
    data = b'\xef\xbb\xbf{\r\n\t"precision": "all"\r\n}'
    assert set_setting(data, "precision", "strict") == data.replace(b"all", b"strict")
    assert set_setting(None, "precision", "all") == b'{\n  "precision": "all"\n}\n'


def test_settings_of_a_group_are_set_one_by_one() -> None:
    data = set_setting(b'{"embedding": {"x": 1}}', "embedding.provider", "none")
    loaded = read_config(data)
    assert (loaded.config.embedding.provider, get_setting(loaded, "embedding.provider")) == ("none", ("none", False))
    assert b'"x": 1' in data
    assert read_config(unset_setting(data, "embedding.provider")).config == Config()


def test_words_with_dots_are_keys_of_the_lexicon() -> None:
    data = set_setting(b"{}", "lexicon.node.js", ["node"])
    assert read_config(data).config.lexicon == {"node.js": ("node",)}
    assert read_config(unset_setting(data, "lexicon.node.js")).config.lexicon == {}


@pytest.mark.parametrize(
    ("key", "value", "hint"),
    [
        ("precision", "loose", "strict"),
        ("without", ["typoes"], "typos, fragments"),
        ("without", "typos", "a list"),
        ("precison", "all", "did you mean precision"),
        ("nothing.like.it", 1, "settings:"),
        ("precision.x", 1, "settings:"),
        ("embedding.", 1, "settings"),
        ("embedding.modle", "x", "in it: provider, model"),
        ("embedding.provider", "x", None),
        ("kinds", "incident", "list"),
        ("floorsDays.note", 0, "days"),
        ("floorsDays.note", "60", "days"),
        ("lexicon.k8s", "kubernetes", "memofs config set"),
    ],
)
def test_wrong_keys_and_values_are_refused_with_a_hint(key: str, value: object, hint: str | None) -> None:
    with pytest.raises(InvalidRequest) as caught:
        set_setting(FILE, key, value)
    assert key in caught.value.message
    assert (hint or "") in (caught.value.hint or "")


def test_unsetting_brings_the_default_back() -> None:
    assert get_setting(read_config(unset_setting(FILE, "precision")), "precision") == ("balanced", True)
    without = unset_setting(FILE, "floorsDays.note")
    assert b"floorsDays" not in without
    assert unset_setting(FILE, "ranking") == FILE
    assert b"x-ours" not in unset_setting(FILE, "x-ours")
    with pytest.raises(InvalidRequest):
        unset_setting(FILE, "nothing")


def test_a_setting_with_a_bad_value_can_be_removed() -> None:
    data = unset_setting(b'{"ranking": "best"}', "ranking")
    assert read_config(data).problems == ()


def test_the_store_lives_with_a_broken_file(store: Store) -> None:
    store.layout.config.write_text("{ broken")
    again = Store(store.layout.root)
    assert (again.config.config, again.load(now_ms=0).memories) == (Config(), ())
    assert [problem.code for problem in again.config.problems] == ["badConfig"]
    store.layout.config.unlink()
    store.layout.config.mkdir()
    assert [problem.code for problem in Store(store.layout.root).config.problems] == ["badConfig"]


def test_the_schema_that_is_shipped_is_current() -> None:
    shipped = resources.files("memofs.store") / "data" / "config.schema.json"
    if os.environ.get("MEMOFS_UPDATE"):
        with resources.as_file(shipped) as path:
            path.write_bytes(config_schema())
    assert shipped.read_bytes() == config_schema(), "run the tests once with MEMOFS_UPDATE=1 and commit the file"
