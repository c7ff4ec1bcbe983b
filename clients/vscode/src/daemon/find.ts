/** Finds the daemon's program on this machine, as `pure/finding` orders the places. */

import { access, constants, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { extensions, Uri, workspace } from 'vscode';
import { SETTINGS } from '../names';
import { type Places, type Program, pathFolders, programs } from '../pure/finding';

export interface Found {
  readonly program: Program | undefined;
  /** What the setting names, where it names something that is not there. */
  readonly wanted: string | undefined;
}

export async function findProgram(root: string): Promise<Found> {
  const places = await placesFor(root);
  for (const program of programs(places)) {
    if (await isExecutable(program.command)) return { program, wanted: undefined };
  }
  return { program: undefined, wanted: places.setting[0] };
}

/** Whether programs of these names are on PATH: for the offer to install. */
export async function whichOf(names: readonly string[]): Promise<ReadonlySet<string>> {
  const places = await placesFor(undefined);
  const found = new Set<string>();
  for (const name of names) {
    for (const folder of pathFolders(places)) {
      if (await isExecutable(`${folder}/${name}${places.windows ? '.exe' : ''}`)) {
        found.add(name);
        break;
      }
    }
  }
  return found;
}

async function placesFor(root: string | undefined): Promise<Places> {
  const folders = (workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath);
  const setting = workspace
    .getConfiguration(undefined, root === undefined ? undefined : Uri.file(root))
    .get<unknown>(SETTINGS.command);
  return {
    setting: Array.isArray(setting) ? setting.filter((part) => typeof part === 'string') : [],
    path: process.env.PATH ?? process.env.Path ?? '',
    home: homedir(),
    windows: process.platform === 'win32',
    trusted: workspace.isTrusted,
    folders: root === undefined ? folders : [root, ...folders],
    interpreter: workspace.isTrusted ? await interpreter(root) : undefined,
  };
}

/** The Python that the Python extension has chosen for the folder. */
async function interpreter(root: string | undefined): Promise<string | undefined> {
  const python = extensions.getExtension<unknown>('ms-python.python');
  if (python === undefined || root === undefined) return undefined;
  try {
    const api = (python.isActive ? python.exports : await python.activate()) as {
      environments?: { getActiveEnvironmentPath?: (resource: Uri) => { path?: string } };
    };
    const path = api.environments?.getActiveEnvironmentPath?.(Uri.file(root)).path;
    return path?.includes('/') || path?.includes('\\') ? path : undefined;
  } catch {
    return undefined;
  }
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
