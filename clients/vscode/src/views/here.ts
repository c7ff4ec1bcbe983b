/** The tree "Here": memories tied to the active editor's file, those at the cursor first. */

import { commands, type Disposable, EventEmitter, l10n, type TreeDataProvider, window } from 'vscode';
import type { Anchors } from '../editor/anchors';
import { CONTEXTS, VIEWS } from '../names';
import type { Projects } from '../projects/projects';
import { debounced } from '../pure/debounce';
import { type Anchored, grouped } from '../pure/here';
import { AnchorNode, childrenOf, GroupNode, MemoryNode, type Node } from './nodes';

/** The tree follows the cursor once it rests. */
const REST_MS = 100;

export class HereView implements TreeDataProvider<Node>, Disposable {
  private readonly emitter = new EventEmitter<void>();
  private readonly listening: Disposable[];
  private readonly moved = debounced(REST_MS, () => this.renew());
  private shown = '';
  readonly onDidChangeTreeData = this.emitter.event;

  constructor(
    private readonly projects: Projects,
    private readonly anchors: Anchors,
  ) {
    this.listening = [
      window.createTreeView(VIEWS.here, { treeDataProvider: this, showCollapseAll: true }),
      anchors.onDidChange((document) => {
        if (document === window.activeTextEditor?.document) this.renew();
      }),
      window.onDidChangeActiveTextEditor(() => this.renew()),
      window.onDidChangeTextEditorSelection(({ textEditor }) => {
        if (textEditor === window.activeTextEditor) this.moved();
      }),
    ];
  }

  getTreeItem(node: Node): Node {
    return node;
  }

  getChildren(node?: Node): readonly Node[] & Node[] {
    return [...(node === undefined ? this.top() : childrenOf(node))];
  }

  dispose(): void {
    this.moved.cancel();
    for (const each of this.listening) each.dispose();
    this.emitter.dispose();
  }

  private top(): readonly Node[] {
    const { root, atCursor, elsewhere } = this.groups();
    if (root === undefined) return [];
    const nodes = (group: readonly Anchored[]): readonly MemoryNode[] => group.map((each) => node(root, each));
    const groups: Node[] = [];
    if (atCursor.length > 0) groups.push(new GroupNode(l10n.t('At the cursor'), nodes(atCursor)));
    if (elsewhere.length > 0) groups.push(new GroupNode(l10n.t('Elsewhere in this file'), nodes(elsewhere)));
    return groups;
  }

  private groups(): { root: string | undefined; atCursor: readonly Anchored[]; elsewhere: readonly Anchored[] } {
    const editor = window.activeTextEditor;
    const project = editor === undefined ? undefined : this.projects.of(editor.document.uri);
    if (editor === undefined || project === undefined) return { root: undefined, atCursor: [], elsewhere: [] };
    const { start, end } = editor.selection;
    return { root: project.root, ...grouped(this.anchors.of(editor.document.uri), start.line, end.line) };
  }

  /** Show the tree anew if it would be another one: rows that are made anew lose the pointer and the focus. */
  private renew(): void {
    const { root, atCursor, elsewhere } = this.groups();
    const shown = JSON.stringify([root, atCursor, elsewhere]);
    if (shown === this.shown) return;
    this.shown = shown;
    void commands.executeCommand('setContext', CONTEXTS.here, atCursor.length + elsewhere.length > 0);
    this.emitter.fire();
  }
}

function node(root: string, each: Anchored): MemoryNode {
  const anchors = each.rows.map((row) => new AnchorNode(root, each.id, row.anchorIndex, row));
  return new MemoryNode(
    root,
    { ...each, anchorIndex: each.main.anchorIndex, note: each.stale ? l10n.t('stale') : '' },
    anchors,
  );
}
