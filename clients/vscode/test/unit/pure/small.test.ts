/** The small pure parts: versions, waits, ways to install, citations, words, drafts, mutes, states. */

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { delayMs, failed, HEALTHY_MS, NO_FAILURES } from '../../../src/pure/backoff';
import { citation, oneLine } from '../../../src/pure/citation';
import { debounced } from '../../../src/pure/debounce';
import { anchorsLine, draft, nearest, slug } from '../../../src/pure/draft';
import { installWays } from '../../../src/pure/install';
import { muteChoices, unmuteOf } from '../../../src/pure/mutes';
import { bar, type ProjectState } from '../../../src/pure/state';
import { versionFit } from '../../../src/pure/version';
import { lastLine, placeWord } from '../../../src/pure/words';

it.each([
  ['0.1.0', 'fits'],
  ['0.1.1.dev3', 'fits'],
  ['0.2.0', 'fits'],
  ['0.0.9', 'daemonTooOld'],
  ['1.0.0', 'extensionTooOld'],
  ['dev', 'unknown'],
  [undefined, 'unknown'],
])('a daemon of version %s: %s', (version, wanted) => {
  expect(versionFit(version, '0.1.0')).toBe(wanted);
});

describe('waits', () => {
  it('grow with each failure, the first is none, and they end', () => {
    let failures = NO_FAILURES;
    const waits: (number | undefined)[] = [];
    for (let count = 0; count < 9; count += 1) {
      failures = failed(failures, 100);
      waits.push(delayMs(failures));
    }
    const known = waits.filter((wait) => wait !== undefined);
    expect(waits[0]).toBe(0);
    expect(known).toEqual([...known].sort((left, right) => left - right));
    expect(waits.at(-1)).toBeUndefined();
  });

  it('begin anew after a healthy run', () => {
    const before = failed(failed(failed(NO_FAILURES, 0), 0), 0);
    expect(delayMs(failed(before, HEALTHY_MS))).toBe(0);
  });
});

it.each([
  [
    ['uv', 'pipx', 'python3'],
    ['uv', 'pipx', 'pip'],
  ],
  [['python'], ['pip']],
  [[], []],
])('with %o there, the ways to install are %o', (there, wanted) => {
  expect(installWays((program) => there.some((each) => each === program), 'install').map(({ tool }) => tool)).toEqual(
    wanted,
  );
});

it('an update is said with the tool that there is', () => {
  expect(installWays((program) => program === 'uv', 'upgrade')[0]?.line).toBe('uv tool upgrade memofs');
});

describe('a citation', () => {
  it('names title, kind, id and file', () => {
    expect(citation({ id: 'mem_1', title: 'Use D1', kind: 'decision', path: '.memofs/memory/a.md' })).toBe(
      'Use D1 (decision, mem_1, .memofs/memory/a.md)',
    );
  });
  it.each([
    ['two\nlines', 'two lines'],
    ['bell\u0007', 'bell'],
    ['right\u202eleft', 'rightleft'],
    ['\u2028 a  b ', 'a b'],
  ])('is one line of what is seen: %o', (text, wanted) => {
    expect(oneLine(text)).toBe(wanted);
  });
});

describe('a place', () => {
  const range = (first: number, last: number, character: number) => ({
    start: { line: first, character: 0 },
    end: { line: last, character },
  });
  it.each([
    [range(0, 0, 5), 'a:1'],
    [range(0, 1, 0), 'a:1'],
    [range(4, 9, 3), 'a:5-10'],
    [null, 'a'],
  ])('%o is %s', (given, wanted) => {
    expect(placeWord({ path: 'a', range: given })).toBe(wanted);
  });
  it('an empty range stays in its line', () => {
    expect(lastLine(range(3, 3, 0))).toBe(3);
  });
});

describe('a draft', () => {
  it('is front matter with the anchor, and room below it', () => {
    expect(draft('decision', 'Say "no": always', { path: 'src/a b.ts', lines: [3, 9] })).toBe(
      '---\nkind: decision\ntitle: "Say \\"no\\": always"\nanchors:\n  - path: "src/a b.ts"\n    lines: 3-9\n---\n\n',
    );
  });
  it('of a whole file has no lines, of nothing no anchors', () => {
    expect(draft('note', 't', { path: 'a', lines: undefined })).not.toContain('lines:');
    expect(draft('note', 't', undefined)).not.toContain('anchors');
  });
  it.each([
    ['Use D1 for tenants!', 'use-d1-for-tenants'],
    ['Café über alles', 'cafe-uber-alles'],
    ['缓存必须先预热', '缓存必须先预热'],
    ['../../etc/passwd', 'etc-passwd'],
    ['///', 'memory'],
    ['x'.repeat(200), 'x'.repeat(60)],
  ])('%o becomes the file name %s', (title, wanted) => {
    expect(slug(title)).toBe(wanted);
  });
});

it.each([
  ['---\nid: x\nanchors:\n  - path: a\n---\nbody', 2],
  ['\ufeff---\r\nanchors:\r\n---\r\n', 1],
  ['---\nid: x\n---\nanchors:\n', undefined],
  ['---\nanchors:\n', undefined],
  ['anchors:\n---\n', undefined],
  ['', undefined],
])('the anchors of %o begin in line %o', (text, wanted) => {
  expect(anchorsLine(text)).toBe(wanted);
});

describe('mutes', () => {
  it('an anchor, its memory and its file can be muted', () => {
    const offered = muteChoices({ id: 'mem_1', anchorIndex: 1, uri: 'file:///a' });
    expect(offered.map(([choice]) => choice)).toEqual([
      'hereUntilChanged',
      'here',
      'hereLens',
      'hereWarning',
      'memory',
      'file',
      'fileLenses',
      'fileWarnings',
    ]);
    expect(offered[0]?.[1]).toEqual({ id: 'mem_1', anchorIndex: 1, until: 'changed' });
  });
  it('nothing to mute, nothing offered', () => {
    expect(muteChoices({})).toEqual([]);
  });
  it('is taken back by naming all that it names', () => {
    const mute = {
      scope: 'lens',
      since: null,
      memory: 'mem_1',
      title: 't',
      anchorIndex: 0,
      path: null,
      until: null,
    } as const;
    expect(unmuteOf(mute)).toEqual({ scope: 'lens', id: 'mem_1', anchorIndex: 0 });
  });
});

describe('the status bar', () => {
  const state = (given: Partial<ProjectState>): ProjectState => ({
    name: 'p',
    kind: 'ready',
    message: '',
    health: 'ok',
    work: '',
    stale: 0,
    ...given,
  });
  it.each<[string, ProjectState[], ReturnType<typeof bar>]>([
    ['quiet', [state({})], { icon: 'bookmark', count: 0, look: 'normal' }],
    ['sums', [state({ stale: 2 }), state({ stale: 3 })], { icon: 'bookmark', count: 5, look: 'normal' }],
    ['busy', [state({}), state({ work: 'vectors' })], { icon: 'sync~spin', count: 0, look: 'normal' }],
    [
      'failed wins',
      [state({ kind: 'starting' }), state({ kind: 'failed' })],
      { icon: 'error', count: 0, look: 'error' },
    ],
    ['missing', [state({ kind: 'missing' })], { icon: 'warning', count: 0, look: 'warning' }],
    ['ill', [state({ health: 'error' })], { icon: 'error', count: 0, look: 'error' }],
    ['a warning', [state({ health: 'warning' })], { icon: 'warning', count: 0, look: 'normal' }],
  ])('%s', (_, states, wanted) => {
    expect(bar(states)).toEqual(wanted);
  });
});

describe('debounced', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  it('runs once, after the last call', () => {
    const run = vi.fn();
    const call = debounced(100, run);
    call();
    vi.advanceTimersByTime(99);
    call();
    vi.advanceTimersByTime(99);
    expect(run).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(run).toHaveBeenCalledTimes(1);
  });
  it('cancelled, it does not run', () => {
    const run = vi.fn();
    const call = debounced(100, run);
    call();
    call.cancel();
    vi.advanceTimersByTime(1_000);
    expect(run).not.toHaveBeenCalled();
  });
});

it.each([
  ['where it was', 'ab ab ab', 'ab', 3, 3],
  ['moved down', 'xx ab', 'ab', 0, 3],
  ['moved up', 'ab xxxx', 'ab', 5, 0],
  ['the nearer of two', 'ab xxxxx ab', 'ab', 7, 9],
  ['gone', 'xyz', 'ab', 1, undefined],
])('a piece of text: %s', (_, text, piece, was, wanted) => {
  expect(nearest(text, piece, was)).toBe(wanted);
});
