/**
 * The entry: puts the parts together and starts nothing that takes long.
 *
 * Invariant: `activate` only registers; programs are looked for and daemons started after it has returned.
 */

import { commands, type ExtensionContext, workspace } from 'vscode';
import { registerCommands } from './commands/register';
import type { Services } from './commands/services';
import { findProgram } from './daemon/find';
import { Anchors } from './editor/anchors';
import { Decorations } from './editor/decorations';
import { Drafts } from './editor/drafts';
import { Texts } from './editor/texts';
import { closeLog } from './log';
import { CONTEXTS, SETTINGS } from './names';
import { offerToInitialise, tellMissing } from './projects/offer';
import { Project } from './projects/project';
import { Projects } from './projects/projects';
import { HereView } from './views/here';
import { SearchView } from './views/search';
import { StaleView } from './views/stale';
import { StatusBar } from './views/statusBar';

export interface Api {
  /** Resolves once every folder's daemon answers, or it is known why it does not. */
  ready(): Promise<void>;
}

let running: Projects | undefined;

export function activate(context: ExtensionContext): Api {
  const projects = new Projects(
    (root, owns) =>
      new Project(root, {
        find: findProgram,
        open: async (options) => (await import('./projects/client')).openSession(options),
        owns,
      }),
  );
  running = projects;
  const anchors = new Anchors(projects);
  const texts = new Texts();
  const drafts = new Drafts();
  const search = new SearchView(context.extensionUri, projects);
  const stale = new StaleView(projects);
  const services: Services = { context, projects, anchors, texts, drafts, search, stale };
  context.subscriptions.push(
    anchors,
    texts,
    drafts,
    search,
    stale,
    new Decorations(context, anchors),
    new HereView(projects, anchors),
    new StatusBar(projects, stale),
    registerCommands(() => services),
    tellMissing(projects),
    projects.onDidChange(() => tellContexts(projects)),
    ...watchWorkspace(projects),
  );
  let begun: () => void = () => undefined;
  const beginning = new Promise<void>((resolve) => {
    begun = resolve;
  });
  setTimeout(() => {
    projects.update();
    begun();
    void offerToInitialise(context, projects);
  });
  // Nothing is offered before the workspace is trusted, nor for a folder that is not there yet.
  context.subscriptions.push(
    workspace.onDidGrantWorkspaceTrust(() => void offerToInitialise(context, projects)),
    workspace.onDidChangeWorkspaceFolders(() => void offerToInitialise(context, projects)),
  );
  return {
    ready: async () => {
      await beginning;
      await projects.settled();
    },
  };
}

export async function deactivate(): Promise<void> {
  await running?.close();
  running = undefined;
  closeLog();
}

function watchWorkspace(projects: Projects): { dispose(): void }[] {
  const memories = workspace.createFileSystemWatcher('**/.memofs/config.json', false, true, false);
  return [
    memories,
    memories.onDidCreate(() => projects.update()),
    memories.onDidDelete(() => projects.update()),
    workspace.onDidChangeWorkspaceFolders(() => projects.update()),
    workspace.onDidOpenTextDocument((document) => projects.opened(document.uri)),
    workspace.onDidGrantWorkspaceTrust(() => {
      tellContexts(projects);
      for (const project of projects.all) if (!project.isReady) project.restart('connection').catch(() => undefined);
    }),
    workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(SETTINGS.command)) {
        for (const project of projects.all) project.restart('connection').catch(() => undefined);
      }
      if (change.affectsConfiguration(SETTINGS.codeLens) || change.affectsConfiguration(SETTINGS.diagnostics)) {
        for (const project of projects.all) project.refresh(workspace.textDocuments);
      }
    }),
  ];
}

function tellContexts(projects: Projects): void {
  const tell = (name: string, value: boolean): void => void commands.executeCommand('setContext', name, value);
  const all = projects.all;
  tell(CONTEXTS.active, all.length > 0);
  tell(
    CONTEXTS.ready,
    all.some((project) => project.isReady),
  );
  tell(CONTEXTS.missing, all.length > 0 && all.every(({ state }) => state.kind === 'missing'));
  tell(CONTEXTS.uninitialised, projects.uninitialised.length > 0);
  tell(CONTEXTS.writable, workspace.isTrusted);
}
