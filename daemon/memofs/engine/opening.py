"""How a workspace was opened, for `status` and the benchmarks."""

from typing import Literal

import msgspec

__all__ = ["Opening"]


class Opening(msgspec.Struct, frozen=True, kw_only=True):
    """`cache`: fresh (every record came from it), partial, rebuilt (it was not usable), none (there was none).

    `reused` counts memories whose index rows came from the cache.
    """

    cache: Literal["fresh", "partial", "rebuilt", "none"]
    ms: float
    reused: int = 0
