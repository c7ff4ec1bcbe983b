"""The daemon's own work, as an editor's progress: begun once, moved on, and ended.

Invariant: an editor sees at most one such progress at a time, and an end for every beginning; one that cannot show
progress is sent none.
"""

import secrets
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from memofs.wire.notify import ServerStatus

if TYPE_CHECKING:
    from memofs.server.editor.session import Editor

__all__ = ["Working"]

_TITLE = "MemoFS"


class Working:
    """One connection's."""

    def __init__(self, editor: "Editor") -> None:
        self._editor = editor
        self._token: str | None = None
        self._asking = False
        self._last: ServerStatus | None = None

    def told(self, status: ServerStatus) -> None:
        """Show the status. On the loop."""
        self._last = status
        window = self._editor.server.client_capabilities.window
        if window is None or not window.work_done_progress:
            return
        if self._asking:
            return  # what is last is shown once the editor has made room for it
        if status.quiescent:
            self._end()
        elif self._token is None:
            self._asking = True
            self._editor.start(self._begin())
        else:
            self._send(lsp.WorkDoneProgressReport(message=status.message, percentage=_percentage(status)))

    async def _begin(self) -> None:
        token = f"memofs-{secrets.token_hex(4)}"
        try:
            await self._editor.server.window_work_done_progress_create_async(
                lsp.WorkDoneProgressCreateParams(token=token)
            )
        except Exception:  # noqa: BLE001 - the editor has refused: it is shown nothing
            return
        finally:
            self._asking = False
        status = self._last
        if status is None or status.quiescent:
            return
        self._token = token
        self._send(
            lsp.WorkDoneProgressBegin(
                title=_TITLE, message=status.message, percentage=_percentage(status), cancellable=False
            )
        )

    def _end(self) -> None:
        if self._token is not None:
            self._send(lsp.WorkDoneProgressEnd())
            self._token = None

    def _send(self, value: lsp.WorkDoneProgressBegin | lsp.WorkDoneProgressReport | lsp.WorkDoneProgressEnd) -> None:
        assert self._token is not None  # noqa: S101 - begun
        self._editor.server.progress(lsp.ProgressParams(token=self._token, value=value))


def _percentage(status: ServerStatus) -> int | None:
    if status.done is None or not status.total:
        return None
    return min(100, 100 * status.done // status.total)
