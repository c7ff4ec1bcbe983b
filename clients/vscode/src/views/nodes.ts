/** Rows of the trees, and what commands are told when one is chosen. */

import { l10n, MarkdownString, ThemeColor, ThemeIcon, TreeItem, TreeItemCollapsibleState } from 'vscode';
import { COMMANDS, INTERNAL_COMMANDS } from '../names';
import { oneLine } from '../pure/citation';
import { isStale, placeWord, verdictWord } from '../pure/words';
import type { AnchorView } from '../wire';

/** A memory, or one anchor of it, of one root: what commands take. */
export interface Ref {
  readonly root: string;
  readonly id: string;
  readonly anchorIndex?: number;
}

export function isRef(value: unknown): value is Ref {
  if (typeof value !== 'object' || value === null) return false;
  const given = value as Partial<Ref>;
  return typeof given.root === 'string' && typeof given.id === 'string';
}

/** The reference in what VS Code gives a command: a row of a tree, or the reference itself. */
export function refOf(value: unknown): Ref | undefined {
  if (value instanceof MemoryNode || value instanceof AnchorNode) return value.ref;
  return isRef(value) ? value : undefined;
}

export class GroupNode extends TreeItem {
  constructor(
    label: string,
    readonly children: readonly Node[],
    key = label,
  ) {
    super(label, TreeItemCollapsibleState.Expanded);
    this.id = `group\n${key}`;
    this.contextValue = 'group';
  }
}

export interface MemoryLike {
  readonly id: string;
  readonly title: string;
  readonly kind: string;
  readonly stale: boolean;
  readonly note: string;
  /** The anchor that is meant when the memory is. */
  readonly anchorIndex: number | undefined;
}

export class MemoryNode extends TreeItem {
  readonly ref: Ref;

  constructor(
    root: string,
    memory: MemoryLike,
    readonly children: readonly AnchorNode[],
  ) {
    super(
      oneLine(memory.title),
      children.length > 0 ? TreeItemCollapsibleState.Collapsed : TreeItemCollapsibleState.None,
    );
    const { anchorIndex } = memory;
    this.ref = { root, id: memory.id, ...(anchorIndex === undefined ? {} : { anchorIndex }) };
    // VS Code finds the row again by this when the tree was made anew while somebody clicks.
    this.id = `${root}\n${memory.id}`;
    this.description = [memory.kind, memory.note].filter((part) => part !== '').join(' · ');
    this.tooltip = plain(`${oneLine(memory.title)}\n${memory.kind} · ${memory.id}`);
    this.contextValue = memory.stale ? 'memory stale' : 'memory';
    this.iconPath = memory.stale
      ? new ThemeIcon('warning', new ThemeColor('list.warningForeground'))
      : new ThemeIcon('bookmark');
    this.command = { command: COMMANDS.openMemory, title: l10n.t('Open Memory'), arguments: [this.ref] };
    this.accessibilityInformation = {
      label: [oneLine(memory.title), memory.kind, memory.stale ? l10n.t('stale') : '', memory.note]
        .filter(Boolean)
        .join(', '),
    };
  }
}

export class AnchorNode extends TreeItem {
  readonly ref: Ref;
  readonly stale: boolean;

  constructor(root: string, id: string, anchorIndex: number, anchor: AnchorView) {
    super(placeWord(anchor), TreeItemCollapsibleState.None);
    this.ref = { root, id, anchorIndex };
    this.id = `${root}\n${id}\n${anchorIndex}`;
    this.stale = isStale(anchor.verdict);
    this.description = [anchor.symbol ?? '', verdictWord(anchor.verdict)].filter((part) => part !== '').join(' · ');
    this.contextValue = this.stale ? 'anchor stale' : 'anchor';
    this.iconPath = new ThemeIcon(this.stale ? 'warning' : 'symbol-method');
    this.command = {
      command: INTERNAL_COMMANDS.revealAnchor,
      title: l10n.t('Show the Code'),
      arguments: [{ root, path: anchor.path, range: anchor.range }],
    };
  }
}

export type Node = GroupNode | MemoryNode | AnchorNode;

export function childrenOf(node: Node): readonly Node[] {
  return node instanceof AnchorNode ? [] : node.children;
}

function plain(text: string): MarkdownString {
  const shown = new MarkdownString();
  shown.isTrusted = false;
  shown.supportHtml = false;
  return shown.appendText(text);
}
