/** Mutes: a lens or a warning that somebody does not want to see, on this machine. */

import { l10n, window } from 'vscode';
import { ProjectError } from '../projects/failure';
import { oneLine } from '../pure/citation';
import { grouped } from '../pure/here';
import { type MuteChoice, type MuteTarget, muteChoices, unmuteOf } from '../pure/mutes';
import { day } from '../pure/words';
import { type Ref, refOf } from '../views/nodes';
import type { MuteView, UnmuteParams } from '../wire';
import { projectFor, type Services } from './services';

export async function mute(services: Services, given: unknown): Promise<void> {
  const ref = refOf(given) ?? (await atCursor(services));
  const editor = window.activeTextEditor;
  const project = projectFor(services, ref?.root);
  const isHere = editor !== undefined && services.projects.of(editor.document.uri) === project;
  const target: MuteTarget = { ...ref, ...(isHere ? { uri: editor.document.uri.toString() } : {}) };
  const words = choiceWords();
  const items = muteChoices(target).map(([choice, params]) => ({ label: words[choice], params }));
  if (items.length === 0) throw new ProjectError(l10n.t('There is nothing to mute here'));
  const about = ref === undefined ? undefined : (await project.request('get', { id: ref.id })).memory.title;
  const picked = await window.showQuickPick(items, {
    title: about === undefined ? l10n.t('Mute') : l10n.t('Mute “{0}”', oneLine(about)),
    placeHolder: l10n.t('Hides lenses and warnings on this machine; the memory stays as it is'),
  });
  if (picked === undefined) return;
  await project.request('mute', picked.params);
  window.setStatusBarMessage(l10n.t('Muted on this machine'), 4_000);
}

export async function unmute(services: Services): Promise<void> {
  const project = projectFor(services);
  const { muted } = await project.request('mutes', {});
  if (muted.length === 0) {
    void window.showInformationMessage(l10n.t('Nothing is muted'));
    return;
  }
  const items: { label: string; description: string; params: UnmuteParams }[] = muted.map((each) => ({
    label: subject(each),
    description: limits(each),
    params: unmuteOf(each),
  }));
  if (items.length > 1) items.push({ label: l10n.t('Everything'), description: '', params: { all: true } });
  const picked = await window.showQuickPick(items, { title: l10n.t('Show what again?') });
  if (picked !== undefined) await project.request('unmute', picked.params);
}

/** The memory at the cursor that is meant: the stale one, the only one, or the one that is picked. */
async function atCursor(services: Services): Promise<Ref | undefined> {
  const editor = window.activeTextEditor;
  const project = editor === undefined ? undefined : services.projects.of(editor.document.uri);
  if (editor === undefined || project === undefined) return undefined;
  const { start, end } = editor.selection;
  const here = grouped(services.anchors.of(editor.document.uri), start.line, end.line).atCursor;
  const items = here.map((each) => ({
    label: oneLine(each.title),
    description: each.kind,
    ref: { root: project.root, id: each.id, anchorIndex: each.main.anchorIndex },
  }));
  if (items.length < 2) return items[0]?.ref;
  return (await window.showQuickPick(items, { title: l10n.t('Mute which memory?') }))?.ref;
}

function choiceWords(): Readonly<Record<MuteChoice, string>> {
  return {
    hereUntilChanged: l10n.t('Here, until the code changes again'),
    here: l10n.t('Here'),
    hereLens: l10n.t('Only the lens, here'),
    hereWarning: l10n.t('Only the warning, here'),
    memory: l10n.t('This memory, everywhere'),
    file: l10n.t('Everything in this file'),
    fileLenses: l10n.t('All lenses in this file'),
    fileWarnings: l10n.t('All warnings in this file'),
  };
}

function subject(each: MuteView): string {
  const about = [each.title ?? each.memory ?? '', each.path ?? ''].filter((part) => part !== '');
  return about.map(oneLine).join(' · ');
}

function limits({ scope, until, since }: MuteView): string {
  const what = scope === 'lens' ? l10n.t('lens') : l10n.t('warning');
  const end = until === null ? '' : until === 'changed' ? l10n.t('until it changes') : l10n.t('until {0}', day(until));
  return [what, end, since === null ? '' : l10n.t('since {0}', day(since))].filter((part) => part !== '').join(' · ');
}
