"""What somebody wants remembered, checked and put into shape before it becomes a file. Pure."""

import difflib
import re
import unicodedata
from collections.abc import Iterable

import msgspec

from memofs.model.errors import InvalidRequest
from memofs.model.memory import KINDS, Anchor, Status

__all__ = [
    "MOST_BODY_BYTES",
    "Draft",
    "checked_body",
    "checked_kind",
    "checked_labels",
    "checked_title",
    "title_from",
]

MOST_BODY_BYTES = 2 * 1024 * 1024
MOST_TITLE = 200
MOST_LABEL = 100
MOST_LABELS = 50
TITLE_WIDTH = 80
MOST_KIND_SHOWN = 20

_SENTENCE_END = re.compile(r"(?<=[.!?。！？])(?:\s|$)|(?<=[。！？])")
_MARKUP = re.compile(r"^(?:#{1,6}\s+|[-*+]\s+|\d+[.)]\s+|>\s*)+")


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """A memory before it has an id, times and a file."""

    body: str
    kind: str = "note"
    title: str | None = None
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    confidence: float | None = None
    supersedes: tuple[str, ...] = ()
    source: str | None = None
    anchors: tuple[Anchor, ...] = ()
    status: Status = "active"


def checked_body(body: str) -> str:
    """The body with LF line ends and no blank lines around it.

    Raises InvalidRequest if it is empty, over 2 MB, or not text.
    """
    try:
        size = len(body.encode("utf-8"))
    except UnicodeEncodeError as error:
        raise InvalidRequest("notText", "the text is not valid UTF-8", "convert it to UTF-8 first") from error
    if "\0" in body:
        raise InvalidRequest("notText", "the text holds NUL bytes: this looks like binary data", "give it plain text")
    if size > MOST_BODY_BYTES:
        raise InvalidRequest(
            "tooLarge",
            f"the text is {size:,} bytes; a memory holds at most {MOST_BODY_BYTES:,}",
            "keep the long text in a file of the repository and remember where it is and what it says",
        )
    text = body.replace("\r\n", "\n").replace("\r", "\n").strip("\n").rstrip()
    if not text.strip():
        raise InvalidRequest("emptyBody", "there is nothing to remember: the text is empty", 'memofs remember "…"')
    return text


def checked_title(title: str) -> str:
    """The title on one line. Raises InvalidRequest if it is empty or longer than 200 characters."""
    text = " ".join(_printable(title).split())
    if not text:
        raise InvalidRequest("emptyTitle", "the title is empty")
    if len(text) > MOST_TITLE:
        raise InvalidRequest(
            "longTitle", f"the title has {len(text)} characters; at most {MOST_TITLE}", "put the detail into the text"
        )
    return text


def checked_kind(kind: str, custom: Iterable[str]) -> str:
    """The kind, if there is such a one. Raises InvalidRequest naming the kinds otherwise."""
    known = tuple(dict.fromkeys((*KINDS, *custom)))
    wanted = kind.strip().lower()
    if wanted in known:
        return wanted
    near = difflib.get_close_matches(wanted, known, n=1)
    shown = wanted if len(wanted) <= MOST_KIND_SHOWN else f"{wanted[:MOST_KIND_SHOWN]}…"
    raise InvalidRequest(
        "unknownKind",
        f"there is no kind {shown!r}; the kinds are {', '.join(known)}",
        f"did you mean {near[0]}?" if near else "a project's own kinds: memofs config set kinds '[\"…\"]'",
    )


def checked_labels(field: str, values: Iterable[str]) -> tuple[str, ...]:
    """Tags or aliases, trimmed, each once, in order. Raises InvalidRequest if one cannot be a label."""
    labels: dict[str, None] = {}
    for value in values:
        label = " ".join(_printable(value).split())
        if not label:
            raise InvalidRequest("emptyLabel", f"one of the {field} is empty")
        if len(label) > MOST_LABEL:
            raise InvalidRequest("longLabel", f"one of the {field} has {len(label)} characters; at most {MOST_LABEL}")
        labels[label] = None
    if len(labels) > MOST_LABELS:
        raise InvalidRequest("manyLabels", f"{len(labels)} {field}; at most {MOST_LABELS}")
    return tuple(labels)


def title_from(body: str) -> str:
    """A title for a body that came without one: its first heading, else its first sentence, shortened at a word."""
    for line in body.splitlines():
        text = " ".join(_printable(_MARKUP.sub("", line.strip())).split())
        if not text or set(text) <= set("`~-=*_ "):
            continue
        sentence = _SENTENCE_END.split(text, maxsplit=1)[0].strip().rstrip(".:;,。")
        return _shortened(sentence or text)
    return "Untitled"


def _shortened(text: str) -> str:
    if len(text) <= TITLE_WIDTH:
        return text
    head = text[:TITLE_WIDTH]
    at = head.rfind(" ")
    return (head[:at] if at > TITLE_WIDTH // 2 else head).rstrip(" ,;:-") + "…"


def _printable(text: str) -> str:
    """The text without control and format characters, which could pose as something else on a terminal."""
    return "".join(
        " " if char in "\t\n\r\x0b\x0c" else char
        for char in text
        if char in "\t\n\r\x0b\x0c\u200c\u200d" or unicodedata.category(char) not in {"Cc", "Cf", "Cs"}
    )
