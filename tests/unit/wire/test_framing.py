import pytest
from hypothesis import given
from hypothesis import strategies as st

from memofs.wire.framing import MAX_BODY_BYTES, FrameBuffer, FramingError, frame


@given(st.lists(st.binary(max_size=200), max_size=6), st.data())
def test_bodies_come_back_however_the_stream_is_cut(bodies: list[bytes], data: st.DataObject) -> None:
    stream = b"".join(frame(body) for body in bodies)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=8)))
    buffer = FrameBuffer()
    seen: list[bytes] = []
    for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        seen += buffer.feed(stream[start:end])
    assert seen == bodies


def test_other_headers_and_any_case_are_accepted() -> None:
    stream = b"content-type: application/json\r\nCONTENT-LENGTH:  2 \r\n\r\n{}"
    assert FrameBuffer().feed(stream) == [b"{}"]


@pytest.mark.parametrize(
    "stream",
    [
        b"Content-Length: two\r\n\r\n{}",
        b"Content-Length: -1\r\n\r\n",
        b"Content-Type: x\r\n\r\n{}",
        b"Content-Length: %d\r\n\r\n" % (MAX_BODY_BYTES + 1),
        b"x" * 9000,
    ],
)
def test_a_stream_that_cannot_be_trusted_is_an_error(stream: bytes) -> None:
    with pytest.raises(FramingError):
        FrameBuffer().feed(stream)
