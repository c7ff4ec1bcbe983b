"""Imports in an order of their own, whichever they stand in.

Formatters sort imports that stand next to each other (`runs_sorted`), other tools all those of a file and the names
in each (`all_sorted`). What stands before an import and belongs to it, such as an attribute, goes with it.
"""

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from tree_sitter import Node

from memofs.anchors.shape.rules import Part, ShapeRules

__all__ = ["Key", "all_sorted", "runs_sorted"]

Key: TypeAlias = Callable[[Sequence[Part]], list[str]]
"""Returns what parts are sorted by: their tokens."""


def runs_sorted(parts: Sequence[Part], rules: ShapeRules, key: Key) -> Sequence[Part]:
    """Return the parts of a node with imports that stand next to each other in order."""
    if sum(_is_import(part, rules) for part in parts) < 2:
        return parts
    ordered: list[Part] = []
    run: list[_Unit] = []
    for unit in _units(parts, rules):
        if _is_import(unit[-1], rules):
            run.append(unit)
        else:
            ordered += [*_joined(run, key), *unit]
            run = []
    return [*ordered, *_joined(run, key)]


def all_sorted(parts: Sequence[Part], rules: ShapeRules, key: Key) -> Sequence[Part]:
    """Return the parts of a node with all its imports where the first is, and the names in a list of them, in order."""
    names = [part for part in parts if not isinstance(part, str) and _is_imported_name(part)]
    if len(names) > 1:
        rest = [part for part in parts if part not in names and (isinstance(part, str) or part.type != ",")]
        return [*rest, *sorted(names, key=lambda name: key([name]))]
    if sum(_is_import(part, rules) for part in parts) < 2:
        return parts
    units = _units(parts, rules)
    first = next(index for index, unit in enumerate(units) if _is_import(unit[-1], rules))
    imports = [unit for unit in units if _is_import(unit[-1], rules)]
    before, after = units[:first], [unit for unit in units[first:] if not _is_import(unit[-1], rules)]
    return [*_flat(before), *_joined(imports, key), *_flat(after)]


_Unit: TypeAlias = list[Part]


def _units(parts: Sequence[Part], rules: ShapeRules) -> list[_Unit]:
    """Return the parts, each with those before it that belong to it."""
    units: list[_Unit] = []
    unit: _Unit = []
    for part in parts:
        unit.append(part)
        if isinstance(part, str) or part.type not in rules.before_imports:
            units.append(unit)
            unit = []
    return [*units, unit] if unit else units


def _joined(units: list[_Unit], key: Key) -> list[Part]:
    """Return imports in order: by their own tokens, then by those of what stands before."""
    return _flat(sorted(units, key=lambda unit: (key(unit[-1:]), key(unit[:-1]))))


def _flat(units: Sequence[_Unit]) -> list[Part]:
    return [part for unit in units for part in unit]


def _is_import(part: Part, rules: ShapeRules) -> bool:
    return not isinstance(part, str) and part.type in rules.imports


def _is_imported_name(node: Node) -> bool:
    """Tell whether a node is one of the names in `import { a, b }` or `from m import a, b`."""
    around = node.parent if node.type in _NAMES else None
    if around is None:
        return False
    if around.type == "import_from_statement":
        return node != around.child_by_field_name("module_name")
    return around.type == "named_imports"


_NAMES: Final = frozenset({"import_specifier", "dotted_name", "aliased_import"})
