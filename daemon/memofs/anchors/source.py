r"""A text and what can be known of it: lines, line keys, syntax tree. Each part is worked out when first asked for.

    source = Source(text, language_of(path, first_line))
    source.lines, source.starts, source.keys      by line, 0-based; `line_at(source, offset)`
    source.root                                   the parsed tree's root, None where rules for text must serve
    source.lacking                                why there is no tree, "" if there is one
    node_at(source, span)                         the outermost node with exactly that span
    nodes_of(source, types, within=node)          nodes of these types, in order, outer before inner
    text_of(source, node), span_of(node)
    source.once(make)                             make(source), kept with the source: what others derive from it

Invariant: every offset, and every `start_byte` and `end_byte` of a node, is a code point offset in `source.text`:
what is parsed is the text with each character that is not ASCII, and NUL, replaced by `x` (a blank by a blank), so
that bytes are characters. Rows and columns of nodes (`start_point`) are not for use: a lone carriage return and a
byte order mark count as line ends there. Read a node's text with `text_of`, never `node.text`. In markdown a node
may end one beyond a text that has no line end at its end.

A `Source` is a value but for what it remembers; `previous` makes parsing incremental and changes no answer.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Final, TypeAlias, TypeVar, cast

import tree_sitter

from memofs.anchors.grammar import Grammar, NoGrammar, grammar
from memofs.anchors.language import LanguageName
from memofs.model.place import Span
from memofs.text.lines import LineIndex, line_index

__all__ = [
    "LARGEST_PARSED",
    "MOST_ERRORS",
    "Source",
    "line_at",
    "node_at",
    "nodes_of",
    "span_of",
    "stripped",
    "text_of",
]

_T = TypeVar("_T")
_Made: TypeAlias = dict[tuple[str, ...], tuple[str, ...]]

LARGEST_PARSED: Final = 256 * 1024
"""In code points. Parsing holds the interpreter, 15 ms for every 100 kB; above, the rules for text serve."""
MOST_ERRORS: Final = 0.15
"""The share of a text that does not parse above which its tree says too little to go by."""


class Pieces:
    """What was made of pieces of a text, for the next version of it, in which most of them stand as they were.

    Only what the last version that was asked had is kept.
    """

    def __init__(self, before: "Pieces | None") -> None:
        self._before: _Made = {} if before is None else before.made or before.taken_over
        self.made: _Made = {}

    @property
    def taken_over(self) -> "_Made":
        """What the version before had."""
        return self._before

    def get(self, key: tuple[str, ...]) -> tuple[str, ...] | None:
        """What was made under the key, for this version or the one before."""
        found = self.made.get(key)
        if found is None and (found := self._before.get(key)) is not None:
            self.made[key] = found
        return found


class Source:
    """A text in a language (None: not known), with its lines and its tree. See the module for what there is."""

    def __init__(
        self,
        text: str,
        language: LanguageName | None = None,
        *,
        previous: "Source | None" = None,
        has_recipes: bool = False,
    ) -> None:
        self.text: Final = text
        self.language: Final = language
        # A makefile: a tab at the start of a line is more than a blank.
        self.has_recipes: Final = has_recipes
        # The last text that was parsed, not a chain of all texts since.
        self._parsed: _Parsed | None = previous.parsed_before if previous and previous.language == language else None
        self.pieces: Final = Pieces(previous.pieces if previous and previous.language == language else None)
        self._found: dict[tuple[frozenset[str], int], tuple[tree_sitter.Node, ...]] = {}
        self._made: dict[object, object] = {}

    @cached_property
    def index(self) -> LineIndex:
        """Where the lines start and end."""
        return line_index(self.text)

    @property
    def starts(self) -> tuple[int, ...]:
        """The offset of each line's first character."""
        return self.index.starts

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines without their ends; always at least one."""
        index = self.index
        return tuple(self.text[start:end] for start, end in zip(index.starts, index.ends, strict=True))

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The lines without any blanks: what lines are compared by."""
        return tuple("".join(line.split()) for line in self.lines)

    @cached_property
    def grammar(self) -> Grammar | NoGrammar:
        """The grammar of the language, or why there is none. JavaScript with Flow's types is read as TypeScript's."""
        flow = self.language in ("javascript", "jsx") and "@flow" in self.text[:_HEADER]
        return grammar("tsx" if flow else self.language)

    @cached_property
    def root(self) -> tree_sitter.Node | None:
        """The root of the tree; None without a grammar, for a text too large and where too much does not parse."""
        return None if self.lacking else self._tree.root_node

    @cached_property
    def lacking(self) -> str:
        """Why there is no tree, for a person to read; empty if there is one."""
        if isinstance(self.grammar, NoGrammar):
            return self.grammar.message
        if len(self.text) > LARGEST_PARSED:
            return f"more than {LARGEST_PARSED // 1024} kB are not parsed"
        share = self.error_share
        return f"{share:.0%} of the text does not parse as {self.language}" if share > MOST_ERRORS else ""

    @cached_property
    def error_share(self) -> float:
        """The share of the text that no rule of the grammar took, in [0, 1].

        An ERROR node may hold a whole file for want of one brace, and well-formed functions in it: what counts are
        the tokens that stand in such nodes directly.
        """
        root = self._tree.root_node
        return _not_taken(root) / max(1, len(self.text)) if root.has_error else 0.0

    @cached_property
    def _tree(self) -> tree_sitter.Tree:
        if isinstance(self.grammar, NoGrammar):
            raise TypeError(self.grammar.message)
        data = _ascii(self.text).encode("ascii")
        if self.language == "markdown" and not data.endswith(b"\n"):
            # Its grammar knows no last line without an end.
            data += b"\n"
        parser = tree_sitter.Parser(self.grammar.language)
        tree = parser.parse(data, _edited(self._parsed, data)) if self._parsed else parser.parse(data)
        self._parsed = (tree, data)
        return tree

    @property
    def parsed_before(self) -> "_Parsed | None":
        """The tree, and the bytes it was made of, from which the next version's parse may start."""
        return self._parsed

    def once(self, make: "Callable[[Source], _T]") -> _T:
        """Return what `make` returns for this source, made at the first call."""
        if make not in self._made:
            self._made[make] = make(self)
        return cast("_T", self._made[make])

    def found(self, types: frozenset[str], within: tree_sitter.Node) -> tuple[tree_sitter.Node, ...]:
        """Return the nodes of `types` in `within`; see `nodes_of`."""
        key = (types, within.id)
        if key not in self._found:
            self._found[key] = tuple(_walk(within, types))
        return self._found[key]


def line_at(source: Source, offset: int) -> int:
    """Return the line, 0-based, in which the character at `offset` stands; a line end belongs to its line."""
    return max(0, bisect_right(source.starts, offset) - 1)


def text_of(source: Source, node: tree_sitter.Node) -> str:
    """Return the text of a node as it stands in the source."""
    return source.text[node.start_byte : node.end_byte]


def span_of(node: tree_sitter.Node) -> Span:
    """Return where a node stands."""
    return Span(node.start_byte, node.end_byte)


def stripped(text: str, span: Span) -> Span:
    """Return `span` without the blanks at its ends; empty at its start if there is nothing else."""
    piece = text[span.start : span.end]
    bare = piece.lstrip()
    start = span.start + len(piece) - len(bare) if bare else span.start
    return Span(start, start + len(bare.rstrip()))


def node_at(source: Source, span: Span) -> tree_sitter.Node | None:
    """Return the outermost node with exactly this span, never the root unless it alone fits; None if there is none."""
    root = source.root
    if root is None or span.end <= span.start:
        return None
    node = root.descendant_for_byte_range(span.start, span.end)
    if node is None or (node.start_byte, node.end_byte) != (span.start, span.end):
        # A range that ends where the next node starts finds their common parent.
        node = root.descendant_for_byte_range(span.start, span.end - 1)
    if node is None or (node.start_byte, node.end_byte) != (span.start, span.end):
        return None
    while (parent := node.parent) is not None and parent.parent is not None:
        if (parent.start_byte, parent.end_byte) != (span.start, span.end):
            break
        node = parent
    return node


def nodes_of(
    source: Source, types: Iterable[str], within: tree_sitter.Node | None = None
) -> tuple[tree_sitter.Node, ...]:
    """Return the nodes of these types in `within` (the whole tree unless given, itself included), in text order.

    An outer node comes before those in it. Empty where there is no tree.
    """
    root = source.root
    if root is None:
        return ()
    return source.found(frozenset(types), within or root)


_HEADER: Final = 1000
"""In code points: where a file says that it has Flow's types."""
_Parsed: TypeAlias = tuple[tree_sitter.Tree, bytes]

_NOT_PARSED: Final = re.compile(r"[^\x01-\x7f]+")
_LONE_RETURN: Final = re.compile(r"\r(?!\n)")


def _ascii(text: str) -> str:
    """Return `text` as it is parsed: ASCII, character for character."""
    if "\r" in text:
        text = _LONE_RETURN.sub("\n", text)
    if text.isascii() and "\0" not in text:
        return text
    if text.startswith("\ufeff"):
        # A line end: a blank would indent the first line.
        text = "\n" + text[1:]
    return _NOT_PARSED.sub(lambda run: "".join(" " if sign.isspace() else "x" for sign in run[0]), text)


def _edited(parsed: _Parsed, data: bytes) -> tree_sitter.Tree:
    """Return a copy of the tree told what to keep: all but what differs between its bytes and `data`."""
    tree, before = parsed
    start, kept = _common_ends(before, data)
    old_end, new_end = len(before) - kept, len(data) - kept
    copy = tree.copy()
    if old_end > start or new_end > start:
        copy.edit(
            start_byte=start,
            old_end_byte=old_end,
            new_end_byte=new_end,
            start_point=_point(before, start),
            old_end_point=_point(before, old_end),
            new_end_point=_point(data, new_end),
        )
    return copy


def _common_ends(before: bytes, after: bytes) -> tuple[int, int]:
    """Return how many bytes two texts share at the start, and how many of the rest at the end."""
    most = min(len(before), len(after))
    start = _common_start(before[:most], after[:most])
    rest = most - start
    if not rest:
        return start, 0
    return start, _common_start(before[: -rest - 1 : -1], after[: -rest - 1 : -1])


def _common_start(left: bytes, right: bytes) -> int:
    """Return how many bytes two texts of one length share at the start, halving where they may still differ."""
    low, high = 0, len(left)
    while low < high:
        middle = (low + high + 1) // 2
        if left[low:middle] == right[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _point(data: bytes, offset: int) -> tuple[int, int]:
    return data.count(b"\n", 0, offset), offset - (data.rfind(b"\n", 0, offset) + 1)


def _not_taken(root: tree_sitter.Node) -> int:
    """Return how many characters stand in tokens directly in ERROR nodes."""
    count = 0
    left = [root]
    while left:
        node = left.pop()
        if node.is_error:
            tokens = [part for part in node.children if not part.child_count]
            count += sum(part.end_byte - part.start_byte for part in tokens or ([node] if not node.children else []))
            left.extend(part for part in node.children if part.child_count)
        elif node.has_error:
            left.extend(node.children)
    return count


def _walk(within: tree_sitter.Node, types: frozenset[str]) -> list[tree_sitter.Node]:
    """Return the nodes of `types`, in pre-order.

    By a cursor, not a query: a query that names a type which the grammar does not have is refused.
    """
    found: list[tree_sitter.Node] = []
    cursor = within.walk()
    while True:
        node = cursor.node
        if node is not None and node.type in types:
            found.append(node)
        if cursor.goto_first_child() or cursor.goto_next_sibling():
            continue
        while cursor.goto_parent():
            if cursor.goto_next_sibling():
                break
        else:
            return found
