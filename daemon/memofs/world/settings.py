"""Settings as part of a World: the mappings in them made read-only."""

from types import MappingProxyType

import msgspec

from memofs.model.config import Config

__all__ = ["settled"]


def settled(config: Config) -> Config:
    """The settings with every mapping a read-only copy. msgspec encodes the store's own, not these."""
    return msgspec.structs.replace(
        config,
        lexicon=MappingProxyType(dict(config.lexicon)),
        floors_days=MappingProxyType(dict(config.floors_days)),
    )
