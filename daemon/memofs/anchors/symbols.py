"""The declarations of a source with their qualified names and regions, and how to find one.

    declarations(source)                every declaration, in text order, outer before inner
    find(source, "Class.method")        Lookup: one (`exact`), several (ambiguous), or near names for an error
    symbol_at(source, span)             the declaration whose region the span is, decorators and comments or not
    symbol_around(source, span)         the innermost declaration that holds the span
    Declaration.label                   the name to record: qualified, with parameter types where overloaded

A name is qualified by what encloses it, with dots: `Class.method`, `outer.inner`, Go's `Type.Method` by the
receiver, Rust's `Type.new` and `<Type as Trait>.fmt`, C++'s `space.Class.method`. A setter is `Class.x.setter`.
In JSON and YAML it is the path of keys, `jobs.build.steps[].run`; in markdown the headings, `Install > Linux`.

Invariant: a region begins at a declaration's documentation or decorators and ends with it; regions nest or are
apart, but for several names declared at once. Nothing is declared where there is no tree (`source.lacking` says why).
"""

import re
from collections import Counter
from typing import Final

import msgspec
from rapidfuzz import fuzz
from tree_sitter import Node

from memofs.anchors.declared import DECLARED
from memofs.anchors.declared.regions import Regions
from memofs.anchors.declared.rules import FUNCTIONS, Kind, Named, Rules
from memofs.anchors.source import Source, nodes_of, stripped
from memofs.model.place import Span

__all__ = ["Declaration", "Lookup", "declarations", "find", "named", "symbol_around", "symbol_at"]


class Declaration(msgspec.Struct, frozen=True, kw_only=True):
    """A declaration. `qualified` may be shared by overloads; `label` tells them apart by `signature` if it can.

    `span` is the region: with documentation, decorators, attributes, export. `dressed` is that without the
    documentation, `core` the bare declaration, `body` what is in it, if it has one. `parent` is the index of the
    declaration around it, `node` the bare declaration's. `alias` is another name it is known by.
    """

    name: str
    qualified: str
    label: str
    kind: Kind
    signature: str
    alias: str
    span: Span
    dressed: Span
    core: Span
    body: Span | None
    parent: int | None
    node: Node


class Lookup(msgspec.Struct, frozen=True, kw_only=True):
    """What a name may mean: `found` in text order; `near` are labels like it, best first, where nothing was found."""

    found: tuple[Declaration, ...] = ()
    near: tuple[str, ...] = ()

    @property
    def exact(self) -> Declaration | None:
        """The one declaration of that name; None if there is none, or more than one."""
        return self.found[0] if len(self.found) == 1 else None


def declarations(source: Source) -> tuple[Declaration, ...]:
    """Return every declaration in text order, outer before inner; made once for a source."""
    return source.once(_declarations)


def named(source: Source, qualified: str) -> tuple[Declaration, ...]:
    """Return the declarations of exactly this label or, if there is none, of exactly this qualified name.

    Those with a body go before those without: a prototype, or the signatures above an implementation.
    """
    every = declarations(source)
    by_label = tuple(one for one in every if one.label == qualified)
    return _defining(by_label or tuple(one for one in every if one.qualified == qualified))


def find(source: Source, name: str) -> Lookup:
    """Return what a person may mean by `name`: a label, a qualified name, an alias, or the last parts of one.

    `::` and `#` count as dots, a call's empty parentheses as nothing; parameter types tell overloads apart.
    """
    every = declarations(source)
    for asked in filter(None, dict.fromkeys((name.strip(), _in_dots(name)))):
        if found := named(source, asked):
            return Lookup(found=found)
        if found := tuple(one for one in every if asked in (one.alias, _tight(one.label))):
            return Lookup(found=_defining(found))
        ends = (f".{asked}", f" > {asked}")
        for names in (_labels, _qualified):
            if found := tuple(one for one in every if any(text.endswith(ends) for text in names(one))):
                return Lookup(found=_defining(found))
    return Lookup(near=_near(every, name))


def symbol_at(source: Source, span: Span) -> Declaration | None:
    """Return the declaration whose region `span` is, be it with documentation and decorators or without.

    Blanks at the ends of the span do not count. Where several names are declared at once it is the first.
    """
    bare = stripped(source.text, span)
    for one in declarations(source):
        if one.span.start <= bare.start <= one.core.start and bare.end in (one.span.end, one.core.end):
            return one
    return None


def symbol_around(source: Source, span: Span) -> Declaration | None:
    """Return the innermost declaration whose region holds `span`; the region itself counts."""
    bare = stripped(source.text, span)
    around: Declaration | None = None
    for one in declarations(source):
        if one.span.start > bare.start:
            break
        if bare.end <= one.span.end and (around is None or one.span.end <= around.span.end):
            around = one
    return around


def _defining(found: tuple[Declaration, ...]) -> tuple[Declaration, ...]:
    """Return those of several functions that have a body, all if none has; anything else as it is."""
    if len(found) < 2 or not all(one.kind in FUNCTIONS for one in found):
        return found
    return tuple(one for one in found if one.body) or found


_MOST_NEAR: Final = 5
_NEAR: Final = 60.0


def _near(every: tuple[Declaration, ...], name: str) -> tuple[str, ...]:
    """Return the labels most like `name`: the whole or their last part."""
    wanted = _in_dots(name).lower()
    last = wanted.rpartition(".")[2]
    scores = {
        one.label: max(fuzz.ratio(wanted, one.label.lower()), fuzz.ratio(last, one.name.lower()) - 1) for one in every
    }
    best = sorted((-score, label) for label, score in scores.items() if score >= _NEAR)
    return tuple(label for _, label in best[:_MOST_NEAR])


def _in_dots(name: str) -> str:
    bare = name.strip().removesuffix("()")
    return _tight(_SEPARATORS.sub(".", bare).strip("."))


def _tight(name: str) -> str:
    return _BLANKS.sub("", name) if " > " not in name else name


def _labels(one: Declaration) -> tuple[str, ...]:
    return (_tight(one.label), one.alias)


def _qualified(one: Declaration) -> tuple[str, ...]:
    return (one.qualified,)


_SEPARATORS: Final = re.compile(r"::|#|->")
_BLANKS: Final = re.compile(r"\s+")


class _Open(msgspec.Struct, frozen=True):
    """A declaration that encloses what comes: where it ends, its index and kind, and what it qualifies with."""

    end: int
    index: int
    kind: Kind
    prefix: str
    alias: str


def _declarations(source: Source) -> tuple[Declaration, ...]:
    rules = DECLARED.get(source.language) if source.language else None
    if rules is None or source.root is None:
        return ()
    regions = Regions(source, rules)
    made: list[Declaration] = []
    opened: list[_Open] = []
    for node in nodes_of(source, rules.declared):
        while opened and opened[-1].end <= node.start_byte:
            opened.pop()
        outer = opened[-1] if opened else None
        found = tuple(rules.declared[node.type](source, node, outer.kind if outer else ""))
        for one in found:
            made.append(_declaration(one, outer, regions))
        if len(found) == 1:
            opened.append(_opened(found[0], made[-1], len(made) - 1, rules, outer))
    return _labelled(made)


def _declaration(one: Named, outer: _Open | None, regions: Regions) -> Declaration:
    joint = regions.rules.joint
    region = regions.of(one)
    qualified = _join(outer.prefix if outer else "", one.name, joint)
    return Declaration(
        name=one.name,
        qualified=qualified,
        label=qualified,
        kind=one.kind,
        signature=one.signature,
        alias=_alias(one.alias, one.name, outer, joint),
        span=region.span,
        dressed=region.dressed,
        core=region.core,
        body=region.body,
        parent=outer.index if outer else None,
        node=one.node,
    )


def _opened(one: Named, made: Declaration, index: int, rules: Rules, outer: _Open | None) -> _Open:
    prefix = one.name if one.prefix is None else one.prefix
    return _Open(
        end=made.core.end,
        index=index,
        kind=one.kind,
        prefix=_join(outer.prefix if outer else "", prefix, rules.joint),
        alias=_alias(one.alias, prefix, outer, rules.joint),
    )


def _join(before: str, name: str, joint: str) -> str:
    return f"{before}{joint}{name}" if before and name else before or name


def _alias(alias: str, name: str, outer: _Open | None, joint: str) -> str:
    """Return the name through aliases; empty if neither the declaration nor what encloses it has one."""
    if not alias and not (outer and outer.alias):
        return ""
    return _join((outer.alias or outer.prefix) if outer else "", alias or name, joint)


def _labelled(made: list[Declaration]) -> tuple[Declaration, ...]:
    """Return the declarations with their types in the label wherever the qualified name alone is shared."""
    shared = Counter(one.qualified for one in made)
    return tuple(
        msgspec.structs.replace(one, label=one.qualified + one.signature)
        if shared[one.qualified] > 1 and one.signature
        else one
        for one in made
    )
