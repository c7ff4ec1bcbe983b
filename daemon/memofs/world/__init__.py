"""The whole memory at one moment, as a frozen value, and what is asked of it."""
