/**
 * The anchors of visible documents, as the daemon last told them.
 *
 * Invariant: what is kept for a document is an answer to a question asked after its last known change, or one is on
 * its way; a document that nobody sees is forgotten.
 */

import { type Disposable, EventEmitter, type TextDocument, type Uri, window } from 'vscode';
import { log } from '../log';
import { sentence } from '../projects/failure';
import type { Projects } from '../projects/projects';
import type { AnchorRow } from '../wire';

const NONE: readonly AnchorRow[] = [];

export class Anchors implements Disposable {
  private readonly rows = new Map<string, readonly AnchorRow[]>();
  private readonly asking = new Set<string>();
  private readonly askAgain = new Set<string>();
  private readonly emitter = new EventEmitter<TextDocument>();
  private readonly listening: Disposable[];
  /** The anchors of a document are known anew. */
  readonly onDidChange = this.emitter.event;

  constructor(private readonly projects: Projects) {
    this.listening = [
      projects.onDidChangeAnchors(({ change }) => this.renewAt(change.uri)),
      projects.onDidChangeMemories(() => this.renewVisible()),
      projects.onDidChange(() => this.fetchMissing()),
      window.onDidChangeVisibleTextEditors(() => this.visibleChanged()),
    ];
    this.fetchMissing();
  }

  of(uri: Uri): readonly AnchorRow[] {
    return this.rows.get(uri.toString()) ?? NONE;
  }

  dispose(): void {
    for (const each of this.listening) each.dispose();
    this.emitter.dispose();
  }

  private visibleChanged(): void {
    const visible = new Set(window.visibleTextEditors.map((editor) => editor.document.uri.toString()));
    for (const uri of this.rows.keys()) if (!visible.has(uri)) this.rows.delete(uri);
    this.fetchMissing();
  }

  private fetchMissing(): void {
    for (const { document } of window.visibleTextEditors) {
      if (!this.rows.has(document.uri.toString())) void this.fetch(document);
    }
  }

  private renewVisible(): void {
    for (const { document } of window.visibleTextEditors) void this.fetch(document);
  }

  private renewAt(uri: string): void {
    const editors = window.visibleTextEditors;
    const same = editors.filter(({ document }) => isSame(document.uri, uri));
    // The daemon may spell a path in another way, through a link: then any of them may be meant.
    for (const { document } of same.length > 0 ? same : editors) void this.fetch(document);
  }

  private async fetch(document: TextDocument): Promise<void> {
    const key = document.uri.toString();
    const project = this.projects.of(document.uri);
    if (project === undefined || !project.isReady) {
      if (this.rows.delete(key)) this.emitter.fire(document);
      return;
    }
    if (this.asking.has(key)) {
      this.askAgain.add(key);
      return;
    }
    this.asking.add(key);
    try {
      const { anchors } = await project.request('anchors', { textDocument: { uri: key } });
      this.rows.set(key, anchors);
      this.emitter.fire(document);
    } catch (error) {
      log().debug(`anchors of ${key}: ${sentence(error)}`);
    } finally {
      this.asking.delete(key);
    }
    if (this.askAgain.delete(key)) void this.fetch(document);
  }
}

/** URIs of one file may be escaped in different ways. */
function isSame(uri: Uri, other: string): boolean {
  return uri.toString() === other || uri.toString(true) === decoded(other);
}

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}
