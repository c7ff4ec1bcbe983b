"""VS Code as its user meets it: `python tests/bench/vscode.py [--memories 1000] [--rounds 12]`.

The real editor, rendered; times are taken in its own page. Activation is what VS Code itself says under "Developer:
Show Running Extensions". Prints medians beside the targets; nothing is asserted. Needs tests/editors/vscode/setup.
"""

import argparse
import os
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.corpus import memories
from e2e.conftest import without_vectors
from editors.vscode.real_vscode import ROOT, Stage, case, missing, stage
from memofs.text.memory_file import print_memory

DEBOUNCE_MS = 120


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table; 0, or 1 where the editor is not set up."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memories", type=int, default=1_000)
    parser.add_argument("--rounds", type=int, default=12)
    chosen = parser.parse_args(argv)
    if said := missing():
        print(said)
        return 1
    with stage() as home:
        home.sample()
        _big(home, chosen.memories)
        ran = home.run("bench.ts", rounds=chosen.rounds)
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; milliseconds\n")
    print(f"{'':<58}{'median':>9}{'most':>9}   target")
    _row("activation, as VS Code tells it", case(ran, "activation"), "50")
    _row("squiggle shown, since the last keystroke", case(ran, "squiggle"), "300")
    _row("lens changed, since the last keystroke", case(ran, "lens"), "600")
    search = [each - DEBOUNCE_MS for each in case(ran, "search")]
    _row(f"search results at {chosen.memories:,} memories, after the debounce", search, "150")
    bundle = sum(path.stat().st_size for path in (ROOT / "clients" / "vscode" / "dist").glob("*.js")) / 1000
    print(f"{'bundle, kB':<58}{bundle:>9.0f}{'':>9}   500")
    return 0


def _big(home: Stage, count: int) -> None:
    workspace = home.folder("big")
    workspace.ok("init")
    without_vectors(workspace)
    for memory in memories(count):
        workspace.write(f".memofs/memory/{memory.id}.md", print_memory(memory))


def _row(name: str, values: Sequence[float], target: str) -> None:
    print(f"{name:<58}{statistics.median(values):>9.0f}{max(values):>9.0f}   {target}")


if __name__ == "__main__":
    sys.exit(main())
