/** Which roots there are, over real folders. */

import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Project } from '../../../src/projects/project';
import { Projects } from '../../../src/projects/projects';
import { Uri, window, workspace } from '../vscode';

let top: string;
let projects: Projects;

const folder = (path: string): string => {
  const made = join(top, path);
  mkdirSync(made, { recursive: true });
  return made;
};
const opened = (...paths: string[]): void => {
  workspace.workspaceFolders = paths.map((path) => ({ uri: Uri.file(join(top, path)) }));
};
const roots = (): string[] => projects.all.map(({ root }) => root.slice(top.length + 1)).sort();
const rootOf = (path: string): string | undefined => projects.of(Uri.file(join(top, path)))?.root.slice(top.length + 1);

beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'memofs-roots-')));
  workspace.isTrusted = true;
  workspace.textDocuments = [];
  window.activeTextEditor = undefined;
  projects = new Projects(
    (root, owns) =>
      new Project(root, {
        find: () => Promise.resolve({ program: undefined, wanted: undefined }),
        open: () => Promise.reject(new Error('not here')),
        owns,
      }),
  );
});

afterEach(async () => {
  await projects.close();
  workspace.workspaceFolders = [];
  rmSync(top, { recursive: true });
});

it('two folders of one root share a project; a folder without a root has none', () => {
  folder('api/.memofs');
  folder('api/src');
  folder('api/docs');
  folder('other');
  opened('api/src', 'api/docs', 'other');
  projects.update();
  expect(roots()).toEqual(['api']);
  expect(projects.uninitialised).toEqual([join(top, 'other')]);
});

it('a root nested in another begins with the first document of it, which is its own', () => {
  folder('all/.memofs');
  folder('all/one/.memofs');
  folder('all/one/src');
  folder('all/two');
  opened('all');
  projects.update();
  expect(roots()).toEqual(['all']);
  projects.opened(Uri.file(join(top, 'all/one/src/a.ts')));
  expect(roots()).toEqual(['all', 'all/one']);
  expect(rootOf('all/one/src/a.ts')).toBe('all/one');
  expect(rootOf('all/two/b.ts')).toBe('all');
  expect(rootOf('all/one/.memofs/memory/m.md')).toBe('all/one');
});

it('a document from outside of the workspace begins nothing', () => {
  folder('api/.memofs');
  folder('elsewhere/.memofs');
  opened('api');
  projects.update();
  projects.opened(Uri.file(join(top, 'elsewhere/a.ts')));
  expect(roots()).toEqual(['api']);
});

it('a memory that appears or goes is noticed when told to look', () => {
  folder('api');
  opened('api');
  projects.update();
  expect(roots()).toEqual([]);
  folder('api/.memofs');
  projects.update();
  expect(roots()).toEqual(['api']);
  rmSync(join(top, 'api/.memofs'), { recursive: true });
  projects.update();
  expect(roots()).toEqual([]);
});

it('the current project is that of the active editor, and stays it when another thing is active', () => {
  folder('one/.memofs');
  folder('two/.memofs');
  opened('one', 'two');
  projects.update();
  expect(projects.current?.name).toBe('one');
  window.activeTextEditor = { document: { uri: Uri.file(join(top, 'two/a.ts')) } };
  expect(projects.current?.name).toBe('two');
  window.activeTextEditor = undefined;
  expect(projects.current?.name).toBe('two');
});

it('a project for a folder without a memory is not listed, and goes when nothing came of it', () => {
  folder('new/.git');
  folder('new/src');
  opened('new/src');
  projects.update();
  const prospective = projects.prospective(join(top, 'new/src'));
  expect(prospective.root).toBe(join(top, 'new'));
  expect(roots()).toEqual([]);
  folder('new/.memofs');
  projects.update();
  expect(projects.all).toEqual([prospective]);
});
