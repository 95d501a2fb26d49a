/** What a list knows of a session file, whoever has read it. */
import { dirname } from 'node:path';
import { excerpt } from '../../format/text/excerpt';
import { SessionError } from '../../format/entry/problem';
import type { SessionPath } from '../../files/locate/listFiles';
import type { Root } from '../../files/locate/roots';
import type { FileVersion } from '../../files/read/sessionFile';
import { NO_MESSAGES, type KnownFile, type RowProblem, type StoredRow } from '../rows/catalogRow';
import type { SessionSummary } from '../rows/sessionSummary';

export type ListedSession = SessionPath & {
  readonly version: FileVersion;
  /** Whether all of it was read, as it is in this version. */
  readonly complete: boolean;
} & ({ readonly kind: 'session'; readonly summary: SessionSummary } | { readonly kind: 'unreadable'; readonly error: unknown });

/** A catalog's row as the list has it; `undefined` if so little is known that there is nothing to show yet. */
export function toListedSession({ path, owner, version, row, complete }: KnownFile, roots: readonly Root[]): ListedSession | undefined {
  const root = listingRoot(path, owner, roots);
  if (!root || (!complete && row.id === '')) return undefined;
  const place = { path, root, version, complete, ...(owner === undefined ? {} : { owner }) };
  return row.problem ? { ...place, kind: 'unreadable', error: errorFromProblem(row.problem) } : { ...place, kind: 'session', summary: summaryOf(path, row, complete) };
}

/** The first root that lists the file: at its depth lies the file itself, or the session that its subagents' belong to. */
function listingRoot(path: string, owner: string | undefined, roots: readonly Root[]): Root | undefined {
  for (let at = owner ?? path, above = dirname(at); above !== at; at = above, above = dirname(at)) {
    const root = roots.find((each) => (each.flat ? above : dirname(above)) === each.path);
    if (root) return root;
  }
  return undefined;
}

function errorFromProblem({ code, template, args, message }: RowProblem): Error {
  return code === 'error' ? new Error(message) : new SessionError(code, template, args);
}

/** First messages are cut to this many UTF-16 units, as in the rows of entries. */
const MAX_MESSAGE_LENGTH = 200;

function summaryOf(path: string, row: StoredRow, complete: boolean): SessionSummary {
  const { id, cwd, created, modified, messageCount, dialect, problems, writable, isOld, name, parentSessionPath, suspectedTip } = row;
  const firstMessage = row.firstMessage === NO_MESSAGES ? '' : excerpt(row.firstMessage, MAX_MESSAGE_LENGTH).replace(/[\n\t]/g, ' ').trim();
  return {
    path,
    dialect,
    id,
    cwd,
    ...(name === undefined ? {} : { name }),
    ...(parentSessionPath ? { parentSession: parentSessionPath } : {}),
    created: created ?? 0,
    modified,
    messageCount,
    ...(firstMessage === '' ? {} : { firstMessage }),
    problems,
    writable,
    isOld,
    ...(suspectedTip === undefined ? {} : { suspectedTip }),
    // One that was read before it grew has counts that are nearly true.
    ...(complete || messageCount > 0 ? {} : { isPartial: true }),
  };
}
