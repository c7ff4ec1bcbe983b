"""The 94 English words that say nothing about what is asked."""

import pkgutil
from typing import Final

__all__ = ["STOP_WORDS"]


def _read() -> frozenset[str]:
    data = pkgutil.get_data("memofs.text", "data/stopwords.txt")
    if data is None:  # only a loader without data support can cause this
        raise FileNotFoundError("memofs/text/data/stopwords.txt")
    return frozenset(data.decode("utf-8").split())


STOP_WORDS: Final = _read()
