/**
 * Moving through the results with the keyboard: up and down from title to title, right and left along a result's
 * actions, Escape back. Only one result's buttons are reached by Tab at a time.
 */

export function keyboard(query: HTMLInputElement, list: HTMLUListElement): { reset(): void } {
  const items = (): HTMLLIElement[] => [...list.querySelectorAll<HTMLLIElement>('li.hit')];
  const itemOf = (target: EventTarget | null): HTMLLIElement | null =>
    target instanceof Element ? target.closest<HTMLLIElement>('li.hit') : null;
  const title = (item: HTMLLIElement): HTMLButtonElement | null => item.querySelector('button.open');
  const buttons = (item: HTMLLIElement): HTMLButtonElement[] => [
    ...item.querySelectorAll<HTMLButtonElement>('.actions button'),
  ];

  const makeCurrent = (current: HTMLLIElement | undefined): void => {
    for (const item of items()) {
      for (const each of item.querySelectorAll('button')) each.tabIndex = item === current ? 0 : -1;
    }
  };
  const goTo = (item: HTMLLIElement | undefined): void => {
    if (item === undefined) return;
    makeCurrent(item);
    title(item)?.focus();
  };

  query.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') {
      event.preventDefault();
      goTo(items()[0]);
    } else if (event.key === 'Escape' && query.value !== '') {
      event.preventDefault();
      query.value = '';
      query.dispatchEvent(new Event('input'));
    }
  });

  list.addEventListener('focusin', (event) => makeCurrent(itemOf(event.target) ?? undefined));
  list.addEventListener('keydown', (event) => {
    const item = itemOf(event.target);
    if (item === null) return;
    const every = items();
    const at = every.indexOf(item);
    const isTitle = event.target === title(item);
    const along = buttons(item);
    const place = along.findIndex((each) => each.isSameNode(event.target as Node));
    const go: Record<string, () => void> = {
      ArrowDown: () => goTo(every[at + 1]),
      ArrowUp: () => (at > 0 ? goTo(every[at - 1]) : query.focus()),
      Home: () => goTo(every[0]),
      End: () => goTo(every.at(-1)),
      ArrowRight: () => along[isTitle ? 0 : Math.min(place + 1, along.length - 1)]?.focus(),
      ArrowLeft: () => (place > 0 ? along[place - 1]?.focus() : title(item)?.focus()),
      Escape: () => (isTitle ? query.focus() : title(item)?.focus()),
    };
    const run = go[event.key];
    if (run === undefined) return;
    event.preventDefault();
    run();
  });

  return { reset: () => makeCurrent(items()[0]) };
}
