"""Which letters may stand for which word."""

import pytest

from memofs.text.abbreviations import clipped, initials_fit, numeronym


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("cfg", "config"),
        ("mgr", "manager"),
        ("svc", "service"),
        ("ctx", "context"),
        ("pkg", "package"),
        ("btn", "button"),
        ("idx", "index"),
        ("usr", "users"),
        ("repo", "repository"),
        ("auth", "authentication"),
        ("env", "environment"),
    ],
)
def test_a_beginning_or_its_consonants_stand_for_a_word(short: str, long: str) -> None:
    assert clipped(short, long)


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("form", "format"),
        ("test", "tests"),
        ("test", "testing"),
        ("format", "formatter"),
        ("limit", "limitation"),
        ("deploy", "deployment"),
        ("read", "readable"),
        ("re", "repository"),
        ("data", "database"),
        ("mgr", "margin"),
        ("css", "classifier"),
        ("gfc", "config"),
        ("config", "cfg"),
        ("", "config"),
        ("cfg", ""),
        ("cfg", "cfg"),
    ],
)
def test_the_same_word_or_other_letters_do_not(short: str, long: str) -> None:
    assert not clipped(short, long)


def test_a_counted_middle() -> None:
    assert numeronym("k8s", "kubernetes")
    assert numeronym("i18n", "internationalization")
    assert not numeronym("k8s", "kubelets")
    assert not numeronym("e2e", "ease")
    assert not numeronym("k8s", "")
    assert not numeronym("sha256", "sha")


@pytest.mark.parametrize(
    ("short", "long", "fits"),
    [
        ("JWT", "JSON Web Token", True),
        ("SaaS", "Software as a Service", True),
        ("mTLS", "Mutual TLS", True),
        ("PyPI", "Python Package Index", True),
        ("FSM", "Finite state machine", True),
        ("JWT", "Web Token", False),
        ("JWT", "JSON", False),
        ("API", "Alternative builds", False),
        ("", "JSON Web Token", False),
    ],
)
def test_initials_of_every_word_that_counts(short: str, long: str, fits: bool) -> None:
    assert initials_fit(short, long.split()) == fits
