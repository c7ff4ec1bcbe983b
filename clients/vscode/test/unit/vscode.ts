/**
 * What the tested modules use of VS Code, where there is no VS Code. Everything that is shown or asked of VS Code is
 * tested in the real one (tests/editors/vscode); here stand only values and events.
 */

import { URI, Utils } from 'vscode-uri';

export const Uri = Object.assign(URI, { joinPath: Utils.joinPath });
export type Uri = URI;

type Listener<T> = (value: T) => unknown;

export class EventEmitter<T> {
  private readonly listeners = new Set<Listener<T>>();
  readonly event = (listener: Listener<T>): Disposable => {
    this.listeners.add(listener);
    return new Disposable(() => this.listeners.delete(listener));
  };
  fire(value: T): void {
    for (const listener of [...this.listeners]) listener(value);
  }
  dispose(): void {
    this.listeners.clear();
  }
}

export class Disposable {
  constructor(private readonly run: () => unknown) {}
  static from(...each: { dispose(): unknown }[]): Disposable {
    return new Disposable(() => {
      for (const one of each) one.dispose();
    });
  }
  dispose(): void {
    this.run();
  }
}

export const l10n = {
  t: (text: string, ...values: unknown[]): string =>
    text.replace(/\{(\d+)\}/g, (whole, index: string) =>
      Number(index) in values ? String(values[Number(index)]) : whole,
    ),
};

interface Folder {
  readonly uri: URI;
}

/** The workspace of a test: `place` sets it. */
export const workspace = {
  isTrusted: true,
  workspaceFolders: [] as Folder[],
  textDocuments: [] as { uri: URI }[],
  settings: {} as Record<string, unknown>,
  getWorkspaceFolder: (uri: URI): Folder | undefined =>
    workspace.workspaceFolders.find((folder) => `${uri.fsPath}/`.startsWith(`${folder.uri.fsPath}/`)),
  getConfiguration: () => ({
    get: (name: string, otherwise?: unknown): unknown => workspace.settings[name] ?? otherwise,
  }),
};

export const window = {
  activeTextEditor: undefined as { document: { uri: URI } } | undefined,
  createOutputChannel: () => ({ info() {}, warn() {}, error() {}, debug() {}, dispose() {} }),
};

export const extensions = { getExtension: (): undefined => undefined };
