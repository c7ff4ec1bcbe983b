/** Params and results of the memofs/* requests that the extension uses, as protocol.md and the daemon have them. */

import type { NOTIFICATIONS, REQUESTS } from './names';

export interface Position {
  readonly line: number;
  readonly character: number;
}

export interface Range {
  readonly start: Position;
  readonly end: Position;
}

export type Verdict = 'current' | 'moved' | 'reformatted' | 'changed' | 'missing';
export type TaskType = 'coding' | 'debug' | 'refactor' | 'docs' | 'general';

export interface Answer {
  readonly revision: number;
  readonly degraded: readonly string[];
}

export interface AnchorView {
  readonly path: string;
  readonly uri: string;
  readonly symbol: string | null;
  readonly range: Range | null;
  readonly verdict: Verdict | null;
}

export interface MemoryView {
  readonly id: string;
  readonly title: string;
  readonly kind: string;
  readonly status: string;
  readonly uri: string;
  readonly path: string;
  readonly line: number;
  readonly hash: string;
  readonly created: string | null;
  readonly updated: string | null;
  readonly verified: string | null;
  readonly anchors: readonly AnchorView[];
  readonly flags: readonly string[];
}

export interface Signals {
  readonly why: readonly string[];
}

export interface Hit {
  readonly id: string;
  readonly title: string;
  readonly kind: string;
  readonly status: string;
  readonly flags: readonly string[];
  readonly snippet: string;
  readonly matches: { readonly title: readonly Span[]; readonly snippet: readonly Span[] };
  readonly uri: string;
  readonly path: string;
  readonly line: number;
  readonly anchors: readonly AnchorView[];
  readonly tags: readonly string[];
  readonly created: string | null;
  readonly updated: string | null;
  readonly verified: string | null;
  readonly confidence: number | null;
  readonly signals: Signals | null;
}

/** From start to end, the end excluded, in UTF-16 units. */
export type Span = readonly [number, number];

export interface RecallParams {
  readonly query: string;
  readonly limit?: number;
  readonly taskType?: TaskType;
  readonly kinds?: readonly string[];
  readonly flags?: readonly string[];
  readonly explain?: boolean;
  readonly wait?: boolean;
}

export interface RecallResult extends Answer {
  readonly hits: readonly Hit[];
  readonly weaker: number;
  readonly more: number;
  readonly notice: string | null;
}

export interface Candidate {
  readonly path: string;
  readonly uri: string;
  readonly range: Range | null;
  readonly score: number;
  readonly text: string;
}

export interface AnchorRow {
  readonly memory: string;
  readonly title: string;
  readonly kind: string;
  readonly anchorIndex: number;
  readonly path: string;
  readonly uri: string;
  readonly range: Range | null;
  readonly symbol: string | null;
  readonly verdict: Verdict | null;
  readonly candidates: readonly Candidate[];
  readonly problem: string | null;
  /** What editors of this machine do not show of it. */
  readonly muted: readonly Scope[];
}

export interface AnchorSpec {
  readonly path?: string;
  readonly uri?: string;
  readonly range?: Range;
  readonly symbol?: string;
}

export interface TextDocumentParam {
  readonly textDocument: { readonly uri: string };
}

export interface SectionView {
  readonly name: string;
  readonly bytes: number;
  readonly items: readonly string[];
  readonly omitted: number;
  readonly cursor: string | null;
}

export interface ContextResult extends Answer {
  readonly text: string;
  readonly sections: readonly SectionView[];
  readonly bytes: number;
  readonly estimatedTokens: number;
  readonly warnings: readonly string[];
}

export interface ExpandResult extends Answer {
  readonly text: string;
  readonly items: readonly string[];
  readonly omitted: number;
  readonly cursor: string | null;
  readonly warnings: readonly string[];
}

export interface ChangesResult extends Answer {
  readonly anchor: AnchorRow;
  readonly before: string | null;
  readonly after: string | null;
  readonly source: 'file' | 'cache' | 'git' | 'mark' | 'none';
}

export interface ProblemView {
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'info';
  readonly message: string;
  readonly path: string | null;
  readonly line: number;
  readonly hint: string | null;
  readonly fixable: boolean;
  readonly fixed: boolean;
}

export interface StatusResult extends Answer {
  readonly root: string;
  readonly memories: number;
  readonly byKind: Readonly<Record<string, number>>;
  readonly byFlag: Readonly<Record<string, number>>;
  readonly version: string;
  readonly embedder: { readonly state: string; readonly embedded: number; readonly pending: number };
}

export interface MemoriesResult extends Answer {
  readonly memories: readonly MemoryView[];
  readonly unchanged: readonly string[];
}

export interface RememberResult extends Answer {
  readonly memory: MemoryView | null;
  readonly duplicateOf: MemoryView | null;
  readonly remarks: readonly string[];
}

export interface UndoResult extends Answer {
  readonly type: string;
  readonly summary: string;
  readonly files: readonly string[];
}

interface Table {
  anchors: [
    Partial<TextDocumentParam> & { readonly paths?: readonly string[] },
    Answer & { readonly anchors: readonly AnchorRow[] },
  ];
  changes: [{ readonly id: string; readonly anchorIndex?: number }, ChangesResult];
  context: [
    { query?: string; taskType?: TaskType; maxBytes?: number; here?: { uri: string; range?: Range } },
    ContextResult,
  ];
  doctor: [{ readonly fix?: boolean }, Answer & { readonly findings: readonly ProblemView[]; readonly facts: object }];
  drain: [Record<string, never>, { readonly pid: number }];
  expand: [{ readonly cursor: string }, ExpandResult];
  get: [{ readonly id: string }, Answer & { readonly memory: MemoryView; readonly text: string }];
  idle: [Record<string, never>, Answer];
  init: [Record<string, never>, Answer & { readonly root: string; readonly created: readonly string[] }];
  list: [
    { readonly flags?: readonly string[]; readonly sort?: string; readonly limit?: number; readonly page?: string },
    Answer & { readonly memories: readonly MemoryView[]; readonly total: number; readonly page: string | null },
  ];
  memoriesAt: [
    TextDocumentParam & { readonly range?: Range },
    Answer & { readonly memories: readonly { readonly memory: MemoryView; readonly anchors: readonly number[] }[] },
  ];
  mute: [MuteParams, MutesResult];
  mutes: [Record<string, never>, MutesResult];
  reanchor: [
    { readonly id: string; readonly anchorIndex?: number; readonly target?: AnchorSpec; readonly candidate?: number },
    Answer & { readonly memory: MemoryView; readonly remarks: readonly string[] },
  ];
  recall: [RecallParams, RecallResult];
  remember: [
    {
      readonly body: string;
      readonly kind?: string;
      readonly title?: string;
      readonly anchors?: readonly AnchorSpec[];
      readonly source?: string;
      readonly allowDuplicate?: boolean;
      readonly allowSecrets?: boolean;
    },
    RememberResult,
  ];
  retire: [{ readonly ids: readonly string[] }, MemoriesResult];
  status: [Record<string, never>, StatusResult];
  undo: [{ readonly skip?: boolean }, UndoResult];
  unmute: [UnmuteParams, MutesResult];
  verify: [{ readonly ids: readonly string[] }, MemoriesResult];
}

export type Scope = 'lens' | 'diagnostics';

export interface MuteParams {
  readonly id?: string;
  readonly anchorIndex?: number;
  readonly uri?: string;
  readonly path?: string;
  readonly scope?: Scope;
  readonly until?: string;
}

export interface UnmuteParams extends Omit<MuteParams, 'until'> {
  readonly all?: boolean;
}

export interface MuteView {
  readonly scope: Scope;
  readonly since: string | null;
  readonly memory: string | null;
  readonly title: string | null;
  readonly anchorIndex: number | null;
  readonly path: string | null;
  readonly until: string | null;
}

export interface MutesResult extends Answer {
  readonly muted: readonly MuteView[];
}

export type RequestName = keyof typeof REQUESTS & keyof Table;
export type ParamsOf<N extends RequestName> = Table[N][0];
export type ResultOf<N extends RequestName> = Table[N][1];

export interface DidChangeMemories {
  readonly revision: number;
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

export interface DidChangeAnchors {
  readonly uri: string;
  readonly version: number | null;
}

export interface ServerStatus {
  readonly health: 'ok' | 'warning' | 'error';
  readonly quiescent: boolean;
  readonly message: string | null;
}

export type NotificationName = keyof typeof NOTIFICATIONS;
