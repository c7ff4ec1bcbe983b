/**
 * A connection to the daemon over `memofs lsp`. The only module that loads vscode-languageclient, and itself loaded
 * only once there is a daemon to talk to: reading the library costs more than everything else of the start. It is a
 * bundle of its own, so it shares no state with the other modules.
 */

import { l10n, type TextDocument, Uri, window, workspace } from 'vscode';
import {
  CloseAction,
  CodeLensRefreshRequest,
  CodeLensRequest,
  DocumentDiagnosticRequest,
  type DynamicFeature,
  ErrorAction,
  ExecuteCommandRequest,
  FoldingRangeRequest,
  LanguageClient,
  type LanguageClientOptions,
  RevealOutputChannelOn,
  type StaticFeature,
} from 'vscode-languageclient/node';
import { EXTENSION, NOTIFICATIONS } from '../names';
import type { DidChangeAnchors, DidChangeMemories, ServerStatus } from '../wire';
import { middleware } from './middleware';
import { type OpenSession, SILENT } from './session';

/** How long a daemon may take to be there, on a machine that has much else to do. */
const START_MS = 30_000;

/** How long a daemon may take to say goodbye. */
const STOP_MS = 2_000;

/** VS Code asks for lenses 250 ms after an edit at the earliest; what is certain to lie before that is told by it. */
const ASKS_AFTER_MS = 230;

class Client extends LanguageClient {
  /** Leaves out the feature that makes VS Code commands of the server's: with two folders there would be two of each. */
  override registerFeature(feature: StaticFeature | DynamicFeature<unknown>): void {
    if ('registrationType' in feature && feature.registrationType.method === ExecuteCommandRequest.method) return;
    super.registerFeature(feature);
  }

  /** Start; a program that says nothing, or nothing that can be understood, is ended after a while. */
  async begin(): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        this.serverProcess?.kill(); // the library stops only what has started
        const message = l10n.t('The program does not answer as MemoFS does: look at memofs.command');
        reject(Object.assign(new Error(message), { data: { code: SILENT } }));
      }, START_MS);
    });
    try {
      await Promise.race([this.start(), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Faults are shown in the status bar and the views; the library's own messages go to the log. */
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

export const openSession: OpenSession = async ({ root, program, events, owns, log }) => {
  const options: LanguageClientOptions = {
    documentSelector: [{ scheme: 'file', pattern: { baseUri: Uri.file(root).toString(), pattern: '**/*' } }],
    workspaceFolder: { uri: Uri.file(root), name: root, index: 0 },
    outputChannel: log,
    traceOutputChannel: log,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    markdown: { isTrusted: false, supportHtml: false },
    initializationFailedHandler: () => false,
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      closed: () => {
        events.ended();
        return { action: CloseAction.DoNotRestart, handled: true };
      },
    },
    middleware: middleware(root, owns),
  };
  const server = { command: program.command, args: [...program.args, 'lsp'], options: { cwd: root } };
  const client = new Client(EXTENSION, 'MemoFS', server, options);
  client.onNotification(NOTIFICATIONS.didChangeMemories, (params: DidChangeMemories) => events.memoriesChanged(params));
  client.onNotification(NOTIFICATIONS.didChangeAnchors, (params: DidChangeAnchors) => events.anchorsChanged(params));
  client.onNotification(NOTIFICATIONS.serverStatus, (params: ServerStatus) => events.statusChanged(params));
  const edits = new Edits();
  await client.begin();
  // The library's own answer has every lens asked for, which puts off the asking that an edit has set going already.
  client.onRequest(CodeLensRefreshRequest.method, () => {
    const lenses = client.getFeature(CodeLensRequest.method);
    for (const { document } of window.visibleTextEditors) {
      if (!edits.isJust(document)) lenses.getProvider(document)?.onDidChangeCodeLensEmitter.fire();
    }
    return null;
  });
  return {
    version: client.initializeResult?.serverInfo?.version,
    request: (method, params, token) =>
      // A token that is undefined would be sent as a second param.
      token === undefined ? client.sendRequest<unknown>(method, params) : client.sendRequest(method, params, token),
    refresh: (documents) => refresh(client, documents),
    stop: async () => {
      edits.dispose();
      if (client.needsStop()) await client.stop(STOP_MS);
    },
  };
};

/** Which documents were edited so lately that VS Code has yet to ask for their lenses. */
class Edits {
  private readonly lastMs = new WeakMap<TextDocument, number>();
  private readonly listening = workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
    if (contentChanges.length > 0) this.lastMs.set(document, performance.now());
  });

  isJust(document: TextDocument): boolean {
    return performance.now() - (this.lastMs.get(document) ?? Number.NEGATIVE_INFINITY) < ASKS_AFTER_MS;
  }

  dispose(): void {
    this.listening.dispose();
  }
}

function refresh(client: LanguageClient, documents: readonly TextDocument[]): void {
  const lenses = client.getFeature(CodeLensRequest.method);
  const diagnostics = client.getFeature(DocumentDiagnosticRequest.method);
  const folding = client.getFeature(FoldingRangeRequest.method);
  for (const document of documents) {
    lenses.getProvider(document)?.onDidChangeCodeLensEmitter.fire();
    diagnostics?.getProvider(document)?.onDidChangeDiagnosticsEmitter.fire();
    folding.getProvider(document)?.onDidChangeFoldingRange.fire();
  }
}
