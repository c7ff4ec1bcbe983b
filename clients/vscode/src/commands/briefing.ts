/** Briefings: shown in a document of their own, copied, and what they left out. */

import { env, l10n, window, workspace } from 'vscode';
import { leftoversOf } from '../editor/texts';
import { SETTINGS } from '../names';
import { ProjectError } from '../projects/failure';
import { projectFor, type Services } from './services';

export async function briefing(services: Services, given: unknown): Promise<void> {
  const project = projectFor(services);
  const query =
    typeof given === 'string'
      ? given
      : await window.showInputBox({
          title: l10n.t('Briefing'),
          prompt: l10n.t('What is the task? Empty: for the start of a session'),
        });
  if (query === undefined) return;
  const editor = window.activeTextEditor;
  const isHere = editor !== undefined && services.projects.of(editor.document.uri) === project;
  const maxBytes = workspace.getConfiguration().get<number>(SETTINGS.briefingMaxBytes, 8_192);
  const { text, sections } = await project.request('context', {
    maxBytes,
    ...(query.trim() === '' ? {} : { query }),
    ...(isHere ? { here: { uri: editor.document.uri.toString() } } : {}),
  });
  await services.texts.show(`${l10n.t('Briefing')}.md`, {
    text,
    briefing: { root: project.root, leftovers: leftoversOf(sections) },
  });
}

export async function copyBriefing(services: Services): Promise<void> {
  const shown = services.texts.of(window.activeTextEditor?.document.uri);
  if (shown?.briefing === undefined) throw new ProjectError(l10n.t('Show a briefing first'));
  await env.clipboard.writeText(shown.text);
  window.setStatusBarMessage(l10n.t('Briefing copied'), 3_000);
}

export async function expand(services: Services): Promise<void> {
  const shown = services.texts.of(window.activeTextEditor?.document.uri)?.briefing;
  if (shown === undefined) throw new ProjectError(l10n.t('Show a briefing first'));
  if (shown.leftovers.length === 0) {
    void window.showInformationMessage(l10n.t('This briefing left nothing out'));
    return;
  }
  const items = shown.leftovers.map(({ label, cursor, omitted }) => ({
    label,
    description: l10n.t('{0} left out', omitted),
    cursor,
  }));
  const picked = items.length === 1 ? items[0] : await window.showQuickPick(items, { title: l10n.t('Show what?') });
  if (picked === undefined) return;
  const project = projectFor(services, shown.root);
  const { text, cursor, omitted } = await project.request('expand', { cursor: picked.cursor });
  const leftovers = cursor === null ? [] : [{ label: picked.label, cursor, omitted }];
  await services.texts.show(`${picked.label}.md`, { text, briefing: { root: shown.root, leftovers } });
}
