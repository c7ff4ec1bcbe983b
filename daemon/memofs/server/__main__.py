"""`python -m memofs.server ROOT`: one daemon. Clients start it; `memofs daemon --foreground` shows it at work."""

import argparse
import os
import sys
from pathlib import Path

from memofs.server.daemon import IDLE_EXIT_S, MODEL_REST_S, Options, ready_on, run

IDLE_EXIT = "MEMOFS_IDLE_EXIT_S"
MODEL_REST = "MEMOFS_MODEL_REST_S"


def main() -> int:
    """The daemon's exit code."""
    parser = argparse.ArgumentParser(prog="python -m memofs.server", description="The daemon of one workspace.")
    parser.add_argument("root", type=Path)
    parser.add_argument("--ready-fd", type=int, help="say there, as JSON, once it stands")
    parser.add_argument("--foreground", action="store_true", help="log to standard error as well")
    parser.add_argument("--trace", type=Path, help="record every frame in this file")
    given = parser.parse_args()
    tell = ready_on(given.ready_fd)
    options = Options(
        root=given.root.absolute(),
        ready=tell,
        foreground=given.foreground,
        trace=given.trace,
        idle_exit_s=_seconds(IDLE_EXIT, IDLE_EXIT_S),
        model_rest_s=_seconds(MODEL_REST, MODEL_REST_S),
    )
    return run(options)


def _seconds(name: str, usual: float) -> float:
    """What the environment asks for, if it is a number."""
    named = os.environ.get(name, "")
    return float(named) if named.replace(".", "", 1).isdecimal() else usual


if __name__ == "__main__":
    sys.exit(main())
