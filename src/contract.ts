/**
 * Names, arguments and answers that others rely on: keybindings, other extensions, tests, later versions.
 * A change here is a breaking change.
 */
import type { Filter, SearchHit } from './core/index';

export const VIEW = 'sessionTree.sessions';
export const LABELS_VIEW = 'sessionTree.labels';
export const CONTEXT_PANEL = 'sessionTree.context';
/** Scheme of the readable documents. */
export const DOCUMENT_SCHEME = 'session-tree';
/** Scheme of the read-only documents that show a session file's own bytes. The rest of such an address is that of the file. */
export const RAW_SCHEME = 'session-tree-raw';
/** The size of the largest file that the editor opens as a document, in bytes. */
export const MAX_DOCUMENT = 50 * 1024 * 1024;

/** A session, or one of its entries. */
export interface SessionRef {
  readonly path: string;
  readonly entryId?: string;
}

/**
 * A row of the Sessions view, as commands get it from menus. Its `row` tells it from plain arguments:
 * from a row a command may ask and speak, with plain arguments it does neither.
 */
export type Row =
  | { readonly row: 'project'; readonly cwd: string }
  | { readonly row: 'session'; readonly path: string }
  | { readonly row: 'unreadable'; readonly path: string }
  | { readonly row: 'entry' | 'branch' | 'note'; readonly path: string; readonly entryId: string }
  /** A change that waits until nobody else has the session. */
  | { readonly row: 'waiting'; readonly path: string; readonly waitingId: string }
  | { readonly row: 'more' | 'problem'; readonly path: string };

export function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && 'row' in value;
}

interface Force {
  /** Write although it is unsure whether another program has the file; never when one surely has. */
  readonly force?: boolean;
}

/** What each command takes as plain arguments, and what it then resolves to. */
export interface CommandContract {
  'sessionTree.label': { args: [SessionRef & Force & { readonly label: string }]; answer: { entryId: string; concurrent?: true } };
  'sessionTree.clearLabel': { args: [SessionRef & Force]; answer: { entryId: string; concurrent?: true } };
  'sessionTree.branchHere': { args: [SessionRef & Force & { readonly summary?: string }]; answer: { entryId: string; concurrent?: true } };
  'sessionTree.fork': { args: [SessionRef & { readonly targetCwd?: string; readonly position?: 'before' | 'at' }]; answer: { path: string } };
  'sessionTree.migrate': { args: [SessionRef & Force]; answer: { path: string; backupPath: string } };
  'sessionTree.rename': { args: [SessionRef & Force & { readonly name: string }]; answer: { entryId?: string } };
  'sessionTree.branchAndResume': { args: [SessionRef & Force & { readonly summary?: string }]; answer: { entryId: string; concurrent?: true; command: string[] } };
  /** All sessions of a project that are old. */
  'sessionTree.migrateAll': { args: [Force & { readonly cwd: string }]; answer: { migrated: { path: string; backupPath: string }[]; left: { path: string; reason: string }[] } };
  /** Into our own trash, whatever the setting says. */
  'sessionTree.delete': { args: [SessionRef & Force]; answer: { trashId: string } };
  'sessionTree.restore': { args: [{ readonly trashId: string }]; answer: { path: string } };
  /** With an object, everything goes at once; without one it asks. */
  'sessionTree.emptyTrash': { args: [object]; answer: { removed: number } };
  /** Without an object it speaks, and answers all the same. */
  'sessionTree.undo': { args: [] | [Force]; answer: { did: 'inverse' | 'file'; path: string } };
  'sessionTree.dropWaiting': { args: [{ readonly waitingId: string }]; answer: undefined };
  'sessionTree.showContext': { args: [SessionRef]; answer: { messages: number } };
  'sessionTree.openMarkdown': { args: [SessionRef & { readonly preview?: boolean }]; answer: { uri: string } };
  /** Both sides since they parted, in the diff: the addresses of its two documents, and the last entry that both have (`null` if none). As one array or as two arguments. */
  'sessionTree.compare': { args: [readonly [SessionRef, SessionRef]] | [SessionRef, SessionRef]; answer: { left: string; right: string; forkPoint: string | null } };
  /** The left side of the next `compareWithSelected`, which answers as `compare` does. */
  'sessionTree.selectForCompare': { args: [SessionRef]; answer: undefined };
  'sessionTree.compareWithSelected': { args: [SessionRef]; answer: { left: string; right: string; forkPoint: string | null } };
  'sessionTree.resume': { args: [SessionRef]; answer: { command: string[] } };
  /** As of the catalog, which on the first call is waited for, 10 s at most. The query may have the prefixes `role:`, `tool:`, `file:`, `label:`, `project:`. */
  'sessionTree.search': { args: [{ readonly query: string; readonly limit?: number }]; answer: SearchHit[] };
  /** The entries whose tool calls read or wrote the file: absolute, or in a folder that is open. */
  'sessionTree.sessionsForFile': { args: [{ readonly file: string }]; answer: { path: string; entryId: string; kind: 'read' | 'write' }[] };
  /** The session, or with an empty object the one of the active editor, context view or terminal; to what was selected. */
  'sessionTree.revealSession': { args: [SessionRef | Record<string, never>]; answer: SessionRef };
  /** With an object it empties the index at once; without one it asks. */
  'sessionTree.clearIndex': { args: [object]; answer: undefined };
  'sessionTree.refresh': { args: []; answer: undefined };
  'sessionTree.setFilter': { args: [{ readonly filter: Filter }]; answer: undefined };
}
export type CommandId = keyof CommandContract;
