/** What can be muted, and how a mute is told. */

import type { MuteParams, MuteView, UnmuteParams } from '../wire';

export interface MuteTarget {
  readonly id?: string;
  readonly anchorIndex?: number;
  /** The file of the active editor. */
  readonly uri?: string;
}

export type MuteChoice =
  | 'hereUntilChanged'
  | 'here'
  | 'hereLens'
  | 'hereWarning'
  | 'memory'
  | 'fileLenses'
  | 'fileWarnings'
  | 'file';

/** The requests that a target allows, in the order in which they are offered. */
export function muteChoices(target: MuteTarget): readonly (readonly [MuteChoice, MuteParams])[] {
  const { id, anchorIndex, uri } = target;
  const found: (readonly [MuteChoice, MuteParams])[] = [];
  if (id !== undefined) {
    if (anchorIndex !== undefined) {
      found.push(
        ['hereUntilChanged', { id, anchorIndex, until: 'changed' }],
        ['here', { id, anchorIndex }],
        ['hereLens', { id, anchorIndex, scope: 'lens' }],
        ['hereWarning', { id, anchorIndex, scope: 'diagnostics' }],
      );
    }
    found.push(['memory', { id }]);
  }
  if (uri !== undefined) {
    found.push(
      ['file', { uri }],
      ['fileLenses', { uri, scope: 'lens' }],
      ['fileWarnings', { uri, scope: 'diagnostics' }],
    );
  }
  return found;
}

/** The request that takes a mute back. */
export function unmuteOf(mute: MuteView): UnmuteParams {
  return {
    scope: mute.scope,
    ...(mute.memory === null ? {} : { id: mute.memory }),
    ...(mute.anchorIndex === null ? {} : { anchorIndex: mute.anchorIndex }),
    ...(mute.path === null ? {} : { path: mute.path }),
  };
}
