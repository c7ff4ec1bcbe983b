"""Frozen values that every layer above speaks in. Nothing here does I/O or knows a wire format."""
