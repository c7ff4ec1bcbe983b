"""The command line: click and msgspec over wire and link, and nothing of the engine side."""
