"""Memory files: parse∘print is the identity, and splicing one key leaves every other byte as it was."""

import string
from typing import cast

import hypothesis.strategies as st
import msgspec
import yaml
from hypothesis import assume, given

from memofs.model.memory import KINDS, Anchor, Columns, Lines, Memory, Status
from memofs.text.fields import KEYS, Changes
from memofs.text.front_matter import canonical_body
from memofs.text.memory_file import LOG_NAME, known_kinds, parse_memory_file, print_memory, splice
from memofs.text.yaml_text import scalar
from memofs.text.yaml_tree import Mapping, read_mapping

NOW_MS = 1_800_000_000_000
PATH = ".memofs/memory/a.md"

ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
TRICKY = st.sampled_from(
    [
        *("no", "NO", "Off", "y", "null", "~", "1e3", "0x1F", "0o17", "1_000", "12:30:45", "2026-11-17", ".inf", "-1"),
        *("a: b", "a #b", "#a", "- a", "? a", ": a", "[a", "{a", "!a", "&a", "*a", "|", ">", "%a", "@a", "`a", "'a"),
        *(
            '"a',
            "a:",
            " a",
            "a ",
            "a\nb",
            "a\r\nb",
            "\t",
            "🚀 launch",
            "a\u2028b",
            "a\x85b",
            "\x00",
            "\x1b[31m",
            "\ufeff",
        ),
        *(
            "---",
            "...",
            "a, b",
            "a]b",
            "=",
            "<<",
            "a\\b",
            "C++ & C#",
            "don't",
            "50 % of it",
            "issue #12",
            "a#b",
            "日本語",
        ),
    ]
)
TEXT = st.one_of(ANY_TEXT, TRICKY)
SAID = TEXT.filter(lambda text: bool(text.strip()))
WORD = st.text(string.ascii_letters + "_.-/ é", min_size=1, max_size=12).filter(lambda text: bool(text.strip()))
LISTED = st.lists(TEXT.filter(bool), max_size=4).map(tuple)
TIMES = st.none() | st.integers(-62_135_596_800_000, 253_402_300_799_999)
IDS = st.text(string.digits + string.ascii_lowercase, min_size=6, max_size=32).map("mem_".__add__)
BODIES = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0") | st.sampled_from("\n\n# -`"), max_size=300
).map(canonical_body)


@st.composite
def anchors(draw: st.DrawFn) -> Anchor:
    first, last = sorted(draw(st.tuples(st.integers(1, 9999), st.integers(1, 9999))))
    path = "/".join(draw(st.lists(WORD.filter(lambda text: text not in {".", ".."}), min_size=1, max_size=3)))
    assume(not path.startswith("/") and ".." not in path.split("/"))
    return Anchor(
        path=path,
        symbol=draw(st.none() | TEXT.filter(bool)),
        lines=draw(st.none() | st.just(Lines(first=first, last=last))),
        columns=draw(st.none() | st.builds(Columns, start=st.integers(1, 99), end=st.integers(1, 99))),
        mark=draw(st.none() | TEXT.filter(bool)),
        quote=draw(st.none() | TEXT.filter(bool)),
    )


MEMORIES = st.builds(
    Memory,
    id=IDS,
    kind=st.sampled_from(KINDS),
    title=SAID,
    body=BODIES,
    path=st.just(PATH),
    digest=st.just(""),
    status=st.sampled_from(cast("list[Status]", ["active", "pending", "retired"])),
    confidence=st.none() | st.floats(0, 1),
    tags=LISTED,
    aliases=LISTED,
    created_ms=TIMES,
    updated_ms=TIMES,
    verified_ms=TIMES,
    supersedes=LISTED,
    source=st.none() | TEXT.filter(bool),
    author=st.none() | TEXT.filter(bool),
    imported=st.none() | TEXT.filter(bool),
    anchors=st.lists(anchors(), max_size=3).map(tuple),
)


def read(data: bytes) -> Memory:
    parsed = parse_memory_file(PATH, data, now_ms=1 << 60, kinds=known_kinds())
    assert parsed.problems == ()
    return msgspec.structs.replace(parsed.memories[0], digest="")


def can_be_file(memory: Memory) -> bool:
    return "<<<<<<<" not in memory.body


@given(MEMORIES.filter(can_be_file), st.sampled_from(["\n", "\r\n"]))
def test_parse_of_print_is_the_memory(memory: Memory, newline: str) -> None:
    assert read(print_memory(memory, newline=newline).encode()) == memory


@given(TEXT)
def test_every_yaml_reader_takes_a_scalar_for_the_string_it_was(text: str) -> None:
    # PyYAML reads YAML 1.1 with all its surprises: what it takes for a string is one to every reader.
    assert yaml.safe_load(f"key: {scalar(text)}\n") == {"key": text}
    assert yaml.safe_load(f"key: [{scalar(text, flow=True)}, x]\n") == {"key": [text, "x"]}
    read = read_mapping(f"key: {scalar(text)}\n")
    assert isinstance(read, Mapping)
    assert read.entries[0].value == text


@given(
    st.binary(max_size=200) | st.text(max_size=200).map(lambda text: f"---\n{text}\n---\n".encode("utf-8", "replace"))
)
def test_parsing_never_raises(data: bytes) -> None:
    parsed = parse_memory_file(PATH, data, now_ms=NOW_MS, kinds=known_kinds())
    assert len(parsed.memories) == 1 or any(problem.severity == "error" for problem in parsed.problems)


@given(
    st.lists(
        st.sampled_from(
            ["## 2026-01-02T03:04:05Z", " — T", "\n", "- kind: x", "- metadata: {", '"id": "mem_aaaaaa"}', "#"]
        )
        | st.text(max_size=10)
    ).map("".join)
)
def test_parsing_the_log_never_raises(text: str) -> None:
    data = text.encode()
    parsed = parse_memory_file(LOG_NAME, data, now_ms=NOW_MS, kinds=known_kinds())
    origins = {memory.origin for memory in parsed.memories}
    assert origins <= {"log"} or (len(parsed.memories) == 1 and origins <= {"markdown", "file"})
    assert parsed == parse_memory_file(LOG_NAME, data, now_ms=NOW_MS, kinds=known_kinds())


# --- splicing ---------------------------------------------------------------------------------------------------


def styles(key: str, texts: tuple[str, ...]) -> st.SearchStrategy[str]:
    """Ways in which people write the key; every one ends its line."""
    comments = st.sampled_from(["", " # why", "   #: odd"])
    if key in {"tags", "aliases", "supersedes"}:
        flow = "[" + ", ".join(scalar(text, flow=True) for text in texts) + "]"
        wrapped = "[\n  " + ",\n  ".join(scalar(text, flow=True) for text in texts) + "\n ]"
        block = "\n" + "\n".join(f"  - {scalar(text)}" for text in texts)
        level = "\n" + "\n".join(f"- {scalar(text)}" for text in texts)
        shapes = [f" {flow}", f"   {flow}", f" {wrapped}", *([block, level] if texts else [])]
    else:
        text = texts[0] if texts else "x"
        literal = " |-\n  " + text.replace(" ", "-") if text.isalpha() else f" {scalar(text)}"
        shapes = [f" {scalar(text)}", f"\t{scalar(text)}", literal, f"\n  {scalar(text)}"]

    def line(pair: tuple[str, str]) -> str:
        shape, comment = pair
        return f"{key}:{shape}{'' if '|-' in shape else comment}\n"

    return st.tuples(st.sampled_from(shapes), comments).map(line)


@st.composite
def files(draw: st.DrawFn) -> tuple[list[tuple[str | None, str]], str]:
    """The chunks of a front matter, each a key's lines or lines of no key, and what stands after it."""
    keys = draw(st.lists(st.sampled_from(["kind", "title", "tags", "aliases", "author", "source"]), unique=True))
    unknown = draw(st.lists(st.sampled_from(["x-owner", "ticket", "Über"]), unique=True, max_size=2))
    chunks: list[tuple[str | None, str]] = [(None, "---\n"), ("id", "id: mem_abcdef\n")]
    for key in draw(st.permutations([*keys, *unknown])):
        # After a literal scalar an indented remark is part of it, or would be if the key between them went.
        is_literal = any("|-" in text for _, text in chunks)
        fillers = ["", "\n", "# a remark\n", *([] if is_literal else ["\n  # indented\n\n"])]
        filler = draw(st.sampled_from(fillers))
        if filler and "|-" not in chunks[-1][1]:
            chunks.append((None, filler))
        texts = draw(st.lists(WORD.map(str.strip).filter(bool), min_size=1, max_size=3).map(tuple))
        chunks.append((key, draw(styles(key, ("decision",) if key == "kind" else texts))))
    chunks.append((None, "---\n"))
    rest = draw(st.sampled_from(["", "\n", "Body", "Body\n", "\n\n## Body\n\n---\nkey: value\n---\n\n"]))
    return chunks, rest


NEW_VALUES: dict[str, Changes] = {
    "kind": {"kind": "goal"},
    "title": {"title": "New: a #title"},
    "tags": {"tags": ("one", "no", "a, b")},
    "aliases": {"aliases": ()},
    "author": {"author": None},
    "source": {"source": "agent:x"},
    "status": {"status": "retired"},
    "confidence": {"confidence": 0.25},
    "verified": {"verified_ms": NOW_MS},
    "anchors": {"anchors": (Anchor(path="src/a.py", symbol="A.b", lines=Lines(first=3, last=9), mark="1:x"),)},
}


@given(files(), st.sampled_from(sorted(NEW_VALUES)), st.booleans(), st.booleans())
def test_splicing_a_key_leaves_every_other_byte(
    file: tuple[list[tuple[str | None, str]], str], key: str, crlf: bool, bom: bool
) -> None:
    chunks, rest = file
    before = "".join(text for _, text in chunks) + rest
    place = next((at for at, (name, _) in enumerate(chunks) if name == key), None)

    def encoded(text: str) -> bytes:
        return text.replace("\n", "\r\n" if crlf else "\n").encode()

    mark = b"\xef\xbb\xbf" if bom else b""
    data = mark + encoded(before)
    result = splice(data, NEW_VALUES[key])
    name, wanted = next(iter(NEW_VALUES[key].items()))
    assert getattr(read(result), name) == wanted
    if place is not None:
        assert result.startswith(mark + encoded("".join(text for _, text in chunks[:place])))
        assert result.endswith(encoded("".join(text for _, text in chunks[place + 1 :]) + rest))
        line = chunks[place][1].removesuffix("\n")
        if "\n" not in line and wanted not in (None, ()):
            assert line.partition(" #")[2].encode() in result
    else:
        assert removed_is(data, result)
    assert splice(result, NEW_VALUES[key]) == result
    assert (b"\r\n" in result) == crlf


def removed_is(data: bytes, result: bytes) -> bool:
    """Whether `result` is `data` with one run of bytes put in."""
    same = next((at for at, (one, two) in enumerate(zip(data, result, strict=False)) if one != two), len(data))
    return result.endswith(data[same:]) and len(result) >= len(data)


@given(files(), BODIES.filter(lambda body: "<<<<<<<" not in body))
def test_splicing_the_body_leaves_the_front_matter(file: tuple[list[tuple[str | None, str]], str], body: str) -> None:
    chunks, rest = file
    head = "".join(text for _, text in chunks)
    result = splice((head + rest).encode(), {"body": body})
    assert result.startswith(head.encode())
    assert read(result).body == body
    assert not (head + rest).endswith("Body") or not body or not result.endswith(b"\n")


@given(MEMORIES.filter(can_be_file), MEMORIES.filter(can_be_file))
def test_splicing_all_keys_makes_the_other_memory(one: Memory, other: Memory) -> None:
    changes = cast("Changes", {name: getattr(other, name) for name in Changes.__annotations__})
    assert read(splice(print_memory(one).encode(), changes)) == other
    assert set(KEYS) == {name.removesuffix("_ms") for name in Changes.__annotations__} - {"body"}
