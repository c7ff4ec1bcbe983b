/** What a project asks of a connection to the daemon: the seam between the language client and everything else. */

import type { CancellationToken, LogOutputChannel, TextDocument, Uri } from 'vscode';
import type { Program } from '../pure/finding';
import type { DidChangeAnchors, DidChangeMemories, ServerStatus } from '../wire';

export interface Session {
  /** The daemon's version, as it says. */
  readonly version: string | undefined;
  request(method: string, params: object, token?: CancellationToken): Promise<unknown>;
  /** Have lenses, diagnostics and folds asked for again. */
  refresh(documents: readonly TextDocument[]): void;
  stop(): Promise<void>;
}

export interface SessionEvents {
  /** The connection ended without our asking. */
  ended(): void;
  memoriesChanged(change: DidChangeMemories): void;
  anchorsChanged(change: DidChangeAnchors): void;
  statusChanged(status: ServerStatus): void;
}

export interface SessionOptions {
  readonly root: string;
  readonly program: Program;
  readonly events: SessionEvents;
  readonly log: LogOutputChannel;
  /** Whether a document is this root's, and not that of a root nested in it. */
  owns(uri: Uri): boolean;
}

export type OpenSession = (options: SessionOptions) => Promise<Session>;

/** The code of the failure to start a program that does not answer: there is no use in trying again. */
export const SILENT = 'silent';
