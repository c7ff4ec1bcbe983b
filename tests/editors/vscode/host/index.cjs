// Runs inside the real extension host: `run` is VS Code's entry point for an extension's tests. What became of each
// case goes to a file; the program that opened the window reads it there.
'use strict';
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const vscode = require('vscode');

const PATIENCE_MS = 20_000;
const EXTENSION = 'memofs.memofs';

const folder = () => vscode.workspace.workspaceFolders[0].uri;
const place = (name) => vscode.Uri.joinPath(folder(), name);
const ours = (uri) => vscode.languages.getDiagnostics(uri).filter((each) => each.source === 'memofs');
const codes = (uri) => ours(uri).map((each) => (typeof each.code === 'object' ? each.code.value : each.code));
const ask = (command, ...args) => vscode.commands.executeCommand(command, ...args);

async function until(what, holds) {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const value = await holds();
    if (value) return value;
    if (Date.now() > end) throw new Error(`waited in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function shown(name) {
  return vscode.window.showTextDocument(await vscode.workspace.openTextDocument(place(name)));
}

function lineOf(document, text) {
  const offset = document.getText().indexOf(text);
  assert.notEqual(offset, -1, `no "${text}" in ${document.fileName}`);
  return document.positionAt(offset);
}

async function replace(editor, old, text) {
  const start = lineOf(editor.document, old);
  const end = editor.document.positionAt(editor.document.offsetAt(start) + old.length);
  assert.ok(await editor.edit((edit) => edit.replace(new vscode.Range(start, end), text)));
}

function memoryPath(part) {
  const memories = path.join(folder().fsPath, '.memofs', 'memory');
  return `.memofs/memory/${fs.readdirSync(memories).find((name) => name.includes(part))}`;
}

const textOf = (contents) => contents.map((each) => (typeof each === 'string' ? each : each.value)).join('\n');

const CASES = {
  async 'activates by itself'() {
    const extension = vscode.extensions.getExtension(EXTENSION);
    assert.ok(extension, 'not installed');
    await until('it is active', () => extension.isActive);
  },

  async 'every contributed command is registered'() {
    const { contributes } = vscode.extensions.getExtension(EXTENSION).packageJSON;
    const known = new Set(await vscode.commands.getCommands(true));
    const absent = contributes.commands.map((each) => each.command).filter((name) => !known.has(name));
    assert.deepEqual(absent, []);
    return contributes.commands.length;
  },

  async 'a hover says what is remembered, and trusts none of it'() {
    const { document } = await shown('quayside/limiter.py');
    const at = lineOf(document, 'rate = per_minute / 60');
    const hovers = await until('a hover', async () => {
      const found = await ask('vscode.executeHoverProvider', document.uri, at);
      return found.some((each) => textOf(each.contents).includes('Token bucket')) && found;
    });
    for (const content of hovers.flatMap((each) => each.contents)) {
      assert.ok(!content.isTrusted && !content.supportHtml, 'the hover is trusted');
    }
    assert.match(textOf(hovers.flatMap((each) => each.contents)), /decision/);
  },

  async 'a lens names the memory and opens it'() {
    const { document } = await shown('quayside/limiter.py');
    const lenses = await until('lenses', async () => {
      const found = await ask('vscode.executeCodeLensProvider', document.uri, 50);
      return found.length > 0 && found;
    });
    const lens = lenses.find((each) => each.command.title.includes('Token bucket'));
    assert.ok(lens, lenses.map((each) => each.command.title).join(' | '));
    await ask(lens.command.command, ...lens.command.arguments);
    await until('the memory is open', () => vscode.window.activeTextEditor?.document.fileName.endsWith('8p1r.md'));
  },

  async 'an edit is warned about, and undoing it is silent'() {
    const editor = await shown('quayside/tokens.py');
    await replace(editor, 'EXPIRY_SECONDS = 24 * 60 * 60', 'EXPIRY_SECONDS = 48 * 60 * 60');
    await until('a warning', () => codes(editor.document.uri).includes('memofs.changed'));
    const [found] = ours(editor.document.uri);
    assert.equal(found.severity, vscode.DiagnosticSeverity.Warning);
    assert.match(found.message, /JWT tokens for stateless authentication/);
    assert.equal(found.range.start.line, lineOf(editor.document, 'EXPIRY_SECONDS =').line);
    await ask('undo');
    await until('no warning', () => ours(editor.document.uri).length === 0);
    await ask('workbench.action.files.revert');
  },

  async 'quick fixes: verify, show what changed, edit, retire'() {
    const editor = await shown('quayside/tokens.py');
    await replace(editor, 'LEEWAY_SECONDS = 30', 'LEEWAY_SECONDS = 45');
    const [warning] = await until('a warning', () => {
      const found = ours(editor.document.uri);
      return found.length > 0 && found;
    });
    const fixes = await ask(
      'vscode.executeCodeActionProvider',
      editor.document.uri,
      warning.range,
      vscode.CodeActionKind.QuickFix.value,
    );
    const titles = fixes.map((each) => each.title);
    for (const wanted of [/^Still true: verify/, /^Edit memory/, /^Show what changed$/, /^Retire memory/]) {
      assert.ok(
        titles.some((title) => wanted.test(title)),
        `${wanted} is not in ${titles.join(' | ')}`,
      );
    }
    await ask('workbench.action.files.revert');
    await until('no warning', () => ours(editor.document.uri).length === 0);
  },

  async 'a memory file completes its fields and leads to what it names'() {
    const editor = await shown(memoryPath('24-hour-expiry'));
    const { document } = editor;
    const kind = lineOf(document, 'kind: ');
    const offered = await until('completions', async () => {
      const found = await ask('vscode.executeCompletionItemProvider', document.uri, kind.translate(0, 6));
      const labels = found.items.map((each) => (typeof each.label === 'string' ? each.label : each.label.label));
      return labels.includes('constraint') && labels;
    });
    assert.ok(offered.includes('decision'));
    const named = lineOf(document, 'mem_1kc6mz7809fa');
    const places = await ask('vscode.executeDefinitionProvider', document.uri, named.translate(0, 6));
    const targets = places.map((each) => (each.targetUri ?? each.uri).fsPath);
    assert.ok(
      targets.some((file) => file.endsWith('09fa.md')),
      targets.join(' | '),
    );
    const links = await ask('vscode.executeLinkProvider', document.uri, 10);
    assert.ok(
      links.some((each) => each.target?.fsPath.endsWith('tokens.py')),
      `${links.length} links`,
    );
  },

  async 'settings of the memory are checked by a schema'() {
    const editor = await shown('.memofs/config.json');
    const before = editor.document.getText();
    await replace(editor, '"format": 1', '"format": "one"');
    const found = await until('a warning of the schema', () => {
      const all = vscode.languages.getDiagnostics(editor.document.uri);
      return all.length > 0 && all;
    });
    assert.match(found[0].message, /type/i);
    await ask('workbench.action.files.revert');
    assert.equal(editor.document.getText(), before);
  },

  async 'settings take lenses and warnings away and bring them back'() {
    const editor = await shown('quayside/store.py');
    const { uri } = editor.document;
    const settings = vscode.workspace.getConfiguration('memofs');
    const lenses = async () => (await ask('vscode.executeCodeLensProvider', uri, 50)).length;
    await until('lenses and a warning', async () => ours(uri).length > 0 && (await lenses()) > 0);
    for (const name of ['codeLens', 'diagnostics']) {
      await settings.update(name, false, vscode.ConfigurationTarget.Workspace);
    }
    await until('neither', async () => ours(uri).length === 0 && (await lenses()) === 0);
    for (const name of ['codeLens', 'diagnostics']) {
      await settings.update(name, undefined, vscode.ConfigurationTarget.Workspace);
    }
    await until('both again', async () => ours(uri).length > 0 && (await lenses()) > 0);
  },

  async 'a briefing opens in a document of its own'() {
    await ask('memofs.briefing', 'rate limiting of the berth map');
    const { document } = vscode.window.activeTextEditor;
    assert.equal(document.uri.scheme, 'memofs-briefing');
    assert.match(document.getText(), /mem_1kh3ywpk8p1r/);
    await ask('memofs.copyBriefing');
    assert.equal(await vscode.env.clipboard.readText(), document.getText());
  },

  async 'the daemon is restarted by a command and serves again'() {
    const notice = path.join(folder().fsPath, '.memofs', 'tmp', 'daemon.json');
    const pid = () => {
      try {
        return JSON.parse(fs.readFileSync(notice, 'utf8')).pid;
      } catch {
        return undefined; // between two daemons there is none
      }
    };
    const before = await until('a daemon', pid);
    await ask('memofs.restart');
    await until('another daemon', () => pid() !== undefined && pid() !== before);
    const { document } = await shown('quayside/limiter.py');
    const at = lineOf(document, 'rate = per_minute / 60');
    await until('a hover', async () => {
      const found = await ask('vscode.executeHoverProvider', document.uri, at);
      return found.some((each) => textOf(each.contents).includes('Token bucket'));
    });
  },
};

exports.run = async () => {
  const told = [];
  for (const [name, work] of Object.entries(CASES)) {
    const began = performance.now();
    const ms = () => Math.round(performance.now() - began);
    try {
      const data = await work();
      told.push({ case: name, ok: true, ms: ms(), data });
    } catch (error) {
      told.push({ case: name, ok: false, ms: ms(), error: error.stack });
    }
  }
  fs.writeFileSync(process.env.MEMOFS_TEST_RESULTS, JSON.stringify(told));
  if (told.some((each) => !each.ok)) throw new Error('some failed');
};
