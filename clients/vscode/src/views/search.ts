/**
 * The search view: answers the webview's questions.
 *
 * Invariant: an action names an id of the results that were sent last; everything else of it is looked up here.
 */

import {
  CancellationTokenSource,
  commands,
  type Disposable,
  env,
  l10n,
  Uri,
  type WebviewView,
  type WebviewViewProvider,
  window,
  workspace,
} from 'vscode';
import { COMMANDS, INTERNAL_COMMANDS, SETTINGS, VIEWS } from '../names';
import { failureOf } from '../projects/failure';
import type { Project } from '../projects/project';
import type { Projects } from '../projects/projects';
import { debounced } from '../pure/debounce';
import { type Choices, type FromView, fromView, type ToView, type Words } from '../pure/messages';
import { citationOf, type Filters, KINDS, recallParams, type Shown, shownResults } from '../pure/search';
import type { Hit } from '../wire';
import type { Ref } from './nodes';
import { searchPage } from './page';

const RENEW_MS = 150;

export class SearchView implements WebviewViewProvider, Disposable {
  private view: WebviewView | undefined;
  private ready = false;
  private wantedFocus: { query: string | undefined } | undefined;
  private running: CancellationTokenSource | undefined;
  private hits = new Map<string, { hit: Hit; root: string }>();
  private readonly kinds = new Set<string>(KINDS);
  private readonly renew = debounced(RENEW_MS, () => {
    this.isOld = this.view?.visible !== true;
    if (!this.isOld) this.send({ type: 'renew' });
  });
  private readonly listening: Disposable[];
  private lastState = '';
  /** Something has changed while nobody looked. */
  private isOld = false;
  /** The project whose answer is shown, where it was not chosen by name. */
  private answered: Project | undefined;

  constructor(
    private readonly extension: Uri,
    private readonly projects: Projects,
  ) {
    this.listening = [
      window.registerWebviewViewProvider(VIEWS.search, this, {
        // A view that has to be loaded anew loses what is typed until it is.
        webviewOptions: { retainContextWhenHidden: true },
      }),
      window.onDidChangeActiveTextEditor(() => {
        if (this.answered !== undefined && this.answered !== this.projects.current) this.renew();
      }),
      projects.onDidChange(() => this.stateChanged()),
      projects.onDidChangeMemories(() => this.renew()),
      workspace.onDidGrantWorkspaceTrust(() => this.sendChoices()),
      workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration(SETTINGS.searchDebounce)) this.sendChoices();
        if (change.affectsConfiguration(SETTINGS.searchLimit)) this.renew();
      }),
    ];
  }

  resolveWebviewView(view: WebviewView): void {
    this.view = view;
    this.ready = false;
    view.webview.options = {
      enableScripts: true,
      enableCommandUris: false,
      localResourceRoots: [Uri.joinPath(this.extension, 'media'), Uri.joinPath(this.extension, 'dist')],
    };
    view.webview.onDidReceiveMessage((message: unknown) => {
      const known = fromView(message);
      if (known !== undefined) void this.take(known);
    });
    view.onDidDispose(() => {
      if (this.view === view) this.view = undefined;
    });
    view.onDidChangeVisibility(() => {
      if (view.visible && this.isOld) this.renew();
    });
    view.webview.html = searchPage(view.webview, this.extension);
  }

  /** Show the view with the cursor in its field; a query is searched for. */
  async focus(query: string | undefined): Promise<void> {
    this.wantedFocus = { query };
    await commands.executeCommand(`${VIEWS.search}.focus`);
    if (this.ready) this.sendFocus();
  }

  dispose(): void {
    this.renew.cancel();
    this.running?.cancel();
    for (const each of this.listening) each.dispose();
  }

  private async take(message: FromView): Promise<void> {
    if (message.type === 'ready') {
      this.ready = true;
      this.sendChoices();
      if (this.wantedFocus?.query === undefined) this.send({ type: 'renew' });
      this.sendFocus();
    } else if (message.type === 'search') {
      await this.search(message.number, message.filters);
    } else if (message.type === 'setUp') {
      const command = {
        init: COMMANDS.init,
        install: COMMANDS.install,
        log: COMMANDS.showLog,
        restart: COMMANDS.restart,
        settings: 'workbench.action.openSettings',
      };
      await commands.executeCommand(command[message.what], ...(message.what === 'settings' ? [SETTINGS.command] : []));
    } else {
      await this.act(message.action, message.id, message.place);
    }
  }

  private async search(number: number, filters: Filters): Promise<void> {
    this.running?.cancel();
    this.running?.dispose();
    const running = new CancellationTokenSource();
    this.running = running;
    const shown = await this.answer(filters, running);
    if (shown !== undefined && !running.token.isCancellationRequested) this.send({ type: 'show', number, shown });
  }

  private async answer(filters: Filters, running: CancellationTokenSource): Promise<Shown | undefined> {
    const project = this.projects.at(filters.root) ?? this.projects.current;
    this.answered = filters.root === '' ? project : undefined;
    if (project === undefined) return { state: 'setUp', why: 'uninitialised' };
    if (project.state.kind === 'missing') {
      const { wanted } = project.state;
      return { state: 'setUp', why: 'missing', program: wanted ?? 'memofs', isNamed: wanted !== undefined };
    }
    if (project.state.kind === 'unfit' || project.state.kind === 'failed') {
      return { state: 'error', message: project.state.message, hint: '' };
    }
    if (!project.isReady) return { state: 'setUp', why: 'starting' };
    const limit = workspace.getConfiguration().get<number>(SETTINGS.searchLimit, 20);
    try {
      const result = await project.request('recall', recallParams(filters, limit), running.token);
      if (running.token.isCancellationRequested) return undefined;
      this.hits = new Map(result.hits.map((hit) => [hit.id, { hit, root: project.root }]));
      this.learnKinds(result.hits);
      return shownResults(result);
    } catch (error) {
      return { state: 'error', ...failureOf(error) };
    }
  }

  private async act(action: Extract<FromView, { type: 'act' }>['action'], id: string, place: number): Promise<void> {
    const known = this.hits.get(id);
    if (known === undefined) return;
    const ref: Ref = { root: known.root, id };
    if (action === 'open') await commands.executeCommand(COMMANDS.openMemory, ref);
    else if (action === 'verify') await commands.executeCommand(COMMANDS.verify, ref);
    else if (action === 'retire') await commands.executeCommand(COMMANDS.retire, ref);
    else if (action === 'cite') {
      await env.clipboard.writeText(citationOf(known.hit));
      this.send({ type: 'say', text: l10n.t('Citation copied') });
    } else {
      const anchor = known.hit.anchors[place];
      if (anchor !== undefined) {
        await commands.executeCommand(INTERNAL_COMMANDS.revealAnchor, { root: known.root, ...anchor });
      }
    }
  }

  private stateChanged(): void {
    const state = this.projects.all.map((project) => `${project.root} ${project.state.kind}`).join('\n');
    if (state === this.lastState) return;
    this.lastState = state;
    this.sendChoices();
    this.renew();
  }

  private learnKinds(hits: readonly Hit[]): void {
    const before = this.kinds.size;
    for (const hit of hits) this.kinds.add(hit.kind);
    if (this.kinds.size !== before) this.sendChoices();
  }

  private sendChoices(): void {
    const roots = this.projects.all.map(({ root, name }: Project) => ({ root, name }));
    const choices: Choices = {
      roots: roots.length > 1 ? [{ root: '', name: l10n.t('Project of the active editor') }, ...roots] : [],
      kinds: [...this.kinds],
      writable: workspace.isTrusted,
      debounceMs: workspace.getConfiguration().get<number>(SETTINGS.searchDebounce, 120),
    };
    this.send({ type: 'choices', choices, words: words() });
  }

  private sendFocus(): void {
    const focus = this.wantedFocus;
    this.wantedFocus = undefined;
    if (focus !== undefined) this.send({ type: 'focus', query: focus.query });
  }

  private send(message: ToView): void {
    if (this.ready) void this.view?.webview.postMessage(message);
  }
}

function words(): Words {
  return {
    anyKind: l10n.t('Any kind'),
    anyTask: l10n.t('Any task'),
    staleOnly: l10n.t('Stale only'),
    open: l10n.t('Open'),
    verify: l10n.t('Verify'),
    retire: l10n.t('Retire'),
    cite: l10n.t('Copy citation'),
    why: l10n.t('Why here?'),
    actionsFor: l10n.t('Actions for {0}'),
    loading: l10n.t('Searching…'),
    recent: l10n.t('Recent memories'),
    nothing: l10n.t('Nothing relevant found'),
    nothingYet: l10n.t('There are no memories yet'),
    oneResult: l10n.t('1 result'),
    results: l10n.t('{0} results'),
    more: l10n.t('{0} more'),
    weaker: l10n.t('{0} weaker not shown'),
    wordsOnly: l10n.t('Vectors are not ready yet: found by words alone'),
    unreadable: l10n.t('Some memory files cannot be read: run the doctor'),
    missing: l10n.t('The program “{0}” was not found.'),
    install: l10n.t('Install the daemon…'),
    settings: l10n.t('Set memofs.command…'),
    uninitialised: l10n.t('This workspace has no memory yet.'),
    init: l10n.t('Initialise workspace'),
    starting: l10n.t('MemoFS is starting…'),
    again: l10n.t('Try again'),
    showLog: l10n.t('Show log'),
    readOnly: l10n.t('Reading only'),
  };
}
