/** How long to wait before a daemon that ended is started again. */

const DELAYS_MS = [0, 500, 1_000, 2_000, 5_000, 10_000, 30_000] as const;

/** A run this long counts as healthy: the next failure is a first one again. */
export const HEALTHY_MS = 60_000;

export interface Failures {
  readonly count: number;
}

export const NO_FAILURES: Failures = { count: 0 };

/** One more failure of something that had run for `ranMs`. */
export function failed(before: Failures, ranMs: number): Failures {
  return { count: ranMs >= HEALTHY_MS ? 1 : before.count + 1 };
}

/** The wait before the next start, undefined once it is time to give up. */
export function delayMs(failures: Failures): number | undefined {
  return failures.count === 0 ? 0 : DELAYS_MS[failures.count - 1];
}
