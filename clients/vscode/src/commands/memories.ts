/** Commands about one memory: open, cite, verify, retire, re-anchor, show what changed. */

import { commands, env, l10n, Range, Selection, TextEditorRevealType, type Uri, window, workspace } from 'vscode';
import { COMMANDS, SCHEMES } from '../names';
import { ProjectError } from '../projects/failure';
import type { Project } from '../projects/project';
import { isRouted } from '../projects/routed';
import { citation, oneLine } from '../pure/citation';
import { anchorsLine } from '../pure/draft';
import { isStale, placeWord } from '../pure/words';
import { type Ref, refOf } from '../views/nodes';
import type { AnchorRow, AnchorSpec, ChangesResult, MemoryView, Range as WireRange } from '../wire';
import { pickMemory } from './pick';
import { projectFor, type Services } from './services';
import { SURE } from './workspace';

/** What a command is about: what it was given, else what a person picks. */
export async function wanted(
  services: Services,
  given: unknown,
  title: string,
  staleOnly: 'any' | 'stale' = 'any',
): Promise<{ project: Project; ref: Ref; rest: readonly unknown[] } | undefined> {
  if (isRouted(given)) {
    const [id, index, ...rest] = given.arguments;
    if (typeof id !== 'string') return undefined;
    const anchorIndex = typeof index === 'number' ? { anchorIndex: index } : {};
    return { project: projectFor(services, given.root), ref: { root: given.root, id, ...anchorIndex }, rest };
  }
  const ref = refOf(given) ?? (await pickMemory(services, title, staleOnly));
  return ref === undefined ? undefined : { project: projectFor(services, ref.root), ref, rest: [] };
}

export async function openMemory(services: Services, given: unknown): Promise<void> {
  const target = await wanted(services, given, l10n.t('Open which memory?'));
  if (target === undefined) return;
  const { memory } = await target.project.request('get', { id: target.ref.id });
  await openAt(target.project, memory);
}

/** A lens was clicked: open its memory, or pick one of several. */
export async function showMemories(services: Services, given: unknown): Promise<void> {
  const root = isRouted(given) ? given.root : undefined;
  const [ids] = isRouted(given) ? given.arguments : [given];
  const project = projectFor(services, root);
  const known = Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
  const answers = await Promise.allSettled(known.map((id) => project.request('get', { id })));
  const memories = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value.memory] : []));
  if (memories.length === 0) throw new ProjectError(l10n.t('These memories are gone'));
  const chosen =
    memories.length === 1
      ? memories[0]
      : (
          await window.showQuickPick(
            memories.map((memory) => ({
              label: oneLine(memory.title),
              description: memory.kind,
              detail: memory.flags.join(', '),
              memory,
            })),
            { title: l10n.t('Which memory?') },
          )
        )?.memory;
  if (chosen !== undefined) await openAt(project, chosen);
}

export async function openAt(project: Project, memory: Pick<MemoryView, 'path' | 'line'>): Promise<void> {
  const at = new Range(memory.line, 0, memory.line, 0);
  const editor = await window.showTextDocument(project.file(memory.path), { selection: at });
  const anchors = anchorsLine(editor.document.getText());
  if (anchors === undefined) return;
  // What VS Code knows of folds right after opening is of before the daemon has seen the text.
  project.refresh([editor.document]);
  await commands.executeCommand('editor.fold', { selectionLines: [anchors], levels: 1 });
}

/** Show the code of an anchor. */
export async function revealAnchor(services: Services, given: unknown): Promise<void> {
  const { root, path, range } = given as { root?: unknown; path?: unknown; range?: WireRange | null };
  if (typeof root !== 'string' || typeof path !== 'string') return;
  const editor = await window.showTextDocument(projectFor(services, root).file(path), { preview: true });
  if (range === null || range === undefined) return;
  const place = rangeOf(range);
  editor.selection = new Selection(place.start, place.start);
  editor.revealRange(place, TextEditorRevealType.InCenterIfOutsideViewport);
}

export async function copyCitation(services: Services, given: unknown): Promise<void> {
  const target = await wanted(services, given, l10n.t('Cite which memory?'));
  if (target === undefined) return;
  const { memory } = await target.project.request('get', { id: target.ref.id });
  await env.clipboard.writeText(citation(memory));
  window.setStatusBarMessage(l10n.t('Citation copied'), 3_000);
}

export async function verify(services: Services, given: unknown): Promise<void> {
  const target = await wanted(services, given, l10n.t('Which memory still holds?'), 'stale');
  if (target === undefined) return;
  const { memories } = await target.project.request('verify', { ids: [target.ref.id] });
  tell(
    memories[0] === undefined ? l10n.t('It was verified already') : l10n.t('Verified: {0}', oneLine(memories[0].title)),
  );
}

export async function retire(services: Services, given: unknown): Promise<void> {
  const target = await wanted(services, given, l10n.t('Retire which memory?'));
  if (target === undefined) return;
  const { memories } = await target.project.request('retire', { ids: [target.ref.id] });
  const title = oneLine(memories[0]?.title ?? '');
  const undo = l10n.t('Undo');
  // The message stays until somebody looks at it, so nothing waits for it.
  void window.showInformationMessage(l10n.t('Retired: {0}', title), undo).then((chosen) => {
    if (chosen === undo) return commands.executeCommand(COMMANDS.undo, SURE);
    return undefined;
  });
}

export async function reanchor(services: Services, given: unknown): Promise<void> {
  const target = await wanted(services, given, l10n.t('Re-anchor which memory?'), 'stale');
  if (target === undefined) return;
  const { project, ref } = target;
  const offered = target.rest[0] as { candidate?: number; uri?: string; range?: WireRange } | undefined;
  const row = ref.anchorIndex === undefined || offered === undefined ? await whichAnchor(project, ref) : undefined;
  const anchorIndex = ref.anchorIndex ?? row?.anchorIndex;
  const place = offered === undefined ? await whichPlace(services, project, row) : placeIn(offered);
  if (place === undefined) return;
  const { memory, remarks } = await project.request('reanchor', {
    id: ref.id,
    ...(anchorIndex === undefined ? {} : { anchorIndex }),
    ...place,
  });
  tell([l10n.t('Re-anchored: {0}', oneLine(memory.title)), ...remarks].join(' · '));
}

type Place = { readonly candidate: number } | { readonly target: AnchorSpec } | Record<string, never>;

function placeIn(offered: { candidate?: number; uri?: string; range?: WireRange }): Place {
  if (offered.candidate !== undefined) return { candidate: offered.candidate };
  return {
    target: {
      ...(offered.uri === undefined ? {} : { uri: offered.uri }),
      ...(offered.range === undefined ? {} : { range: offered.range }),
    },
  };
}

async function whichAnchor(project: Project, ref: Ref): Promise<AnchorRow | undefined> {
  const { memory } = await project.request('get', { id: ref.id });
  const paths = [...new Set(memory.anchors.map((anchor) => anchor.path))];
  if (paths.length === 0) return undefined;
  const { anchors } = await project.request('anchors', { paths });
  const own = anchors.filter((row) => row.memory === ref.id);
  const chosen = own.find((row) => row.anchorIndex === ref.anchorIndex);
  if (chosen !== undefined) return chosen;
  const stale = own.filter((row) => isStale(row.verdict));
  const every = stale.length > 0 ? stale : own;
  if (every.length < 2) return every[0];
  const picked = await window.showQuickPick(
    every.map((row) => ({ label: placeWord(row), description: row.symbol ?? '', row })),
    { title: l10n.t('Which anchor?') },
  );
  return picked?.row;
}

async function whichPlace(
  services: Services,
  project: Project,
  row: AnchorRow | undefined,
): Promise<Place | undefined> {
  const choices: { label: string; description: string; place: Place }[] = [];
  const editor = window.activeTextEditor;
  if (editor !== undefined && services.projects.of(editor.document.uri) === project && !editor.selection.isEmpty) {
    const { start, end } = editor.selection;
    const range = { start: plain(start), end: plain(end) };
    const path = workspace.asRelativePath(editor.document.uri);
    choices.push({
      label: l10n.t('The selection'),
      description: placeWord({ path, range }),
      place: { target: { uri: editor.document.uri.toString(), range } },
    });
  }
  row?.candidates.forEach((candidate, index) => {
    choices.push({ label: oneLine(candidate.text), description: placeWord(candidate), place: { candidate: index } });
  });
  if (row !== undefined && !isStale(row.verdict)) {
    choices.push({ label: l10n.t('Where it was found'), description: placeWord(row), place: {} });
  }
  if (choices.length === 0) {
    throw new ProjectError(
      l10n.t('There is no place to offer'),
      l10n.t('select the code that the memory is about, and try again'),
    );
  }
  const picked = await window.showQuickPick(choices, { title: l10n.t('Tie the memory to what?') });
  return picked?.place;
}

function plain(position: { line: number; character: number }): { line: number; character: number } {
  return { line: position.line, character: position.character };
}

export async function showChanges(services: Services, given: unknown): Promise<void> {
  const target = await wanted(services, given, l10n.t('Show what changed for which memory?'), 'stale');
  if (target === undefined) return;
  const { id, anchorIndex } = target.ref;
  const changes = await target.project.request('changes', {
    id,
    ...(anchorIndex === undefined ? {} : { anchorIndex }),
  });
  const title = `${oneLine(changes.anchor.title)}: ${placeWord(changes.anchor)} (${sourceWord(changes)})`;
  const [left, right] = await sides(services, target.project, changes);
  await commands.executeCommand('vscode.diff', left, right, title, { preview: true });
}

/**
 * What stands on either side: the file itself on the right, to be edited there, and on the left the file with the
 * anchor's old code in the place of the new. Where the code is gone, or is not what was compared, only the two texts.
 */
async function sides(
  services: Services,
  project: Project,
  { anchor, before, after }: ChangesResult,
): Promise<readonly [Uri, Uri]> {
  const name = anchor.path.split('/').at(-1) ?? anchor.path;
  const old = (text: string): Uri => services.texts.add(SCHEMES.changes, name, { text });
  const apart = [old(before ?? ''), old(after ?? '')] as const;
  if (before === null || after === null) return apart;
  const file = project.file(anchor.path);
  const document = await workspace.openTextDocument(file);
  const whole = document.getText();
  const place = anchor.range === null ? undefined : rangeOf(anchor.range);
  const now = place === undefined ? whole : document.getText(place);
  const ending = sameEnding(now, after);
  if (ending === undefined) return apart;
  if (place === undefined) return [old(before), file];
  const start = document.offsetAt(place.start);
  return [old(whole.slice(0, start) + before + ending + whole.slice(document.offsetAt(place.end))), file];
}

/** What `now` has behind `after` (an end of line at most), undefined if they are different texts. */
function sameEnding(now: string, after: string): string | undefined {
  const lines = (text: string): string => text.replace(/\r\n?/g, '\n');
  if (lines(now) === lines(after)) return '';
  return lines(now) === `${lines(after)}\n` ? '\n' : undefined;
}

function rangeOf({ start, end }: WireRange): Range {
  return new Range(start.line, start.character, end.line, end.character);
}

function sourceWord({ source, after }: ChangesResult): string {
  if (after === null) return l10n.t('gone now');
  const words: Readonly<Record<ChangesResult['source'], string>> = {
    file: l10n.t('unchanged'),
    cache: l10n.t('as it was ↔ now'),
    git: l10n.t('as it was in git ↔ now'),
    mark: l10n.t('as the memory quotes it ↔ now'),
    none: l10n.t('the old code is not known'),
  };
  return words[source];
}

function tell(text: string): void {
  window.setStatusBarMessage(text, 4_000);
}
