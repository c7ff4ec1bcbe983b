"""Fetching a model, through the Hub's own client, from a server on this machine that speaks the Hub's protocol."""

import hashlib
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from memofs.embed.models import read_folder
from memofs.embed.protocol import EmbedderError
from memofs.embed.pull import pull

COMMIT = "0123456789abcdef0123456789abcdef01234567"
WEIGHTS = b"weights " * 100_000
FILES: Mapping[str, bytes] = {
    "onnx/model.onnx": WEIGHTS,
    "tokenizer.json": b"{}",
    "1_Pooling/config.json": b'{"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": false}',
    "sentence_bert_config.json": b'{"max_seq_length": 128, "do_lower_case": false}',
    "config_sentence_transformers.json": b'{"prompts": {"query": "query: ", "document": "passage: "}}',
}


@contextmanager
def hub(files: Mapping[str, bytes], *, status: int = 200, damage: str | None = None) -> Generator[str]:
    """A Hub with one repository, own/tiny. `damage` names a file whose content is not what its hash says."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_HEAD(self) -> None:
            self._answer(with_content=False)

        def do_GET(self) -> None:
            self._answer(with_content=True)

        def _answer(self, *, with_content: bool) -> None:
            prefix, _, rest = self.path.partition("/resolve/")
            revision, _, name = rest.partition("/")
            found = status
            if prefix != "/own/tiny":
                found, error = 404, "RepoNotFound"
            elif revision not in ("main", COMMIT):
                found, error = 404, "RevisionNotFound"
            elif name not in files:
                found, error = 404, "EntryNotFound"
            else:
                error = "GatedRepo" if status == 403 else ""
            content = files.get(name, b"") if found == 200 else b""
            self.send_response(found)
            self.send_header("X-Repo-Commit", COMMIT)
            if error:
                self.send_header("X-Error-Code", error)
            self.send_header("ETag", f'"{stated_hash(name, content)}"')
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            if with_content:
                self.wfile.write(content[::-1] if name == damage else content)

        def log_message(self, format: str, *args: object) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def stated_hash(name: str, content: bytes) -> str:
    """As the Hub states it: the SHA-256 of large files, git's hash of small ones."""
    if name.endswith("model.onnx"):
        return hashlib.sha256(content).hexdigest()
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def failure_of(endpoint: str, folder: Path, repository: str = "own/tiny", sha256: str | None = None) -> EmbedderError:
    with pytest.raises(EmbedderError) as caught:
        pull(repository, folder, endpoint=endpoint, sha256=sha256)
    assert [path.name for path in folder.iterdir()] == [], "nothing half-fetched is left"
    return caught.value


def test_a_model_is_fetched_with_how_it_is_to_be_read(tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    with hub(FILES) as endpoint:
        model = pull(
            "own/tiny", tmp_path, endpoint=endpoint, progress=lambda name, done, size: told.append((name, done, size))
        )
    assert model == read_folder(tmp_path / "own--tiny")
    assert (model.name, model.pooling, model.max_tokens) == ("own/tiny", "cls", 128)
    assert (model.query_prefix, model.passage_prefix) == ("query: ", "passage: ")
    assert model.weights_sha256 == hashlib.sha256(WEIGHTS).hexdigest()
    assert [path.name for path in tmp_path.iterdir()] == ["own--tiny"]
    assert ("onnx/model.onnx", len(WEIGHTS), len(WEIGHTS)) in told
    settings = (tmp_path / "own--tiny" / "memofs.json").read_text()
    assert f"own/tiny@{COMMIT}" in settings


def test_what_is_not_published_has_defaults(tmp_path: Path) -> None:
    with hub({"model.onnx": WEIGHTS, "tokenizer.json": b"{}"}) as endpoint:
        model = pull("own/tiny", tmp_path, endpoint=endpoint)
    assert (model.pooling, model.max_tokens, model.query_prefix) == ("mean", 256, "")


def test_fetching_again_takes_the_old_ones_place(tmp_path: Path) -> None:
    with hub({"model.onnx": WEIGHTS, "tokenizer.json": b"{}"}) as endpoint:
        old = pull("own/tiny", tmp_path, endpoint=endpoint)
    with hub({"model.onnx": b"new", "tokenizer.json": b"{}"}) as endpoint:
        new = pull("own/tiny", tmp_path, endpoint=endpoint)
    assert old.weights_sha256 != new.weights_sha256
    assert [path.name for path in tmp_path.iterdir()] == ["own--tiny"]


def test_the_caller_may_know_the_hash(tmp_path: Path) -> None:
    known = hashlib.sha256(WEIGHTS).hexdigest()
    with hub(FILES) as endpoint:
        assert failure_of(endpoint, tmp_path, sha256="0" * 64).reason == "modelHash"
        assert pull("own/tiny", tmp_path, endpoint=endpoint, sha256=known.upper()).weights_sha256 == known


@pytest.mark.parametrize("damage", ["onnx/model.onnx", "tokenizer.json"])
def test_a_damaged_file_is_not_kept(tmp_path: Path, damage: str) -> None:
    with hub({**FILES, "tokenizer.json": b'{"a": 1}'}, damage=damage) as endpoint:
        error = failure_of(endpoint, tmp_path)
    assert error.reason == "modelHash"
    assert damage in error.message


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"tokenizer.json": b"{}"}, "modelMissing"),
        ({"model.onnx": WEIGHTS}, "tokenizerMissing"),
        ({**FILES, "1_Pooling/config.json": b'{"pooling_mode_max_tokens": true}'}, "settings"),
        ({**FILES, "1_Pooling/config.json": b"no json"}, "settings"),
    ],
)
def test_a_repository_that_cannot_be_used_is_named(tmp_path: Path, files: Mapping[str, bytes], reason: str) -> None:
    with hub(files) as endpoint:
        assert failure_of(endpoint, tmp_path).reason == reason


def test_a_repository_that_is_not_there(tmp_path: Path) -> None:
    with hub(FILES) as endpoint:
        assert failure_of(endpoint, tmp_path, "own/other").reason == "modelMissing"
        assert failure_of(endpoint, tmp_path, "not a name").reason == "settings"


def test_a_repository_that_wants_a_login(tmp_path: Path) -> None:
    with hub(FILES, status=403) as endpoint:
        assert failure_of(endpoint, tmp_path).reason == "key"


def test_without_a_network_it_says_so(tmp_path: Path) -> None:
    with hub(FILES) as endpoint:
        pass  # the port is free again, and nobody listens
    assert failure_of(endpoint, tmp_path).reason == "unreachable"
