"""Model folders small enough to build in a test: a tokenizer of a dozen words and an ONNX graph that looks them up.

The vector of a token is the one given for its word, so that a test can work out by hand what must come back.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, pre_tokenizers, processors

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
WORDS = ("north", "east", "south", "west", "good", "bad", "query", "passage")


def embedder_folder(folder: Path, vectors: Mapping[str, Sequence[float]], **settings: object) -> Path:
    """A folder with a model that returns, for every token, the vector given for its word, else zeros."""
    _write_tokenizer(folder)
    table = _table(vectors)
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"], axis=0)]
    _write_graph(folder, table, nodes, ["batch", "sequence", table.shape[1]])
    return _with_settings(folder, settings)


def cross_encoder_folder(folder: Path, values: Mapping[str, Sequence[float]], **settings: object) -> Path:
    """A folder with a model that returns, for every pair, the sum of the numbers given for its words."""
    _write_tokenizer(folder)
    table = _table(values)
    axes = numpy_helper.from_array(np.array([1], np.int64), "axes")
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["looked_up"], axis=0),
        helper.make_node("ReduceSum", ["looked_up", "axes"], ["logits"], keepdims=0),
    ]
    _write_graph(folder, table, nodes, ["batch", table.shape[1]], [axes])
    return _with_settings(folder, {"role": "crossEncoder", **settings})


def _table(vectors: Mapping[str, Sequence[float]]) -> NDArray[np.float32]:
    width = len(next(iter(vectors.values())))
    rows = [list(vectors.get(word, [0.0] * width)) for word in (*SPECIAL, *WORDS)]
    return np.array(rows, np.float32)


def _write_tokenizer(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    numbers = {word: number for number, word in enumerate((*SPECIAL, *WORDS))}
    tokenizer = Tokenizer(models.WordLevel(numbers, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", numbers["[CLS]"]), ("[SEP]", numbers["[SEP]"])],
    )
    tokenizer.save(str(folder / "tokenizer.json"))


def _write_graph(
    folder: Path,
    table: NDArray[np.float32],
    nodes: Sequence[onnx.NodeProto],
    shape: Sequence[str | int],
    more: Sequence[TensorProto] = (),
) -> None:
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "sequence"])
        for name in ("input_ids", "attention_mask", "token_type_ids")
    ]
    output = helper.make_tensor_value_info(nodes[-1].output[0], TensorProto.FLOAT, list(shape))
    graph = helper.make_graph(
        list(nodes), "tiny", inputs, [output], initializer=[numpy_helper.from_array(table, "table"), *more]
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    (folder / "model.onnx").write_bytes(model.SerializeToString())


def _with_settings(folder: Path, settings: Mapping[str, object]) -> Path:
    if settings:
        (folder / "memofs.json").write_bytes(msgspec.json.encode(settings))
    return folder
