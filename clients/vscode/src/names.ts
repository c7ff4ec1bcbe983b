/**
 * Every name that the extension shares with others: with its package.json, with the daemon, with the server's own
 * commands. A contract test compares these tables with package.json and protocol.md.
 */

export const EXTENSION = 'memofs';

export const COMMANDS = {
  recall: 'memofs.recall',
  briefing: 'memofs.briefing',
  copyBriefing: 'memofs.copyBriefing',
  expand: 'memofs.expand',
  remember: 'memofs.remember',
  rememberInEditor: 'memofs.rememberInEditor',
  openMemory: 'memofs.openMemory',
  copyCitation: 'memofs.copyCitation',
  verify: 'memofs.verify',
  retire: 'memofs.retire',
  reanchor: 'memofs.reanchor',
  showChanges: 'memofs.showChanges',
  showStale: 'memofs.showStale',
  openCore: 'memofs.openCore',
  init: 'memofs.init',
  restart: 'memofs.restart',
  showLog: 'memofs.showLog',
  doctor: 'memofs.doctor',
  mute: 'memofs.mute',
  unmute: 'memofs.unmute',
  undo: 'memofs.undo',
  install: 'memofs.install',
  showMenu: 'memofs.showMenu',
} as const;

/** Registered, but not for people: what lenses and rows of a view name. */
export const INTERNAL_COMMANDS = {
  showMemories: 'memofs.showMemories',
  revealAnchor: 'memofs.revealAnchor',
} as const;

/** What the server's lenses and quick fixes name; each is one of ours, which asks the right folder's daemon. */
export const SERVER_COMMANDS = [
  COMMANDS.verify,
  COMMANDS.retire,
  COMMANDS.reanchor,
  COMMANDS.showChanges,
  COMMANDS.init,
  INTERNAL_COMMANDS.showMemories,
] as const;

export const SETTINGS = {
  command: 'memofs.command',
  gutterIcons: 'memofs.gutterIcons',
  overviewRuler: 'memofs.overviewRuler',
  codeLens: 'memofs.codeLens',
  diagnostics: 'memofs.diagnostics',
  searchDebounce: 'memofs.search.debounce',
  searchLimit: 'memofs.search.limit',
  briefingMaxBytes: 'memofs.briefing.maxBytes',
  offerToInitialise: 'memofs.offerToInitialise',
  trace: 'memofs.trace.server',
} as const;

export const VIEWS = {
  container: 'memofs',
  search: 'memofs.search',
  here: 'memofs.here',
  stale: 'memofs.stale',
} as const;

export const CONTEXTS = {
  /** The workspace has a memory. */
  active: 'memofs.active',
  /** A daemon answers. */
  ready: 'memofs.ready',
  /** The daemon's command was not found. */
  missing: 'memofs.missing',
  /** A folder has no memory yet. */
  uninitialised: 'memofs.uninitialised',
  /** The active editor's file has anchored memories. */
  here: 'memofs.hasMemoriesHere',
  /** The active editor shows a briefing. */
  briefing: 'memofs.isBriefing',
  /** Some memory is stale. */
  stale: 'memofs.hasStale',
  /** Something can be written: the workspace is trusted. */
  writable: 'memofs.writable',
} as const;

export const SCHEMES = {
  changes: 'memofs-changes',
  briefing: 'memofs-briefing',
} as const;

export const REQUESTS = {
  anchors: 'memofs/anchors',
  changes: 'memofs/changes',
  context: 'memofs/context',
  doctor: 'memofs/doctor',
  drain: 'memofs/drain',
  expand: 'memofs/expand',
  get: 'memofs/get',
  idle: 'memofs/idle',
  init: 'memofs/init',
  list: 'memofs/list',
  memoriesAt: 'memofs/memoriesAt',
  mute: 'memofs/mute',
  mutes: 'memofs/mutes',
  reanchor: 'memofs/reanchor',
  recall: 'memofs/recall',
  remember: 'memofs/remember',
  retire: 'memofs/retire',
  status: 'memofs/status',
  undo: 'memofs/undo',
  unmute: 'memofs/unmute',
  verify: 'memofs/verify',
} as const;

export const NOTIFICATIONS = {
  didChangeMemories: 'memofs/didChangeMemories',
  didChangeAnchors: 'memofs/didChangeAnchors',
  serverStatus: 'memofs/serverStatus',
} as const;
