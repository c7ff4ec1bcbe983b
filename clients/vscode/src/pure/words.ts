/** Short words for dates, flags, verdicts and places. */

import type { AnchorView, Range, Verdict } from '../wire';

/** The day of an ISO time, empty for none. */
export function day(time: string | null | undefined): string {
  return time?.slice(0, 10) ?? '';
}

const FLAGS: Readonly<Record<string, string>> = {
  stale: 'stale',
  unverified: 'not verified lately',
  superseded: 'superseded',
  retired: 'retired',
  pending: 'pending',
  wordsOnly: 'by words alone',
  byMeaning: 'by meaning',
  byLexicon: 'by an expansion',
  via: 'by a relation',
};

export function flagWord(flag: string): string {
  return FLAGS[flag] ?? flag;
}

const VERDICTS: Readonly<Record<Verdict, string>> = {
  current: 'unchanged',
  moved: 'moved',
  reformatted: 'reformatted',
  changed: 'changed',
  missing: 'missing',
};

export function verdictWord(verdict: Verdict | null): string {
  return verdict === null ? 'not verified yet' : VERDICTS[verdict];
}

export function isStale(verdict: Verdict | null): boolean {
  return verdict === 'changed' || verdict === 'missing';
}

/** `src/db.py:12-40`, lines counted from 1; the path alone for a whole file. */
export function placeWord(anchor: Pick<AnchorView, 'path' | 'range'>): string {
  return anchor.range === null ? anchor.path : `${anchor.path}:${linesWord(anchor.range)}`;
}

function linesWord(range: Range): string {
  const first = range.start.line + 1;
  const last = lastLine(range) + 1;
  return first === last ? `${first}` : `${first}-${last}`;
}

/** The last line that a range takes something of: a range that ends at a line's start leaves that line out. */
export function lastLine(range: Range): number {
  return range.end.character === 0 && range.end.line > range.start.line ? range.end.line - 1 : range.end.line;
}
