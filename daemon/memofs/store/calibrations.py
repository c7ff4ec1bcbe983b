"""The limits that were set for other models: `.memofs/indexes/calibration.json`, by model identity.

Invariant: a cache. Losing it, or any damage to it, means that limits are set again; nothing here raises.
"""

import msgspec

from memofs.recall.calibration import Calibration
from memofs.store.disk import read_regular, replace_file
from memofs.store.layout import Layout

__all__ = ["load_calibration", "save_calibration"]

_NAME = "calibration.json"
_MOST_BYTES = 1 << 20

_decoder = msgspec.json.Decoder(dict[str, Calibration])


def load_calibration(layout: Layout, *, model: str) -> Calibration | None:
    """The limits for the model with this identity, if there are any."""
    return _all(layout).get(model)


def save_calibration(layout: Layout, calibration: Calibration, *, model: str) -> bool:
    """Whether the limits could be kept, beside those of other models."""
    kept = {**_all(layout), model: calibration}
    try:
        layout.indexes.mkdir(mode=0o700, exist_ok=True)
        data = msgspec.json.format(msgspec.json.encode(kept, order="sorted"), indent=2) + b"\n"
        replace_file(layout.indexes / _NAME, data, mode=0o600, durable=False)
    except OSError:
        return False
    return True


def _all(layout: Layout) -> dict[str, Calibration]:
    try:
        return _decoder.decode(read_regular(layout.indexes / _NAME, most_bytes=_MOST_BYTES)[0])
    except (OSError, msgspec.DecodeError, RecursionError):
        return {}
