"""Names for the arrays of the index, and how one is made read-only."""

from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

__all__ = ["Bools", "Counts", "Floats", "Rows", "Weights", "frozen"]

Rows: TypeAlias = NDArray[np.int32]
"""Slots or rows."""
Counts: TypeAlias = NDArray[np.int64]
"""Positions, and times in milliseconds."""
Weights: TypeAlias = NDArray[np.float32]
"""Weighted term frequencies."""
Floats: TypeAlias = NDArray[np.float64]
"""Scores."""
Bools: TypeAlias = NDArray[np.bool_]
"""Masks over slots, flags of postings."""

_Scalar = TypeVar("_Scalar", bound=np.generic)


def frozen(values: NDArray[_Scalar]) -> NDArray[_Scalar]:
    """The array, contiguous and read-only, and not a view of one that is not."""
    own = np.ascontiguousarray(values)
    if own.base is not None:
        own = own.copy()
    own.flags.writeable = False
    return own
