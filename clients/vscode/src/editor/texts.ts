/**
 * Documents that no file stands behind: briefings, reports, code as it was.
 *
 * Invariant: a text is kept for as long as its document is open.
 */

import {
  commands,
  type Disposable,
  EventEmitter,
  type TextDocument,
  type TextDocumentContentProvider,
  Uri,
  window,
  workspace,
} from 'vscode';
import { CONTEXTS, SCHEMES } from '../names';
import type { SectionView } from '../wire';

export interface Leftover {
  readonly label: string;
  readonly cursor: string;
  readonly omitted: number;
}

export interface VirtualText {
  readonly text: string;
  /** A briefing has a root, and cursors to what it left out. */
  readonly briefing?: { readonly root: string; readonly leftovers: readonly Leftover[] };
}

export class Texts implements TextDocumentContentProvider, Disposable {
  private readonly texts = new Map<string, VirtualText>();
  private readonly emitter = new EventEmitter<Uri>();
  private readonly listening: Disposable[];
  private last = 0;
  readonly onDidChange = this.emitter.event;

  constructor() {
    this.listening = [
      workspace.registerTextDocumentContentProvider(SCHEMES.changes, this),
      workspace.registerTextDocumentContentProvider(SCHEMES.briefing, this),
      workspace.onDidCloseTextDocument((document) => this.texts.delete(document.uri.toString())),
      window.onDidChangeActiveTextEditor(() => this.tellContext()),
    ];
  }

  provideTextDocumentContent(uri: Uri): string {
    return this.texts.get(uri.toString())?.text ?? '';
  }

  /** The address of a new text; `name` is what its tab shows, and its ending says which language it is. */
  add(scheme: (typeof SCHEMES)[keyof typeof SCHEMES], name: string, text: VirtualText): Uri {
    this.last += 1;
    const uri = Uri.from({ scheme, path: `/${this.last}/${name.replace(/[\\/?#]/g, '_')}` });
    this.texts.set(uri.toString(), text);
    return uri;
  }

  of(uri: Uri | undefined): VirtualText | undefined {
    return uri === undefined ? undefined : this.texts.get(uri.toString());
  }

  async show(name: string, text: VirtualText): Promise<TextDocument> {
    const document = await workspace.openTextDocument(this.add(SCHEMES.briefing, name, text));
    await window.showTextDocument(document, { preview: true });
    this.tellContext();
    return document;
  }

  dispose(): void {
    for (const each of this.listening) each.dispose();
    this.emitter.dispose();
  }

  private tellContext(): void {
    const isBriefing = this.of(window.activeTextEditor?.document.uri)?.briefing !== undefined;
    void commands.executeCommand('setContext', CONTEXTS.briefing, isBriefing);
  }
}

/** What the sections of a briefing left out. */
export function leftoversOf(sections: readonly SectionView[]): readonly Leftover[] {
  return sections.flatMap(({ name, cursor, omitted }) => (cursor === null ? [] : [{ label: name, cursor, omitted }]));
}
