/**
 * Memory files that a person is writing: once one is saved, its anchor gets its mark, as the daemon's own `remember`
 * would have put it down.
 */

import { type Disposable, type TextDocument, Uri, workspace } from 'vscode';
import { log } from '../log';
import { sentence } from '../projects/failure';
import type { Project } from '../projects/project';

/** How long the daemon may take to notice a new file. */
const PATIENCE_MS = 10_000;

export class Drafts implements Disposable {
  private readonly open = new Map<string, Project>();
  private readonly listening: Disposable;

  constructor() {
    this.listening = workspace.onDidSaveTextDocument((document) => {
      const key = document.uri.toString();
      const project = this.open.get(key);
      if (project === undefined || !this.open.delete(key)) return;
      mark(project, document).catch((error: unknown) => log().warn(`${key}: ${sentence(error)}`));
    });
  }

  /** Wait for the file to be saved. */
  add(file: Uri, project: Project): void {
    this.open.set(file.toString(), project);
  }

  dispose(): void {
    this.listening.dispose();
  }
}

async function mark(project: Project, document: TextDocument): Promise<void> {
  const id = await idOf(project, document.uri.toString());
  if (id !== undefined) await project.request('verify', { ids: [id] });
}

/** The id of the memory in a file, once the daemon has read it. */
function idOf(project: Project, uri: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const done = (id: string | undefined): void => {
      clearTimeout(timer);
      watching.dispose();
      resolve(id);
    };
    const look = async (): Promise<void> => {
      const { memories } = await project.request('list', { sort: 'created', limit: 50 });
      const own = memories.find((memory) => Uri.file(`${project.root}/${memory.path}`).toString() === uri);
      if (own !== undefined) done(own.id);
    };
    const watching = project.onDidChangeMemories(() => void look().catch(() => undefined));
    const timer = setTimeout(() => done(undefined), PATIENCE_MS);
    void look().catch(() => undefined);
  });
}
