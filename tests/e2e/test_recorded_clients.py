"""A session as VS Code, Neovim and Emacs hold it, by their recorded capabilities (pytest-lsp).

The client fails a test when the server asks for something that these capabilities do not offer.
"""

import asyncio
import sys
from collections.abc import AsyncGenerator, Callable
from typing import Any

import pytest
import pytest_asyncio
import pytest_lsp
from lsprotocol import types as lsp
from pytest_lsp import ClientServerConfig

from e2e.daemon_program import PATIENCE_S, Daemons
from e2e.tenants import CLOSE_LINE, CODE, OPEN_LINE, PATH

CLIENTS = ["visual-studio-code@v1.65.2", "neovim@v0.11.0", "neovim@v0.9.1", "emacs@v29.1"]
LOOK_S = 0.02


class Recorded:
    """One client with its session. pytest-lsp's own types are too loose to be of help here."""

    def __init__(self, client: Any, user: Daemons, name: str) -> None:
        self.client = client
        self.user = user
        self.name = name
        self.asked: list[str] = []
        self.capabilities: Any = None
        self.result: Any = None
        self._versions: dict[str, int] = {}

    def uri(self, path: str) -> str:
        return (self.user.root / path).as_uri()

    def document(self, path: str) -> lsp.TextDocumentIdentifier:
        return lsp.TextDocumentIdentifier(self.uri(path))

    def open(self, path: str, text: str) -> None:
        self._versions[path] = 1
        item = lsp.TextDocumentItem(self.uri(path), "python" if path.endswith(".py") else "markdown", 1, text)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))

    def edit(self, path: str, start: tuple[int, int], end: tuple[int, int], text: str) -> None:
        self._versions[path] += 1
        place = lsp.Range(lsp.Position(*start), lsp.Position(*end))
        named = lsp.VersionedTextDocumentIdentifier(version=self._versions[path], uri=self.uri(path))
        changes = [lsp.TextDocumentContentChangePartial(place, text)]
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(named, changes))

    async def warnings(self, path: str, *, some: bool) -> list[lsp.Diagnostic]:
        """The warnings once there are some, or none: published, or asked for where the client can be told to ask."""
        for _ in range(int(PATIENCE_S / LOOK_S)):
            if self.pulls:
                asked = lsp.DocumentDiagnosticParams(self.document(path))
                report = await self.client.text_document_diagnostic_async(asked)
                found = list(report.items)
            else:
                found = list(self.client.diagnostics.get(self.uri(path), ()))
            if bool(found) == some:
                return found
            await asyncio.sleep(LOOK_S)
        raise AssertionError("waited in vain")

    @property
    def pulls(self) -> bool:
        """Whether the server has the client ask for diagnostics."""
        return self.result.capabilities.diagnostic_provider is not None


@pytest_asyncio.fixture(params=CLIENTS)
async def recorded(request: pytest.FixtureRequest, user: Daemons) -> AsyncGenerator[Recorded]:
    """A session of the named client; shut down properly, and without a request that its capabilities do not offer."""
    config = ClientServerConfig(
        server_command=[sys.executable, "-m", "memofs", "lsp", "--root", str(user.root)],
        server_env={**user.workspace.environment(user.env)},
    )
    client: Any = await config.start()
    session = Recorded(client, user, str(request.param))
    for method in (
        lsp.CLIENT_REGISTER_CAPABILITY,
        lsp.WORKSPACE_CODE_LENS_REFRESH,
    ):
        client.feature(method)(_noted(session.asked, method))
    session.capabilities = pytest_lsp.client_capabilities(session.name)
    session.result = await client.initialize_session(
        lsp.InitializeParams(
            capabilities=session.capabilities,
            workspace_folders=[lsp.WorkspaceFolder(uri=user.root.as_uri(), name="tenants")],
            root_uri=user.root.as_uri(),
        )
    )
    yield session
    await client.shutdown_session()
    await client.stop()
    assert client.error is None


def _noted(asked: list[str], method: str) -> Callable[[object], None]:
    def note(_: object) -> None:
        asked.append(method)

    return note


@pytest.mark.asyncio
async def test_a_warning_comes_while_typing_is_verified_and_goes(recorded: Recorded) -> None:
    client = recorded.client
    recorded.open(PATH, CODE)
    assert await recorded.warnings(PATH, some=False) == []
    recorded.edit(PATH, (OPEN_LINE + 3, 15), (OPEN_LINE + 3, 19), "None")
    [warning] = await recorded.warnings(PATH, some=True)
    assert (warning.code, warning.source) == ("memofs.changed", "memofs")
    assert recorded.pulls is (recorded.uri(PATH) not in client.diagnostics)
    context = lsp.CodeActionContext(diagnostics=[warning])
    actions = await client.text_document_code_action_async(
        lsp.CodeActionParams(recorded.document(PATH), warning.range, context)
    )
    # lsprotocol reads an action with a command as a mere command: what it does is asked for by name.
    assert actions[0].title.startswith("Still true: verify")
    data: Any = warning.data
    memory: str = getattr(data, "memory", None) or data["memory"]
    await client.workspace_execute_command_async(lsp.ExecuteCommandParams("memofs.verify", [memory]))
    assert await recorded.warnings(PATH, some=False) == []
    recorded.edit(PATH, (OPEN_LINE + 3, 15), (OPEN_LINE + 3, 19), "path")
    assert len(await recorded.warnings(PATH, some=True)) == 1


@pytest.mark.asyncio
async def test_code_shows_what_is_remembered_of_it(recorded: Recorded) -> None:
    client = recorded.client
    recorded.open(PATH, CODE)
    hover = await client.text_document_hover_async(
        lsp.HoverParams(recorded.document(PATH), lsp.Position(OPEN_LINE + 2, 10))
    )
    assert "One file per tenant" in hover.contents.value
    formats = recorded.capabilities.text_document.hover.content_format
    assert hover.contents.kind in formats
    lenses = await client.text_document_code_lens_async(lsp.CodeLensParams(recorded.document(PATH)))
    assert [lens.range.start.line for lens in lenses] == [OPEN_LINE, CLOSE_LINE]
    assert all(lens.command is not None for lens in lenses)
    symbols = await client.workspace_symbol_async(lsp.WorkspaceSymbolParams("tenant file"))
    assert "One file per tenant" in [each.name for each in symbols]
    told: Any = await client.protocol.send_request_async("memofs/recall", {"query": "one file per tenant"})
    assert told.hits[0].title == "One file per tenant"


@pytest.mark.asyncio
async def test_memory_files_are_completed_linked_and_outlined(recorded: Recorded) -> None:
    client = recorded.client
    [path] = [
        str(each.relative_to(recorded.user.root))
        for each in (recorded.user.root / ".memofs" / "memory").glob("closing-*.md")
    ]
    text = (recorded.user.root / path).read_text(encoding="utf-8")
    lines = text.split("\n")
    recorded.open(path, text)
    kind = next(number for number, line in enumerate(lines) if line.startswith("kind:"))
    offered = await client.text_document_completion_async(
        lsp.CompletionParams(recorded.document(path), lsp.Position(kind, len(lines[kind])))
    )
    assert offered is None or "constraint" in [each.label for each in offered.items]
    anchor = next(number for number, line in enumerate(lines) if PATH in line)
    place = lsp.Position(anchor, lines[anchor].index(PATH) + 2)
    target = await client.text_document_definition_async(lsp.DefinitionParams(recorded.document(path), place))
    assert target.uri == recorded.uri(PATH)
    assert target.range.start.line == CLOSE_LINE
    links = await client.text_document_document_link_async(lsp.DocumentLinkParams(recorded.document(path)))
    assert any(link.target.startswith(recorded.uri(PATH)) for link in links)
    [outline] = await client.text_document_document_symbol_async(lsp.DocumentSymbolParams(recorded.document(path)))
    assert outline.name == "Closing is idempotent"
    folds = await client.text_document_folding_range_async(lsp.FoldingRangeParams(recorded.document(path)))
    assert folds[0].start_line == 0
