/** Runs the cases of `host/index.cjs` inside the real extension host, and tells what became of them. */

import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { type Told, tell } from './cases.ts';
import { plan, Rig } from './rig.ts';

const PATIENCE_MS = 120_000;

const given = plan();
const rig = await Rig.start(given);
const results = path.join(given.home, 'host.json');
try {
  const ended = Promise.withResolvers<number>();
  const timer = setTimeout(() => ended.resolve(-1), PATIENCE_MS);
  await rig.open(given.places.sample as string, {
    prepare: async (page) => {
      await page.exposeFunction('codeAutomationExit', (code: number) => ended.resolve(code));
      await page.exposeFunction('codeAutomationLog', () => undefined);
      await testing(
        page,
        rig.remote(rig.extension),
        rig.remote(path.join(import.meta.dirname, '..', 'host', 'index.cjs')),
      );
    },
  });
  const code = await ended.promise;
  clearTimeout(timer);
  if (!fs.existsSync(results)) throw new Error(`the extension host ended with ${code} and told nothing`);
  for (const told of JSON.parse(fs.readFileSync(results, 'utf8')) as Told[]) tell(told);
} finally {
  await rig.stop();
}
process.exit(0);

/**
 * Let the workbench start as it does for an extension's tests. A released VS Code takes no such wish from its address,
 * but from the configuration in its page, as the workbench reads it. (To answer with another page would not do: it
 * would lose its loopback origin, and with it the right to open a web socket there.)
 */
async function testing(page: Page, extension: object, tests: object): Promise<void> {
  await page.addInitScript(
    (options) => {
      const read = Element.prototype.getAttribute;
      Element.prototype.getAttribute = function (name) {
        const value = read.call(this, name);
        if (name !== 'data-settings' || this.id !== 'vscode-workbench-web-configuration' || value === null)
          return value;
        const configuration = JSON.parse(value);
        configuration.developmentOptions = { ...configuration.developmentOptions, ...options };
        return JSON.stringify(configuration);
      };
    },
    { extensions: [extension], extensionTestsPath: tests },
  );
}
