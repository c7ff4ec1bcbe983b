/** The status-bar item: whether the daemons answer, what they are at, how many memories are stale. */

import { type Disposable, l10n, StatusBarAlignment, type StatusBarItem, ThemeColor, window } from 'vscode';
import { COMMANDS } from '../names';
import type { Project } from '../projects/project';
import type { Projects } from '../projects/projects';
import { bar, type ProjectState } from '../pure/state';
import type { StaleView } from './stale';

export class StatusBar implements Disposable {
  private readonly item: StatusBarItem;
  private readonly listening: Disposable[];

  constructor(
    private readonly projects: Projects,
    private readonly stale: StaleView,
  ) {
    this.item = window.createStatusBarItem('memofs', StatusBarAlignment.Left, 0);
    this.item.name = 'MemoFS';
    this.item.command = COMMANDS.showMenu;
    this.listening = [projects.onDidChange(() => this.draw()), stale.onDidChangeCount(() => this.draw())];
    this.draw();
  }

  dispose(): void {
    for (const each of this.listening) each.dispose();
    this.item.dispose();
  }

  private draw(): void {
    const states = this.projects.all.map((project) => stateOf(project, this.stale.count(project)));
    if (states.length === 0) {
      this.item.hide();
      return;
    }
    const { icon, count, look } = bar(states);
    const text = count > 0 ? l10n.t('{0} stale', count) : 'MemoFS';
    this.item.text = `$(${icon}) ${text}`;
    this.item.tooltip = states.map((state) => `${state.name}: ${lineOf(state)}`).join('\n');
    this.item.accessibilityInformation = { label: `MemoFS: ${states.map(lineOf).join('; ')}`, role: 'button' };
    this.item.backgroundColor = look === 'normal' ? undefined : new ThemeColor(`statusBarItem.${look}Background`);
    this.item.show();
  }
}

export function stateOf(project: Project, stale: number): ProjectState {
  const { state, status } = project;
  return {
    name: project.name,
    kind: state.kind,
    message: 'message' in state ? state.message : (status?.message ?? ''),
    health: status?.health ?? 'ok',
    work: status !== undefined && !status.quiescent ? (status.message ?? l10n.t('working')) : '',
    stale,
  };
}

export function lineOf(state: ProjectState): string {
  switch (state.kind) {
    case 'idle':
      return l10n.t('not started');
    case 'starting':
      return l10n.t('starting');
    case 'waiting':
      return l10n.t('the daemon ended; starting again');
    case 'missing':
      return l10n.t('the program “memofs” was not found');
    case 'unfit':
    case 'failed':
      return state.message;
    case 'ready': {
      const stale = state.stale === 0 ? l10n.t('nothing stale') : l10n.t('{0} stale', state.stale);
      const said = state.work !== '' ? state.work : state.health === 'ok' ? '' : state.message;
      return said === '' ? stale : `${stale}, ${said}`;
    }
  }
}
