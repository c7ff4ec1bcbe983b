/** A memory as it is cited: in a commit, a review, a chat. */

export interface Citable {
  readonly id: string;
  readonly title: string;
  readonly kind: string;
  readonly path: string;
}

/** `Use D1 for tenant metadata (decision, mem_…, .memofs/memory/….md)`, on one line. */
export function citation(memory: Citable): string {
  return `${oneLine(memory.title)} (${memory.kind}, ${memory.id}, ${memory.path})`;
}

/** The text on one line, without characters that are not seen or that turn the direction of writing. */
export function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
