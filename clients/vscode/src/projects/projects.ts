/**
 * The roots of the workspace that have a memory, one project each.
 *
 * Invariant: a document belongs to the project of the nearest folder above it that holds `.memofs`, whatever workspace
 * folder it is in; two workspace folders below one root share its project; a root nested in another has its own, begun
 * when a document of it is opened.
 */

import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { Disposable, EventEmitter, type Uri, window, workspace } from 'vscode';
import { folderOf, futureRootOf, rootOf } from '../pure/roots';
import type { DidChangeAnchors, DidChangeMemories } from '../wire';
import type { Project } from './project';

export interface ProjectEvent<T> {
  readonly project: Project;
  readonly change: T;
}

type MakeProject = (root: string, owns: (uri: Uri) => boolean) => Project;

export class Projects implements Disposable {
  private readonly byRoot = new Map<string, Project>();
  private readonly rootsOfFolders = new Map<string, string | undefined>();
  private readonly listening = new Map<Project, Disposable>();
  private lastCurrent: Project | undefined;

  private readonly changedEmitter = new EventEmitter<void>();
  private readonly memoriesEmitter = new EventEmitter<ProjectEvent<DidChangeMemories>>();
  private readonly anchorsEmitter = new EventEmitter<ProjectEvent<DidChangeAnchors>>();
  /** Projects came or went, or the state of one changed. */
  readonly onDidChange = this.changedEmitter.event;
  readonly onDidChangeMemories = this.memoriesEmitter.event;
  readonly onDidChangeAnchors = this.anchorsEmitter.event;

  constructor(private readonly make: MakeProject) {}

  get all(): readonly Project[] {
    return [...this.byRoot.values()].filter((project) => this.hasMemory(project.root));
  }

  /** The workspace's folders that no root is above of. */
  get uninitialised(): readonly string[] {
    return this.folders().filter((folder) => this.rootOfFolder(folder) === undefined);
  }

  at(root: string): Project | undefined {
    return this.byRoot.get(root);
  }

  /** The project of a file, undefined where there is none. */
  of(uri: Uri): Project | undefined {
    const root = this.rootOfFile(uri);
    return root === undefined ? undefined : this.byRoot.get(root);
  }

  /** The project that a command means when nothing says which: that of the active editor, else the last such. */
  get current(): Project | undefined {
    const editor = window.activeTextEditor;
    const here = editor === undefined ? undefined : this.of(editor.document.uri);
    if (here !== undefined) this.lastCurrent = here;
    const last = this.lastCurrent;
    return last !== undefined && this.byRoot.has(last.root) ? last : this.all[0];
  }

  /** Look again which roots there are; new ones are started, those that are gone are closed. */
  update(): void {
    this.rootsOfFolders.clear();
    const wanted = new Set<string>();
    for (const folder of this.folders()) {
      const root = this.rootOfFolder(folder);
      if (root !== undefined) wanted.add(root);
    }
    for (const document of workspace.textDocuments) {
      const root = this.wantedOf(document.uri);
      if (root !== undefined) wanted.add(root);
    }
    for (const [root, project] of this.byRoot) if (!wanted.has(root)) this.remove(root, project);
    for (const root of wanted) this.begin(root);
    this.changedEmitter.fire();
  }

  /** A document was opened: begin the project of a root that was not known yet. */
  opened(uri: Uri): void {
    const root = this.wantedOf(uri);
    if (root !== undefined && !this.byRoot.has(root)) {
      this.begin(root);
      this.changedEmitter.fire();
    }
  }

  /** A project for a folder that has no memory yet, to set one up with; `update` keeps it once there is one. */
  prospective(folder: string): Project {
    return this.begin(futureRootOf(folder, isThere));
  }

  /** Every project that is starting has started or given up. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.byRoot.values()].map((project) => project.start()));
  }

  async close(): Promise<void> {
    const closing = [...this.byRoot.values()].map((project) => project.close());
    this.dispose();
    await Promise.allSettled(closing);
  }

  dispose(): void {
    for (const [root, project] of this.byRoot) this.remove(root, project);
    for (const emitter of [this.changedEmitter, this.memoriesEmitter, this.anchorsEmitter]) emitter.dispose();
  }

  private begin(root: string): Project {
    const known = this.byRoot.get(root);
    if (known !== undefined) return known;
    const project = this.make(root, (uri) => this.rootOfFile(uri) === root);
    this.byRoot.set(root, project);
    this.listening.set(
      project,
      Disposable.from(
        project.onDidChangeState(() => this.changedEmitter.fire()),
        project.onDidChangeMemories((change) => this.memoriesEmitter.fire({ project, change })),
        project.onDidChangeAnchors((change) => this.anchorsEmitter.fire({ project, change })),
      ),
    );
    project.start().catch(() => undefined); // its state says what failed
    return project;
  }

  private remove(root: string, project: Project): void {
    this.byRoot.delete(root);
    this.listening.get(project)?.dispose();
    this.listening.delete(project);
    project.dispose();
  }

  private folders(): readonly string[] {
    return (workspace.workspaceFolders ?? [])
      .filter((folder) => folder.uri.scheme === 'file')
      .map((folder) => folder.uri.fsPath);
  }

  /** The root of a document of the workspace: files from elsewhere begin no daemon. */
  private wantedOf(uri: Uri): string | undefined {
    return workspace.getWorkspaceFolder(uri) === undefined ? undefined : this.rootOfFile(uri);
  }

  private rootOfFile(uri: Uri): string | undefined {
    return uri.scheme === 'file' ? this.rootOfFolder(folderOf(uri.fsPath)) : undefined;
  }

  private rootOfFolder(folder: string): string | undefined {
    if (this.rootsOfFolders.has(folder)) return this.rootsOfFolders.get(folder);
    const root = rootOf(folder, isThere);
    for (let place = folder; ; place = dirname(place)) {
      this.rootsOfFolders.set(place, root);
      if (place === root || dirname(place) === place) break;
    }
    return root;
  }

  private hasMemory(root: string): boolean {
    return this.rootOfFolder(root) === root;
  }
}

/** Git's worktrees have a file `.git`, so anything of that name counts. */
function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
