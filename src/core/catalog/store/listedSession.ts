/** A session file as lists have it, whether the store or the catalog has read it. */
import { dirname, sep } from 'node:path';
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
  if (row.problem)
    return { path, root, version, complete, kind: 'unreadable', error: errorFromProblem(row.problem), ...defined({ owner }) };
  // The counts of a file that was read before it grew are nearly true.
  const known = complete || row.summary.messageCount > 0 ? row.summary : { ...row.summary, isPartial: true as const };
  const listed = { path, root, version, complete, kind: 'session' as const, summary: summaryInRoot(known, root) };
  return owner === undefined ? listed : { ...listed, owner };
}

/** Returns the first root that lists the file: the file, or the session that owns it as a subagent's, lies at the root's depth. */
export function listingRoot(path: string, owner: string | undefined, roots: readonly Root[]): Root | undefined {
  let at = owner ?? path;
  // Nearly always one of the roots is one or two folders above the file. This runs for each row of a list.
  const [end, endAbove] = [at.lastIndexOf(sep), at.lastIndexOf(sep, at.lastIndexOf(sep) - 1)];
  const usual = roots.find((each) => each.path.length === (each.flat ? end : endAbove) && at.startsWith(each.path));
  if (usual) return usual;
  for (let above = dirname(at); above !== at;) {
    const twoAbove = dirname(above);
    const root = roots.find((each) => (each.flat ? above : twoAbove) === each.path);
    if (root) return root;
    at = above;
    above = twoAbove;
  }
  return undefined;
}
