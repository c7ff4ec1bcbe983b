"""The outline of Python files, by the standard library's `ast`.

Invariant: two pieces have the same `code` exactly if `ast.dump` says so once docstrings and the `u` of strings are
dropped. Comments and layout are not in an `ast` at all.
"""

from __future__ import annotations

import ast
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, cast

import msgspec

from bench.anchor_outline import Declared, Expression, Outline, Statement, digest

__all__ = ["python_outline"]

_SHORTEST_EXPRESSION: Final = 4
_EXPRESSIONS: Final = (
    *(ast.Call, ast.Compare, ast.BoolOp, ast.BinOp, ast.Attribute, ast.Subscript, ast.IfExp, ast.arg, ast.keyword),
    *(ast.List, ast.Tuple, ast.Dict, ast.Lambda, ast.ListComp, ast.DictComp, ast.GeneratorExp, ast.Constant),
)
_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Clause = ast.excepthandler | ast.match_case


def python_outline(text: str) -> Outline | None:
    """Return the outline of a file, None where it does not parse (another version of Python, a template)."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
        _drop_words(tree)
        reader = _Reader(text)
        reader.block(tree.body, parent=-1, names=(), inside="module")
    except (SyntaxError, ValueError, RecursionError):
        return None
    return Outline(
        declared=_told_apart(reader.declared),
        statements=tuple(reader.statements),
        expressions=tuple(reader.expressions),
    )


class _Reader:
    """Collects what stands in a file, in text order; numbers statements and blocks as it meets them."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = text.split("\n")
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)
        self.declared: list[tuple[Declared, str]] = []
        self.statements: list[Statement] = []
        self.expressions: list[Expression] = []
        self.blocks = 0

    def block(self, nodes: Sequence[ast.stmt], *, parent: int, names: tuple[str, ...], inside: str) -> None:
        block = self.blocks
        self.blocks += 1
        for node in nodes:
            if isinstance(node, ast.If) and self.text.startswith("elif", self.offset(node.lineno, node.col_offset)):
                # A statement in the tree, but no reader would take it for one.
                self.content(node, parent, names=names, inside=inside)
                continue
            self.statement(node, block=block, parent=parent, names=names, inside=inside)

    def statement(self, node: ast.stmt, *, block: int, parent: int, names: tuple[str, ...], inside: str) -> None:
        number = len(self.statements)
        start, end = self.place(node)
        code = digest([ast.dump(node)])
        self.statements.append(
            Statement(
                type=type(node).__name__,
                start=start,
                end=end,
                code=code,
                head=_head(node),
                block=block,
                parent=parent,
            )
        )
        if isinstance(node, _Function | ast.ClassDef):
            names = (*names, node.name)
            kind = "class" if isinstance(node, ast.ClassDef) else "method" if inside == "class" else "function"
            parameters = "" if isinstance(node, ast.ClassDef) else ast.dump(node.args)
            declared = Declared(
                name=".".join(names),
                kind=kind,
                start=start,
                end=end,
                documented=start,
                code=code,
                role=_role(node),
            )
            self.declared.append((declared, parameters))
            inside = "class" if isinstance(node, ast.ClassDef) else "function"
        self.content(node, number, names=names, inside=inside)

    def content(self, node: ast.stmt, number: int, *, names: tuple[str, ...], inside: str) -> None:
        for holder in (node, *_clauses(node)):
            for child in ast.iter_child_nodes(holder):
                if not isinstance(child, ast.stmt | _Clause):
                    self.expression(child, number)
            for nodes in _blocks(holder):
                self.block(nodes, parent=number, names=names, inside=inside)

    def expression(self, node: ast.AST, statement: int) -> None:
        if isinstance(node, _EXPRESSIONS) and node.end_lineno == node.lineno:
            start, end = self.span(node)
            if end - start >= _SHORTEST_EXPRESSION:
                code = digest([ast.dump(node)])
                self.expressions.append(
                    Expression(type=type(node).__name__, start=start, end=end, code=code, statement=statement)
                )
        # The places of what stands inside an f-string are wrong before Python 3.12.
        if not isinstance(node, ast.JoinedStr):
            for child in ast.iter_child_nodes(node):
                self.expression(child, statement)

    def place(self, node: ast.stmt) -> tuple[int, int]:
        """Return where a statement stands, its decorators included."""
        start, end = self.span(node)
        if isinstance(node, _Function | ast.ClassDef) and node.decorator_list:
            first = node.decorator_list[0]
            start = self.text.rindex("@", 0, self.offset(first.lineno, first.col_offset))
        return start, end

    def span(self, node: ast.stmt | ast.expr | ast.arg | ast.keyword) -> tuple[int, int]:
        if node.end_lineno is None or node.end_col_offset is None:
            raise ValueError("the parser gives every node an end")
        return self.offset(node.lineno, node.col_offset), self.offset(node.end_lineno, node.end_col_offset)

    def offset(self, line: int, column_bytes: int) -> int:
        content = self.lines[line - 1]
        before = column_bytes if content.isascii() else len(content.encode()[:column_bytes].decode())
        return self.starts[line - 1] + before


def _drop_words(tree: ast.Module) -> None:
    """Take out what is documentation or spelling: docstrings, and the `u` in front of a string."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant):
            node.kind = None
        if isinstance(node, ast.Module | ast.ClassDef | _Function) and node.body:
            first = node.body[0]
            if (
                isinstance(first, ast.Expr)
                and isinstance(first.value, ast.Constant)
                and isinstance(first.value.value, str)
            ):
                del node.body[0]


def _clauses(node: ast.stmt) -> Iterator[_Clause]:
    if isinstance(node, ast.Try | ast.TryStar):
        yield from node.handlers
    elif isinstance(node, ast.Match):
        yield from node.cases


def _blocks(node: ast.AST) -> Iterator[list[ast.stmt]]:
    for field in ("body", "orelse", "finalbody"):
        nodes = getattr(node, field, None)
        if isinstance(nodes, list) and nodes:
            yield cast("list[ast.stmt]", nodes)


def _head(node: ast.stmt) -> str:
    """Return the code of a compound statement without its blocks, empty for a simple one."""
    if not any(_blocks(node)) and not any(_clauses(node)):
        return ""
    heads = [child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.stmt | _Clause)]
    return digest([type(node).__name__, getattr(node, "name", ""), *map(ast.dump, heads)])


def _role(node: ast.stmt) -> str:
    for decorator in getattr(node, "decorator_list", ()):
        if isinstance(decorator, ast.Attribute) and decorator.attr in {"setter", "getter", "deleter"}:
            return decorator.attr
    return ""


def _told_apart(found: Sequence[tuple[Declared, str]]) -> tuple[Declared, ...]:
    """Return the declarations; those which would share a key are told apart by their parameters."""
    counts = Counter(each.key for each, _ in found)
    return tuple(
        msgspec.structs.replace(each, role=digest((each.role, parameters))) if counts[each.key] > 1 else each
        for each, parameters in found
    )
