/** Several folders in one window, a folder that is not trusted, and memories that are meant to do harm. */

import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { Cases, check, same } from './cases.ts';
import { plan, Rig, until } from './rig.ts';

const given = plan();
const place = (name: string): string => given.places[name] as string;

/** Writes down who asks it for anything: nobody may. */
const asked: string[] = [];
const trap = http.createServer((request, response) => {
  asked.push(request.url ?? '');
  response.end();
});
await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
const trapAddress = `http://127.0.0.1:${(trap.address() as AddressInfo).port}`;
fillIn(place('hostile'), trapAddress);

const rig = await Rig.start(given, { 'security.workspace.trust.enabled': true });
const cases = new Cases();

try {
  await cases.run('a folder that is not trusted: read, not written, and none of its programs run', async () => {
    const w = await rig.open(place('stranger'));
    cases.watch(w);
    await w.statusItem('Restricted Mode').waitFor();
    await w.open('harbour.py', 4);
    await w.lenses.filter({ hasText: 'Berths are counted from one' }).first().waitFor();
    await w.sideBar();
    await w.search.locator('#query').fill('berths');
    const hit = w.search.locator('li.hit').first();
    await hit.locator('button.open', { hasText: 'Berths are counted from one' }).waitFor();
    const offered = await hit.locator('.actions button').allInnerTexts();
    check(!offered.some((each) => /verify|retire/i.test(each)), `it offers ${offered.join(', ')}`);
    same(await w.offers('MemoFS: Recall…'), true, 'recall is offered');
    same(await w.offers('MemoFS: Remember This…'), false, 'remembering is offered');
    same(fs.existsSync(path.join(place('stranger'), 'ran')), false, 'a program of the folder ran');
    await w.shot('untrusted');
    await w.close();
    return offered;
  });

  await cases.run('it can write once it is trusted', async () => {
    fs.rmSync(path.join(place('stranger'), '.vscode'), { recursive: true }); // or its own command would be used now
    const w = await rig.open(place('stranger'));
    cases.watch(w);
    await w.trust();
    await until('remembering is offered', () => w.offers('MemoFS: Remember This…'));
    await w.close();
  });

  const many = await rig.open(place('many.code-workspace'));
  cases.watch(many);
  await cases.run('two folders have a memory each, and each file sees its own', async () => {
    const folders = many.page.locator('.explorer-folders-view .monaco-list-row');
    for (const name of ['east', 'west', 'bare']) await folders.filter({ hasText: name }).first().waitFor();
    await many.trust();
    await many.open('east.py', 4);
    await many.lenses.filter({ hasText: 'Gates in the east open at six' }).first().waitFor();
    await many.open('west.py', 4);
    await many.lenses.filter({ hasText: 'Gates in the west open at seven' }).first().waitFor();
    same(await many.lenses.filter({ hasText: 'east' }).count(), 0, 'lenses of the other folder');
    await many.goTo(5, 1);
    await many.press('End');
    await many.type('0');
    await many.squiggles.first().waitFor();
    await many.press('Control+z');
    await many.squiggles.first().waitFor({ state: 'detached' });
  });

  await cases.run('the search asks the folder that is chosen', async () => {
    await many.sideBar();
    const choice = many.search.locator('#root');
    await choice.waitFor();
    for (const name of ['east', 'west']) {
      await choice.selectOption({ label: name });
      await many.search.locator('#query').fill('when do gates open');
      await many.search.locator('li.hit button.open', { hasText: `Gates in the ${name}` }).waitFor();
      same(await many.search.locator('li.hit').count(), 1, `hits in ${name}`);
    }
    await choice.selectOption({ index: 0 }); // that of the active editor
    for (const name of ['east', 'west']) {
      await many.open(`${name}.py`);
      await many.search.locator('li.hit button.open', { hasText: `Gates in the ${name}` }).waitFor();
    }
    await many.shot('folders');
  });

  await cases.run('a folder without a memory is offered one, and gets it', async () => {
    await many.command('Notifications: Show Notifications'); // what was shown a while ago is kept there
    const offer = many.notification(/bare/).first();
    await offer.waitFor();
    const said = await offer.innerText();
    same(fs.existsSync(path.join(place('bare'), '.memofs')), false, 'it was set up unasked');
    await offer.hover();
    await offer.locator('.monaco-button', { hasText: 'Initialise' }).click();
    await until('it is set up', () => fs.existsSync(path.join(place('bare'), '.memofs', 'config.json')));
    await many.search.locator('#root option', { hasText: 'bare' }).waitFor({ state: 'attached' });
    return said;
  });
  await many.close();

  await cases.run('what a memory says is shown and never acted on', async () => {
    const w = await rig.open(place('hostile'));
    cases.watch(w);
    await w.open('harbour.py', 4);
    await w.lenses.first().waitFor();
    await w.pointAt('def berths', 'berths');
    const hover = w.hover.filter({ hasText: 'Click here' }).first();
    await hover.waitFor();
    const links = await hover
      .locator('a')
      .evaluateAll((found) => found.map((each) => each.getAttribute('data-href') ?? each.getAttribute('href') ?? ''));
    same(
      links.filter((each) => !each.startsWith('file:') && !each.startsWith('vscode-remote:') && each !== ''),
      [],
      'links in the hover',
    );
    same(await hover.locator('img').count(), 0, 'images in the hover');
    await w.shot('hostile-hover');
    await w.sideBar();
    await w.search.locator('#query').fill('click here');
    const hit = w.search.locator('li.hit').first();
    await hit.waitFor();
    same(await hit.locator('img, a, script, iframe').count(), 0, 'markup in a result');
    const shown = await hit.innerText();
    check(shown.includes('<img src='), 'the text is not shown as it is');
    check(!/[\u202a-\u202e\u2066-\u2069]/.test(shown), 'it turns the direction of writing');
    await w.pane('Here').locator('.monaco-list-row', { hasText: 'Click here' }).first().hover();
    await w.hover.filter({ hasText: 'Click here' }).first().waitFor();
    same(await w.hover.locator('img, a').count(), 0, 'markup in a tip');
    same(asked, [], 'what was asked for over HTTP');
    await w.shot('hostile', 'there');
    await w.close();
    return links;
  });
} finally {
  await rig.stop();
  trap.close();
}
process.exit(cases.exitCode);

/** Put the trap's address where the memories of a folder say TRAP. */
function fillIn(folder: string, address: string): void {
  const memories = path.join(folder, '.memofs', 'memory');
  for (const name of fs.readdirSync(memories)) {
    const file = path.join(memories, name);
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replaceAll('TRAP', address));
  }
}
