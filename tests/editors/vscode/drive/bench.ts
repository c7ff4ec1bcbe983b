/** Measures what a person waits for, and tells every number; nothing is judged. */

import type { Frame } from 'playwright-core';
import { Cases } from './cases.ts';
import { plan, Rig, until } from './rig.ts';
import { sinceLastKey, untilRenewed } from './stopwatch.ts';

const given = plan();
const rounds = given.rounds ?? 12;
const rig = await Rig.start(given);
const cases = new Cases();
const times = async (count: number, work: (round: number) => Promise<number>): Promise<number[]> => {
  const found: number[] = [];
  for (let round = 0; round < count; round += 1) found.push(await work(round));
  return found;
};

try {
  await cases.run('activation', () =>
    times(5, async () => {
      const w = await rig.open(given.places.sample as string);
      cases.watch(w);
      await w.statusItem('2 stale').waitFor();
      await w.command('Developer: Show Running Extensions');
      const list = w.page.locator('.runtime-extensions-editor');
      await list.locator('.monaco-list-row').first().hover();
      const row = list.locator('.monaco-list-row').filter({ has: w.page.getByText('MemoFS', { exact: true }) });
      const told = await until('its time', async () => {
        if ((await row.count()) > 0) return /Activation: (\d+)\s*ms/.exec(await row.first().innerText())?.[1];
        await w.page.mouse.wheel(0, 200); // the slowest are at the top, and rows that are not seen are not there
        return undefined;
      });
      await w.close();
      return Number(told);
    }),
  );

  const w = await rig.open(given.places.sample as string);
  cases.watch(w);
  await w.statusItem('2 stale').waitFor();
  await w.open('limiter.py', 51, 13);
  await w.lenses.first().waitFor();
  const stale = '.editor-instance .squiggly-warning';

  await cases.run('squiggle', () =>
    times(rounds, async () => {
      const took = await sinceLastKey(w.page, stale, 'shown', () => w.type('x'));
      await w.press('Control+z');
      await w.squiggles.first().waitFor({ state: 'detached' });
      return took;
    }),
  );

  await cases.run('lens', () =>
    times(rounds, async () => {
      const lens = w.lenses.filter({ hasText: '(stale)' }).first();
      const took = await untilRenewedLens(() => w.type('x'));
      await w.press('Control+z');
      await lens.waitFor({ state: 'detached' });
      await w.squiggles.first().waitFor({ state: 'detached' });
      return took;
    }),
  );
  await w.close();

  const big = await rig.open(given.places.big as string);
  cases.watch(big);
  await cases.run('search', async () => {
    await big.sideBar();
    await big.search.locator('li.hit').first().waitFor();
    await big.search.locator('#query').click();
    const frame = await frameWith(big.page.frames());
    const words = ['retry timeout', 'tenant schema', 'queue worker', 'cache token', 'lock process', 'deploy release'];
    return times(rounds, async (round) => {
      await big.press('Control+a');
      return untilRenewed(frame, '#results', () => big.type(words[round % words.length] as string));
    });
  });

  async function untilRenewedLens(act: () => Promise<void>): Promise<number> {
    // A lens tells that it is stale by its words, which no selector matches: mark it once they are there.
    await w.page.evaluate(() => {
      const mark = (): void => {
        for (const each of document.querySelectorAll('.editor-instance .codelens-decoration a')) {
          each.toggleAttribute('data-stale', each.textContent?.includes('(stale)') === true);
        }
      };
      new MutationObserver(mark).observe(document.body, { subtree: true, childList: true, characterData: true });
    });
    return sinceLastKey(w.page, '.codelens-decoration a[data-stale]', 'shown', act);
  }
} finally {
  await rig.stop();
}
process.exit(cases.exitCode);

/** The frame of the search view's own document. */
async function frameWith(frames: readonly Frame[]): Promise<Frame> {
  for (const frame of frames) {
    if (
      (await frame
        .locator('#query')
        .count()
        .catch(() => 0)) > 0
    )
      return frame;
  }
  throw new Error('the search view has no document');
}
