/** The search view's script: fields to questions, answers to elements. Everything it knows comes in messages. */

import type { Choices, FromView, ToView, Words } from '../pure/messages';
import { type Filters, filtersFrom, Latest, NO_FILTERS, type Shown, TASKS } from '../pure/search';
import { queryField } from './field';
import { keyboard } from './keys';
import { button, element, rowElement } from './rows';

declare function acquireVsCodeApi(): {
  postMessage(message: FromView): void;
  getState(): unknown;
  setState(state: Filters): void;
};

/** An answer that takes less than this needs no sign that something is under way. */
const BUSY_MS = 150;

const vscode = acquireVsCodeApi();
const find = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;
const query = find<HTMLInputElement>('query');
const kind = find<HTMLSelectElement>('kind');
const task = find<HTMLSelectElement>('task');
const stale = find<HTMLInputElement>('stale');
const root = find<HTMLSelectElement>('root');
const status = find('status');
const note = find('note');
const state = find('state');
const results = find<HTMLUListElement>('results');
const keys = keyboard(query, results);
const latest = new Latest();
const field = queryField(query);

let words: Words | undefined;
let writable = false;
let debounceMs = 120;
let timer: number | undefined;
let busy: number | undefined;

function filters(): Filters {
  return filtersFrom({
    query: query.value,
    kind: kind.value,
    task: task.value,
    staleOnly: stale.checked,
    root: root.hidden ? '' : root.value,
  });
}

function search(): void {
  clearTimeout(timer);
  const asked = filters();
  vscode.setState(asked);
  clearTimeout(busy);
  busy = window.setTimeout(() => {
    results.setAttribute('aria-busy', 'true');
    document.body.classList.add('busy');
    status.textContent = words?.loading ?? '';
  }, BUSY_MS);
  vscode.postMessage({ type: 'search', number: latest.begin(), filters: asked });
}

function searchSoon(): void {
  clearTimeout(timer);
  timer = window.setTimeout(search, debounceMs);
}

function idle(): void {
  clearTimeout(busy);
  results.setAttribute('aria-busy', 'false');
  document.body.classList.remove('busy');
}

function show(shown: Shown): void {
  if (words === undefined) return;
  idle();
  const focused = document.activeElement?.closest<HTMLLIElement>('li.hit')?.dataset.id;
  status.textContent = '';
  note.textContent = '';
  state.replaceChildren();
  document.body.dataset.state = shown.state;
  if (shown.state !== 'results') {
    results.replaceChildren();
    if (shown.state === 'setUp') showSetUp(shown, words);
    else showError(shown.message, shown.hint, words);
    return;
  }
  const known = words;
  results.replaceChildren(
    ...shown.rows.map((row, number) =>
      rowElement(row, number, known, writable, {
        act: (action, id, place) => vscode.postMessage({ type: 'act', action, id, place }),
      }),
    ),
  );
  status.textContent = summary(shown, words);
  if (shown.degraded.includes('indexing') || shown.degraded.includes('embedder')) note.textContent = words.wordsOnly;
  else if (shown.degraded.includes('unreadable')) note.textContent = words.unreadable;
  keys.reset();
  if (focused !== undefined) refocus(focused);
}

/** The result that had the focus before the list was made anew, or the field where it is gone. */
function refocus(id: string): void {
  const item = [...results.querySelectorAll<HTMLLIElement>('li.hit')].find((each) => each.dataset.id === id);
  (item?.querySelector<HTMLButtonElement>('button.open') ?? query).focus();
}

function summary(shown: Extract<Shown, { state: 'results' }>, known: Words): string {
  const count = shown.rows.length;
  if (count === 0)
    return query.value.trim() === '' && shown.notice !== 'nothingRelevant' ? known.nothingYet : known.nothing;
  const parts = [
    shown.notice === 'emptyQuery'
      ? known.recent
      : count === 1
        ? known.oneResult
        : known.results.replace('{0}', `${count}`),
  ];
  if (shown.more > 0 && shown.notice !== 'emptyQuery') parts.push(known.more.replace('{0}', `${shown.more}`));
  if (shown.weaker > 0) parts.push(known.weaker.replace('{0}', `${shown.weaker}`));
  return parts.join(' · ');
}

function showSetUp(shown: Extract<Shown, { state: 'setUp' }>, known: Words): void {
  status.textContent = known[shown.why].replace('{0}', 'program' in shown ? shown.program : '');
  if (shown.why === 'missing') {
    if (shown.isNamed) {
      state.append(button(known.settings, 'primary', () => vscode.postMessage({ type: 'setUp', what: 'settings' })));
    }
    const look = shown.isNamed ? 'secondary' : 'primary';
    state.append(button(known.install, look, () => vscode.postMessage({ type: 'setUp', what: 'install' })));
  }
  if (shown.why === 'uninitialised' && writable) {
    state.append(button(known.init, 'primary', () => vscode.postMessage({ type: 'setUp', what: 'init' })));
  }
}

function showError(message: string, hint: string, known: Words): void {
  const text = element('div', 'error', element('p', '', message));
  text.setAttribute('role', 'alert');
  if (hint !== '') text.append(element('p', 'hint', hint));
  state.append(
    text,
    button(known.again, 'primary', search),
    button(known.showLog, 'secondary', () => vscode.postMessage({ type: 'setUp', what: 'log' })),
  );
}

function takeChoices(choices: Choices, known: Words): void {
  const before = filters();
  words = known;
  writable = choices.writable;
  debounceMs = choices.debounceMs;
  options(kind, [['', known.anyKind], ...choices.kinds.map((each) => [each, each] as const)], before.kind);
  options(task, [['', known.anyTask], ...TASKS.map((each) => [each, each] as const)], before.task);
  options(
    root,
    choices.roots.map((each) => [each.root, each.name] as const),
    before.root,
  );
  root.hidden = choices.roots.length < 2;
}

function options(select: HTMLSelectElement, values: readonly (readonly [string, string])[], chosen: string): void {
  select.replaceChildren(
    ...values.map(([value, label]) => {
      const option = element('option', '', label);
      option.value = value;
      return option;
    }),
  );
  if (values.some(([value]) => value === chosen)) select.value = chosen;
}

function restore(): void {
  const saved = filtersFrom(vscode.getState() ?? NO_FILTERS);
  query.value = saved.query;
  stale.checked = saved.staleOnly;
  options(kind, [[saved.kind, saved.kind]], saved.kind);
  options(task, [[saved.task, saved.task]], saved.task);
  options(root, [[saved.root, saved.root]], saved.root);
}

window.addEventListener('message', (event: MessageEvent<ToView>) => {
  const message = event.data;
  if (message.type === 'choices') takeChoices(message.choices, message.words);
  else if (message.type === 'show') {
    if (latest.isCurrent(message.number)) show(message.shown);
  } else if (message.type === 'focus') {
    field.take(message.query);
    if (message.query !== undefined) search();
  } else if (message.type === 'say') note.textContent = message.text;
  else search();
});

query.addEventListener('input', searchSoon);
for (const field of [kind, task, stale, root]) field.addEventListener('change', search);
find('form').addEventListener('submit', (event) => {
  event.preventDefault();
  search();
});

restore();
vscode.postMessage({ type: 'ready' });
