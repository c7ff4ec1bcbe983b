"""The embedding worker: a process that loads local models and answers requests on its standard streams.

Run as `python -P -m memofs.embed.worker`, by `client` alone. It is the only importer of onnxruntime and tokenizers,
so that ending it gives all their memory back. Invariants: every request gets exactly one reply; the process ends as
soon as its input does, whatever it is computing, so that it never outlives its parent; nothing but frames reaches its
output, since stray prints are sent to standard error.

Each kind of work has threads of its own, and a model runs on the thread that asks it: a query never waits for a batch
of passages, which moreover run at a lower priority where the system has one for threads.
"""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from queue import SimpleQueue
from typing import Any, BinaryIO, cast

import numpy as np
from numpy.typing import NDArray

from memofs.embed.batches import by_length
from memofs.embed.messages import Embed, Failed, Reply, Request, Rows, decode_request, encode, read_frame, write_frame
from memofs.embed.model_files import ModelFiles
from memofs.embed.models import hash_of
from memofs.embed.pooling import (
    clamped,
    first_token,
    late_interaction,
    mean_of_tokens,
    require_finite,
    sigmoid,
    unit_rows,
)
from memofs.embed.protocol import EmbedderError, Kind, Matrix, Scores

__all__ = ["Loaded", "embedded", "load", "main", "reranked"]

NICENESS = 10
_MASK_TOKENS = ("[MASK]", "<mask>")
_NO_TELEMETRY = {"ORT_DISABLE_TELEMETRY": "1", "ORT_TELEMETRY_DISABLED": "1"}
"""onnxruntime from 1.30 on keeps a device id in the home folder and reports to its makers, unless one of these is set
before it is imported (1.32 reads the first, later releases the second; its own switch comes too late)."""


class Loaded:
    """A model in memory. Its session and tokenizer are used by several threads at once, which both allow."""

    def __init__(self, model: ModelFiles, session: Any, tokenizer: Any) -> None:
        self.model = model
        self.inputs: tuple[str, ...] = tuple(item.name for item in session.get_inputs())
        self.session = session
        self.tokenizer = tokenizer


def main() -> None:
    """Serve until the input ends. Does not return: the process exits with 0."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle; its end is ours
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    _serve(sys.stdin.buffer, output)
    os._exit(0)  # at once: a run under way answers nobody


def load(model: ModelFiles) -> Loaded:
    """The model, its files checked against their hashes and loaded. Raises EmbedderError with the reason."""
    _check_files(model)
    os.environ.update(_NO_TELEMETRY)
    try:
        import onnxruntime
        import tokenizers
    except ImportError as error:
        raise EmbedderError(
            "runtimeMissing",
            f"local models need onnxruntime and tokenizers: {error}",
            "Install MemoFS again (pip install --force-reinstall memofs); until then words alone are searched.",
        ) from error
    library = cast("Any", tokenizers)
    try:
        if model.tokenizer_format == "vocabulary":
            tokenizer = library.BertWordPieceTokenizer(model.tokenizer, lowercase=True)
        else:
            tokenizer = library.Tokenizer.from_file(model.tokenizer)
        tokenizer.no_padding()
        tokenizer.enable_truncation(model.max_tokens)
    except Exception as error:  # the library raises Exception itself
        raise EmbedderError("tokenizerBroken", f"{model.tokenizer} is not a tokenizer: {error}") from error
    try:
        session = _session(cast("Any", onnxruntime), model.weights[0])
    except Exception as error:  # whatever its parser and its kernels raise
        raise EmbedderError("modelBroken", f"{model.weights[0]} cannot be loaded: {error}") from error
    return Loaded(model, session, tokenizer)


def embedded(loaded: Loaded, texts: Sequence[str], kind: Kind) -> Matrix:
    """(n, dimension) unit rows of the texts, in their order. Raises EmbedderError (notFinite, dimension, modelBroken).

    No texts: (0, dimension), with the dimension that the settings give, else 0.
    """
    model = loaded.model
    prefix = model.query_prefix if kind == "query" else model.passage_prefix
    pooled = first_token if model.pooling == "cls" else mean_of_tokens
    rows: Matrix | None = None
    for batch, hidden, mask in _runs(loaded, [prefix + text for text in texts]):
        if hidden.ndim != 3:
            raise EmbedderError("modelBroken", f"{model.name} returns {hidden.ndim} axes, not a vector a token")
        vectors = pooled(hidden, mask)
        require_finite(vectors, model.name)
        if rows is None:
            rows = np.empty((len(texts), vectors.shape[1]), np.float32)
        rows[batch] = unit_rows(vectors)
    if rows is None:
        return np.empty((0, model.dimension), np.float32)
    if model.dimension not in (0, rows.shape[1]):
        raise EmbedderError(
            "dimension",
            f"{model.name} returns vectors of {rows.shape[1]} numbers, not of {model.dimension} as its settings say",
            "Correct `dimension` in the model's memofs.json.",
        )
    return rows


def reranked(loaded: Loaded, query: str, texts: Sequence[str]) -> Scores:
    """(n,) scores of the texts for the query, in their order. Raises EmbedderError (notFinite, modelBroken)."""
    if loaded.model.role == "lateInteraction":
        return _late_scores(loaded, query, texts)
    model = loaded.model
    scores = np.empty(len(texts), np.float32)
    pairs = [(model.query_prefix + query, model.passage_prefix + text) for text in texts]
    for batch, logits, _ in _runs(loaded, pairs):
        rows = logits.reshape(len(batch), -1)
        if rows.shape[1] > 2:
            raise EmbedderError("modelBroken", f"{model.name} returns {rows.shape[1]} numbers a pair, not 1 or 2")
        require_finite(rows, model.name)
        # Of two classes the second is "relevant": their softmax is the sigmoid of the difference.
        scores[batch] = sigmoid(rows[:, 0] if rows.shape[1] == 1 else rows[:, 1] - rows[:, 0])
    return scores


def _serve(requests: BinaryIO, replies: BinaryIO) -> None:
    writing, shelf = threading.Lock(), _Shelf()

    def reply(message: Reply) -> None:
        with writing:
            try:
                write_frame(replies, encode(message))
            except OSError:
                os._exit(0)  # nobody is there to answer

    def lane(nice: int) -> "SimpleQueue[Request]":
        queue: SimpleQueue[Request] = SimpleQueue()
        threading.Thread(target=_answer_all, args=(queue, shelf, reply, nice), daemon=True).start()
        return queue

    queries, reranks = lane(0), lane(0)
    passages = [lane(NICENESS) for _ in range(max(1, min(2, _processors())))]
    turn = 0
    while (frame := read_frame(requests)) is not None:
        request = decode_request(frame)
        if not isinstance(request, Embed):
            reranks.put(request)
        elif request.kind == "query":
            queries.put(request)
        else:
            passages[turn % len(passages)].put(request)
            turn += 1


def _answer_all(queue: "SimpleQueue[Request]", shelf: "_Shelf", reply: Callable[[Reply], None], nice: int) -> None:
    if nice and sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), nice)
    while True:
        request = queue.get()
        try:
            reply(_answer(request, shelf.take(request.model)))
        except EmbedderError as error:
            reply(Failed(id=request.id, reason=error.reason, message=error.message, hint=error.hint))
        except Exception as error:  # noqa: BLE001 - the request must be answered, and the process go on
            reply(Failed(id=request.id, reason="badAnswer", message=f"{request.model.name} failed: {error}"))


def _answer(request: Request, loaded: Loaded) -> Rows:
    if isinstance(request, Embed):
        rows = embedded(loaded, request.texts, request.kind)
    else:
        rows = reranked(loaded, request.query, request.texts).reshape(-1, 1)
    data = rows.astype("<f4", copy=False).tobytes()
    return Rows(id=request.id, count=rows.shape[0], dimension=rows.shape[1], data=data)


class _Shelf:
    """The models in memory. Invariant: each is loaded once, while whoever needs it waits."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._models: dict[ModelFiles, Loaded] = {}

    def take(self, model: ModelFiles) -> Loaded:
        with self._lock:
            if model not in self._models:
                self._models[model] = load(model)
            return self._models[model]


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def _check_files(model: ModelFiles) -> None:
    weights = [Path(path) for path in model.weights]
    missing = next((path for path in weights if not path.is_file()), None)
    if missing is not None:
        raise EmbedderError("modelMissing", f"the model is missing: {missing}")
    found_bytes = sum(path.stat().st_size for path in weights)
    if found_bytes < model.weights_bytes:
        raise EmbedderError(
            "modelTruncated", f"{weights[0]} has {found_bytes} bytes of {model.weights_bytes}", "Fetch the model again."
        )
    if hash_of(weights) != model.weights_sha256:
        raise EmbedderError("modelHash", f"{weights[0]} is not the model it should be", "Fetch the model again.")
    tokenizer = Path(model.tokenizer)
    if not tokenizer.is_file():
        raise EmbedderError("tokenizerMissing", f"the tokenizer is missing: {tokenizer}")
    if hash_of((tokenizer,)) != model.tokenizer_sha256:
        raise EmbedderError("tokenizerHash", f"{tokenizer} is not the model's tokenizer", "Fetch the model again.")


def _session(onnxruntime: Any, graph: str) -> Any:
    """One thread a run, no arena: with it the peak of memory is 458 MB against 286, and batches are no faster."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])


def _runs(
    loaded: Loaded, texts: "Sequence[str] | Sequence[tuple[str, str]]", pad_to: int = 0
) -> Iterator[tuple[list[int], NDArray[np.float32], NDArray[np.int64]]]:
    """For every batch its indices, what the model returns first, and the mask of its tokens, (b, t).

    `pad_to` fills shorter texts up with mask tokens, which take part.
    """
    encodings: list[Any] = loaded.tokenizer.encode_batch(list(texts)) if texts else []
    ids = [list[int](encoding.ids) for encoding in encodings]
    types = [list[int](encoding.type_ids) for encoding in encodings]
    if pad_to:
        filler = _mask_token(loaded)
        ids = [row + [filler] * (pad_to - len(row)) for row in ids]
        types = [row + [0] * (pad_to - len(row)) for row in types]
    for batch in by_length([len(row) for row in ids]):
        width = max(1, *(len(ids[index]) for index in batch))
        feed = {name: np.zeros((len(batch), width), np.int64) for name in _FEEDS}
        for row, index in enumerate(batch):
            length = len(ids[index])
            feed["input_ids"][row, :length] = ids[index]
            feed["token_type_ids"][row, :length] = types[index]
            feed["attention_mask"][row, :length] = 1
        yield batch, _run(loaded, feed), feed["attention_mask"]


_FEEDS = ("input_ids", "token_type_ids", "attention_mask")


def _run(loaded: Loaded, feed: dict[str, NDArray[np.int64]]) -> NDArray[np.float32]:
    unknown = [name for name in loaded.inputs if name not in feed]
    if unknown:
        raise EmbedderError("modelBroken", f"{loaded.model.name} wants inputs that are not known here: {unknown}")
    try:
        outputs = loaded.session.run(None, {name: feed[name] for name in loaded.inputs})
    except Exception as error:  # whatever its kernels raise
        raise EmbedderError("badAnswer", f"{loaded.model.name} does not run: {error}") from error
    return np.asarray(outputs[0], np.float32)


def _late_scores(loaded: Loaded, query: str, texts: Sequence[str]) -> Scores:
    model = loaded.model
    asked = next(_token_vectors(loaded, [model.query_prefix + query], model.query_tokens))[1]
    scores = np.empty(len(texts), np.float32)
    for index, passage in _token_vectors(loaded, [model.passage_prefix + text for text in texts]):
        scores[index] = late_interaction(asked, passage)
    return clamped(scores)


def _token_vectors(loaded: Loaded, texts: Sequence[str], pad_to: int = 0) -> Iterator[tuple[int, Matrix]]:
    """For every text its index and the unit vectors of its tokens, (t, d)."""
    for batch, hidden, mask in _runs(loaded, texts, pad_to):
        if hidden.ndim != 3:
            raise EmbedderError("modelBroken", f"{loaded.model.name} returns no vector a token")
        require_finite(hidden, loaded.model.name)
        for row, index in enumerate(batch):
            yield index, unit_rows(hidden[row][mask[row] > 0])


def _mask_token(loaded: Loaded) -> int:
    for token in _MASK_TOKENS:
        found = loaded.tokenizer.token_to_id(token)
        if found is not None:
            return int(found)
    raise EmbedderError("settings", f"{loaded.model.name} has no mask token, so `queryTokens` cannot be used")


if __name__ == "__main__":
    main()
