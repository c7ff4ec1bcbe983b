/**
 * Trying again: which failures are worth it, and how long to wait in between.
 *
 * The waits are drawn at random from zero up to a doubling ceiling ("full jitter"). With fixed waits every phone that
 * lost the connection in one moment came back in one moment, and took the service down again.
 */

export interface RetryPolicy {
  /** How often the operation is tried in all. */
  readonly attempts: number;
  /** Ceiling of the first wait. */
  readonly baseMs: number;
  /** No wait is longer than this, except where the server asks for it. */
  readonly capMs: number;
}

export const DEFAULT_POLICY: RetryPolicy = { attempts: 4, baseMs: 250, capMs: 8_000 };

/** The longest `Retry-After` that is waited for; beyond it the guest is better told to come back later. */
export const MAX_RETRY_AFTER_MS = 30_000;

/** What a failed attempt means for the next one. */
export type Verdict =
  | { readonly again: false }
  | { readonly again: true; readonly afterMs?: number };

export interface RetryOptions {
  readonly policy?: RetryPolicy;
  readonly classify: (error: unknown) => Verdict;
  /** Replaced in tests. */
  readonly random?: () => number;
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly signal?: AbortSignal;
}

/** The wait after the `attempt`-th failure, counted from 1; `random` is in [0, 1). */
export function backoffMs(policy: RetryPolicy, attempt: number, random: number): number {
  const ceiling = Math.min(policy.capMs, policy.baseMs * 2 ** (attempt - 1));
  return Math.floor(ceiling * random);
}

/** The result of the first attempt that succeeds, or the error of the last one. */
export async function withRetry<T>(operation: () => Promise<T>, options: RetryOptions): Promise<T> {
  const policy = options.policy ?? DEFAULT_POLICY;
  const random = options.random ?? Math.random;
  const sleep = options.sleep ?? pause;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await operation();
    } catch (error) {
      const verdict = options.classify(error);
      if (!verdict.again || attempt >= policy.attempts) throw error;
      // A server that names a time knows better than the dice, but must not make the page hang.
      const asked = verdict.afterMs;
      if (asked !== undefined && asked > MAX_RETRY_AFTER_MS) throw error;
      await sleep(asked ?? backoffMs(policy, attempt, random()), options.signal);
    }
  }
}

/** `Retry-After` in milliseconds. Only the form in seconds is read: our own service sends no other. */
export function retryAfterMs(header: string | null): number | undefined {
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) * 1_000 : undefined;
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason);
      return;
    }
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
