/**
 * The root rule: a file belongs to the nearest folder above it that holds `.memofs`.
 *
 * Paths are the platform's own; whoever calls says what exists.
 */

import { dirname, join, relative, sep } from 'node:path';

export const MEMORY_FOLDER = '.memofs';

export type Exists = (path: string) => boolean;

/** The nearest of `folder` and the folders above it that holds a memory, undefined if none does. */
export function rootOf(folder: string, exists: Exists): string | undefined {
  for (let place = folder; ; place = dirname(place)) {
    if (exists(join(place, MEMORY_FOLDER))) return place;
    if (dirname(place) === place) return undefined;
  }
}

/** Where `memofs init` puts a memory for a folder that has none: the git top level, else the folder itself. */
export function futureRootOf(folder: string, exists: Exists): string {
  for (let place = folder; ; place = dirname(place)) {
    if (exists(join(place, '.git'))) return place;
    if (dirname(place) === place) return folder;
  }
}

/** Whether `path` is `folder` or lies below it. */
export function contains(folder: string, path: string): boolean {
  const between = relative(folder, path);
  return between === '' || !(between === '..' || between.startsWith(`..${sep}`) || /^[a-zA-Z]:/.test(between));
}

/** The folder that a file of the workspace is looked up from: its own, or the root itself inside of `.memofs`. */
export function folderOf(file: string): string {
  const parts = dirname(file).split(sep);
  const memory = parts.indexOf(MEMORY_FOLDER);
  return memory < 0 ? dirname(file) : parts.slice(0, memory).join(sep) || sep;
}
