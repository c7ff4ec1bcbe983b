import io

import msgspec
import pytest

from memofs.embed.messages import (
    Embed,
    Failed,
    Rerank,
    Rows,
    decode_reply,
    decode_request,
    encode,
    read_frame,
    write_frame,
)
from memofs.embed.model_files import ModelFiles

MODEL = ModelFiles(
    name="tiny",
    role="embedder",
    weights=("/m/model.onnx",),
    weights_sha256="ab",
    weights_bytes=3,
    tokenizer="/m/tokenizer.json",
    tokenizer_sha256="cd",
)


@pytest.mark.parametrize(
    "request_",
    [Embed(id=1, model=MODEL, texts=("a", "ß\n\0"), kind="query"), Rerank(id=2, model=MODEL, query="q", texts=())],
)
def test_requests_come_out_as_they_went_in(request_: Embed | Rerank) -> None:
    assert decode_request(encode(request_)) == request_


@pytest.mark.parametrize(
    "reply",
    [Rows(id=1, count=1, dimension=2, data=b"12345678"), Failed(id=2, reason="modelHash", message="m", hint="h")],
)
def test_replies_come_out_as_they_went_in(reply: Rows | Failed) -> None:
    assert decode_reply(encode(reply)) == reply


def test_an_unknown_reason_is_refused() -> None:
    with pytest.raises(msgspec.DecodeError):
        decode_reply(msgspec.msgpack.encode({"type": "failed", "id": 1, "reason": "whim", "message": ""}))


def test_frames_follow_one_another() -> None:
    pipe = io.BytesIO()
    for frame in (b"one", b"", b"x" * 70_000):
        write_frame(pipe, frame)
    pipe.seek(0)
    assert [read_frame(pipe) for _ in range(4)] == [b"one", b"", b"x" * 70_000, None]


@pytest.mark.parametrize("cut", range(7))
def test_a_torn_frame_is_the_end_of_the_stream(cut: int) -> None:
    pipe = io.BytesIO()
    write_frame(pipe, b"four")
    assert read_frame(io.BytesIO(pipe.getvalue()[:cut])) is None


def test_an_absurd_length_is_refused_before_it_is_read() -> None:
    with pytest.raises(ValueError, match="a frame of 4294967295 bytes"):
        read_frame(io.BytesIO(b"\xff\xff\xff\xff"))
