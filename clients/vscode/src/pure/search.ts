/**
 * The search view's state and what follows from it, without a browser and without an editor.
 *
 * Invariant: an answer is shown only if it belongs to the latest question.
 */

import type { Hit, RecallParams, RecallResult, Span, TaskType } from '../wire';
import { citation, oneLine } from './citation';
import { day, flagWord, placeWord } from './words';

export interface Filters {
  readonly query: string;
  readonly kind: string;
  readonly task: TaskType | '';
  readonly staleOnly: boolean;
  /** The root to search, empty for that of the active editor. */
  readonly root: string;
}

export const NO_FILTERS: Filters = { query: '', kind: '', task: '', staleOnly: false, root: '' };

export const TASKS: readonly TaskType[] = ['coding', 'debug', 'refactor', 'docs', 'general'];
export const KINDS = ['decision', 'constraint', 'preference', 'note', 'reference', 'goal', 'summary'] as const;

/** A piece of text, marked where it matched. */
export interface Piece {
  readonly text: string;
  readonly marked: boolean;
}

export interface Row {
  readonly id: string;
  readonly title: readonly Piece[];
  readonly snippet: readonly Piece[];
  readonly kind: string;
  readonly date: string;
  readonly flags: readonly string[];
  readonly stale: boolean;
  readonly places: readonly string[];
  readonly why: readonly string[];
  readonly label: string;
}

/** What the view shows: it goes to the webview as it is. */
export type Shown =
  | { readonly state: 'setUp'; readonly why: 'uninitialised' | 'starting' }
  | { readonly state: 'setUp'; readonly why: 'missing'; readonly program: string; readonly isNamed: boolean }
  | { readonly state: 'error'; readonly message: string; readonly hint: string }
  | {
      readonly state: 'results';
      readonly rows: readonly Row[];
      readonly more: number;
      readonly weaker: number;
      readonly notice: string;
      readonly degraded: readonly string[];
    };

/** The request for what is in the fields. */
export function recallParams(filters: Filters, limit: number): RecallParams {
  return {
    query: filters.query,
    limit,
    explain: true,
    wait: false,
    ...(filters.kind === '' ? {} : { kinds: [filters.kind] }),
    ...(filters.task === '' ? {} : { taskType: filters.task }),
    ...(filters.staleOnly ? { flags: ['stale'] } : {}),
  };
}

/** Fields as a webview sent them; what is no such thing is taken as empty. */
export function filtersFrom(value: unknown): Filters {
  const given = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  const text = (name: string): string => (typeof given[name] === 'string' ? given[name].slice(0, MOST_CHARS) : '');
  const task = TASKS.find((each) => each === given.task);
  return {
    query: text('query'),
    kind: text('kind'),
    task: task ?? '',
    staleOnly: given.staleOnly === true,
    root: text('root'),
  };
}

const MOST_CHARS = 10_000;
const MOST_PLACES = 3;

/** An answer as rows. */
export function shownResults(result: RecallResult): Shown {
  return {
    state: 'results',
    rows: result.hits.map(row),
    more: result.more,
    weaker: result.weaker,
    notice: result.notice ?? '',
    degraded: result.degraded,
  };
}

export function row(hit: Hit): Row {
  const date = day(hit.verified ?? hit.updated ?? hit.created);
  // Ranking by words alone is a matter of the whole answer, and told once above it.
  const flags = hit.flags.filter((flag) => flag !== 'wordsOnly').map(flagWord);
  return {
    id: hit.id,
    title: pieces(hit.title, hit.matches.title),
    snippet: pieces(hit.snippet, hit.matches.snippet),
    kind: hit.kind,
    date,
    flags,
    stale: hit.flags.includes('stale'),
    places: hit.anchors.slice(0, MOST_PLACES).map(placeWord),
    why: hit.signals?.why ?? [],
    label: [oneLine(hit.title), hit.kind, date, ...flags].filter((part) => part !== '').join(', '),
  };
}

/** The text cut at its matches. Spans that overlap or lead outside of it do no harm. */
export function pieces(text: string, matches: readonly Span[]): readonly Piece[] {
  const found: Piece[] = [];
  let at = 0;
  const add = (end: number, marked: boolean): void => {
    if (end > at) found.push({ text: oneWay(text.slice(at, end)), marked });
    at = Math.max(at, end);
  };
  for (const [start, end] of [...matches].sort((left, right) => left[0] - right[0])) {
    add(Math.min(start, text.length), false);
    add(Math.min(end, text.length), true);
  }
  add(text.length, false);
  return found;
}

/** Without the characters that turn the direction of writing: they would turn what stands beside them, too. */
function oneWay(text: string): string {
  return text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '');
}

export function citationOf(hit: Hit): string {
  return citation(hit);
}

/** Numbers questions, so that late answers to older ones are known. */
export class Latest {
  private last = 0;

  /** The number of a new question; all before are out of date. */
  begin(): number {
    this.last += 1;
    return this.last;
  }

  isCurrent(number: number): boolean {
    return number === this.last;
  }
}
