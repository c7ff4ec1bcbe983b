/** What went wrong, in words that a person can act on. */

import { l10n } from 'vscode';

export interface Failure {
  readonly message: string;
  readonly hint: string;
  readonly code: string;
}

/** A fault of ours or of the set-up, with a hint. */
export class ProjectError extends Error {
  constructor(
    message: string,
    readonly hint = '',
    readonly code = '',
  ) {
    super(message);
    this.name = 'ProjectError';
  }
}

/** The daemon's errors carry `data: {family, code, hint}`; others have a message at least. */
export function failureOf(error: unknown): Failure {
  if (error instanceof ProjectError) return error;
  const given = typeof error === 'object' && error !== null ? (error as { message?: unknown; data?: unknown }) : {};
  const data = typeof given.data === 'object' && given.data !== null ? (given.data as Record<string, unknown>) : {};
  return {
    message: typeof given.message === 'string' ? given.message : l10n.t('MemoFS did not answer'),
    hint: typeof data.hint === 'string' ? data.hint : '',
    code: typeof data.code === 'string' ? data.code : '',
  };
}

/** The failure as one sentence or two. */
export function sentence(error: unknown): string {
  const { message, hint } = failureOf(error);
  return hint === '' ? message : `${message} (${hint})`;
}
