"""The owner of mutable state: the world pointer, the lanes, the clock."""
