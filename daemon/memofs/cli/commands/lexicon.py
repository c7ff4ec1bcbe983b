"""`memofs lexicon`: what else the words of this project are called."""

from collections.abc import Mapping, Sequence

import click
import msgspec

from memofs.cli import output
from memofs.cli.command import Group
from memofs.cli.failure import Failure
from memofs.cli.session import Session
from memofs.cli.views.lexicon import render_lexicon, render_suggestions, render_taught
from memofs.wire.admin import ConfigParams, ConfigResult, LexiconParams, LexiconResult

__all__ = ["lexicon"]

KEY = "lexicon"


@click.group(
    "lexicon",
    cls=Group,
    examples=("memofs lexicon suggest", "memofs lexicon add dlq 'dead letter queue'", "memofs lexicon remove dlq"),
)
def lexicon() -> None:
    """See and teach what else the words of this project are called.

    A question that has a word also looks for its expansions, which count half. Everyday ones (k8s, repo, auth) are
    known; these here are the project's own, in .memofs/config.json, for everybody who works with it.
    """


@lexicon.command("list", examples=("memofs lexicon list", "memofs lexicon list --json"))
@click.pass_obj
def list_words(session: Session) -> None:
    """List the project's own words."""
    session.show(session.ask("memofs/lexicon", LexiconParams(limit=0), LexiconResult), render_lexicon)


@lexicon.command("suggest", examples=("memofs lexicon suggest", "memofs lexicon suggest --limit 50"))
@click.option("-n", "--limit", type=click.IntRange(1, 1_000), default=20, show_default=True, help="At most so many.")
@click.pass_obj
def suggest(session: Session, limit: int) -> None:
    """Look for short names that memories, and the code they are tied to, explain themselves.

    "JSON Web Token (JWT)", an acronym and its words in one memory, `tenantMgr` where a memory says tenant manager.
    Nothing is changed: `memofs lexicon add` takes what you find right.
    """
    session.show(session.ask("memofs/lexicon", LexiconParams(limit=limit), LexiconResult), render_suggestions)


@lexicon.command("add", examples=("memofs lexicon add dlq 'dead letter queue'", "memofs lexicon add cf cloudflare"))
@click.argument("word", metavar="WORD")
@click.argument("expansions", metavar="EXPANSION...", nargs=-1, required=True)
@click.pass_obj
def add(session: Session, word: str, expansions: tuple[str, ...]) -> None:
    """Have questions with WORD look for EXPANSION too, beside what it has already. One of several words is quoted."""
    key = _key(word)
    wanted = [" ".join(each.split()) for each in expansions]
    if not all(wanted):
        raise Failure("noExpansion", "an expansion needs at least one word", family="InvalidRequest")
    known = _known(session).get(key, ())
    _set(session, key, tuple(dict.fromkeys((*known, *wanted))))


@lexicon.command("remove", examples=("memofs lexicon remove dlq", "memofs lexicon remove auth okta"))
@click.argument("word", metavar="WORD")
@click.argument("expansions", metavar="[EXPANSION]...", nargs=-1)
@click.pass_obj
def remove(session: Session, word: str, expansions: tuple[str, ...]) -> None:
    """Take WORD out, or only some of its EXPANSIONs."""
    key, known = _key(word), _known(session)
    unknown = [each for each in expansions if each not in known.get(key, ())]
    if key not in known or unknown:
        what = f"{unknown[0]!r} is no expansion of {key!r}" if key in known else f"there is no word {key!r}"
        hint = "memofs lexicon list shows the project's own words; built-in ones cannot be removed"
        raise Failure("word", what, hint, family="NotFound")
    _set(session, key, tuple(each for each in known[key] if expansions and each not in expansions))


def _key(word: str) -> str:
    key = " ".join(word.split()).casefold()
    if not key:
        raise Failure("noWord", "which word?", family="InvalidRequest")
    return key


def _known(session: Session) -> Mapping[str, tuple[str, ...]]:
    result = session.ask("memofs/config", ConfigParams(action="get", key=KEY), ConfigResult)
    return msgspec.convert(result.value, dict[str, tuple[str, ...]])


def _set(session: Session, key: str, expansions: Sequence[str]) -> None:
    setting = f"{KEY}.{key}"
    params = ConfigParams(action="unset", key=setting)
    if expansions:
        params = ConfigParams(action="set", key=setting, value=list(expansions))
    result = session.ask("memofs/config", params, ConfigResult)
    if session.settings.json:
        output.write_json(msgspec.json.encode(result))
    else:
        output.write_text(render_taught(key, expansions, session.style()))
