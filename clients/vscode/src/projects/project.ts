/**
 * One root with a memory, and the connection to its daemon.
 *
 * Invariant: there is at most one connection at a time; one that ends unasked is opened again after a wait that grows,
 * until it is time to give up and say so. What is asked while a connection is being opened waits for it.
 */

import { basename } from 'node:path';
import { type CancellationToken, type Disposable, EventEmitter, l10n, type TextDocument, Uri, workspace } from 'vscode';
import type { Found } from '../daemon/find';
import { log } from '../log';
import { REQUESTS } from '../names';
import { delayMs, type Failures, failed, NO_FAILURES } from '../pure/backoff';
import type { Program } from '../pure/finding';
import { OLDEST_DAEMON, versionFit } from '../pure/version';
import type { DidChangeAnchors, DidChangeMemories, ParamsOf, RequestName, ResultOf, ServerStatus } from '../wire';
import { failureOf, ProjectError } from './failure';
import { type OpenSession, type Session, type SessionEvents, SILENT } from './session';

export type State =
  | { readonly kind: 'idle' }
  | { readonly kind: 'starting' }
  | { readonly kind: 'ready'; readonly version: string | undefined }
  | { readonly kind: 'waiting'; readonly forMs: number }
  | { readonly kind: 'missing'; readonly wanted: string | undefined }
  | { readonly kind: 'unfit'; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string };

export interface ProjectParts {
  find(root: string): Promise<Found>;
  open: OpenSession;
  owns(uri: Uri): boolean;
}

/** What a workspace that is not trusted does not get. */
const WRITES: ReadonlySet<RequestName> = new Set<RequestName>([
  'init',
  'mute',
  'reanchor',
  'remember',
  'retire',
  'undo',
  'unmute',
  'verify',
]);

export class Project implements Disposable {
  readonly name: string;
  private now: State = { kind: 'idle' };
  private told: ServerStatus | undefined;
  private session: Session | undefined;
  private opening: Promise<Session> | undefined;
  private failures: Failures = NO_FAILURES;
  private startedMs = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Counts connections, so that what an old one still says is not taken for the new one's. */
  private generation = 0;
  private disposed = false;

  private readonly stateEmitter = new EventEmitter<void>();
  private readonly memoriesEmitter = new EventEmitter<DidChangeMemories>();
  private readonly anchorsEmitter = new EventEmitter<DidChangeAnchors>();
  /** The state, or what the daemon says of itself. */
  readonly onDidChangeState = this.stateEmitter.event;
  readonly onDidChangeMemories = this.memoriesEmitter.event;
  readonly onDidChangeAnchors = this.anchorsEmitter.event;

  constructor(
    readonly root: string,
    private readonly parts: ProjectParts,
  ) {
    this.name = basename(root) || root;
  }

  /** A file of the root by its relative path, spelled as VS Code spells the root: the daemon's may be another. */
  file(path: string): Uri {
    return Uri.joinPath(Uri.file(this.root), ...path.split('/'));
  }

  get state(): State {
    return this.now;
  }

  /** What the daemon last said of itself; nothing while there is no connection. */
  get status(): ServerStatus | undefined {
    return this.told;
  }

  get isReady(): boolean {
    return this.now.kind === 'ready';
  }

  /** The connection, opened if there is none. */
  start(): Promise<Session> {
    if (this.session !== undefined) return Promise.resolve(this.session);
    this.opening ??= this.open();
    return this.opening;
  }

  async request<N extends RequestName>(name: N, params: ParamsOf<N>, token?: CancellationToken): Promise<ResultOf<N>> {
    if (WRITES.has(name) && !workspace.isTrusted) {
      throw new ProjectError(
        l10n.t('Memories are not changed in a workspace that is not trusted'),
        l10n.t('trust the workspace first'),
        'untrusted',
      );
    }
    const session = await this.start();
    return (await session.request(REQUESTS[name], params, token)) as ResultOf<N>;
  }

  /** Close the connection and open another; `afresh` ends the daemon too. */
  async restart(afresh: 'connection' | 'daemon'): Promise<void> {
    clearTimeout(this.timer);
    this.failures = NO_FAILURES;
    const session = this.session ?? (await this.opening?.catch(() => undefined));
    this.forget();
    if (session !== undefined) {
      if (afresh === 'daemon') await session.request(REQUESTS.drain, {}).catch(() => undefined);
      await session.stop().catch(() => undefined);
    }
    await this.start();
  }

  /** Have what the editor shows asked for again: a setting changed. */
  refresh(documents: readonly TextDocument[]): void {
    this.session?.refresh(documents);
  }

  dispose(): void {
    void this.close();
  }

  /** Say goodbye to the daemon; resolves once it has been said. */
  async close(): Promise<void> {
    if (this.disposed) return;
    this.disposed = true;
    clearTimeout(this.timer);
    const session = this.session ?? (await this.opening?.catch(() => undefined));
    this.forget();
    for (const emitter of [this.stateEmitter, this.memoriesEmitter, this.anchorsEmitter]) emitter.dispose();
    await session?.stop().catch(() => undefined);
  }

  private async open(): Promise<Session> {
    clearTimeout(this.timer);
    const generation = this.generation;
    this.enter({ kind: 'starting' });
    try {
      const { program, wanted } = await this.parts.find(this.root);
      if (program === undefined) {
        this.enter({ kind: 'missing', wanted });
        throw missing(wanted);
      }
      log().info(`${this.root}: ${[program.command, ...program.args, 'lsp'].join(' ')} (${program.source})`);
      const session = await this.connect(program, generation);
      if (generation !== this.generation) {
        void session.stop().catch(() => undefined);
        throw new ProjectError(l10n.t('The connection to the daemon was closed'));
      }
      this.session = session;
      this.enter({ kind: 'ready', version: session.version });
      return session;
    } catch (error) {
      if (generation === this.generation) {
        this.opening = undefined;
        const { code, message } = failureOf(error);
        if (code === SILENT) this.enter({ kind: 'failed', message });
        else if (this.now.kind === 'starting') this.retry(message);
      }
      throw error;
    }
  }

  private async connect(program: Program, generation: number): Promise<Session> {
    this.startedMs = Date.now();
    const { root } = this;
    const session = await this.parts.open({
      root,
      program,
      events: this.eventsOf(generation),
      log: log(),
      owns: (uri) => this.parts.owns(uri),
    });
    const fits = versionFit(session.version);
    if (fits === 'daemonTooOld' || fits === 'extensionTooOld') {
      const message =
        fits === 'daemonTooOld'
          ? l10n.t(
              '{0} is MemoFS {1}; this extension needs {2} or newer',
              program.command,
              session.version ?? '',
              OLDEST_DAEMON,
            )
          : l10n.t(
              '{0} is MemoFS {1}, which is newer than this extension: update the extension',
              program.command,
              session.version ?? '',
            );
      this.enter({ kind: 'unfit', message });
      await session.stop().catch(() => undefined);
      throw new ProjectError(message, '', fits);
    }
    return session;
  }

  private eventsOf(generation: number): SessionEvents {
    const current = (act: () => void): void => {
      if (generation === this.generation && !this.disposed) act();
    };
    return {
      ended: () =>
        current(() => {
          if (this.session === undefined) return; // the opening fails, and says why
          this.forget();
          this.retry(l10n.t('The daemon ended'));
        }),
      memoriesChanged: (change) => current(() => this.memoriesEmitter.fire(change)),
      anchorsChanged: (change) => current(() => this.anchorsEmitter.fire(change)),
      statusChanged: (status) =>
        current(() => {
          this.told = status;
          this.stateEmitter.fire();
        }),
    };
  }

  private retry(message: string): void {
    if (this.disposed) return;
    this.failures = failed(this.failures, Date.now() - this.startedMs);
    const forMs = delayMs(this.failures);
    if (forMs === undefined) {
      this.enter({ kind: 'failed', message });
      return;
    }
    log().warn(`${this.root}: ${message}; next try in ${forMs} ms`);
    this.enter({ kind: 'waiting', forMs });
    this.timer = setTimeout(() => void this.start().catch(() => undefined), forMs);
  }

  private forget(): void {
    this.generation += 1;
    this.session = undefined;
    this.opening = undefined;
    this.told = undefined;
  }

  private enter(state: State): void {
    if (this.disposed) return;
    this.now = state;
    this.stateEmitter.fire();
  }
}

function missing(wanted: string | undefined): ProjectError {
  return wanted === undefined
    ? new ProjectError(
        l10n.t('The program “memofs” was not found'),
        l10n.t('install it, or set memofs.command'),
        'missing',
      )
    : new ProjectError(
        l10n.t('“{0}”, which memofs.command names, was not found', wanted),
        l10n.t('correct the setting'),
        'missing',
      );
}
