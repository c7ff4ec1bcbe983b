"""A code file with two memories about it, for tests of editors."""

__all__ = ["CLOSE_LINE", "CODE", "OPEN_LINE", "PATH"]

PATH = "src/store.py"
CODE = '''\
"""Tenants."""

LIMIT = 5


class Store:
    def open(self, name: str) -> str:
        """Open the store of a tenant."""
        path = f"/srv/{name}.db"
        return path

    def close(self) -> None:
        self.closed = True
'''
OPEN_LINE = 6
CLOSE_LINE = 11
