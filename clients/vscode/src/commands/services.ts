/** What the commands work with, made once by `activate`. */

import { commands, type ExtensionContext, l10n, window } from 'vscode';
import type { Anchors } from '../editor/anchors';
import type { Drafts } from '../editor/drafts';
import type { Texts } from '../editor/texts';
import { log } from '../log';
import { COMMANDS } from '../names';
import { failureOf, ProjectError } from '../projects/failure';
import type { Project } from '../projects/project';
import type { Projects } from '../projects/projects';
import type { SearchView } from '../views/search';
import type { StaleView } from '../views/stale';

export interface Services {
  readonly context: ExtensionContext;
  readonly projects: Projects;
  readonly anchors: Anchors;
  readonly texts: Texts;
  readonly drafts: Drafts;
  readonly search: SearchView;
  readonly stale: StaleView;
}

/** The project that a command means. Throws where there is none, saying what to do. */
export function projectFor(services: Services, root?: string): Project {
  const project = root === undefined ? services.projects.current : services.projects.at(root);
  if (project === undefined) {
    throw new ProjectError(
      l10n.t('There is no memory here yet'),
      l10n.t('initialise the workspace first'),
      'noProject',
    );
  }
  return project;
}

/** A failure in a message, with a way on where there is one. */
export async function tellFailure(error: unknown): Promise<void> {
  const { message, hint, code } = failureOf(error);
  log().error(hint === '' ? message : `${message} (${hint})`);
  const text = hint === '' ? message : `${message}: ${hint}`;
  const ways: Readonly<Record<string, readonly [string, string]>> = {
    missing: [l10n.t('Install…'), COMMANDS.install],
    daemonTooOld: [l10n.t('Update…'), COMMANDS.install],
    noProject: [l10n.t('Initialise'), COMMANDS.init],
  };
  const [label, command] = ways[code] ?? [l10n.t('Show Log'), COMMANDS.showLog];
  const chosen = await window.showErrorMessage(text, label);
  if (chosen === label) await commands.executeCommand(command);
}
