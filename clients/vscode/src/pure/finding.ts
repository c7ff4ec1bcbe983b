/**
 * Where the daemon's program may be, in the order in which it is looked for.
 *
 * Invariant: in a workspace that is not trusted, nothing that the workspace holds is named, neither by its settings nor
 * by an entry of PATH that leads into it.
 */

import { isAbsolute, join, resolve } from 'node:path';
import { contains } from './roots';

export interface Places {
  /** The setting, without what an untrusted workspace says. */
  readonly setting: readonly string[];
  readonly path: string;
  readonly home: string;
  readonly windows: boolean;
  readonly trusted: boolean;
  /** The root whose memory is wanted, then the workspace's folders. */
  readonly folders: readonly string[];
  /** The interpreter that the Python extension has chosen. */
  readonly interpreter: string | undefined;
}

export type Source = 'setting' | 'path' | 'interpreter' | 'environment';

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly source: Source;
}

/** Programs to try, first choice first. A setting that is set is the only choice. */
export function programs(places: Places): readonly Program[] {
  const [command, ...args] = places.setting;
  if (command !== undefined && command.trim() !== '') {
    return spelled(command.trim(), places).map((found) => ({ command: found, args, source: 'setting' }));
  }
  const found: Program[] = [];
  const add = (source: Source, folder: string): void => {
    found.push({ command: join(folder, executable('memofs', places.windows)), args: [], source });
  };
  for (const folder of pathFolders(places)) add('path', folder);
  if (places.trusted) {
    if (places.interpreter !== undefined) add('interpreter', join(places.interpreter, '..'));
    for (const folder of places.folders) {
      for (const name of ['.venv', 'venv']) add('environment', join(folder, name, places.windows ? 'Scripts' : 'bin'));
    }
  }
  return found;
}

/** The folders of PATH that may be used, and the one where `uv tool` and `pipx` put programs. */
export function pathFolders(places: Places): readonly string[] {
  const listed = places.path.split(places.windows ? ';' : ':').filter((folder) => isAbsolute(folder));
  const every = places.home === '' ? listed : [...listed, join(places.home, '.local', 'bin')];
  const allowed = every.filter(
    (folder) => places.trusted || !places.folders.some((workspace) => contains(workspace, folder)),
  );
  return [...new Set(allowed)];
}

function spelled(command: string, places: Places): readonly string[] {
  const root = places.folders[0];
  const named = command
    .replace(/^~(?=[/\\]|$)/, places.home)
    .replace(/\$\{workspaceFolder\}/g, root ?? '')
    .replace(/\$\{userHome\}/g, places.home);
  if (isAbsolute(named)) return [named];
  if (/[/\\]/.test(named)) return root === undefined ? [] : [resolve(root, named)];
  return pathFolders(places).map((folder) => join(folder, executable(named, places.windows)));
}

function executable(name: string, windows: boolean): string {
  return windows && !/\.exe$/i.test(name) ? `${name}.exe` : name;
}
