/** A memory as a file that a person writes, with the anchor filled in. */

export interface DraftAnchor {
  /** Relative to the root, with forward slashes. */
  readonly path: string;
  /** 1-based and inclusive; none for the whole file. */
  readonly lines: readonly [number, number] | undefined;
}

/** The text of a new memory file; the cursor belongs at the end of it. */
export function draft(kind: string, title: string, anchor: DraftAnchor | undefined): string {
  const lines = ['---', `kind: ${kind}`, `title: ${quoted(title)}`];
  if (anchor !== undefined) {
    lines.push('anchors:', `  - path: ${quoted(anchor.path)}`);
    if (anchor.lines !== undefined) lines.push(`    lines: ${anchor.lines[0]}-${anchor.lines[1]}`);
  }
  return `${lines.join('\n')}\n---\n\n`;
}

/** A YAML scalar: in double quotes, as JSON writes it, which YAML reads the same. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

/** `use-d1-for-tenant-metadata`: what a file of this title may be called. */
export function slug(title: string): string {
  const made = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
    .replace(/-+$/, '');
  return made === '' ? 'memory' : made;
}

/** The line of a memory file under which its anchors stand: marks are the machine's business, and folded away. */
export function anchorsLine(text: string): number | undefined {
  const lines = text.split(/\r\n|\r|\n/);
  if (lines[0]?.replace(/^\ufeff/, '').trimEnd() !== '---') return undefined;
  const end = lines.findIndex((line, number) => number > 0 && line.trimEnd() === '---');
  const found = lines.slice(0, Math.max(end, 0)).findIndex((line) => line.startsWith('anchors:'));
  return found < 0 ? undefined : found;
}

/** Where a piece of text is that stood at `was`: there, or at the place nearest to it; undefined if it is gone. */
export function nearest(text: string, piece: string, was: number): number | undefined {
  const before = text.lastIndexOf(piece, was);
  const after = text.indexOf(piece, was);
  if (before < 0 || after < 0) return before < 0 && after < 0 ? undefined : Math.max(before, after);
  return was - before <= after - was ? before : after;
}
