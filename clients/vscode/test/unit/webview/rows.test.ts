// @vitest-environment happy-dom

import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Words } from '../../../src/pure/messages';
import type { Row } from '../../../src/pure/search';
import { keyboard } from '../../../src/webview/keys';
import { type RowEvents, rowElement } from '../../../src/webview/rows';

const words = new Proxy({}, { get: (_, name) => (name === 'actionsFor' ? 'Actions for {0}' : String(name)) }) as Words;
const EVIL = '<img src=x onerror="alert(1)"><script>alert(2)</script>';
const row = (given: Partial<Row> = {}): Row => ({
  id: 'mem_1',
  title: [{ text: 'Use D1', marked: false }],
  snippet: [{ text: 'near', marked: true }],
  kind: 'decision',
  date: '2026-12-01',
  flags: [],
  stale: false,
  places: ['a.ts:1'],
  why: ['says “near”'],
  label: '',
  ...given,
});
const made = (given: Row, writable = true, act: RowEvents['act'] = () => undefined): HTMLLIElement =>
  rowElement(given, 0, words, writable, { act });
const labels = (item: HTMLElement): (string | null)[] =>
  [...item.querySelectorAll('.actions button')].map((each) => each.textContent);

describe('a result', () => {
  it('shows whatever a memory says as text', () => {
    const evil = { text: EVIL, marked: true };
    const item = made(row({ title: [evil], snippet: [evil], kind: EVIL, flags: [EVIL], places: [EVIL], why: [EVIL] }));
    expect(item.querySelectorAll('img, script')).toHaveLength(0);
    expect(item.querySelector('h3')?.textContent).toBe(EVIL);
    expect(item.querySelector('mark')?.textContent).toBe(EVIL);
  });

  it('has actions that write only where something can be written', () => {
    expect(labels(made(row()))).toEqual(['open', 'verify', 'retire', 'cite', 'why']);
    expect(labels(made(row(), false))).toEqual(['open', 'cite', 'why']);
  });

  it('says why it stands here when asked, and whether that is shown', () => {
    const item = made(row());
    const toggle = [...item.querySelectorAll<HTMLButtonElement>('button')].at(-1);
    const why = item.querySelector<HTMLElement>('.why');
    expect([toggle?.getAttribute('aria-expanded'), why?.hidden]).toEqual(['false', true]);
    toggle?.click();
    expect([toggle?.getAttribute('aria-expanded'), why?.hidden]).toEqual(['true', false]);
    expect(toggle?.getAttribute('aria-controls')).toBe(why?.id);
  });

  it('tells which memory and which place was chosen', () => {
    const act = vi.fn();
    const item = made(row({ places: ['a', 'b'] }), true, act);
    item.querySelector<HTMLButtonElement>('.open')?.click();
    item.querySelectorAll<HTMLButtonElement>('.place')[1]?.click();
    expect(act.mock.calls).toEqual([
      ['open', 'mem_1', 0],
      ['place', 'mem_1', 1],
    ]);
  });
});

describe('the keyboard', () => {
  let query: HTMLInputElement;
  let list: HTMLUListElement;

  beforeEach(() => {
    query = document.createElement('input');
    list = document.createElement('ul');
    document.body.replaceChildren(query, list);
    const keys = keyboard(query, list);
    list.append(...['x', 'y', 'z'].map((id) => made(row({ id, title: [{ text: id, marked: false }] }))));
    keys.reset();
    query.focus();
  });

  const press = (...keys: string[]): string => {
    for (const key of keys) {
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    }
    const active = document.activeElement;
    return active === query ? 'query' : `${active?.closest('li')?.dataset.id} ${active?.textContent}`;
  };

  it.each([
    [['ArrowDown'], 'x x'],
    [['ArrowDown', 'ArrowDown'], 'y y'],
    [['ArrowDown', 'ArrowUp'], 'query'],
    [['ArrowDown', 'End'], 'z z'],
    [['ArrowDown', 'End', 'ArrowDown'], 'z z'],
    [['ArrowDown', 'End', 'Home'], 'x x'],
    [['ArrowDown', 'ArrowRight'], 'x open'],
    [['ArrowDown', 'ArrowRight', 'ArrowRight'], 'x verify'],
    [['ArrowDown', 'ArrowRight', 'ArrowLeft'], 'x x'],
    [['ArrowDown', 'ArrowRight', 'Escape'], 'x x'],
    [['ArrowDown', 'ArrowRight', 'ArrowDown'], 'y y'],
    [['ArrowDown', 'Escape'], 'query'],
  ])('%o leads to %s', (keys, wanted) => {
    expect(press(...keys)).toBe(wanted);
  });

  it('Tab reaches the buttons of one result only', () => {
    press('ArrowDown', 'ArrowDown');
    const reachable = [...list.querySelectorAll<HTMLButtonElement>('button')].filter((each) => each.tabIndex === 0);
    expect(new Set(reachable.map((each) => each.closest('li')?.dataset.id))).toEqual(new Set(['y']));
  });

  it('Escape in the field empties it', () => {
    query.value = 'x';
    const input = vi.fn();
    query.addEventListener('input', input);
    press('Escape');
    expect([query.value, input.mock.calls.length]).toEqual(['', 1]);
  });
});
