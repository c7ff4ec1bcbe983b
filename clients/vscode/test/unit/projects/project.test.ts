/** One project against a session that the test plays. */

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Found } from '../../../src/daemon/find';
import { Project, type ProjectParts } from '../../../src/projects/project';
import type { Session, SessionOptions } from '../../../src/projects/session';
import { workspace } from '../vscode';

const PROGRAM = { command: '/bin/memofs', args: [], source: 'path' } as const;

class Played {
  readonly opened: SessionOptions[] = [];
  readonly asked: [string, object][] = [];
  readonly stopped: number[] = [];
  version: string | undefined = '0.1.0';
  found: Found = { program: PROGRAM, wanted: undefined };
  refuses: Error | undefined;
  readonly project = new Project('/w/api', this.parts());

  private parts(): ProjectParts {
    return {
      find: () => Promise.resolve(this.found),
      owns: () => true,
      open: (options) => this.open(options),
    };
  }

  private open(options: SessionOptions): Promise<Session> {
    const number = this.opened.push(options);
    if (this.refuses !== undefined) return Promise.reject(this.refuses);
    return Promise.resolve({
      version: this.version,
      request: (method: string, params: object) => {
        this.asked.push([method, params]);
        return Promise.resolve({});
      },
      refresh: () => undefined,
      stop: () => {
        this.stopped.push(number);
        return Promise.resolve();
      },
    });
  }

  /** The latest connection ends, as if the daemon had died. */
  end(): void {
    this.opened.at(-1)?.events.ended();
  }
}

let played: Played;

beforeEach(() => {
  vi.useFakeTimers();
  workspace.isTrusted = true;
  played = new Played();
});

afterEach(async () => {
  await played.project.close();
  vi.useRealTimers();
});

it('opens one connection, however many ask', async () => {
  const { project } = played;
  await Promise.all([project.request('status', {}), project.request('list', {}), project.start()]);
  expect(played.opened).toHaveLength(1);
  expect(played.asked.map(([method]) => method)).toEqual(['memofs/status', 'memofs/list']);
  expect(project.state).toEqual({ kind: 'ready', version: '0.1.0' });
});

describe('a daemon that ends', () => {
  it('is started again, after a longer wait each time, until that is hopeless', async () => {
    const { project } = played;
    await project.start();
    const waits: number[] = [];
    for (;;) {
      played.end();
      if (project.state.kind !== 'waiting') break;
      waits.push(project.state.forMs);
      await vi.advanceTimersByTimeAsync(project.state.forMs);
      expect(project.state.kind).toBe('ready');
    }
    expect(waits).toEqual([...waits].sort((left, right) => left - right));
    expect(played.opened).toHaveLength(waits.length + 1);
    expect(project.state).toMatchObject({ kind: 'failed' });
  });

  it('can be started by hand after that', async () => {
    const { project } = played;
    await project.start();
    while (project.state.kind !== 'failed') {
      played.end();
      if (project.state.kind === 'waiting') await vi.advanceTimersByTimeAsync(project.state.forMs);
    }
    await project.restart('connection');
    expect(project.state.kind).toBe('ready');
  });

  it('what an old connection still says is not the new one’s', async () => {
    const { project } = played;
    await project.start();
    const old = played.opened[0]?.events;
    played.end();
    await vi.advanceTimersByTimeAsync(0);
    old?.statusChanged({ health: 'error', quiescent: true, message: 'old' });
    old?.ended();
    expect(project.status).toBeUndefined();
    expect(project.state.kind).toBe('ready');
  });
});

it('one that cannot be opened is tried again', async () => {
  played.refuses = new Error('no');
  await expect(played.project.start()).rejects.toThrow('no');
  expect(played.project.state).toMatchObject({ kind: 'waiting' });
  played.refuses = undefined;
  await vi.advanceTimersByTimeAsync(0);
  expect(played.project.state.kind).toBe('ready');
});

it.each([
  ['0.0.1', /needs 0\.1\.0 or newer/],
  ['2.0.0', /update the extension/],
])('a daemon of version %s is said not to fit, and let go', async (version, message) => {
  played.version = version;
  await expect(played.project.start()).rejects.toThrow(message);
  expect(played.project.state.kind).toBe('unfit');
  expect(played.stopped).toEqual([1]);
});

it('a program that is not there is missing, and not tried again by itself', async () => {
  played.found = { program: undefined, wanted: 'memofsx' };
  await expect(played.project.start()).rejects.toThrow(/memofsx/);
  expect(played.project.state).toEqual({ kind: 'missing', wanted: 'memofsx' });
  await vi.advanceTimersByTimeAsync(120_000);
  expect(played.opened).toEqual([]);
});

describe('restarting', () => {
  it('the daemon drains it first', async () => {
    await played.project.start();
    await played.project.restart('daemon');
    expect(played.asked).toEqual([['memofs/drain', {}]]);
    expect(played.stopped).toEqual([1]);
    expect(played.opened).toHaveLength(2);
  });
});

describe('in a workspace that is not trusted', () => {
  beforeEach(() => {
    workspace.isTrusted = false;
  });
  it.each(['verify', 'retire'] as const)('%s is refused before anything is asked', async (name) => {
    await expect(played.project.request(name, { ids: ['mem_1'] })).rejects.toThrow(/not trusted/);
    expect(played.opened).toEqual([]);
  });
  it('reading works', async () => {
    await played.project.request('recall', { query: 'x' });
    expect(played.asked).toEqual([['memofs/recall', { query: 'x' }]]);
  });
});

it('closed, it starts nothing any more', async () => {
  await played.project.start();
  await played.project.close();
  played.end();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(played.opened).toHaveLength(1);
  expect(played.stopped).toEqual([1]);
});

it('a program that does not answer is not tried again, and the state says why', async () => {
  played.refuses = Object.assign(new Error('no answer'), { data: { code: 'silent' } });
  await expect(played.project.start()).rejects.toThrow('no answer');
  expect(played.project.state).toEqual({ kind: 'failed', message: 'no answer' });
  await vi.runAllTimersAsync();
  expect(played.opened).toHaveLength(1);
});
