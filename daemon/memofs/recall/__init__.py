"""The formulas of ranking, each a small function with its source. Pure."""
