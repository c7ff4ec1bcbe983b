/**
 * The field that is typed into, so that no letter is lost and none goes elsewhere: somebody types while the view is
 * still being shown, and the editor below hears of keys too.
 */

export interface QueryField {
  /** Put the cursor into the field, with another query or what is there selected; what was typed meanwhile stays. */
  take(given: string | undefined): void;
}

export function queryField(query: HTMLInputElement): QueryField {
  /** Whether something was typed since the view got the focus, or since a shortcut was pressed. */
  let typed = false;
  const begin = (): void => {
    query.focus();
    query.select();
  };

  query.addEventListener('input', () => {
    typed = true;
  });
  window.addEventListener('focus', () => {
    typed = false;
    const { activeElement } = document;
    if (activeElement === null || activeElement === document.body || activeElement === query) begin();
  });
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey) typed = false;
    else if (isLetter(event) && !takesLetters(event.target)) begin(); // the letter then goes into the field
  });
  query.addEventListener('keydown', (event) => {
    const run = ownKey(event);
    if (run === undefined) return;
    event.preventDefault();
    event.stopPropagation(); // or VS Code acts on it, and in the code if it thinks that the focus is there
    if (run === 'selectAll') query.select();
    else document.execCommand(run);
  });

  return {
    take: (given) => {
      if (typed) {
        query.focus();
        return;
      }
      if (given !== undefined) query.value = given;
      begin();
    },
  };
}

/** What keys of editing mean in a field. */
function ownKey({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): 'selectAll' | 'undo' | 'redo' | undefined {
  if (!(ctrlKey || metaKey) || altKey) return undefined;
  const name = key.toLowerCase();
  if (name === 'a' && !shiftKey) return 'selectAll';
  if (name === 'z') return shiftKey ? 'redo' : 'undo';
  return name === 'y' && !shiftKey ? 'redo' : undefined;
}

function isLetter({ key, altKey, isComposing }: KeyboardEvent): boolean {
  return [...key].length === 1 && key !== ' ' && !altKey && !isComposing;
}

function takesLetters(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, select, textarea') !== null;
}
