/** A window of VS Code, in a user's words: open a file, go to a line, type, point at, click. */

import path from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';

export class Window {
  readonly page: Page;
  readonly #screenshots: string;

  constructor(page: Page, screenshots: string) {
    this.page = page;
    this.#screenshots = screenshots;
  }

  /** Run a command of the palette by its whole label: views bring look-alikes of their own. */
  async command(label: string): Promise<void> {
    await this.page.keyboard.press('F1');
    const input = this.#pick.locator('input.input').first();
    await input.waitFor();
    await input.fill(`>${label}`);
    await this.row(label).click();
  }

  /** Whether the palette offers a command. */
  async offers(label: string): Promise<boolean> {
    await this.page.keyboard.press('F1');
    const input = this.#pick.locator('input.input').first();
    await input.waitFor();
    await input.fill(`>${label}`);
    await this.#pick.locator('.monaco-list-row').first().waitFor();
    const count = await this.row(label).count();
    await this.page.keyboard.press('Escape');
    return count > 0;
  }

  /** A row of the quick pick whose label begins so. */
  row(label: string | RegExp): Locator {
    const rows = this.#pick.locator('.quick-input-list .monaco-list-row');
    return typeof label === 'string'
      ? rows
          .filter({
            has: this.page.locator(`xpath=self::*[@aria-label="${label}" or starts-with(@aria-label, "${label},")]`),
          })
          .first()
      : rows.filter({ hasText: label }).first();
  }

  get quickPick(): Locator {
    return this.#pick;
  }

  get #pick(): Locator {
    return this.page.locator('.quick-input-widget:visible');
  }

  /** Open a file of the workspace as Quick Open does, and wait until it is shown. */
  async open(file: string, line?: number, column?: number): Promise<void> {
    const name = path.basename(file);
    const tab = this.page.locator('.tab.active', { hasText: name });
    for (let tries = 3; ; tries -= 1) {
      await this.page.keyboard.press('Control+P');
      const input = this.#pick.locator('input.input').first();
      await input.waitFor();
      await input.fill(file);
      await this.#pick.locator('.monaco-list-row', { hasText: name }).first().click();
      // On a busy machine the list is made anew under the pointer, and the click opens nothing.
      const isOpen = await tab.waitFor({ timeout: 10_000 }).then(
        () => true,
        () => false,
      );
      if (isOpen) break;
      if (tries === 1) throw new Error(`${file} was not opened`);
      await this.page.keyboard.press('Escape');
    }
    await this.page.locator('.editor-instance .view-line').first().waitFor();
    if (line !== undefined) await this.goTo(line, column);
  }

  /** Put the cursor at a place, counted from 1. */
  async goTo(line: number, column = 1): Promise<void> {
    await this.page.keyboard.press('Control+G');
    const input = this.#pick.locator('input.input').first();
    await input.waitFor();
    await input.fill(`:${line}:${column}`);
    await this.page.keyboard.press('Enter');
    await this.#pick.waitFor({ state: 'detached' }).catch(() => undefined);
    await this.page.locator('.statusbar-item', { hasText: `Ln ${line}, Col ${column}` }).waitFor();
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** The line of the open editor that shows this text. */
  line(text: string): Locator {
    return this.page.locator('.editor-instance .view-line').filter({ hasText: text }).first();
  }

  /** A word as the open editor paints it. */
  async pointAt(text: string, word: string): Promise<void> {
    const line = this.line(text);
    const box = await line.evaluate((element, wanted) => {
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const at = (node.textContent ?? '').indexOf(wanted);
        if (at < 0) continue;
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + wanted.length);
        const { x, y, width, height } = range.getBoundingClientRect();
        return { x: x + width / 2, y: y + height / 2 };
      }
      return undefined;
    }, word);
    if (box === undefined) throw new Error(`no "${word}" in the line with "${text}"`);
    await this.page.mouse.move(box.x - 3, box.y);
    await this.page.mouse.move(box.x, box.y);
  }

  /** Underlines of our warnings and notes. */
  get squiggles(): Locator {
    return this.page.locator('.editor-instance .squiggly-warning');
  }

  get notes(): Locator {
    return this.page.locator('.editor-instance .squiggly-info');
  }

  get lenses(): Locator {
    return this.page.locator('.editor-instance .codelens-decoration a').filter({ visible: true });
  }

  get hover(): Locator {
    return this.page.locator('.monaco-hover:visible');
  }

  /** The pane of a view in the side bar. */
  pane(title: string): Locator {
    return this.page.locator('.part.sidebar .pane', { has: this.page.locator(`.pane-header[aria-label^="${title}"]`) });
  }

  /** Show our side bar, if it is not shown. */
  async sideBar(): Promise<void> {
    await this.activityIcon.waitFor();
    const isShown = await this.activityIcon.evaluate((icon) => icon.classList.contains('checked'));
    if (!isShown) await this.activityIcon.click();
    await this.page.locator('.part.sidebar .composite.title', { hasText: /memofs/i }).waitFor();
  }

  get activityIcon(): Locator {
    return this.page.locator('.activitybar .action-item', { has: this.page.locator('a[aria-label^="MemoFS"]') });
  }

  /** The document in the search view. */
  get search(): FrameLocator {
    return this.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
  }

  statusItem(text: string | RegExp): Locator {
    return this.page.locator('.statusbar-item', { hasText: text });
  }

  notification(text: string | RegExp): Locator {
    return this.page.locator('.notification-toast, .notifications-center .monaco-list-row').filter({ hasText: text });
  }

  /** Trust the workspace, on the page that VS Code has for it. */
  async trust(): Promise<void> {
    await this.statusItem('Restricted Mode').click();
    await this.page.locator('.workspace-trust-editor .monaco-button', { hasText: /^Trust$/ }).click();
    await this.statusItem('Restricted Mode').waitFor({ state: 'detached' });
    await this.page.locator('.monaco-modal-editor-block .action-label.codicon-close').first().click();
    await this.page.locator('.monaco-modal-editor-block').waitFor({ state: 'detached' });
  }

  /** Choose a colour theme by the palette. */
  async theme(name: string): Promise<void> {
    await this.command('Preferences: Color Theme');
    const input = this.#pick.locator('input.input').first();
    await input.fill(name);
    await this.row(name).click();
    await this.#pick.waitFor({ state: 'detached' });
  }

  async closeAllEditors(): Promise<void> {
    await this.command('View: Close All Editors');
  }

  /** Keep a picture of the window; where it is. */
  async shot(name: string, pointer: 'away' | 'there' = 'away'): Promise<string> {
    const file = path.join(this.#screenshots, `${name}.png`);
    if (pointer === 'away') await this.page.mouse.move(640, 2); // nothing there shows a tip
    await this.page.screenshot({ path: file, animations: 'disabled' });
    return file;
  }

  async close(): Promise<void> {
    await this.page.close();
  }
}
