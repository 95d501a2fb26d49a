/** A session file as lists have it, whether the store or the catalog has read it. */
import { dirname } from 'node:path';
import type { SessionPath } from '../../files/locate/listFiles';
import type { Root } from '../../files/locate/roots';
import type { FileVersion } from '../../files/read/sessionFile';
import { defined } from '../../format/entry/defined';
import type { CopyOf } from '../copies/sessionCopies';
import { errorFromProblem, type KnownFile } from '../rows/catalogRow';
import type { SessionSummary } from '../rows/sessionSummary';
import { summaryInRoot } from '../rows/summaryInRoot';

/** A file in the store: its summary, or the error that keeps it from being read. */
export type ListedSession = SessionPath & {
  readonly version: FileVersion;
  /** True if the whole file was read in this version. */
  readonly complete: boolean;
  /** Set for a copy of a session of another machine. */
  readonly copyOf?: CopyOf;
} & ({ readonly kind: 'session'; readonly summary: SessionSummary } | { readonly kind: 'unreadable'; readonly error: unknown });

/** Converts a catalog's row. `undefined` if there is nothing to show yet, or if none of the roots lists the file. */
export function toListedSession({ path, owner, version, row, complete }: KnownFile, roots: readonly Root[]): ListedSession | undefined {
  const root = listingRoot(path, owner, roots);
  if (!root || (!complete && row.summary.id === '')) return undefined;
  const place = { path, root, version, complete, ...defined({ owner }) };
  if (row.problem) return { ...place, kind: 'unreadable', error: errorFromProblem(row.problem) };
  // The counts of a file that was read before it grew are nearly true.
  const summary = complete || row.summary.messageCount > 0 ? row.summary : { ...row.summary, isPartial: true as const };
  return { ...place, kind: 'session', summary: summaryInRoot(summary, root) };
}

/** Returns the first root that lists the file: the file, or the session that owns it as a subagent's, lies at the root's depth. */
export function listingRoot(path: string, owner: string | undefined, roots: readonly Root[]): Root | undefined {
  for (let at = owner ?? path, above = dirname(at); above !== at; at = above, above = dirname(at)) {
    const root = roots.find((each) => (each.flat ? above : dirname(above)) === each.path);
    if (root) return root;
  }
  return undefined;
}
