"""Fetch a model from the Hugging Face Hub into a folder that `models.read_folder` accepts.

Invariants: one commit of the repository, every file checked against the hash the Hub states for it, and the folder in
its place whole or not at all. How the model is to be read (pooling, token limit, prefixes) is taken from the files
that sentence-transformers publishes beside the weights, and written to memofs.json together with the weights' hash.
"""

import hashlib
import re
import shutil
import tempfile
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from memofs.embed.model_files import ModelFiles, Pooling
from memofs.embed.models import SETTINGS_FILE, FolderSettings, hash_of, read_folder
from memofs.embed.protocol import EmbedderError

if TYPE_CHECKING:
    from huggingface_hub import HfFileMetadata
    from tqdm import tqdm

__all__ = ["Progress", "pull"]

Progress = Callable[[str, int, int], None]
"""Told the file, the bytes of it that are here, and its size (0: unknown)."""

WEIGHTS = ("model.onnx", "onnx/model.onnx")
MAX_TOKENS = 512
_OPTIONAL = ("1_Pooling/config.json", "sentence_bert_config.json", "config_sentence_transformers.json")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_SHA1 = re.compile(r"[0-9a-f]{40}")


class _PoolingConfig(msgspec.Struct, frozen=True, kw_only=True):
    pooling_mode_cls_token: bool = False
    pooling_mode_mean_tokens: bool = False


class _LengthConfig(msgspec.Struct, frozen=True, kw_only=True):
    max_seq_length: int | None = None


class _PromptConfig(msgspec.Struct, frozen=True, kw_only=True):
    prompts: Mapping[str, str] | None = None


def pull(
    repository: str,
    models_folder: Path,
    *,
    revision: str = "main",
    sha256: str | None = None,
    endpoint: str | None = None,
    progress: Progress | None = None,
) -> ModelFiles:
    """The model, fetched into `models_folder/<owner>--<name>`, in place of an older one of that name.

    `sha256` is what the weights must hash to, if the caller knows. `endpoint` is another Hub than the usual one.
    Raises EmbedderError: unreachable, modelMissing, tokenizerMissing, modelHash, key (a repository that wants a
    login), settings (a pooling that is not supported, a name that is none), runtimeMissing.
    """
    models_folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".pull-", dir=models_folder) as staging, _named_failures(repository):
        ready, source = Path(staging) / "ready", _Source(repository, revision, endpoint, Path(staging), progress)
        ready.mkdir()
        weights = _fetch_weights(source, ready)
        if not source.fetch("tokenizer.json", ready / "tokenizer.json"):
            raise EmbedderError("tokenizerMissing", f"{repository} has no tokenizer.json")
        found = hash_of(weights)
        if sha256 is not None and found != sha256.lower():
            raise EmbedderError("modelHash", f"the weights of {repository} have the SHA-256 {found}, not {sha256}")
        settings = _settings(source, found)
        (ready / SETTINGS_FILE).write_bytes(msgspec.json.format(msgspec.json.encode(settings), indent=2) + b"\n")
        destination = models_folder / repository.replace("/", "--")
        _put_in_place(ready, destination, Path(staging) / "old")
    return read_folder(destination)


class _Source:
    """One commit of a repository: the first file fixes it."""

    def __init__(
        self, repository: str, revision: str, endpoint: str | None, staging: Path, progress: Progress | None
    ) -> None:
        self.repository = repository
        self.revision = revision
        self._endpoint = endpoint
        self._cache = staging / "fetched"
        self._progress = progress

    def fetch(self, name: str, destination: Path) -> bool:
        """Whether the repository has the file, which then is at the destination, checked."""
        # The client's signatures name dicts and bars without saying of what.
        from huggingface_hub import (
            get_hf_file_metadata,  # pyright: ignore[reportUnknownVariableType]
            hf_hub_download,  # pyright: ignore[reportUnknownVariableType]
            hf_hub_url,
        )
        from huggingface_hub.errors import EntryNotFoundError

        url = hf_hub_url(self.repository, name, revision=self.revision, endpoint=self._endpoint)
        try:
            metadata = get_hf_file_metadata(url, endpoint=self._endpoint)
        except EntryNotFoundError:
            return False
        self.revision = metadata.commit_hash or self.revision
        fetched = Path(
            hf_hub_download(
                self.repository,
                name,
                revision=self.revision,
                endpoint=self._endpoint,
                local_dir=self._cache,
                tqdm_class=_reporting_bar(name, self._progress),
            )
        )
        _check(fetched, metadata, f"{self.repository}/{name}")
        fetched.replace(destination)
        return True

    def read(self, name: str) -> bytes | None:
        """What is in a small file, or None if the repository does not have it."""
        copy = self._cache.parent / "small.json"
        return copy.read_bytes() if self.fetch(name, copy) else None


def _reporting_bar(name: str, progress: Progress | None) -> "type[tqdm[object]]":
    """A progress bar that shows nothing and tells the caller instead."""
    from tqdm import tqdm

    class Bar(tqdm):  # pyright: ignore[reportMissingTypeArgument] - generic in its stubs only
        def __init__(self, *, total: float | None = None, initial: float = 0, **_: object) -> None:
            super().__init__((), total=total, initial=initial, disable=True)  # pyright: ignore[reportUnknownMemberType]

        def update(self, n: float | None = 1) -> bool | None:
            self.n += n or 0
            if progress is not None:
                progress(name, int(self.n), int(self.total or 0))
            return None

    return Bar


def _fetch_weights(source: _Source, ready: Path) -> list[Path]:
    for name in WEIGHTS:
        if source.fetch(name, ready / "model.onnx"):
            data = ready / "model.onnx_data"
            return [ready / "model.onnx", *([data] if source.fetch(f"{name}_data", data) else [])]
    raise EmbedderError(
        "modelMissing",
        f"{source.repository} has neither {WEIGHTS[0]} nor {WEIGHTS[1]}",
        "Choose a repository with an ONNX export, or export it yourself and name the folder.",
    )


def _settings(source: _Source, sha256: str) -> FolderSettings:
    pooling_file, length_file, prompt_file = (source.read(name) for name in _OPTIONAL)
    length = None if length_file is None else msgspec.json.decode(length_file, type=_LengthConfig).max_seq_length
    prompts = (msgspec.json.decode(prompt_file, type=_PromptConfig).prompts if prompt_file else None) or {}
    return FolderSettings(
        name=source.repository,
        pooling=_pooling(source.repository, pooling_file),
        max_tokens=min(MAX_TOKENS, max(8, length or 256)),
        query_prefix=prompts.get("query", ""),
        passage_prefix=prompts.get("document", prompts.get("passage", "")),
        sha256=sha256,
        source=f"{source.repository}@{source.revision}",
    )


def _pooling(repository: str, content: bytes | None) -> Pooling:
    if content is None:
        return "mean"
    config = msgspec.json.decode(content, type=_PoolingConfig)
    if config.pooling_mode_mean_tokens != config.pooling_mode_cls_token:
        return "cls" if config.pooling_mode_cls_token else "mean"
    raise EmbedderError("settings", f"{repository} pools in a way that is not supported (mean and cls are)")


def _check(path: Path, metadata: "HfFileMetadata", what: str) -> None:
    """Return if the file is what the Hub says: its SHA-256, or for small files git's hash of the blob."""
    stated = (metadata.etag or "").lower()
    kind: Literal["sha256", "git", ""] = (
        "sha256" if _SHA256.fullmatch(stated) else "git" if _SHA1.fullmatch(stated) else ""
    )
    if not kind:
        raise EmbedderError("modelHash", f"the Hub states no hash for {what}")
    found = hash_of((path,)) if kind == "sha256" else _git_hash(path)
    if found != stated:
        raise EmbedderError("modelHash", f"{what} arrived damaged: hash {found}, not {stated}", "Fetch it again.")


def _git_hash(path: Path) -> str:
    content = path.read_bytes()
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def _put_in_place(ready: Path, destination: Path, old: Path) -> None:
    if destination.exists():
        destination.replace(old)  # goes with the staging folder
    shutil.move(ready, destination)


@contextmanager
def _named_failures(repository: str) -> Generator[None]:
    """What the Hub's client raises, as EmbedderError."""
    try:
        from huggingface_hub.errors import (
            GatedRepoError,
            HFValidationError,
            RepositoryNotFoundError,
            RevisionNotFoundError,
        )
    except ImportError as error:
        raise EmbedderError(
            "runtimeMissing", f"fetching models needs huggingface_hub: {error}", "pip install huggingface_hub"
        ) from error
    try:
        yield
    except EmbedderError:
        raise
    except GatedRepoError as error:
        raise EmbedderError("key", f"{repository} wants a login", "Accept its terms and set HF_TOKEN.") from error
    except (RepositoryNotFoundError, RevisionNotFoundError) as error:
        raise EmbedderError("modelMissing", f"there is no {repository} on the Hub, or not that revision") from error
    except HFValidationError as error:
        raise EmbedderError("settings", f"{repository!r} does not name a repository: {error}") from error
    except msgspec.DecodeError as error:
        raise EmbedderError("settings", f"a settings file of {repository} cannot be read: {error}") from error
    except Exception as error:  # its HTTP client's errors differ from version to version
        raise EmbedderError("unreachable", f"{repository} could not be fetched: {error}") from error
