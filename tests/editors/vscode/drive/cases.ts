/** Named checks that run one after the other; what became of each is printed as one line of JSON when it ends. */

import type { Window } from './window.ts';

export interface Told {
  readonly case: string;
  readonly ok: boolean;
  readonly ms: number;
  readonly error?: string;
  /** What the check measured or read, for whoever started the program. */
  readonly data?: unknown;
}

export class Cases {
  #failed = 0;
  #shown: Window | undefined;

  /** Of this window a picture is taken when a case fails. */
  watch(window: Window): void {
    this.#shown = window;
  }

  async run(name: string, check: () => Promise<unknown>): Promise<void> {
    const began = performance.now();
    try {
      const data = await check();
      tell({ case: name, ok: true, ms: Math.round(performance.now() - began), data });
    } catch (error) {
      this.#failed += 1;
      const where = await this.#shown?.shot(`failed-${name.replaceAll(/\W+/g, '-')}`).catch(() => undefined);
      const said = error instanceof Error ? (error.stack ?? error.message) : String(error);
      tell({
        case: name,
        ok: false,
        ms: Math.round(performance.now() - began),
        error: where === undefined ? said : `${said}\nsee ${where}`,
      });
    }
  }

  get exitCode(): number {
    return this.#failed === 0 ? 0 : 1;
  }
}

export function tell(told: Told): void {
  process.stdout.write(`${JSON.stringify(told)}\n`);
}

export function check(holds: unknown, otherwise: string): asserts holds {
  if (!holds) throw new Error(otherwise);
}

export function same(found: unknown, wanted: unknown, what: string): void {
  const [one, other] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (one !== other) throw new Error(`${what}: ${one} instead of ${other}`);
}
