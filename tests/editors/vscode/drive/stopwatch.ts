/** Measures in the page itself, so that neither the wire to it nor this program's own pace is in the numbers. */

import type { Frame, Page } from 'playwright-core';

/** Milliseconds from the last key that `act` presses until the page shows something that matches, or no longer does. */
export async function sinceLastKey(
  page: Page,
  selector: string,
  wanted: 'shown' | 'gone',
  act: () => Promise<void>,
): Promise<number> {
  await page.evaluate(
    ([css, shown]) => {
      const watch = { keyMs: 0, seenMs: undefined as number | undefined };
      (globalThis as { memofsWatch?: typeof watch }).memofsWatch = watch;
      const holds = (): boolean => (document.querySelector(css) !== null) === shown;
      const key = (): void => {
        watch.keyMs = performance.now();
        watch.seenMs = undefined;
      };
      window.addEventListener('keydown', key, { capture: true });
      const look = (): void => {
        if (watch.keyMs === 0 || watch.seenMs !== undefined || !holds()) return;
        watch.seenMs = performance.now();
      };
      const observer = new MutationObserver(look);
      observer.observe(document.body, { subtree: true, childList: true, attributes: true });
    },
    [selector, wanted === 'shown'] as const,
  );
  await act();
  const taken = await page.waitForFunction(() => {
    const watch = (globalThis as { memofsWatch?: { keyMs: number; seenMs: number | undefined } }).memofsWatch;
    return watch?.seenMs === undefined ? false : watch.seenMs - watch.keyMs;
  });
  return (await taken.jsonValue()) as number;
}

/** Milliseconds from the last key that `act` presses until what is in an element is made anew. */
export async function untilRenewed(frame: Frame, selector: string, act: () => Promise<void>): Promise<number> {
  await frame.evaluate((css) => {
    const watch = { keyMs: 0, seenMs: undefined as number | undefined };
    (globalThis as { memofsWatch?: typeof watch }).memofsWatch = watch;
    const key = (): void => {
      watch.keyMs = performance.now();
      watch.seenMs = undefined;
    };
    window.addEventListener('keydown', key, { capture: true });
    const observer = new MutationObserver(() => {
      if (watch.keyMs > 0) watch.seenMs ??= performance.now();
    });
    observer.observe(document.querySelector(css) as Element, { childList: true });
  }, selector);
  await act();
  const taken = await frame.waitForFunction(() => {
    const watch = (globalThis as { memofsWatch?: { keyMs: number; seenMs: number | undefined } }).memofsWatch;
    return watch?.seenMs === undefined ? false : watch.seenMs - watch.keyMs;
  });
  return (await taken.jsonValue()) as number;
}
