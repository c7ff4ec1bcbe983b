"""The entities that memories name and how they relate: extracted by rules, curated by hand. Pure."""
