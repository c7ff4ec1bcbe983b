import { describe, expect, it } from 'vitest';
import { contains, folderOf, futureRootOf, rootOf } from '../../../src/pure/roots';

const having = (...paths: string[]) => {
  const there = new Set(paths);
  return (path: string): boolean => there.has(path);
};

describe('the root of a folder', () => {
  it.each([
    ['its own', '/w/a', ['/w/a/.memofs'], '/w/a'],
    ['one above', '/w/a/b/c', ['/w/a/.memofs'], '/w/a'],
    ['the nearest of several', '/w/a/b/c', ['/w/.memofs', '/w/a/b/.memofs'], '/w/a/b'],
    ['the root of the disk', '/w', ['/.memofs'], '/'],
    ['none', '/w/a', ['/other/.memofs'], undefined],
    ['none where only a sibling has one', '/w/a', ['/w/ab/.memofs'], undefined],
  ])('is %s', (_, folder, there, root) => {
    expect(rootOf(folder, having(...there))).toBe(root);
  });

  it('will be the git top level, else the folder itself', () => {
    expect(futureRootOf('/w/a/b', having('/w/.git'))).toBe('/w');
    expect(futureRootOf('/w/a/b', having())).toBe('/w/a/b');
  });
});

describe('a file is looked up from', () => {
  it.each([
    ['/w/a/x.ts', '/w/a'],
    ['/w/.memofs/memory/x.md', '/w'],
    ['/w/.memofs/config.json', '/w'],
    ['/.memofs/memory/x.md', '/'],
  ])('%s: %s', (file, folder) => {
    expect(folderOf(file)).toBe(folder);
  });
});

it.each([
  ['/w', '/w', true],
  ['/w', '/w/a/b', true],
  ['/w', '/w..b', false],
  ['/w', '/w/..b', true],
  ['/w', '/wx', false],
  ['/w/a', '/w', false],
])('%s contains %s: %s', (folder, path, wanted) => {
  expect(contains(folder, path)).toBe(wanted);
});
