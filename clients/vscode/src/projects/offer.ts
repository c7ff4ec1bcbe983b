/** Offers that are made once: to set up a memory, to install the daemon. */

import { commands, type ExtensionContext, l10n, window, workspace } from 'vscode';
import { COMMANDS, SETTINGS } from '../names';
import type { Projects } from './projects';

const OFFERED = 'offeredToInitialise';

/** Offer a memory to a folder that has none; each folder is asked about once, ever. */
export async function offerToInitialise(context: ExtensionContext, projects: Projects): Promise<void> {
  if (!workspace.isTrusted || !workspace.getConfiguration().get<boolean>(SETTINGS.offerToInitialise, true)) return;
  const asked = context.globalState.get<readonly string[]>(OFFERED, []);
  const folder = projects.uninitialised.find((each) => !asked.includes(each));
  if (folder === undefined) return;
  await context.globalState.update(OFFERED, [...asked, folder]);
  const yes = l10n.t('Initialise');
  const never = l10n.t('Never Ask');
  const text = l10n.t(
    'Keep the memory of this project beside its code? MemoFS sets up the folder .memofs in {0}.',
    folder,
  );
  const chosen = await window.showInformationMessage(text, yes, l10n.t('Not Now'), never);
  if (chosen === yes) await commands.executeCommand(COMMANDS.init, folder);
  else if (chosen === never) await workspace.getConfiguration().update(SETTINGS.offerToInitialise, false, true);
}

/** Tell once a window that the daemon was not found, or is of a version that does not fit. */
export function tellMissing(projects: Projects): { dispose(): void } {
  const told = new Set<string>();
  return projects.onDidChange(() => {
    for (const { root, state } of projects.all) {
      if ((state.kind !== 'missing' && state.kind !== 'unfit') || told.has(`${root} ${state.kind}`)) continue;
      told.add(`${root} ${state.kind}`);
      void tell(state.kind === 'unfit' ? state.message : missingWord(state.wanted), state.kind === 'unfit');
    }
  });
}

function missingWord(wanted: string | undefined): string {
  return wanted === undefined
    ? l10n.t('This workspace has a memory, but the program “memofs” was not found.')
    : l10n.t('“{0}”, which the setting memofs.command names, was not found.', wanted);
}

async function tell(text: string, isOld: boolean): Promise<void> {
  const install = isOld ? l10n.t('Update…') : l10n.t('Install…');
  const settings = l10n.t('Settings');
  const chosen = await window.showWarningMessage(text, install, settings);
  if (chosen === install) await commands.executeCommand(COMMANDS.install);
  else if (chosen === settings) await commands.executeCommand('workbench.action.openSettings', SETTINGS.command);
}
