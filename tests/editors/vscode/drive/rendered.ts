/** One window on the sample workspace, used as a person uses it: what is seen, and what is then on disk. */

import fs from 'node:fs';
import path from 'node:path';
import { Cases, check, same } from './cases.ts';
import { connections, plan, Rig, until } from './rig.ts';

const given = plan();
const root = given.places.sample as string;
const memories = path.join(root, '.memofs', 'memory');
const rig = await Rig.start(given);
const cases = new Cases();

const files = (): string[] =>
  fs
    .readdirSync(memories)
    .filter((name) => /^[^.].*\.md$/.test(name))
    .sort();
const memoryFile = (end: string): string =>
  path.join(memories, files().find((name) => name.endsWith(`${end}.md`)) ?? end);
const read = (file: string): string => fs.readFileSync(file, 'utf8');
const daemonPid = (): number | undefined => {
  try {
    return (JSON.parse(read(path.join(root, '.memofs', 'tmp', 'daemon.json'))) as { pid: number }).pid;
  } catch {
    return undefined; // between two daemons there is none
  }
};

try {
  const w = await rig.open(root);
  cases.watch(w);
  const { page, search } = w;
  const status = w.statusItem(/MemoFS|stale/);
  const hits = search.locator('li.hit');
  const titles = search.locator('li.hit button.open');

  await cases.run('the status bar tells how many memories are stale', async () => {
    await w.statusItem('2 stale').waitFor();
    return (await status.first().getAttribute('aria-label')) ?? '';
  });

  await cases.run('the side bar has a search and two trees, and a badge', async () => {
    await w.sideBar();
    for (const title of ['Search', 'Here', 'Stale']) await w.pane(title).waitFor();
    await w.pane('Stale').locator('.monaco-list-row', { hasText: 'Database connection pool timeout' }).waitFor();
    // While views are loaded the badge is a sign of progress.
    await until('the badge', async () => (await w.activityIcon.locator('.badge').innerText()) === '2');
    same(await w.pane('Stale').locator('.monaco-list-row[aria-level="1"]').count(), 2, 'rows');
    await titles.first().waitFor();
  });

  await cases.run('search as one types, with the mouse', async () => {
    await search.locator('#query').click();
    await page.keyboard.type('connection pool');
    const first = titles.filter({ hasText: 'connection pool' }).first();
    await first.waitFor();
    await search.locator('#status', { hasText: /^\d+ results/ }).waitFor();
    check((await hits.first().locator('mark').count()) > 0, 'no matched word is marked');
    await hits.first().locator('.actions button', { hasText: 'Why' }).click();
    check((await hits.first().locator('.why li').count()) > 0, 'it does not say why');
    await first.click();
    await page.locator('.tab.active', { hasText: /pool.*\.md/ }).waitFor();
    return search.locator('#status').innerText();
  });

  await cases.run('search with the keyboard alone', async () => {
    await w.open('limiter.py');
    await w.press('Control+Alt+M');
    await until('the field has the focus, and what was in it is selected', () =>
      search.locator('#query').evaluate((field) => {
        const { selectionStart, selectionEnd, value } = field as HTMLInputElement;
        return (
          document.hasFocus() &&
          document.activeElement === field &&
          selectionStart === 0 &&
          selectionEnd === value.length
        );
      }),
    );
    await page.keyboard.type('jitter');
    await titles.filter({ hasText: 'Retry storm' }).waitFor();
    await until('only what was asked for is shown', async () => (await search.locator('#status').innerText()) !== '');
    await w.press('ArrowDown');
    await until('the first result has the focus', () =>
      titles.first().evaluate((title) => document.activeElement === title),
    );
    await w.press('ArrowRight');
    await until('its first action has the focus', () =>
      hits
        .first()
        .locator('.actions button')
        .first()
        .evaluate((button) => document.activeElement === button),
    );
    await w.press('ArrowLeft');
    await w.shot('search');
    await w.press('Enter');
    await page.locator('.tab.active', { hasText: 'retry-storm' }).waitFor();
  });

  await cases.run('what is typed right after the shortcut reaches the search, and never the code', async () => {
    await w.open('limiter.py', 43);
    const code = read(path.join(root, 'quayside', 'limiter.py'));
    const typed: string[] = [];
    for (const hide of [undefined, 'Control+b', 'Control+Shift+E']) {
      await w.press('Control+1', ...(hide === undefined ? [] : [hide]), 'Control+1', 'Control+Alt+M');
      await page.keyboard.type('waits without jitter', { delay: 60 }); // as fast as a good typist
      await until('the end has come', async () =>
        (await search.locator('#query').inputValue()).endsWith('without jitter'),
      );
      typed.push(await search.locator('#query').inputValue());
      await titles.filter({ hasText: 'Retry storm' }).waitFor();
    }
    await w.press('ArrowDown');
    await until('the first result has the focus', () =>
      titles.first().evaluate((title) => document.activeElement === title),
    );
    await page.keyboard.type('rate');
    same(await search.locator('#query').inputValue(), 'rate', 'letters typed on a result');
    await w.press('Control+1');
    await search.locator('#query').click();
    await w.press('Control+a');
    await page.keyboard.type('pool');
    same(await search.locator('#query').inputValue(), 'pool', 'letters typed over everything');
    same(await page.locator('.tab.dirty').count(), 0, 'files that were changed');
    same(read(path.join(root, 'quayside', 'limiter.py')), code, 'the file on disk');
    return typed;
  });

  await cases.run('the search is filtered by kind and by staleness', async () => {
    await search.locator('#query').fill('');
    await search.locator('#kind').selectOption('constraint');
    await until('constraints alone', async () => {
      const kinds = await search.locator('li.hit .kind').allInnerTexts();
      return kinds.length > 0 && kinds.every((kind) => kind === 'constraint');
    });
    await search.locator('#kind').selectOption('');
    await search.locator('#stale').check();
    await until('stale ones alone', async () => (await hits.count()) === 2);
    await search.locator('#stale').uncheck();
    await until('all again', async () => (await hits.count()) > 2);
  });

  await cases.run('nothing found is said', async () => {
    await search.locator('#query').fill('sourdough bread recipe');
    await until('no result', async () => (await hits.count()) === 0);
    const said = await until('a word about it', () => search.locator('#status').innerText());
    await search.locator('#query').fill('');
    await titles.first().waitFor();
    return said;
  });

  await cases.run('what a screen reader is told', async () => {
    const form = await search.locator('body').ariaSnapshot();
    for (const wanted of [
      'searchbox "Search memories"',
      'combobox "Kind"',
      'checkbox "Stale only"',
      'list "Memories"',
      'toolbar "',
    ]) {
      check(form.includes(wanted), `no ${wanted} in\n${form.slice(0, 1500)}`);
    }
    const rows = w.pane('Stale').locator('.monaco-list-row[aria-level="1"]');
    const labels = await rows.evaluateAll((found) => found.map((row) => row.getAttribute('aria-label') ?? ''));
    check(
      labels.every((label) => /stale/.test(label)),
      `rows are read out as ${labels.join(' | ')}`,
    );
    same(await w.pane('Stale').locator('.monaco-list[role=tree]').count(), 1, 'tree');
    const unnamed = await search
      .locator('button, input, select')
      .evaluateAll(
        (found) =>
          found.filter((each) => !(each.textContent || each.getAttribute('aria-label') || each.closest('label')))
            .length,
      );
    same(unnamed, 0, 'controls without a name');
    return labels;
  });

  await cases.run('hover', async () => {
    await w.open('limiter.py', 43);
    await w.lenses.first().waitFor();
    await w.pointAt('def wait_seconds', 'wait_seconds');
    const hover = w.hover.filter({ hasText: 'Token bucket per harbour' }).first();
    await hover.waitFor();
    const said = await hover.innerText();
    check(/decision/.test(said) && /confidence 0.9/.test(said), said);
    await w.shot('hover');
    await w.press('Escape');
  });

  await cases.run('a lens opens its memory', async () => {
    await w.lenses.filter({ hasText: 'Token bucket' }).first().click();
    await page.locator('.tab.active', { hasText: 'token-bucket' }).waitFor();
  });

  await cases.run('a lens of several memories lets one be picked', async () => {
    await w.open('bookings.py', 68);
    const lens = w.lenses.filter({ hasText: /^\d+ memories/ }).first();
    await lens.waitFor();
    await lens.click();
    const rows = w.quickPick.locator('.monaco-list-row');
    await rows.first().waitFor();
    check((await rows.count()) > 1, 'one row only');
    const title = (await rows.first().locator('.label-name').first().innerText()).trim();
    await rows.first().click();
    await w.quickPick.waitFor({ state: 'detached' });
    await until('its file is open', async () =>
      /\.md$/.test(((await page.locator('.tab.active').getAttribute('data-resource-name')) ?? '').trim()),
    );
    return title;
  });

  await cases.run('Here follows the cursor', async () => {
    const rows = w.pane('Here').locator('.monaco-list-row');
    const atCursor = (title: string): Promise<boolean> =>
      until(`${title} is the memory at the cursor`, async () => {
        const [heading, first] = await rows.allInnerTexts();
        return heading === 'At the cursor' && first?.includes(title) === true;
      });
    await w.open('tokens.py', 23);
    await atCursor('JWT tokens for stateless');
    await w.goTo(26);
    await atCursor('Gate tablets drift');
    await w.shot('here');
    await w.goTo(23);
    await atCursor('JWT tokens for stateless');
  });

  await cases.run('typing underlines what a memory is about, undoing takes it back', async () => {
    await w.open('limiter.py', 46, 1);
    same(await w.squiggles.count(), 0, 'underlined before');
    await w.goTo(51, 20);
    await w.press('Home');
    await w.type('x');
    await w.squiggles.first().waitFor();
    await w.lenses.filter({ hasText: 'Token bucket' }).filter({ hasText: '(stale)' }).first().waitFor();
    await w.press('Control+z');
    await w.squiggles.first().waitFor({ state: 'detached' });
    await page.locator('.tab.active.dirty').waitFor({ state: 'detached' });
  });

  await cases.run('the badge follows what is typed', async () => {
    const badge = w.activityIcon.locator('.badge');
    await w.type('x');
    await until('three are stale', async () => (await badge.innerText()) === '3');
    await w.press('Control+z');
    await until('two are stale', async () => (await badge.innerText()) === '2');
  });

  await cases.run('a quick fix verifies: the underline goes, the file on disk says so', async () => {
    const file = memoryFile('8p1r');
    const before = read(file);
    await w.open('limiter.py', 42, 1);
    await w.press('End');
    await w.type('  # a minute');
    await w.press('Home', 'Home', 'ArrowDown', 'End');
    await w.goTo(49, 1);
    await w.press('End', 'Backspace', '2');
    await w.squiggles.first().waitFor();
    await w.lenses.filter({ hasText: '(stale)' }).first().waitFor();
    await page.mouse.move(640, 2);
    await w.hover.first().waitFor({ state: 'hidden' });
    await w.shot('editor');
    await w.goTo(35, 10);
    await w.press('Control+.');
    const menu = page.locator('.action-widget');
    await menu.locator('.monaco-list-row', { hasText: 'Still true: verify' }).waitFor();
    await w.shot('quick-fixes');
    await menu.locator('.monaco-list-row', { hasText: 'Still true: verify' }).first().click();
    await w.squiggles.first().waitFor({ state: 'detached' });
    const after = await until('the file changes', () => (read(file) === before ? undefined : read(file)));
    const field = (text: string, name: string): string[] => text.match(new RegExp(`${name}: .*`, 'g')) ?? [];
    check(
      field(after, '^verified|\nverified')[0] !== field(before, '^verified|\nverified')[0],
      'verified is as it was',
    );
    check(field(after, 'mark')[0] !== field(before, 'mark')[0], 'the mark is as it was');
  });

  await cases.run('what changed is shown side by side', async () => {
    await w.open('store.py');
    await w.squiggles.first().waitFor();
    await w.command('MemoFS: Show What Changed…');
    await w.quickPick.locator('.monaco-list-row', { hasText: 'Database connection pool timeout' }).first().click();
    const diff = page.locator('.monaco-diff-editor');
    await diff.waitFor();
    await diff.locator('.editor.original .view-line', { hasText: 'POOL_TIMEOUT_MS = 5000' }).waitFor();
    await diff.locator('.editor.modified .view-line', { hasText: 'POOL_TIMEOUT_MS = 2000' }).waitFor();
    await w.shot('changes');
    await w.press('Control+F4');
  });

  await cases.run('remembering a selection writes a file that is anchored there', async () => {
    const before = new Set(files());
    await w.open('stay.py', 1);
    await w.goTo(19);
    await w.press('Home', 'Shift+ArrowDown', 'Shift+ArrowDown');
    await w.command('MemoFS: Remember This…');
    await w.quickPick.locator('.monaco-list-row', { hasText: 'decision' }).first().click();
    const answer = async (prompt: string, text: string): Promise<void> => {
      await w.quickPick.locator('.quick-input-message', { hasText: prompt }).waitFor();
      await page.keyboard.type(text);
      await w.press('Enter');
    };
    await w.quickPick.locator('.quick-input-message', { hasText: 'What should be remembered' }).waitFor();
    await page.keyboard.type('A booking needs a price on the day it is made: nobody pays what nobody has set.');
    await w.shot('remember');
    await w.press('Control+a');
    await answer('What should be remembered', 'A stay is never split over two invoices: auditors count them.');
    await answer('A title', 'One invoice a stay');
    const name = await until('a new file', () => files().find((each) => !before.has(each)));
    const text = read(path.join(memories, name));
    for (const wanted of [
      'kind: decision',
      'title: One invoice a stay',
      'path: quayside/stay.py',
      'lines: 19-20',
      'mark: ',
      'auditors count them',
    ]) {
      check(text.includes(wanted), `no "${wanted}" in\n${text}`);
    }
    await w.notification('Remembered: One invoice a stay').first().waitFor();
    await w.lenses.filter({ hasText: 'One invoice a stay' }).waitFor();
    return name;
  });

  await cases.run('the last write is taken back once that is confirmed', async () => {
    const before = files();
    await w.command('MemoFS: Undo the Last Write…');
    await w.quickPick.locator('.monaco-list-row', { hasText: 'Take back' }).click();
    await until('the file is gone', () => files().length === before.length - 1);
    await w.lenses.filter({ hasText: 'One invoice a stay' }).waitFor({ state: 'detached' });
  });

  await cases.run(
    'a step left by Escape is offered again; Enter remembers no secret; the place is the first',
    async () => {
      const before = new Set(files());
      const input = w.quickPick.locator('input.input').first();
      const begin = async (): Promise<void> => {
        await w.command('MemoFS: Remember This…');
        await w.quickPick.locator('.monaco-list-row', { hasText: 'decision' }).first().click();
        await w.quickPick.locator('.quick-input-message', { hasText: 'What should be remembered' }).waitFor();
      };
      await w.open('stay.py', 1);
      await w.goTo(16);
      await begin();
      await page.keyboard.type('password = "hK3jf9sdJq2mZx81" opens the price list', { delay: 10 });
      const text = await input.inputValue();
      await w.press('Escape');
      await begin();
      same(await input.inputValue(), text, 'the text that was left');
      await w.press('Enter');
      await w.quickPick.locator('.quick-input-message', { hasText: 'A title' }).waitFor();
      await w.press('Enter');
      await page.locator('.monaco-dialog-box', { hasText: 'secret' }).waitFor();
      await w.press('Enter');
      await w.quickPick.locator('.quick-input-message', { hasText: 'What should be remembered' }).waitFor();
      same(await input.inputValue(), text, 'the text to be changed');
      same(files().length, before.size, 'files');
      await input.fill('A stay in winter is storage: another contract, and never booked online.');
      await w.line('class StayError').click();
      await w.statusItem(/Ln 23/).waitFor();
      await input.click();
      await w.press('Enter');
      await w.quickPick.locator('.quick-input-message', { hasText: 'A title' }).waitFor();
      await w.press('Enter');
      const name = await until('a new file', () => files().find((each) => !before.has(each)));
      check(read(path.join(memories, name)).includes('lines: 16-16'), read(path.join(memories, name)));
      fs.rmSync(path.join(memories, name));
      await w.lenses.filter({ hasText: 'A stay in winter' }).waitFor({ state: 'detached' });
    },
  );

  await cases.run('a briefing opens in a document of its own', async () => {
    await w.command('MemoFS: Show Briefing…');
    await w.quickPick.locator('.quick-input-message', { hasText: 'What is the task' }).waitFor();
    await page.keyboard.type('rate limiting of the berth map');
    await w.press('Enter');
    await page.locator('.tab.active', { hasText: 'Briefing.md' }).waitFor();
    await w.line('How to use this memory').waitFor();
    await w.shot('briefing');
    await w.press('Control+F4');
  });

  await cases.run('anchored lines have an icon in the gutter', async () => {
    await w.open('limiter.py', 1);
    await w.lenses.first().waitFor();
    const icons = page.locator('.editor-instance .cgmr');
    await until('icons', () =>
      icons.evaluateAll((found) => found.some((each) => getComputedStyle(each).backgroundImage.includes('url('))),
    );
  });

  await cases.run('a killed daemon is started again', async () => {
    const pid = await until('a daemon', daemonPid);
    process.kill(pid, 'SIGKILL');
    await until('another daemon', () => daemonPid() !== undefined && daemonPid() !== pid);
    await w.open('limiter.py', 51, 20);
    await w.press('Home');
    await w.type('x');
    await w.squiggles.first().waitFor();
    await w.press('Control+z');
    await w.squiggles.first().waitFor({ state: 'detached' });
    await w.sideBar();
    await search.locator('#query').fill('rate limiting');
    await titles.filter({ hasText: 'Token bucket' }).first().waitFor();
  });

  await cases.run('pictures in dark, light and high contrast', async () => {
    await search.locator('#query').fill('token');
    await titles.filter({ hasText: 'JWT' }).first().waitFor();
    await w.open('tokens.py', 26);
    const kinds = {
      'Light Modern': 'light',
      'Dark High Contrast': 'high-contrast',
      'Light High Contrast': 'high-contrast-light',
      'Dark Modern': 'dark',
    };
    const colours: string[] = [];
    for (const [theme, kind] of Object.entries(kinds)) {
      await w.theme(theme);
      await until('the view follows', () =>
        search.locator('body').evaluate((body, wanted) => body.dataset.vscodeThemeKind === wanted, `vscode-${kind}`),
      );
      const [mark] = await search
        .locator('mark')
        .first()
        .evaluateAll((found) =>
          found.map((each) => getComputedStyle(each)).map((style) => [style.backgroundColor, style.outlineStyle]),
        );
      check(mark?.[0] !== 'rgba(0, 0, 0, 0)' || mark[1] === 'solid', `matches are not marked in ${theme}: ${mark}`);
      colours.push(await search.locator('#query').evaluate((field) => getComputedStyle(field).color));
      await w.shot(`theme-${kind}`);
    }
    check(new Set(colours).size > 1, `the same colour of text in every theme: ${colours[0]}`);
  });

  await cases.run('the walkthrough opens', async () => {
    await w.command('Welcome: Open Walkthrough...');
    await w.quickPick.locator('.monaco-list-row', { hasText: 'Get started with MemoFS' }).first().click();
    const steps = page.locator('.getting-started-step');
    await steps.first().waitFor();
    await w.shot('walkthrough');
    return steps.locator('.step-title').allInnerTexts();
  });

  await cases.run('nothing was asked of anybody but this machine', async () => {
    const asked = await rig.asked();
    same(Object.keys(asked), ['127.0.0.1'], 'hosts that pages asked');
    const noted = connections(given);
    check(
      noted.some((each) => each.startsWith('started') && each.includes('memofs lsp')),
      'the daemon was not watched',
    );
    check(
      noted.some((each) => each.startsWith('started') && each.includes('extensionHostProcess')),
      'the extension host was not watched',
    );
    const outside = noted.filter(
      (each) => /^(tcp|udp|name)/.test(each) && !/^\w+ (127\.0\.0\.1|::1|localhost)$/.test(each),
    );
    same([...new Set(outside)], [], 'what the editor and the daemon asked for');
    return { asked, connections: noted.length };
  });
} finally {
  await rig.stop();
}
process.exit(cases.exitCode);
