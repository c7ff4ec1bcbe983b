"""What embedding costs: `python tests/bench/embed.py` prints a table (Linux; a minute or so).

Texts are of vocabulary words drawn with a fixed seed, each of them one token, so that their length is known. The load
average is printed because every number but the sizes suffers from whatever else the machine is doing.
"""

import os
import random
import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import numpy as np

from memofs.embed.client import WorkerClient
from memofs.embed.local import LocalEmbedder
from memofs.embed.models import built_in
from memofs.store.embeddings import EmbeddingsFile, Vectors

DEADLINE_S = 600.0
SPECIAL_TOKENS = 2
CHUNKS = 10_000


def main() -> None:
    """Measure and print."""
    words = _words()
    print(f"{os.cpu_count()} processors, load average {_load()}")
    client = WorkerClient()
    embedder = LocalEmbedder(built_in(), client)

    _row("start-up to the first vector", f"{_ms(lambda: _query(embedder, 'first'))[0]:.0f} ms")
    queries = [_text(words, 8, seed) for seed in range(300)]
    spent = sorted(_ms(lambda text=text: _query(embedder, text))[0] for text in queries)
    _row("query vector, one thread (10 tokens)", _percentiles(spent), "target p50 ≤ 10 ms")

    for tokens, count in ((60, 160), (120, 96), (240, 48)):
        texts = [_text(words, tokens - SPECIAL_TOKENS, seed) for seed in range(count)]
        ms, _ = _ms(lambda texts=texts: embedder.embed(texts, kind="passage", deadline_s=DEADLINE_S))
        _row(f"texts of {tokens} tokens", f"{1000 * count / ms:.0f}/s", "target ≥ 60/s" if tokens == 60 else "")

    _row("query vector while indexing", _percentiles(_queries_beside_indexing(embedder, words)))
    status = Path(f"/proc/{client.pid}/status").read_text()
    sizes = {line.split()[0]: int(line.split()[1]) // 1024 for line in status.splitlines() if line.startswith("Vm")}
    _row("worker's memory", f"{sizes['VmRSS:']} MB, at its peak {sizes['VmHWM:']} MB", "target ≤ 300 MB")
    _row("ending it", f"{_ms(client.close)[0]:.0f} ms")

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "embeddings.jsonl"
        write_ms, read_ms, size_bytes = _rehydration(path)
    _row(f"writing {CHUNKS} chunks", f"{write_ms:.0f} ms", f"{size_bytes / 1e6:.1f} MB")
    _row(f"rehydrating {CHUNKS} chunks", f"{read_ms:.0f} ms", "target ≤ 300 ms")
    print(f"load average at the end {_load()}")


def _query(embedder: LocalEmbedder, text: str) -> None:
    embedder.embed([text], kind="query", deadline_s=DEADLINE_S)


def _queries_beside_indexing(embedder: LocalEmbedder, words: list[str]) -> list[float]:
    passages = [_text(words, 118, seed) for seed in range(120)]
    indexing = threading.Thread(
        target=embedder.embed, args=(passages,), kwargs={"kind": "passage", "deadline_s": DEADLINE_S}
    )
    indexing.start()
    spent: list[float] = []
    while indexing.is_alive():
        spent.append(_ms(lambda: _query(embedder, "how do we style components"))[0])
    return sorted(spent)


def _rehydration(path: Path) -> tuple[float, float, int]:
    """Milliseconds of writing and of reading (the median of five), and the size of the file."""
    rows = np.random.default_rng(7).standard_normal((CHUNKS, 384), dtype=np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    vectors = Vectors(
        memories=tuple(f"mem_{number:012d}" for number in range(CHUNKS)),
        chunks=(0,) * CHUNKS,
        text_hashes=tuple(f"{number:016x}" for number in range(CHUNKS)),
        matrix=rows,
    )
    write_ms, _ = _ms(lambda: EmbeddingsFile(path, model="bench").append(vectors, now_ms=0))
    reads = [_ms(EmbeddingsFile(path, model="bench").load)[0] for _ in range(5)]
    return write_ms, statistics.median(reads), path.stat().st_size


def _words() -> list[str]:
    vocabulary = (files("memofs.embed") / "data" / "vocab.txt").read_text(encoding="utf-8").split("\n")
    return [word for word in vocabulary if word.isascii() and word.isalpha() and 3 <= len(word) <= 9]


def _text(words: list[str], count: int, seed: int) -> str:
    return " ".join(random.Random(seed).choices(words, k=count))


def _ms(work: Callable[[], object]) -> tuple[float, object]:
    """How long it took, and what came back."""
    start = time.perf_counter()
    result = work()
    return 1000 * (time.perf_counter() - start), result


def _percentiles(spent_ms: list[float]) -> str:
    p50, p95 = spent_ms[len(spent_ms) // 2], spent_ms[int(0.95 * (len(spent_ms) - 1))]
    return f"p50 {p50:.1f} ms, p95 {p95:.1f} ms"


def _load() -> str:
    return " ".join(f"{load:.1f}" for load in os.getloadavg())


def _row(what: str, measured: str, note: str = "") -> None:
    print(f"{what:38} {measured:34} {note}".rstrip(), flush=True)


if __name__ == "__main__":
    main()
