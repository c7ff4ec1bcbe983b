"""Types of arguments: lists with commas, confidences, memory ids that the shell completes."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from memofs.cli.session import Session
from memofs.link.client import RemoteError
from memofs.wire.read import ListParams, ListResult

__all__ = ["BUILT_IN_KINDS", "CONFIDENCE", "KIND", "MEMORY_ID", "TAG", "choices", "split_commas"]

BUILT_IN_KINDS: Sequence[str] = ("decision", "constraint", "preference", "note", "reference", "goal", "summary")
"""What the shell offers for a kind; which kinds a project has is the daemon's to say."""
COMPLETED = 200

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    TextType = click.ParamType[str]
    NumberType = click.ParamType[float]
else:  # generic for type checkers only: click 8.2 cannot be subscripted
    TextType = NumberType = click.ParamType


class _Confidence(NumberType):
    name = "0..1"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        try:
            number = float(value)
        except (TypeError, ValueError):
            number = float("nan")
        if not 0 <= number <= 1:
            self.fail(f"{value!r} is not a number from 0 to 1", param, ctx)
        return number


class _Kind(TextType):
    name = "kind"

    def shell_complete(
        self,
        ctx: click.Context,  # noqa: ARG002 - click's signature
        param: click.Parameter,  # noqa: ARG002
        incomplete: str,
    ) -> "list[CompletionItem[str]]":
        from click.shell_completion import CompletionItem

        return [CompletionItem(kind) for kind in BUILT_IN_KINDS if kind.startswith(incomplete)]


class _Tag(TextType):
    name = "tag"


class _MemoryId(TextType):
    name = "id"

    def shell_complete(
        self,
        ctx: click.Context,
        param: click.Parameter,  # noqa: ARG002 - click's signature
        incomplete: str,
    ) -> "list[CompletionItem[str]]":
        """The ids of this workspace with their titles; nothing, and no noise, where they cannot be had."""
        from click.shell_completion import CompletionItem

        session = ctx.find_object(Session)
        if session is None:
            return []
        try:
            found = session.ask("memofs/list", ListParams(include_retired=True, limit=1000), ListResult)
        except (RemoteError, OSError):
            return []
        fitting = [memory for memory in found.memories if memory.id.startswith(incomplete)]
        return [CompletionItem(memory.id, help=memory.title) for memory in fitting[:COMPLETED]]


CONFIDENCE = _Confidence()
KIND = _Kind()
TAG = _Tag()
MEMORY_ID = _MemoryId()


def split_commas(values: Sequence[str]) -> tuple[str, ...]:
    """The values of a repeatable option, of which each may hold several with commas between them."""
    return tuple(part.strip() for value in values for part in value.split(",") if part.strip())


def choices(names: Sequence[str]) -> click.Choice[str]:
    """One of a closed set of names."""
    return click.Choice(list(names))
