// @vitest-environment happy-dom

import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type QueryField, queryField } from '../../../src/webview/field';

let query: HTMLInputElement;
let result: HTMLButtonElement;
let field: QueryField;

beforeEach(() => {
  query = document.createElement('input');
  result = document.createElement('button');
  document.body.replaceChildren(query, result);
  field = queryField(query);
  query.value = 'before';
});

const press = (target: HTMLElement, key: string, more: KeyboardEventInit = {}): KeyboardEvent => {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more });
  target.dispatchEvent(event);
  return event;
};
const type = (text: string): void => {
  query.value = text;
  query.dispatchEvent(new Event('input'));
};
const selected = (): string => query.value.slice(query.selectionStart ?? 0, query.selectionEnd ?? 0);

describe('a view that gets the focus', () => {
  it('has its field selected at once, to be typed over', () => {
    window.dispatchEvent(new Event('focus'));
    expect([document.activeElement, selected()]).toEqual([query, 'before']);
  });

  it('leaves the focus on a result that has it', () => {
    result.focus();
    window.dispatchEvent(new Event('focus'));
    expect(document.activeElement).toBe(result);
  });
});

describe('a query that comes late', () => {
  it('is taken, and selected', () => {
    field.take('given');
    expect(selected()).toBe('given');
  });

  it.each(['given', undefined])('%s: what was typed meanwhile stays, and is not selected', (given) => {
    window.dispatchEvent(new Event('focus'));
    type('jit');
    query.setSelectionRange(3, 3);
    field.take(given);
    expect([query.value, selected(), document.activeElement]).toEqual(['jit', '', query]);
  });

  it('is taken where the shortcut was pressed after typing', () => {
    type('jit');
    press(query, 'm', { ctrlKey: true, altKey: true });
    field.take(undefined);
    expect(selected()).toBe('jit');
  });
});

describe('a key', () => {
  it('that is a letter leads back to the field', () => {
    result.focus();
    press(result, 'j');
    expect([document.activeElement, selected()]).toEqual([query, 'before']);
  });

  it.each([
    [' ', {}],
    ['Enter', {}],
    ['c', { ctrlKey: true }],
  ])('%o %o does not', (key, more) => {
    result.focus();
    press(result, key, more);
    expect(document.activeElement).toBe(result);
  });

  it('that edits the field is not heard of by VS Code', () => {
    const heard = vi.fn();
    window.addEventListener('keydown', heard);
    Object.assign(document, { execCommand: vi.fn() });
    query.focus();
    expect(press(query, 'a', { ctrlKey: true }).defaultPrevented).toBe(true);
    expect(selected()).toBe('before');
    press(query, 'z', { metaKey: true, shiftKey: true });
    expect(document.execCommand).toHaveBeenCalledWith('redo');
    expect(heard).not.toHaveBeenCalled();
    press(query, 'p', { ctrlKey: true });
    expect(heard).toHaveBeenCalledOnce();
    window.removeEventListener('keydown', heard);
  });
});
