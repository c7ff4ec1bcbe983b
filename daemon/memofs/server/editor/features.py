"""What an editor can ask for, put together: each feature registers itself for what the client supports."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from memofs.text.positions import Encoding

if TYPE_CHECKING:
    from memofs.server.editor.session import Editor

__all__ = ["register"]

ENCODINGS: Mapping[lsp.PositionEncodingKind, Encoding] = {
    lsp.PositionEncodingKind.Utf8: "utf-8",
    lsp.PositionEncodingKind.Utf16: "utf-16",
    lsp.PositionEncodingKind.Utf32: "utf-32",
}


def register(editor: "Editor") -> None:
    """Make the session's handlers known to its server."""

    @editor.server.feature(lsp.INITIALIZE)
    def _(params: lsp.InitializeParams) -> None:
        editor.client.name = params.client_info.name if params.client_info is not None else ""
        encoding = lsp.PositionEncodingKind(editor.server.workspace.position_encoding)
        editor.documents.encoding = editor.session.encoding = ENCODINGS[encoding]
