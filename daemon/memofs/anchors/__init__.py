"""Ties between memories and code: what is recorded of a region, finding it again, and telling what changed. Pure."""
