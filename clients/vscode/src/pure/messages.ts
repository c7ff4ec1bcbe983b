/**
 * What the search view and the extension say to each other.
 *
 * Invariant: the extension believes nothing that the view says but the shape: ids are looked up among the results that
 * it sent, and no path, address or command comes from the view.
 */

import type { Filters, Shown } from './search';
import { filtersFrom } from './search';

export const ACTIONS = ['open', 'place', 'verify', 'retire', 'cite'] as const;
export type Action = (typeof ACTIONS)[number];

export const SET_UPS = ['init', 'install', 'log', 'restart', 'settings'] as const;
export type SetUp = (typeof SET_UPS)[number];

export type FromView =
  | { readonly type: 'ready' }
  | { readonly type: 'search'; readonly number: number; readonly filters: Filters }
  | { readonly type: 'act'; readonly action: Action; readonly id: string; readonly place: number }
  | { readonly type: 'setUp'; readonly what: SetUp };

export interface Choices {
  readonly roots: readonly { readonly root: string; readonly name: string }[];
  readonly kinds: readonly string[];
  readonly writable: boolean;
  readonly debounceMs: number;
}

export type ToView =
  | { readonly type: 'choices'; readonly choices: Choices; readonly words: Words }
  | { readonly type: 'show'; readonly number: number; readonly shown: Shown }
  | { readonly type: 'focus'; readonly query: string | undefined }
  | { readonly type: 'say'; readonly text: string }
  | { readonly type: 'renew' };

/** The texts that the view's script shows, in the display language. */
export type Words = Readonly<Record<Word, string>>;
export type Word =
  | 'anyKind'
  | 'anyTask'
  | 'staleOnly'
  | 'open'
  | 'verify'
  | 'retire'
  | 'cite'
  | 'why'
  | 'actionsFor'
  | 'loading'
  | 'recent'
  | 'nothing'
  | 'nothingYet'
  | 'oneResult'
  | 'results'
  | 'more'
  | 'weaker'
  | 'wordsOnly'
  | 'unreadable'
  | 'missing'
  | 'install'
  | 'settings'
  | 'uninitialised'
  | 'init'
  | 'starting'
  | 'again'
  | 'showLog'
  | 'readOnly';

/** A message of the view, undefined if it is none. */
export function fromView(value: unknown): FromView | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const given = value as Record<string, unknown>;
  switch (given.type) {
    case 'ready':
      return { type: 'ready' };
    case 'search':
      return typeof given.number === 'number'
        ? { type: 'search', number: given.number, filters: filtersFrom(given.filters) }
        : undefined;
    case 'act': {
      const action = ACTIONS.find((each) => each === given.action);
      if (action === undefined || typeof given.id !== 'string') return undefined;
      return { type: 'act', action, id: given.id, place: typeof given.place === 'number' ? given.place : 0 };
    }
    case 'setUp': {
      const what = SET_UPS.find((each) => each === given.what);
      return what === undefined ? undefined : { type: 'setUp', what };
    }
    default:
      return undefined;
  }
}
