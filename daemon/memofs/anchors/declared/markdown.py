"""What markdown declares: sections, by their headings, up to the next heading that is not below."""

import re
from collections.abc import Iterable
from typing import Final

from tree_sitter import Node

from memofs.anchors.declared.rules import Named, Rules, Scope
from memofs.anchors.source import Source, nodes_of, text_of

__all__ = ["MARKDOWN"]


def _section(source: Source, node: Node, _scope: Scope) -> Iterable[Named]:
    """Yield a section; its alias is what a link to it is called: `#getting-started`."""
    content = node.child_by_field_name("heading_content")
    if content is None:
        return
    name = _CLOSING.sub("", " ".join(text_of(source, content).split()))
    if name:
        slug = _NOT_IN_LINKS.sub("", name.lower()).replace(" ", "-")
        yield Named(name=name, kind="section", node=node, alias=slug, end=_end(source, node))


def _end(source: Source, heading: Node) -> int:
    level = _level(heading)
    for other in nodes_of(source, _HEADINGS):
        if other.start_byte > heading.start_byte and _level(other) <= level:
            return other.start_byte
    return len(source.text)


def _level(heading: Node) -> int:
    """Return 1 for `# x` and `x ===`, 2 for `## x` and `x ---`, and so on."""
    mark = next((part.type for part in heading.children if _LEVEL.match(part.type)), "")
    found = _LEVEL.match(mark)
    return int(found[1]) if found else 1


_HEADINGS: Final = ("atx_heading", "setext_heading")
_LEVEL: Final = re.compile(r"(?:atx|setext)_h(\d)_")
_CLOSING: Final = re.compile(r"(?:^| )#+$")
_NOT_IN_LINKS: Final = re.compile(r"[^\w\- ]")
MARKDOWN: Final = Rules(
    declared={"atx_heading": _section, "setext_heading": _section}, comments=frozenset(), joint=" > "
)
