/** Commands about the workspace and its daemon. */

import { commands, l10n, type QuickPickItem, Uri, window, workspace } from 'vscode';
import { whichOf } from '../daemon/find';
import { log } from '../log';
import { COMMANDS, SETTINGS, VIEWS } from '../names';
import { ProjectError } from '../projects/failure';
import { isRouted } from '../projects/routed';
import { installWays } from '../pure/install';
import { lineOf, stateOf } from '../views/statusBar';
import type { ProblemView } from '../wire';
import { projectFor, type Services } from './services';

export async function showStale(): Promise<void> {
  await commands.executeCommand(`${VIEWS.stale}.focus`);
}

export async function openCore(services: Services): Promise<void> {
  const { root } = projectFor(services);
  await window.showTextDocument(Uri.joinPath(Uri.file(root), '.memofs', 'memory', 'core.md'));
}

/** Set up a memory in a folder that has none. */
export async function init(services: Services, given: unknown): Promise<void> {
  if (!workspace.isTrusted) throw new ProjectError(l10n.t('Trust the workspace first'));
  const folder = isRouted(given) ? given.root : typeof given === 'string' ? given : await whichFolder(services);
  if (folder === undefined) return;
  const project = services.projects.prospective(folder);
  const { created } = await project.request('init', {});
  log().info(`${project.root}: ${created.join(', ')}`);
  services.projects.update();
  const open = l10n.t('Open Core Memory');
  void window
    .showInformationMessage(l10n.t('MemoFS keeps the memory of {0} in .memofs', project.name), open)
    .then((chosen) => {
      if (chosen === open) return commands.executeCommand(COMMANDS.openCore);
      return undefined;
    });
}

async function whichFolder(services: Services): Promise<string | undefined> {
  const folders = services.projects.uninitialised;
  if (folders.length === 0) {
    throw new ProjectError(
      (workspace.workspaceFolders ?? []).length === 0
        ? l10n.t('Open a folder first')
        : l10n.t('This workspace has a memory already'),
    );
  }
  return folders.length === 1
    ? folders[0]
    : window.showQuickPick([...folders], { title: l10n.t('Set up a memory in which folder?') });
}

export async function restart(services: Services): Promise<void> {
  const projects = services.projects.all;
  if (projects.length === 0) throw new ProjectError(l10n.t('There is no memory here yet'), '', 'noProject');
  const results = await Promise.allSettled(projects.map((project) => project.restart('daemon')));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  window.setStatusBarMessage(l10n.t('The daemon was started again'), 4_000);
}

export function showLog(): void {
  log().show();
}

/** What the doctor found, in a document; what can be mended is offered. */
export async function doctor(services: Services): Promise<void> {
  const project = projectFor(services);
  const { findings, facts } = await project.request('doctor', {});
  await services.texts.show(`${l10n.t('Doctor')}.md`, { text: report(project.root, findings, facts) });
  const fixable = findings.filter((finding) => finding.fixable && !finding.fixed).length;
  if (fixable === 0 || !workspace.isTrusted) return;
  const mend = l10n.t('Mend');
  void window.showInformationMessage(l10n.t('{0} of the faults can be mended', fixable), mend).then(async (chosen) => {
    if (chosen !== mend) return;
    const after = await project.request('doctor', { fix: true });
    await services.texts.show(`${l10n.t('Doctor')}.md`, { text: report(project.root, after.findings, after.facts) });
  });
}

function report(root: string, findings: readonly ProblemView[], facts: object): string {
  const lines = [`# ${l10n.t('MemoFS doctor')}`, '', root, '', `## ${l10n.t('Findings')}`, ''];
  if (findings.length === 0) lines.push(l10n.t('Nothing is wrong.'));
  for (const { severity, message, path, line, hint, fixed } of findings) {
    const place = path === null ? '' : ` (${path}:${line + 1})`;
    lines.push(`- ${severity}: ${message}${place}${fixed ? ` — ${l10n.t('mended')}` : ''}`);
    if (hint !== null) lines.push(`  ${hint}`);
  }
  lines.push('', `## ${l10n.t('Facts')}`, '');
  for (const [name, value] of Object.entries(facts)) {
    lines.push(`- ${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`);
  }
  return `${lines.join('\n')}\n`;
}

/** What `undo` is told by a button that has said already what it takes back. */
export const SURE = 'sure';

/** Take back the last write, once a person has seen that this is meant. */
export async function undo(services: Services, given: unknown): Promise<void> {
  const project = projectFor(services);
  if (given !== SURE) {
    const yes = l10n.t('Take back the last write in {0}', project.name);
    const placeHolder = l10n.t('Enter takes it back, Escape leaves it');
    const chosen = await window.showQuickPick([yes], { title: l10n.t('Undo'), placeHolder });
    if (chosen === undefined) return;
  }
  const { summary } = await project.request('undo', {});
  window.setStatusBarMessage(l10n.t('Taken back: {0}', summary), 5_000);
}

/** Put a line that installs MemoFS into a terminal, for a person to read and to run. */
export async function install(services: Services): Promise<void> {
  const isOld = services.projects.all.some((project) => project.state.kind === 'unfit');
  const has = await whichOf(['uv', 'pipx', 'python3', 'python']);
  const ways = installWays((program) => has.has(program), isOld ? 'upgrade' : 'install');
  const byHand = l10n.t('Set memofs.command…');
  const again = l10n.t('Look for it again');
  const items: readonly (QuickPickItem & { readonly line?: string })[] = [
    ...ways.map(({ tool, line }) => ({ label: l10n.t('With {0}', tool), description: line, line })),
    { label: byHand },
    { label: again },
  ];
  const title =
    ways.length === 0
      ? l10n.t('Install Python, uv or pipx first')
      : l10n.t('Install MemoFS: the line is put into a terminal');
  const picked = await window.showQuickPick(items, { title });
  if (picked === undefined) return;
  if (picked.label === byHand) {
    await commands.executeCommand('workbench.action.openSettings', SETTINGS.command);
  } else if (picked.line === undefined) {
    await restartMissing(services);
  } else {
    const terminal = window.createTerminal('MemoFS');
    terminal.show();
    terminal.sendText(picked.line, false);
  }
}

async function restartMissing(services: Services): Promise<void> {
  for (const project of services.projects.all) if (!project.isReady) await project.restart('connection');
}

/** What the status-bar item opens. */
export async function showMenu(services: Services): Promise<void> {
  const item = (label: string, command: string): QuickPickItem & { command: string } => ({ label, command });
  const states = services.projects.all.map((project) => stateOf(project, services.stale.count(project)));
  const missing = services.projects.all.some((project) => ['missing', 'unfit'].includes(project.state.kind));
  const items = [
    item(`$(search) ${l10n.t('Search memories')}`, COMMANDS.recall),
    item(`$(warning) ${l10n.t('Show stale memories')}`, COMMANDS.showStale),
    item(`$(note) ${l10n.t('Show a briefing')}`, COMMANDS.briefing),
    item(`$(book) ${l10n.t('Open core memory')}`, COMMANDS.openCore),
    ...(missing ? [item(`$(cloud-download) ${l10n.t('Install the daemon…')}`, COMMANDS.install)] : []),
    item(`$(debug-restart) ${l10n.t('Restart the daemon')}`, COMMANDS.restart),
    item(`$(pulse) ${l10n.t('Run the doctor')}`, COMMANDS.doctor),
    item(`$(output) ${l10n.t('Show the log')}`, COMMANDS.showLog),
  ];
  const title = states.map((state) => `${state.name}: ${lineOf(state)}`).join(' · ');
  const picked = await window.showQuickPick(items, { title });
  if (picked !== undefined) await commands.executeCommand(picked.command);
}
