/** Marks on anchored lines: an icon in the gutter, a stroke in the overview ruler. */

import {
  type Disposable,
  type ExtensionContext,
  OverviewRulerLane,
  Range,
  type TextEditor,
  type TextEditorDecorationType,
  ThemeColor,
  Uri,
  window,
  workspace,
} from 'vscode';
import { SETTINGS } from '../names';
import { isStale, lastLine } from '../pure/words';
import type { AnchorRow } from '../wire';
import type { Anchors } from './anchors';

interface Marks {
  readonly gutter: TextEditorDecorationType;
  readonly ruler: TextEditorDecorationType;
}

export class Decorations implements Disposable {
  private readonly fresh: Marks;
  private readonly stale: Marks;
  private readonly listening: Disposable[];

  constructor(
    context: ExtensionContext,
    private readonly anchors: Anchors,
  ) {
    const icon = (name: string): Uri => Uri.joinPath(context.extensionUri, 'media', `${name}.svg`);
    this.fresh = marks(icon('anchored'), new ThemeColor('editorOverviewRuler.infoForeground'));
    this.stale = marks(icon('stale'), new ThemeColor('editorOverviewRuler.warningForeground'));
    this.listening = [
      anchors.onDidChange((document) => {
        for (const editor of window.visibleTextEditors) if (editor.document === document) this.draw(editor);
      }),
      window.onDidChangeVisibleTextEditors(() => this.drawAll()),
      workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration(SETTINGS.gutterIcons) || change.affectsConfiguration(SETTINGS.overviewRuler)) {
          this.drawAll();
        }
      }),
    ];
    this.drawAll();
  }

  dispose(): void {
    for (const each of this.listening) each.dispose();
    for (const { gutter, ruler } of [this.fresh, this.stale]) {
      gutter.dispose();
      ruler.dispose();
    }
  }

  private drawAll(): void {
    for (const editor of window.visibleTextEditors) this.draw(editor);
  }

  private draw(editor: TextEditor): void {
    const rows = this.anchors.of(editor.document.uri).filter((row) => row.muted.length < 2);
    const staleLines = new Set(rows.filter(isWarned).map((row) => row.range?.start.line));
    const settings = workspace.getConfiguration(undefined, editor.document.uri);
    const wants = (setting: string): boolean => settings.get<boolean>(setting, true);
    for (const [each, ofStale] of [
      [this.fresh, false],
      [this.stale, true],
    ] as const) {
      const chosen = rows.filter((row) => isWarned(row) === ofStale);
      const first = chosen.filter((row) => ofStale || !staleLines.has(row.range?.start.line));
      editor.setDecorations(each.gutter, wants(SETTINGS.gutterIcons) ? first.flatMap(firstLine) : []);
      editor.setDecorations(each.ruler, wants(SETTINGS.overviewRuler) ? chosen.flatMap(allLines) : []);
    }
  }
}

/** Whether the mark is that of stale code: where somebody has muted the warning, it is not. */
function isWarned(row: AnchorRow): boolean {
  return isStale(row.verdict) && !row.muted.includes('diagnostics');
}

function marks(icon: Uri, color: ThemeColor): Marks {
  return {
    gutter: window.createTextEditorDecorationType({ gutterIconPath: icon, gutterIconSize: 'contain' }),
    ruler: window.createTextEditorDecorationType({
      overviewRulerColor: color,
      overviewRulerLane: OverviewRulerLane.Left,
      isWholeLine: true,
    }),
  };
}

function firstLine({ range }: AnchorRow): readonly Range[] {
  return range === null ? [] : [new Range(range.start.line, 0, range.start.line, 0)];
}

function allLines({ range }: AnchorRow): readonly Range[] {
  return range === null ? [] : [new Range(range.start.line, 0, lastLine(range), 0)];
}
