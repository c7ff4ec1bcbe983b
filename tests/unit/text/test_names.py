"""Ids, slugs, times and titles: the small texts that files are named and dated by."""

import unicodedata

import hypothesis.strategies as st
import pytest
from hypothesis import given

from memofs.text.identity import base32, derived_id, is_id
from memofs.text.slug import MOST_SLUG, slug
from memofs.text.times import format_iso, parse_iso


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Use D1 for tenant metadata", "use-d1-for-tenant-metadata"),
        ("Café, naïve & Straße", "cafe-naive-and-strasse"),
        ("Don't use C++ or C#: F# is fine", "dont-use-cpp-or-csharp-fsharp-is-fine"),
        ("Řeka Łódź Ærø Þór", "reka-lodz-aero-thor"),
        (unicodedata.normalize("NFD", "Ångström"), "angstrom"),
        ("缓存必须先预热", "缓存必须先预热"),
        ("重启api-gateway后", "重启api-gateway后"),
        ("Кэш прогреть", "кэш-прогреть"),
        ("हिन्दी में", "हिन्दी-में"),
        ("🚀🚀", "memory"),
        ("", "memory"),
        ("../../etc/passwd", "etc-passwd"),
        ("a\\b/c:d*e?f", "a-b-c-d-e-f"),
        ("CON", "con-memory"),
        ("lpt1", "lpt1-memory"),
        ("-- flags --", "flags"),
        ("x\x00y\nz", "x-y-z"),
    ],
)
def test_slugs(title: str, name: str) -> None:
    assert slug(title) == name


def test_a_long_slug_ends_with_a_word() -> None:
    name = slug("word " * 40)
    assert name == "-".join(["word"] * 12)
    assert len(slug("x" * 200)) == MOST_SLUG


@given(st.text(max_size=200))
def test_a_slug_is_always_a_file_name(title: str) -> None:
    name = slug(title)
    assert 1 <= len(name) <= MOST_SLUG + len("-memory")
    assert len(f"{name}-abcd.md".encode("utf-8", "surrogatepass")) <= 255
    assert not set(name) & set('/\\:*?"<>|. \0\n') or "." not in name
    assert name == name.strip("-")


@pytest.mark.parametrize(
    ("text", "ms"),
    [
        ("1970-01-01", 0),
        ("1970-01-01T00:00:00Z", 0),
        ("1970-01-01T00:00:01.5Z", 1_500),
        ("1970-01-01T01:00:00+01:00", 0),
        ("1970-01-01 00:00", 0),
        ("1969-12-31T23:59:59.999Z", -1),
        (" 1970-01-01T00:00:00.123456789Z ", 123),
    ],
)
def test_times_are_read(text: str, ms: int) -> None:
    assert parse_iso(text) == ms


@pytest.mark.parametrize(
    "text", ["", "yesterday", "2026", "2026-1-1", "2026-02-30", "20260101", "2026-01-01T25:00", "1"]
)
def test_what_is_no_time_is_none(text: str) -> None:
    assert parse_iso(text) is None


@given(st.integers(-62_135_596_800_000, 253_402_300_799_999))
def test_a_time_survives_printing(ms: int) -> None:
    assert parse_iso(format_iso(ms)) == ms


def test_whole_seconds_have_no_fraction() -> None:
    assert (format_iso(0), format_iso(1)) == ("1970-01-01T00:00:00Z", "1970-01-01T00:00:00.001Z")


@given(st.text())
def test_a_derived_id_is_one_and_is_stable(name: str) -> None:
    assert is_id(derived_id(name))
    assert derived_id(name) == derived_id(name)


@pytest.mark.parametrize(
    "text", ["mem_", "mem_abc", "mem_ABCDEF", "mem_abcdef!", "abcdef", "mem_" + "a" * 33, "mem_abcdef\n"]
)
def test_what_is_no_id(text: str) -> None:
    assert not is_id(text)


@given(st.integers(0, 2**60 - 1), st.integers(0, 2**60 - 1))
def test_base32_keeps_the_order(one: int, other: int) -> None:
    assert (one < other) == (base32(one, length=12) < base32(other, length=12))
