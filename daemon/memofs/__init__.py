"""MemoFS: a codebase's memory as plain markdown in `.memofs/`.

Importing this package loads nothing: the entry points import what they need.
"""

__version__ = "0.1.0"
__all__ = ["__version__"]
