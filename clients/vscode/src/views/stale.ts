/** The tree "Stale": memories whose code has changed or is gone, with their count as a badge. */

import { basename } from 'node:path';
import { commands, type Disposable, EventEmitter, l10n, type TreeDataProvider, type TreeView, window } from 'vscode';
import { log } from '../log';
import { CONTEXTS, VIEWS } from '../names';
import { sentence } from '../projects/failure';
import type { Project } from '../projects/project';
import type { Projects } from '../projects/projects';
import { debounced } from '../pure/debounce';
import { day, isStale } from '../pure/words';
import type { MemoryView } from '../wire';
import { AnchorNode, childrenOf, GroupNode, MemoryNode, type Node } from './nodes';

/** Drift comes in bursts: a branch is switched, a formatter runs. */
const REST_MS = 250;
const MOST = 500;

export class StaleView implements TreeDataProvider<Node>, Disposable {
  private readonly emitter = new EventEmitter<void>();
  private readonly countEmitter = new EventEmitter<void>();
  private readonly stale = new Map<Project, readonly MemoryView[]>();
  private readonly view: TreeView<Node>;
  private readonly listening: Disposable[];
  private readonly renew = debounced(REST_MS, () => void this.fetch());
  private asked = 0;
  readonly onDidChangeTreeData = this.emitter.event;
  /** The number of stale memories changed. */
  readonly onDidChangeCount = this.countEmitter.event;

  constructor(private readonly projects: Projects) {
    this.view = window.createTreeView(VIEWS.stale, { treeDataProvider: this, showCollapseAll: true });
    this.listening = [
      this.view,
      projects.onDidChange(() => {
        if (this.projects.all.some((project) => project.isReady !== this.stale.has(project))) this.renew();
      }),
      projects.onDidChangeMemories(() => this.renew()),
      projects.onDidChangeAnchors(() => this.renew()),
    ];
    this.renew();
  }

  /** How many memories are stale, in one project or in all. */
  count(project?: Project): number {
    if (project !== undefined) return this.stale.get(project)?.length ?? 0;
    return [...this.stale.values()].reduce((sum, memories) => sum + memories.length, 0);
  }

  /** The stale memories of a project, as last told. */
  of(project: Project): readonly MemoryView[] {
    return this.stale.get(project) ?? [];
  }

  getTreeItem(node: Node): Node {
    return node;
  }

  getChildren(node?: Node): Node[] {
    if (node !== undefined) return [...childrenOf(node)];
    const groups = [...this.stale].filter(([, memories]) => memories.length > 0);
    const nodes = groups.map(([project, memories]) => ({
      project,
      nodes: memories.map((each) => nodeOf(project.root, each)),
    }));
    if (this.projects.all.length < 2) return nodes.flatMap((group) => group.nodes);
    return nodes.map((group) => new GroupNode(group.project.name, group.nodes, group.project.root));
  }

  dispose(): void {
    this.renew.cancel();
    for (const each of this.listening) each.dispose();
    this.emitter.dispose();
    this.countEmitter.dispose();
  }

  private async fetch(): Promise<void> {
    this.asked += 1;
    const asked = this.asked;
    const ready = this.projects.all.filter((project) => project.isReady);
    const answers = await Promise.all(
      ready.map(async (project) => {
        try {
          const { memories } = await project.request('list', { flags: ['stale'], limit: MOST });
          return [project, memories] as const;
        } catch (error) {
          log().warn(`${project.root}: ${sentence(error)}`);
          return [project, this.of(project)] as const;
        }
      }),
    );
    if (asked !== this.asked) return;
    const before = signature(this.stale);
    this.stale.clear();
    for (const [project, memories] of answers) this.stale.set(project, memories);
    if (signature(this.stale) === before) return; // rows that are made anew lose the pointer and the focus
    const count = this.count();
    this.view.badge =
      count === 0
        ? undefined
        : { value: count, tooltip: count === 1 ? l10n.t('1 stale memory') : l10n.t('{0} stale memories', count) };
    void commands.executeCommand('setContext', CONTEXTS.stale, count > 0);
    this.emitter.fire();
    this.countEmitter.fire();
  }
}

/** What the tree and the badge show, to compare. */
function signature(stale: ReadonlyMap<Project, readonly MemoryView[]>): string {
  return JSON.stringify([...stale].map(([{ root }, memories]) => [root, memories]));
}

function nodeOf(root: string, memory: MemoryView): MemoryNode {
  const anchors = memory.anchors.map((anchor, index) => new AnchorNode(root, memory.id, index, anchor));
  const index = memory.anchors.findIndex((anchor) => isStale(anchor.verdict));
  const first = memory.anchors[index];
  const anchorIndex = first === undefined ? undefined : index;
  const note = [
    first === undefined ? '' : basename(first.path),
    day(memory.verified ?? memory.updated ?? memory.created),
  ];
  return new MemoryNode(
    root,
    { ...memory, stale: true, anchorIndex, note: note.filter((part) => part !== '').join(' · ') },
    anchors,
  );
}
