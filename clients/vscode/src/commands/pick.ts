/** Choosing a memory: those at the cursor are offered first, typing searches. */

import { CancellationTokenSource, l10n, type QuickPickItem, QuickPickItemKind, window, workspace } from 'vscode';
import { SETTINGS } from '../names';
import type { Project } from '../projects/project';
import { oneLine } from '../pure/citation';
import { debounced } from '../pure/debounce';
import { grouped } from '../pure/here';
import { Latest } from '../pure/search';
import { day, flagWord } from '../pure/words';
import type { Ref } from '../views/nodes';
import { projectFor, type Services } from './services';

interface Choice extends QuickPickItem {
  readonly ref?: Ref;
}

/** The chosen memory, undefined if none was. */
export async function pickMemory(
  services: Services,
  title: string,
  staleOnly: 'any' | 'stale',
): Promise<Ref | undefined> {
  const project = projectFor(services);
  const first = [...here(services, project, staleOnly), ...(staleOnly === 'stale' ? stale(services, project) : [])];
  const pick = window.createQuickPick<Choice>();
  const latest = new Latest();
  let running: CancellationTokenSource | undefined;

  const search = async (): Promise<void> => {
    const number = latest.begin();
    running?.cancel();
    running = new CancellationTokenSource();
    pick.busy = true;
    const found = await searched(project, pick.value, staleOnly, running);
    if (!latest.isCurrent(number)) return;
    pick.busy = false;
    if (found !== undefined) pick.items = pick.value.trim() === '' ? unique([...first, ...found]) : found;
  };
  const waitMs = workspace.getConfiguration().get<number>(SETTINGS.searchDebounce, 120);
  const soon = debounced(waitMs, () => void search());

  pick.title = title;
  pick.placeholder = l10n.t('Type to search memories');
  pick.items = unique(first);
  pick.matchOnDescription = true;
  pick.onDidChangeValue(soon);
  try {
    return await new Promise<Ref | undefined>((resolve) => {
      pick.onDidAccept(() => resolve(pick.selectedItems[0]?.ref));
      pick.onDidHide(() => resolve(undefined));
      pick.show();
      void search();
    });
  } finally {
    soon.cancel();
    latest.begin();
    running?.cancel();
    pick.dispose();
  }
}

async function searched(
  project: Project,
  query: string,
  staleOnly: 'any' | 'stale',
  running: CancellationTokenSource,
): Promise<readonly Choice[] | undefined> {
  try {
    const flags = staleOnly === 'stale' ? { flags: ['stale'] } : {};
    const { hits } = await project.request('recall', { query, limit: 30, wait: false, ...flags }, running.token);
    return hits.map((hit) => ({
      label: oneLine(hit.title),
      description: [hit.kind, day(hit.verified ?? hit.updated ?? hit.created), ...hit.flags.map(flagWord)].join(' · '),
      alwaysShow: true,
      ref: { root: project.root, id: hit.id },
    }));
  } catch {
    return undefined;
  }
}

function here(services: Services, project: Project, staleOnly: 'any' | 'stale'): readonly Choice[] {
  const editor = window.activeTextEditor;
  if (editor === undefined || services.projects.of(editor.document.uri) !== project) return [];
  const { start, end } = editor.selection;
  const { atCursor } = grouped(services.anchors.of(editor.document.uri), start.line, end.line);
  const wanted = atCursor.filter((each) => staleOnly === 'any' || each.stale);
  if (wanted.length === 0) return [];
  return [
    { label: l10n.t('At the cursor'), kind: QuickPickItemKind.Separator },
    ...wanted.map((each) => ({
      label: oneLine(each.title),
      description: each.kind,
      ref: { root: project.root, id: each.id, anchorIndex: each.main.anchorIndex },
    })),
  ];
}

function stale(services: Services, project: Project): readonly Choice[] {
  const memories = services.stale.of(project);
  if (memories.length === 0) return [];
  return [
    { label: l10n.t('Stale'), kind: QuickPickItemKind.Separator },
    ...memories.map((memory) => ({
      label: oneLine(memory.title),
      description: memory.kind,
      ref: { root: project.root, id: memory.id },
    })),
  ];
}

function unique(choices: readonly Choice[]): readonly Choice[] {
  const seen = new Set<string>();
  return choices.filter(({ ref }) => {
    if (ref === undefined) return true;
    const isNew = !seen.has(ref.id);
    seen.add(ref.id);
    return isNew;
  });
}
