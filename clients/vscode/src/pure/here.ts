/** The memories of a file, grouped by whether the cursor is in their code. */

import type { AnchorRow } from '../wire';
import { isStale, lastLine } from './words';

export interface Anchored {
  readonly id: string;
  readonly title: string;
  readonly kind: string;
  readonly rows: readonly AnchorRow[];
  readonly stale: boolean;
  /** The anchor that is meant when the memory is: one at the cursor before others, a stale one before others. */
  readonly main: AnchorRow;
}

export interface Grouped {
  readonly atCursor: readonly Anchored[];
  readonly elsewhere: readonly Anchored[];
}

/** One entry a memory, in the order of places; those at the lines `first` to `last` come apart. */
export function grouped(rows: readonly AnchorRow[], first: number, last: number): Grouped {
  const byMemory = new Map<string, AnchorRow[]>();
  for (const row of rows) {
    const known = byMemory.get(row.memory);
    if (known === undefined) byMemory.set(row.memory, [row]);
    else known.push(row);
  }
  const atCursor: Anchored[] = [];
  const elsewhere: Anchored[] = [];
  for (const of of byMemory.values()) {
    const here = of.filter((row) => touches(row, first, last));
    const candidates = here.length > 0 ? here : of;
    const one = candidates.find((row) => isStale(row.verdict)) ?? candidates[0];
    if (one === undefined) continue;
    const anchored: Anchored = {
      id: one.memory,
      title: one.title,
      kind: one.kind,
      rows: of,
      stale: of.some((row) => isStale(row.verdict)),
      main: one,
    };
    (here.length > 0 ? atCursor : elsewhere).push(anchored);
  }
  return { atCursor, elsewhere };
}

function touches({ range }: AnchorRow, first: number, last: number): boolean {
  return range !== null && range.start.line <= last && first <= lastLine(range);
}
