"""Circles in what supersedes what: links that contradict each other.

Invariant: taking away the links within every circle leaves links that lead to an end.
"""

from collections.abc import Iterator, Mapping, Sequence

__all__ = ["circles"]


def circles(links: Mapping[str, Sequence[str]]) -> Iterator[frozenset[str]]:
    """The strongly connected sets of more than one id, and of one that names itself.

    Source: R. Tarjan, "Depth-first search and linear graph algorithms", SIAM Journal on Computing 1 (1972), made
    iterative.
    """
    order: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    on_stack: set[str] = set()

    def enter(id_: str) -> tuple[str, Iterator[str]]:
        order[id_] = lowest[id_] = len(order)
        stack.append(id_)
        on_stack.add(id_)
        return id_, iter(links.get(id_, ()))

    for root in sorted(links):
        if root in order:
            continue
        path = [enter(root)]
        while path:
            id_, targets = path[-1]
            for target in targets:
                if target not in order:
                    path.append(enter(target))
                    break
                if target in on_stack:
                    lowest[id_] = min(lowest[id_], order[target])
            else:
                path.pop()
                if path:
                    lowest[path[-1][0]] = min(lowest[path[-1][0]], lowest[id_])
                if lowest[id_] == order[id_]:
                    at = stack.index(id_)
                    members = frozenset(stack[at:])
                    del stack[at:]
                    on_stack -= members
                    if len(members) > 1 or id_ in links.get(id_, ()):
                        yield members
