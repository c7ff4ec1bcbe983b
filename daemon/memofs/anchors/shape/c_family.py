"""What clang-format leaves alone in C and C++.

Silent: commas that end an initialiser or an enum, where a long string is split, blanks and continuations in a macro.
"""

import re
from collections.abc import Sequence
from typing import Final

from tree_sitter import Node

from memofs.anchors.shape.rules import DIRECTIVE, Part, ShapeRules, group, is_trailing, raw
from memofs.anchors.source import Source, text_of

__all__ = ["C_FAMILY"]


def _says(_source: Source, node: Node, children: Sequence[Node], index: int) -> bool:
    if children[index].type != ",":
        return True
    return node.type not in ("initializer_list", "enumerator_list") or not is_trailing(children, index, _SILENT)


def _string(source: Source, node: Node, _parts: list[Part]) -> Sequence[Part]:
    return (text_of(source, node),)


def _strings(source: Source, _node: Node, parts: list[Part]) -> Sequence[Part]:
    """Return adjacent literals as the one that they are; those with other names among them as they stand."""
    joined: list[Part] = []
    for part in parts:
        text = text_of(source, part) if not isinstance(part, str) and part.type == "string_literal" else ""
        before = joined[-1] if joined else None
        if text and isinstance(before, str) and before.endswith('"') and _prefix(before) == _prefix(text):
            joined[-1] = before[:-1] + text[len(_prefix(text)) + 1 :]
        else:
            joined.append(text or part)
    return joined if len(joined) == 1 else group("concatenated_string", joined)


def _prefix(literal: str) -> str:
    return literal.partition('"')[0]


def _macro(source: Source, node: Node, _parts: list[Part]) -> Sequence[Part]:
    return _tokens(raw(source, node))


def _directive(_source: Source, node: Node, parts: list[Part]) -> Sequence[Part]:
    """Return a directive; what the grammar does not read of it, token by token."""
    read = [_tokens(part) if isinstance(part, str) else [part] for part in parts]
    return [*group(node.type, [part for pieces in read for part in pieces]), _END]


def _condition(_source: Source, node: Node, parts: list[Part]) -> Sequence[Part]:
    """Return a conditional part with the end of its first line."""
    asked = node.child_by_field_name("condition") or node.child_by_field_name("name")
    return group(node.type, [piece for part in parts for piece in ([part, _END] if part == asked else [part])])


def _tokens(text: str) -> list[Part]:
    """Return the tokens of text in a macro, without comments."""
    found: list[str] = _TOKEN.findall(_CONTINUED.sub(" ", text))
    return [token for token in found if not token.startswith(("/*", "//"))]


def _joined(text: str) -> str:
    return "".join(text.split())


_SILENT: Final = frozenset({"comment"})
_END: Final = f"{DIRECTIVE}line"
"""A line of the preprocessor ends where its line does."""
_CONDITIONS: Final = ("preproc_if", "preproc_ifdef", "preproc_elif", "preproc_elifdef")
_DIRECTIVES: Final = ("preproc_def", "preproc_function_def", "preproc_call", "preproc_include")
_HASHED: Final = (
    *("#define", "#elif", "#elifdef", "#elifndef", "#else", "#endif", "#if", "#ifdef", "#ifndef", "#include"),
    "preproc_directive",
)
_CONTINUED: Final = re.compile(r"\\\n")
_TOKEN: Final = re.compile(
    r"""/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[\w.]+|[^\w\s]""",
    re.DOTALL,
)
C_FAMILY: Final = ShapeRules(
    silent=_SILENT,
    says=_says,
    expand={
        "string_literal": _string,
        "concatenated_string": _strings,
        "preproc_arg": _macro,
        **dict.fromkeys(_DIRECTIVES, _directive),
        **dict.fromkeys(_CONDITIONS, _condition),
    },
    # "# define" is one token.
    spell=dict.fromkeys(_HASHED, _joined),
    imports=frozenset({"preproc_include", "using_declaration"}),
    imports_sorted="everywhere",
    bodies=frozenset({"translation_unit"}),
    groups="never",
)
