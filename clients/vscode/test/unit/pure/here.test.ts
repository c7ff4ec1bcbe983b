import { expect, it } from 'vitest';
import { grouped } from '../../../src/pure/here';
import type { AnchorRow, Verdict } from '../../../src/wire';

const anchor = (memory: string, first: number, last: number, verdict: Verdict = 'current'): AnchorRow => ({
  memory,
  title: memory,
  kind: 'note',
  anchorIndex: 0,
  path: 'a',
  uri: 'file:///a',
  range: { start: { line: first, character: 0 }, end: { line: last, character: 1 } },
  symbol: null,
  verdict,
  candidates: [],
  problem: null,
  muted: [],
});
const ids = (group: readonly { id: string }[]): string[] => group.map(({ id }) => id);

it('a memory is at the cursor if one of its anchors is, and stands there once', () => {
  const rows = [anchor('x', 0, 3), anchor('y', 2, 9), anchor('x', 20, 25), anchor('z', 30, 31)];
  const { atCursor, elsewhere } = grouped(rows, 22, 22);
  expect([ids(atCursor), ids(elsewhere)]).toEqual([['x'], ['y', 'z']]);
  expect(atCursor[0]?.rows).toHaveLength(2);
});

it.each([
  [22, 1],
  [1, 0],
  [50, 2],
])('of a memory with several anchors, at line %i the one is meant that is there, else the stale one', (line, index) => {
  const rows = [
    { ...anchor('x', 0, 3), anchorIndex: 0 },
    { ...anchor('x', 20, 25), anchorIndex: 1 },
    { ...anchor('x', 40, 45, 'changed'), anchorIndex: 2 },
  ];
  const { atCursor, elsewhere } = grouped(rows, line, line);
  expect([...atCursor, ...elsewhere].map(({ main }) => main.anchorIndex)).toEqual([index]);
});

it.each([
  [1, 1, []],
  [2, 2, ['x']],
  [4, 4, ['x']],
  [5, 5, []],
  [0, 9, ['x']],
])('lines %i to %i touch lines 2 to 4: %o', (first, last, wanted) => {
  expect(ids(grouped([anchor('x', 2, 4)], first, last).atCursor)).toEqual(wanted);
});

it('a whole-file anchor is elsewhere, and one stale anchor makes a memory stale', () => {
  const whole = { ...anchor('w', 0, 0), range: null };
  const { elsewhere } = grouped([whole, anchor('w', 5, 6, 'changed')], 0, 0);
  expect(elsewhere).toMatchObject([{ id: 'w', stale: true }]);
});
