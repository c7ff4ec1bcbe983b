/**
 * What passes between VS Code and a language client, filtered: only documents of the client's own root, commands with
 * their root, and what the settings want.
 */

import { type CodeAction, type Command, type TextDocument, Uri, workspace } from 'vscode';
import type { Middleware } from 'vscode-languageclient/node';
import { COMMANDS, SETTINGS } from '../names';
import { route } from './routed';

type Owns = (uri: Uri) => boolean;

export function middleware(root: string, owns: Owns): Middleware {
  const mine = (document: TextDocument): boolean => owns(document.uri);
  return {
    didOpen: async (document, next) => (mine(document) ? next(document) : undefined),
    didChange: async (event, next) => (mine(event.document) ? next(event) : undefined),
    didSave: async (document, next) => (mine(document) ? next(document) : undefined),
    didClose: async (document, next) => (mine(document) ? next(document) : undefined),
    provideHover: (document, position, token, next) => (mine(document) ? next(document, position, token) : undefined),
    provideCompletionItem: (document, position, context, token, next) =>
      mine(document) ? next(document, position, context, token) : undefined,
    provideDefinition: (document, position, token, next) =>
      mine(document) ? next(document, position, token) : undefined,
    provideReferences: (document, position, options, token, next) =>
      mine(document) ? next(document, position, options, token) : undefined,
    provideDocumentLinks: (document, token, next) => (mine(document) ? next(document, token) : undefined),
    provideDocumentSymbols: (document, token, next) => (mine(document) ? next(document, token) : undefined),
    provideFoldingRanges: (document, context, token, next) =>
      mine(document) ? next(document, context, token) : undefined,
    provideCodeLenses: async (document, token, next) => {
      if (!mine(document) || !wants(SETTINGS.codeLens, document.uri)) return [];
      const lenses = (await next(document, token)) ?? [];
      for (const lens of lenses) if (lens.command !== undefined) lens.command = route(lens.command, root);
      return lenses;
    },
    provideCodeActions: async (document, range, context, token, next) => {
      if (!mine(document)) return [];
      const actions = (await next(document, range, context, token)) ?? [];
      return actions.filter(isAllowed).map((action) => routedAction(action, root));
    },
    provideDiagnostics: async (document, previous, token, next) => {
      const uri = document instanceof Uri ? document : document.uri;
      if (!owns(uri) || !wants(SETTINGS.diagnostics, uri)) return { kind: 'full', items: [] } as never;
      return next(document, previous, token);
    },
    handleDiagnostics: (uri, diagnostics, next) => next(uri, wants(SETTINGS.diagnostics, uri) ? diagnostics : []),
  };
}

function wants(setting: string, uri: Uri): boolean {
  return workspace.getConfiguration(undefined, uri).get<boolean>(setting, true);
}

const WRITING: readonly string[] = [COMMANDS.verify, COMMANDS.retire, COMMANDS.reanchor, COMMANDS.init];

/** In a workspace that is not trusted, nothing is offered that would write. */
function isAllowed(action: Command | CodeAction): boolean {
  return workspace.isTrusted || !WRITING.includes(commandOf(action)?.command ?? '');
}

function routedAction(action: Command | CodeAction, root: string): Command | CodeAction {
  if (isCommand(action)) return route(action, root);
  if (action.command !== undefined) action.command = route(action.command, root);
  return action;
}

function commandOf(action: Command | CodeAction): Command | undefined {
  return isCommand(action) ? action : action.command;
}

function isCommand(action: Command | CodeAction): action is Command {
  return typeof action.command === 'string';
}
