/** Ties every command of the tables to what it does. A failure is told to the person, whatever the command. */

import { commands, Disposable, window } from 'vscode';
import { COMMANDS, INTERNAL_COMMANDS } from '../names';
import { briefing, copyBriefing, expand } from './briefing';
import {
  copyCitation,
  openMemory,
  reanchor,
  retire,
  revealAnchor,
  showChanges,
  showMemories,
  verify,
} from './memories';
import { mute, unmute } from './mute';
import { remember, rememberInEditor } from './remember';
import { type Services, tellFailure } from './services';
import { doctor, init, install, openCore, restart, showLog, showMenu, showStale, undo } from './workspace';

type Name = keyof typeof COMMANDS | keyof typeof INTERNAL_COMMANDS;
type Run = (services: Services, given: unknown) => Promise<void> | void;

const RUNS: Readonly<Record<Name, Run>> = {
  recall: (services, given) => services.search.focus(typeof given === 'string' ? given : selected()),
  briefing,
  copyBriefing,
  expand,
  remember,
  rememberInEditor,
  openMemory,
  copyCitation,
  verify,
  retire,
  reanchor,
  showChanges,
  showStale,
  openCore,
  init,
  restart,
  showLog,
  doctor,
  mute,
  unmute,
  undo,
  install,
  showMenu,
  showMemories,
  revealAnchor,
};

export function registerCommands(services: () => Services): Disposable {
  const names = Object.entries({ ...COMMANDS, ...INTERNAL_COMMANDS }) as [Name, string][];
  return Disposable.from(
    ...names.map(([name, command]) =>
      commands.registerCommand(command, async (given: unknown) => {
        try {
          await RUNS[name](services(), given);
        } catch (error) {
          void tellFailure(error);
        }
      }),
    ),
  );
}

/** What is selected, where it is a word or a name rather than a passage. */
function selected(): string | undefined {
  const editor = window.activeTextEditor;
  if (editor === undefined || editor.selection.isEmpty || !editor.selection.isSingleLine) return undefined;
  return editor.document.getText(editor.selection).trim() || undefined;
}
