/** The extension's one output channel, made when it is first needed. */

import { type LogOutputChannel, window } from 'vscode';

let channel: LogOutputChannel | undefined;

export function log(): LogOutputChannel {
  channel ??= window.createOutputChannel('MemoFS', { log: true });
  return channel;
}

export function closeLog(): void {
  channel?.dispose();
  channel = undefined;
}
