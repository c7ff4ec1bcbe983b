"""A model folder with the right files in it, whatever is in them: enough for everything but loading."""

from pathlib import Path

import msgspec


def folder_of(path: Path, *, weights: bytes = b"weights", tokenizer: bytes = b"{}", **settings: object) -> Path:
    """The folder, with the settings in memofs.json if there are any."""
    path.mkdir(parents=True, exist_ok=True)
    (path / "model.onnx").write_bytes(weights)
    (path / "tokenizer.json").write_bytes(tokenizer)
    if settings:
        (path / "memofs.json").write_bytes(msgspec.json.encode(settings))
    return path
