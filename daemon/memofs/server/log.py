"""JSON lines to `.memofs/logs/daemon.log`, rotated. Memory text never goes there above DEBUG."""

import contextlib
import json
import logging
import logging.handlers
from collections.abc import Generator
from datetime import UTC, datetime
from pathlib import Path

__all__ = ["log_to"]

MAX_BYTES = 1_000_000
KEPT = 3


class _JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, tz=UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        line |= getattr(record, "fields", {})
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


@contextlib.contextmanager
def log_to(path: Path, *, level: int = logging.WARNING, echo: bool = False) -> Generator[None]:
    """Send what is logged under `memofs` to `path` while the context lasts, with `echo` to standard error as well.

    The file is made when the first line is written, in a folder that exists already: a workspace that was never
    initialised gets no log, and one that cannot be written loses lines, not requests.
    """
    logger = logging.getLogger("memofs")
    with _echoed(logger, level=level) if echo else contextlib.nullcontext():
        yield from _to_file(logger, path, level=level)


@contextlib.contextmanager
def _echoed(logger: logging.Logger, *, level: int) -> Generator[None]:
    handler = logging.StreamHandler()
    handler.setFormatter(_JsonLines())
    logger.addHandler(handler)
    logger.setLevel(level)
    try:
        yield
    finally:
        logger.removeHandler(handler)


def _to_file(logger: logging.Logger, path: Path, *, level: int) -> Generator[None]:
    if not path.parent.is_dir():
        silent = logging.NullHandler()
        logger.addHandler(silent)
        try:
            yield
        finally:
            logger.removeHandler(silent)
        return
    handler = logging.handlers.RotatingFileHandler(
        path, maxBytes=MAX_BYTES, backupCount=KEPT, encoding="utf-8", delay=True
    )
    handler.setFormatter(_JsonLines())
    handler.handleError = _ignore
    logger.addHandler(handler)
    logger.propagate = False
    logger.setLevel(level)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        with contextlib.suppress(OSError):  # flushing on a full disk
            handler.close()


def _ignore(record: logging.LogRecord) -> None:
    """Lose the line: a full disk must not turn into a failed request."""
    del record
