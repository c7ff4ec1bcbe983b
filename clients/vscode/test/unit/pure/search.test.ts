import { describe, expect, it } from 'vitest';
import { fromView } from '../../../src/pure/messages';
import { filtersFrom, Latest, NO_FILTERS, pieces, recallParams, row, shownResults } from '../../../src/pure/search';
import type { Hit } from '../../../src/wire';

const hit = (given: Partial<Hit> = {}): Hit => ({
  id: 'mem_1',
  title: 'Use D1',
  kind: 'decision',
  status: 'active',
  flags: [],
  snippet: 'D1 is near.',
  matches: { title: [], snippet: [] },
  uri: 'file:///w/.memofs/memory/a.md',
  path: '.memofs/memory/a.md',
  line: 0,
  anchors: [],
  tags: [],
  created: '2026-11-17T09:30:00Z',
  updated: null,
  verified: null,
  confidence: null,
  signals: null,
  ...given,
});

describe('pieces', () => {
  const shown = (text: string, spans: [number, number][]): string =>
    pieces(text, spans)
      .map((piece) => (piece.marked ? `[${piece.text}]` : piece.text))
      .join('');

  it.each<[string, [number, number][], string]>([
    ['database', [], 'database'],
    ['use a database', [[6, 14]], 'use a [database]'],
    [
      'use a database',
      [
        [6, 14],
        [0, 3],
      ],
      '[use] a [database]',
    ],
    [
      'overlapping',
      [
        [0, 6],
        [4, 8],
      ],
      '[overla][pp]ing',
    ],
    [
      'inside',
      [
        [0, 6],
        [1, 3],
      ],
      '[inside]',
    ],
    ['short', [[3, 99]], 'sho[rt]'],
    ['short', [[50, 99]], 'short'],
    ['é😀 x', [[4, 5]], 'é😀 [x]'],
    ['', [[0, 3]], ''],
  ])('%o with %o', (text, spans, wanted) => {
    expect(shown(text, spans)).toBe(wanted);
  });
});

describe('a row', () => {
  it('has the newest date, the words of its flags and a label for those who hear it', () => {
    const made = row(hit({ verified: '2026-12-01T00:00:00Z', flags: ['stale', 'wordsOnly', 'byMeaning'] }));
    expect(made).toMatchObject({
      date: '2026-12-01',
      flags: ['stale', 'by meaning'],
      stale: true,
      label: 'Use D1, decision, 2026-12-01, stale, by meaning',
    });
  });

  it('names three places at most, lines counted from 1', () => {
    const place = (line: number) => ({
      path: 'a.py',
      uri: 'file:///w/a.py',
      symbol: null,
      verdict: null,
      range: { start: { line, character: 0 }, end: { line: line + 2, character: 0 } },
    });
    expect(row(hit({ anchors: [place(0), place(9), place(19), place(29)] })).places).toEqual([
      'a.py:1-2',
      'a.py:10-11',
      'a.py:20-21',
    ]);
  });
});

it('an answer without hits has no rows and keeps its notice', () => {
  const shown = shownResults({
    revision: 1,
    degraded: ['embedder'],
    hits: [],
    weaker: 3,
    more: 0,
    notice: 'nothingRelevant',
  });
  expect(shown).toEqual({
    state: 'results',
    rows: [],
    more: 0,
    weaker: 3,
    notice: 'nothingRelevant',
    degraded: ['embedder'],
  });
});

describe('a question', () => {
  it('has only the fields that are set', () => {
    expect(recallParams(NO_FILTERS, 20)).toEqual({ query: '', limit: 20, explain: true, wait: false });
  });
  it('has every field that is set', () => {
    const filters = { ...NO_FILTERS, query: 'q', kind: 'decision', task: 'debug', staleOnly: true } as const;
    expect(recallParams(filters, 5)).toEqual({
      query: 'q',
      limit: 5,
      explain: true,
      wait: false,
      kinds: ['decision'],
      taskType: 'debug',
      flags: ['stale'],
    });
  });
});

it.each([null, 7, 'x', [], { query: 5, task: 'evil', staleOnly: 'yes', kind: {} }])(
  'fields that a view sent as %o are taken as empty',
  (value) => {
    expect(filtersFrom(value)).toEqual(NO_FILTERS);
  },
);

it.each([
  null,
  'ready',
  {},
  { type: 'eval' },
  { type: 'act', action: 'delete', id: 'mem_1' },
  { type: 'act', action: 'open' },
  { type: 'search', filters: {} },
  { type: 'setUp', what: 'workbench.action.quit' },
])('%o is no message of the view', (value) => {
  expect(fromView(value)).toBeUndefined();
});

it('only the latest question is current', () => {
  const latest = new Latest();
  const [first, second] = [latest.begin(), latest.begin()];
  expect([latest.isCurrent(first), latest.isCurrent(second)]).toEqual([false, true]);
});

it('what turns the direction of writing is left out of results, and marks stay where they are', () => {
  expect(pieces('a\u202eb \u2066pool\u2069 c', [[5, 9]])).toEqual([
    { text: 'ab ', marked: false },
    { text: 'pool', marked: true },
    { text: ' c', marked: false },
  ]);
});
