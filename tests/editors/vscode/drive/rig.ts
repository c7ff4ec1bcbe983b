/**
 * One code-server with our extension in it, and one Chromium in front: started, and ended again whatever happens.
 *
 * Everything that they write lies below `home`; they talk on loopback only, and what they ask of anybody else is
 * recorded. The program ends with whoever started it: its standard input is a pipe that closes then.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { type BrowserContext, chromium, type Page, type Request, type Response } from 'playwright-core';
import { Window } from './window.ts';

export interface Plan {
  /** Where everything is written; its name is short, since sockets lie in it. */
  readonly home: string;
  /** code-server's entry point. */
  readonly codeServer: string;
  readonly chromium: string;
  /** The packaged extension. */
  readonly vsix: string;
  /** The `memofs` program and its first arguments. */
  readonly memofs: readonly string[];
  /** Where screenshots go. */
  readonly screenshots: string;
  /** The folder with the recorders of connections. */
  readonly recorders: string;
  /** Folders and workspace files by name. */
  readonly places: Readonly<Record<string, string>>;
  /** How often a measured action is repeated. */
  readonly rounds?: number;
}

const USER_SETTINGS = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.colorTheme': 'Default Dark Modern',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'window.restoreWindows': 'none',
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'chat.disableAIFeatures': true,
  'git.enabled': false,
  'git.openRepositoryInParentFolders': 'never',
  'files.hotExit': 'off',
  'editor.minimap.enabled': false,
  'editor.accessibilitySupport': 'off',
  'editor.cursorBlinking': 'solid',
  'breadcrumbs.enabled': false,
  'security.workspace.trust.enabled': false,
  'security.workspace.trust.untrustedFiles': 'open',
};

const CHROMIUM = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
];

/** How long a thing may take before it is given up: long, because machines that run tests are busy. */
const PATIENCE_MS = Number(process.env.MEMOFS_PATIENCE_MS ?? 30_000);

/** The plan that whoever started the program gave it. */
export function plan(): Plan {
  const given = process.argv[2];
  if (given === undefined) throw new Error('usage: node PROGRAM.ts PLAN.json');
  return JSON.parse(fs.readFileSync(given, 'utf8')) as Plan;
}

export class Rig {
  readonly plan: Plan;
  /** Every request of every page. */
  readonly #requests: Request[] = [];
  readonly #sockets: string[] = [];
  readonly #server: ChildProcess;
  readonly #browser: BrowserContext;
  readonly #port: number;

  private constructor(plan: Plan, server: ChildProcess, browser: BrowserContext, port: number) {
    this.plan = plan;
    this.#server = server;
    this.#browser = browser;
    this.#port = port;
  }

  /** A rig that runs. `settings` are the user's, over those that keep VS Code quiet. */
  static async start(plan: Plan, settings: Readonly<Record<string, unknown>> = {}): Promise<Rig> {
    const data = path.join(plan.home, 'data');
    for (const folder of ['User', 'Machine']) fs.mkdirSync(path.join(data, folder), { recursive: true });
    fs.mkdirSync(plan.screenshots, { recursive: true });
    const base = [
      '--config',
      '/dev/null',
      '--user-data-dir',
      data,
      '--extensions-dir',
      path.join(plan.home, 'extensions'),
    ];
    const environment = childEnvironment(plan);
    // In a remote window the settings with a machine's scope are read from Machine/ alone.
    writeJson(path.join(data, 'Machine', 'settings.json'), { 'memofs.command': plan.memofs });
    writeJson(path.join(data, 'User', 'settings.json'), {
      ...USER_SETTINGS,
      'memofs.command': plan.memofs,
      ...settings,
    });
    await finished(plan, [...base, '--install-extension', plan.vsix], environment);
    const port = await freePort();
    const log = fs.openSync(path.join(plan.home, 'code-server.log'), 'w');
    const server = spawn(
      process.execPath,
      [
        plan.codeServer,
        ...base,
        '--bind-addr',
        `127.0.0.1:${port}`,
        '--auth',
        'none',
        '--disable-telemetry',
        '--disable-update-check',
        '--disable-getting-started-override',
      ],
      { stdio: ['ignore', log, log], env: environment },
    );
    fs.closeSync(log);
    try {
      const [browser] = await Promise.all([browse(plan), answering(port)]);
      const rig = new Rig(plan, server, browser, port);
      browser.setDefaultTimeout(PATIENCE_MS);
      browser.on('request', (request) => rig.#requests.push(request));
      browser.on('page', (page) => page.on('websocket', (socket) => rig.#sockets.push(socket.url())));
      rig.#endWithParent();
      return rig;
    } catch (error) {
      server.kill('SIGTERM');
      throw error;
    }
  }

  /** A window on a folder or a `.code-workspace` file. */
  async open(target: string, { prepare }: { prepare?: (page: Page) => Promise<void> } = {}): Promise<Window> {
    const page = await this.#browser.newPage();
    await prepare?.(page);
    const kind = target.endsWith('.code-workspace') ? 'workspace' : 'folder';
    await page.goto(`http://127.0.0.1:${this.#port}/?${kind}=${encodeURIComponent(target)}`);
    await page.locator('.monaco-workbench .activitybar').waitFor();
    if (kind === 'workspace') await folders(page);
    return new Window(page, this.plan.screenshots);
  }

  /** The address under which the extension host sees a path of this machine. */
  remote(file: string): { scheme: string; authority: string; path: string } {
    return { scheme: 'vscode-remote', authority: `127.0.0.1:${this.#port}`, path: file };
  }

  /** Where the extension was unpacked. */
  get extension(): string {
    const folder = path.join(this.plan.home, 'extensions');
    const found = fs.readdirSync(folder).filter((name) => name.includes('memofs'));
    if (found.length !== 1) throw new Error(`extensions installed: ${found.join(', ') || 'none'}`);
    return path.join(folder, found[0] as string);
  }

  /** The hosts that pages asked, and how often; what VS Code's own service worker answers is asked of nobody. */
  async asked(): Promise<Readonly<Record<string, number>>> {
    const counts: Record<string, number> = {};
    const count = (url: string): void => {
      const { protocol, hostname } = new URL(url);
      if (/^(http|ws)s?:$/.test(protocol)) counts[hostname] = (counts[hostname] ?? 0) + 1;
    };
    for (const url of this.#sockets) count(url);
    for (const request of this.#requests) {
      const isLocal = new URL(request.url()).hostname === '127.0.0.1';
      const response = isLocal ? null : await Promise.race([request.response(), pause(2_000)]);
      if (!(response as Response | null | undefined)?.fromServiceWorker?.()) count(request.url());
    }
    return counts;
  }

  async stop(): Promise<void> {
    await Promise.race([this.#browser.close(), pause(5_000)]);
    await ended(this.#server);
  }

  #endWithParent(): void {
    const stop = (): void => void this.stop().finally(() => process.exit(2));
    process.stdin.resume();
    process.stdin.on('end', stop);
    process.once('SIGTERM', stop);
    process.once('SIGINT', stop);
  }
}

/** Until `holds` says so; its value. Fails with `what` when that takes too long. */
export async function until<T>(
  what: string,
  holds: () => T | Promise<T>,
  patienceMs = PATIENCE_MS,
): Promise<NonNullable<T>> {
  const end = Date.now() + patienceMs;
  for (;;) {
    const value = await holds();
    if (value) return value;
    if (Date.now() > end) throw new Error(`waited in vain: ${what}`);
    await pause(20);
  }
}

/** What the recorders wrote: where processes of the editor connected to. */
export function connections(plan: Plan): string[] {
  const folder = path.join(plan.home, 'connections');
  return fs
    .readdirSync(folder)
    .flatMap((name) => fs.readFileSync(path.join(folder, name), 'utf8').split('\n').filter(Boolean));
}

/** The folders of a workspace file. VS Code may show none when it has never seen the file before; it has then. */
async function folders(page: Page): Promise<void> {
  const first = page.locator('.explorer-folders-view .monaco-list-row').first();
  const shown = await first.waitFor({ timeout: 8_000 }).then(
    () => true,
    () => false,
  );
  if (!shown) {
    await page.reload();
    await first.waitFor();
  }
}

function childEnvironment(plan: Plan): NodeJS.ProcessEnv {
  const runtime = path.join(plan.home, 'run');
  const recorded = path.join(plan.home, 'connections');
  for (const folder of [runtime, recorded]) fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  return {
    PATH: process.env.PATH,
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    HOME: plan.home,
    XDG_RUNTIME_DIR: runtime,
    GIT_CONFIG_NOSYSTEM: '1',
    EXTENSIONS_GALLERY: JSON.stringify({ serviceUrl: 'http://127.0.0.1:9/none' }),
    NODE_OPTIONS: `--require=${path.join(plan.recorders, 'connections.cjs')}`,
    PYTHONPATH: plan.recorders,
    MEMOFS_TEST_CONNECTIONS: recorded,
    MEMOFS_TEST_RESULTS: path.join(plan.home, 'host.json'),
  };
}

async function browse(plan: Plan): Promise<BrowserContext> {
  return chromium.launchPersistentContext(path.join(plan.home, 'chromium'), {
    executablePath: plan.chromium,
    headless: true,
    viewport: { width: 1280, height: 800 },
    args: CHROMIUM,
    env: { HOME: plan.home, PATH: process.env.PATH ?? '', LANG: 'C.UTF-8', TZ: 'UTC' },
  });
}

async function finished(plan: Plan, args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(process.execPath, [plan.codeServer, ...args], { stdio: ['ignore', 'pipe', 'pipe'], env });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (said += data.toString()));
  const code = await new Promise((resolve) => child.on('close', resolve));
  if (code !== 0) throw new Error(`code-server ${args.join(' ')}\n${said}`);
}

async function answering(port: number): Promise<void> {
  await until('code-server answers', async () => {
    try {
      return (await fetch(`http://127.0.0.1:${port}/healthz`)).ok;
    } catch {
      return false;
    }
  });
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM'); // its own children end with it; killing it outright would orphan them
  await Promise.race([gone, pause(8_000)]);
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as net.AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}

function writeJson(file: string, value: unknown): void {
  fs.writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}
