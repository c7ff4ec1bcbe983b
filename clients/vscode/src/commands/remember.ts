/** "Remember this…": what was decided about the selected code, in a few steps or in a file of its own. */

import { existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import {
  l10n,
  Position,
  type QuickPickItem,
  Range,
  Selection,
  type TextDocument,
  type TextEditor,
  Uri,
  window,
  workspace,
} from 'vscode';
import { failureOf, ProjectError } from '../projects/failure';
import type { Project } from '../projects/project';
import { oneLine } from '../pure/citation';
import { type DraftAnchor, draft, nearest, slug } from '../pure/draft';
import { KINDS } from '../pure/search';
import { placeWord } from '../pure/words';
import type { AnchorSpec, ParamsOf, RememberResult, Range as WireRange } from '../wire';
import { openAt } from './memories';
import { projectFor, type Services } from './services';

interface KindItem extends QuickPickItem {
  readonly value: string;
}

/** Kind, body, title; then it is written. Escape at any step leaves everything as it was. */
export async function remember(services: Services): Promise<void> {
  const editor = anchorable(services);
  const project = projectFor(
    services,
    editor === undefined ? undefined : services.projects.of(editor.document.uri)?.root,
  );
  const step = (number: number): string => l10n.t('Remember this ({0}/3)', number);
  // What is selected now is meant, whatever is clicked on while the steps are open.
  const place = editor === undefined ? undefined : placeOf(editor);
  const where = editor === undefined ? l10n.t('tied to no code') : whereWord(editor);
  const kind = await window.showQuickPick(kinds(), {
    title: step(1),
    placeHolder: l10n.t('What is it? ({0})', where),
    ignoreFocusOut: true,
  });
  if (kind === undefined) return;
  if (kind.value === IN_EDITOR) return rememberInEditor(services);
  for (;;) {
    const body = await ask('body', {
      title: step(2),
      prompt: l10n.t('What should be remembered, and why?'),
      fault: (text) => (text.trim() === '' ? l10n.t('Write a sentence') : undefined),
    });
    if (body === undefined) return;
    const title = await ask('title', { title: step(3), prompt: l10n.t('A title; empty: the first sentence') });
    if (title === undefined) return;
    const written = {
      body: body.trim(),
      kind: kind.value,
      source: 'user',
      ...(title.trim() === '' ? {} : { title: title.trim() }),
      ...(place === undefined ? {} : { anchors: [anchorAt(place)] }),
    };
    const result = await write(project, written);
    if (result === 'again') continue;
    unfinished.clear();
    if (result !== undefined) await tellWritten(project, result);
    return;
  }
}

/** What was typed into steps that came to nothing: offered again, since Escape is soon pressed. */
const unfinished = new Map<'body' | 'title', string>();

interface Question {
  readonly title: string;
  readonly prompt: string;
  /** What is wrong with an answer, undefined for nothing. */
  readonly fault?: (text: string) => string | undefined;
}

async function ask(step: 'body' | 'title', { title, prompt, fault }: Question): Promise<string | undefined> {
  const box = window.createInputBox();
  Object.assign(box, { title, prompt, value: unfinished.get(step) ?? '', ignoreFocusOut: true });
  try {
    return await new Promise((resolve) => {
      box.onDidChangeValue((text) => {
        unfinished.set(step, text);
        box.validationMessage = undefined;
      });
      box.onDidAccept(() => {
        box.validationMessage = fault?.(box.value);
        if (box.validationMessage === undefined) resolve(box.value);
      });
      box.onDidHide(() => resolve(undefined));
      box.show();
    });
  } finally {
    box.dispose();
  }
}

const IN_EDITOR = 'inEditor';

function kinds(): readonly KindItem[] {
  const about: Readonly<Record<(typeof KINDS)[number], string>> = {
    decision: l10n.t('what was chosen, and why'),
    constraint: l10n.t('what must or must not be'),
    preference: l10n.t('how things are done here'),
    note: l10n.t('what is good to know'),
    reference: l10n.t('where something is written'),
    goal: l10n.t('what is wanted'),
    summary: l10n.t('what happened, in short'),
  };
  return [
    ...KINDS.map((kind) => ({ label: kind, description: about[kind], value: kind })),
    {
      label: l10n.t('Write it in an editor…'),
      description: l10n.t('a new memory file, anchor filled in'),
      value: IN_EDITOR,
    },
  ];
}

async function write(project: Project, written: ParamsOf<'remember'>): Promise<RememberResult | 'again' | undefined> {
  try {
    return await project.request('remember', written);
  } catch (error) {
    const { code, message } = failureOf(error);
    if (code !== 'secret') throw error;
    const again = l10n.t('Change the Text'); // the first is what Enter chooses
    const anyway = l10n.t('Remember Anyway');
    const chosen = await window.showWarningMessage(message, { modal: true }, again, anyway);
    if (chosen === again) return 'again';
    return chosen === anyway ? project.request('remember', { ...written, allowSecrets: true }) : undefined;
  }
}

async function tellWritten(project: Project, { memory, duplicateOf, remarks }: RememberResult): Promise<void> {
  const written = memory ?? duplicateOf;
  if (written === null) return;
  const title = oneLine(written.title);
  const text = memory === null ? l10n.t('This is remembered already: {0}', title) : l10n.t('Remembered: {0}', title);
  const open = l10n.t('Open');
  const chosen = await window.showInformationMessage([text, ...remarks].join(' · '), open);
  if (chosen === open) await openAt(project, written);
}

/** A new memory file in an editor, to be saved where memories are; its anchor is marked once it is. */
export async function rememberInEditor(services: Services): Promise<void> {
  const editor = anchorable(services);
  const project = projectFor(
    services,
    editor === undefined ? undefined : services.projects.of(editor.document.uri)?.root,
  );
  const title = await window.showInputBox({ prompt: l10n.t('A title for the memory'), ignoreFocusOut: true });
  if (title === undefined) return;
  const file = Uri.file(freeName(join(project.root, '.memofs', 'memory'), slug(title)));
  const text = draft('decision', title.trim(), editor === undefined ? undefined : draftAnchor(editor, project));
  const document = await workspace.openTextDocument(file.with({ scheme: 'untitled' }));
  const shown = await window.showTextDocument(document, { preview: false });
  await shown.edit((edit) => edit.insert(new Position(0, 0), text));
  const end = document.lineAt(document.lineCount - 1).range.end;
  shown.selection = new Selection(end, end);
  services.drafts.add(file, project);
}

function freeName(folder: string, name: string): string {
  for (let number = 1; ; number += 1) {
    const path = join(folder, `${name}${number === 1 ? '' : `-${number}`}.md`);
    const isOpen = workspace.textDocuments.some((document) => document.uri.fsPath === path);
    if (!existsSync(path) && !isOpen) return path;
  }
}

/** The editor whose code a memory can be tied to. */
function anchorable(services: Services): TextEditor | undefined {
  const editor = window.activeTextEditor;
  if (editor === undefined || editor.document.uri.scheme !== 'file') return undefined;
  const inMemory = editor.document.uri.fsPath.split(sep).includes('.memofs');
  return inMemory || services.projects.of(editor.document.uri) === undefined ? undefined : editor;
}

/** A place in a document as it was when it was chosen. */
interface Place {
  readonly document: TextDocument;
  readonly anchor: AnchorSpec;
  readonly text: string;
}

function placeOf(editor: TextEditor): Place {
  const { document } = editor;
  const anchor = anchorOf(editor);
  return { document, anchor, text: anchor.range === undefined ? '' : document.getText(rangeOf(anchor.range)) };
}

/** Where a place is now: its code may have been moved since, or be gone. */
function anchorAt({ document, anchor, text }: Place): AnchorSpec {
  if (anchor.range === undefined) return anchor;
  const was = document.offsetAt(rangeOf(anchor.range).start);
  const start = nearest(document.getText(), text, was);
  if (start === undefined) {
    throw new ProjectError(
      l10n.t('The code that was selected has changed meanwhile'),
      l10n.t('select it again; what was typed is offered again'),
    );
  }
  return { ...anchor, range: plainRange(document.positionAt(start), document.positionAt(start + text.length)) };
}

/** The selection as an anchor; without one, the line of the cursor. */
function anchorOf({ document, selection }: TextEditor): AnchorSpec {
  const uri = document.uri.toString();
  if (document.getText().trim() === '') return { uri };
  const chosen = selection.isEmpty ? document.lineAt(selection.active.line).range : selection;
  return document.getText(chosen).trim() === '' ? { uri } : { uri, range: plainRange(chosen.start, chosen.end) };
}

function plainRange(start: Position, end: Position): WireRange {
  return {
    start: { line: start.line, character: start.character },
    end: { line: end.line, character: end.character },
  };
}

function rangeOf({ start, end }: WireRange): Range {
  return new Range(start.line, start.character, end.line, end.character);
}

function draftAnchor(editor: TextEditor, project: Project): DraftAnchor {
  const path = relative(project.root, editor.document.uri.fsPath).split(sep).join('/');
  const { range } = anchorOf(editor);
  if (range === undefined) return { path, lines: undefined };
  const last = range.end.character === 0 && range.end.line > range.start.line ? range.end.line - 1 : range.end.line;
  return { path, lines: [range.start.line + 1, last + 1] };
}

function whereWord(editor: TextEditor): string {
  return placeWord({ path: workspace.asRelativePath(editor.document.uri), range: anchorOf(editor).range ?? null });
}
