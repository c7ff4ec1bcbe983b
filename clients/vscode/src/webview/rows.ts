/** Results as elements. Texts become text nodes and nothing else: what a memory says is never markup here. */

import type { Action, Words } from '../pure/messages';
import type { Piece, Row } from '../pure/search';

export interface RowEvents {
  act(action: Action, id: string, place: number): void;
}

export function rowElement(
  row: Row,
  number: number,
  words: Words,
  writable: boolean,
  events: RowEvents,
): HTMLLIElement {
  const item = element('li', 'hit');
  item.dataset.id = row.id;
  const ids = { meta: `meta-${number}`, snippet: `snippet-${number}`, why: `why-${number}` };

  const title = element('button', 'open', ...marked(row.title));
  title.type = 'button';
  title.setAttribute('aria-describedby', `${ids.meta} ${ids.snippet}`);
  title.addEventListener('click', () => events.act('open', row.id, 0));

  const meta = element('p', 'meta', element('span', 'kind', row.kind));
  meta.id = ids.meta;
  if (row.date !== '') meta.append(' · ', element('span', 'date', row.date));
  for (const flag of row.flags) meta.append(' ', element('span', flag === 'stale' ? 'flag stale' : 'flag', flag));

  const snippet = element('p', 'snippet', ...marked(row.snippet));
  snippet.id = ids.snippet;
  item.append(element('h3', '', title), meta, snippet);

  if (row.places.length > 0) {
    const places = element('p', 'places');
    row.places.forEach((place, index) => {
      const link = button(place, 'place', () => events.act('place', row.id, index));
      places.append(link);
    });
    item.append(places);
  }
  item.append(...actions(row, ids.why, words, writable, events));
  return item;
}

function actions(row: Row, whyId: string, words: Words, writable: boolean, events: RowEvents): readonly HTMLElement[] {
  const bar = element('div', 'actions');
  bar.setAttribute('role', 'toolbar');
  bar.setAttribute('aria-label', words.actionsFor.replace('{0}', row.title.map((piece) => piece.text).join('')));
  bar.append(button(words.open, 'action', () => events.act('open', row.id, 0)));
  if (writable) {
    bar.append(button(words.verify, 'action', () => events.act('verify', row.id, 0)));
    bar.append(button(words.retire, 'action', () => events.act('retire', row.id, 0)));
  }
  bar.append(button(words.cite, 'action', () => events.act('cite', row.id, 0)));
  if (row.why.length === 0) return [bar];
  const why = element('ul', 'why', ...row.why.map((reason) => element('li', '', reason)));
  why.id = whyId;
  why.hidden = true;
  const toggle = button(words.why, 'action', () => {
    why.hidden = !why.hidden;
    toggle.setAttribute('aria-expanded', String(!why.hidden));
  });
  toggle.setAttribute('aria-expanded', 'false');
  toggle.setAttribute('aria-controls', whyId);
  bar.append(toggle);
  return [bar, why];
}

function marked(pieces: readonly Piece[]): readonly (string | HTMLElement)[] {
  return pieces.map((piece) => (piece.marked ? element('mark', '', piece.text) : piece.text));
}

export function button(label: string, className: string, run: () => void): HTMLButtonElement {
  const made = element('button', className, label);
  made.type = 'button';
  made.addEventListener('click', run);
  return made;
}

export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  className: string,
  ...children: readonly (string | Node)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  if (className !== '') made.className = className;
  made.append(...children);
  return made;
}
