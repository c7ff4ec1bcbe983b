/** What the status bar says, worked out from plain values. */

export interface ProjectState {
  readonly name: string;
  readonly kind: 'idle' | 'starting' | 'ready' | 'waiting' | 'missing' | 'unfit' | 'failed';
  readonly message: string;
  readonly health: 'ok' | 'warning' | 'error';
  /** What the daemon is doing beside answering, empty for nothing. */
  readonly work: string;
  readonly stale: number;
}

export type Look = 'normal' | 'warning' | 'error';

export interface Bar {
  readonly icon: 'bookmark' | 'sync~spin' | 'warning' | 'error';
  readonly count: number;
  readonly look: Look;
}

/** The one sign that stands for all projects: the worst of them, else the stale memories there are. */
export function bar(states: readonly ProjectState[]): Bar {
  const count = states.reduce((sum, state) => sum + state.stale, 0);
  const any = (...kinds: readonly ProjectState['kind'][]): boolean =>
    states.some((state) => kinds.includes(state.kind));
  if (any('failed', 'unfit') || states.some((state) => state.health === 'error'))
    return { icon: 'error', count, look: 'error' };
  if (any('missing')) return { icon: 'warning', count, look: 'warning' };
  if (any('starting', 'waiting') || states.some((state) => state.work !== ''))
    return { icon: 'sync~spin', count, look: 'normal' };
  if (states.some((state) => state.health === 'warning')) return { icon: 'warning', count, look: 'normal' };
  return { icon: 'bookmark', count, look: 'normal' };
}
