/**
 * Commands that the server names in lenses and quick fixes, with the root whose server it was.
 *
 * Two folders have two servers, and a command of VS Code is one for all: its argument says whose it is.
 */

import { SERVER_COMMANDS } from '../names';

export interface Routed {
  readonly root: string;
  /** What the server gave. */
  readonly arguments: readonly unknown[];
}

export function isRouted(value: unknown): value is Routed {
  if (typeof value !== 'object' || value === null) return false;
  const given = value as Partial<Routed>;
  return typeof given.root === 'string' && Array.isArray(given.arguments);
}

interface AnyCommand {
  command: string;
  arguments?: unknown[];
}

/** The command with its root put in; one that is none of ours stays as it is. */
export function route<C extends AnyCommand>(command: C, root: string): C {
  if (!SERVER_COMMANDS.some((name) => name === command.command)) return command;
  const routed: Routed = { root, arguments: command.arguments ?? [] };
  return { ...command, arguments: [routed] };
}
