/** A session file as lists have it: the catalog's record with what the file's folder and the other sessions add to it. */
import { dirname, sep } from 'node:path';
import { defined } from '../../format/values/defined';
import { databaseOf } from '../../files/database/databaseSession';
import type { SessionPath } from '../../files/locate/listFiles';
import type { Root } from '../../files/locate/roots';
import type { CopyOf } from '../copies/sessionCopies';
import { errorFromProblem, type KnownFile } from '../rows/catalogRow';
import type { SessionSummary } from '../rows/sessionSummary';
import { summaryInRoot } from '../rows/summaryInRoot';

/**
 * A file in the store: its summary, or the error that keeps it from being read. `other` is a file in a folder of subagents
 * that has no header, such as a log: it isn't shown, and only known so that it isn't read again.
 */
export type ListedSession = Omit<SessionPath, 'isStored'> &
  KnownFile & {
    /** The number of the index that has this version of the file; see `IndexedRows`. */
    indexedIn?: number | undefined;
    /** Set for a copy of a session of another machine. */
    readonly copyOf?: CopyOf;
  } & (
    | { readonly kind: 'session'; readonly summary: SessionSummary }
    | { readonly kind: 'unreadable'; readonly error: unknown }
    | { readonly kind: 'other' }
  );

export type ListedFile<K extends ListedSession['kind']> = Extract<ListedSession, { kind: K }>;

/**
 * Converts a record. `indexedIn` is in the literals: a member that is added later takes more memory.
 *
 * @param root the root that lists the file
 * @param indexedIn see `ListedSession`
 */
export function toListedSession(
  { path, owner, version, row, complete }: KnownFile,
  root: Root,
  indexedIn: number | undefined,
): ListedSession {
  const { summary, problem } = row;
  const listed: ListedSession = isOther({ path, ...defined({ owner }), row, complete })
    ? { path, root, version, complete, row, indexedIn, kind: 'other' }
    : problem
      ? { path, root, version, complete, row, indexedIn, kind: 'unreadable', error: errorFromProblem(problem) }
      : { path, root, version, complete, row, indexedIn, kind: 'session', summary: summaryInRoot(withPartial(summary, complete), root) };
  return owner === undefined ? listed : { ...listed, owner };
}

/** True for a file among subagents' sessions that has no header, as far as it was read. */
const isOther = ({ path, owner, row: { problem, summary }, complete }: Omit<KnownFile, 'version'>): boolean =>
  owner !== undefined &&
  databaseOf(path) === undefined &&
  (complete ? problem?.code === 'not-a-session' : problem === undefined && summary.id === '');

/** The counts of a file that was read before it grew are nearly true. */
const withPartial = (summary: SessionSummary, complete: boolean): SessionSummary =>
  complete || summary.messageCount > 0 ? summary : { ...summary, isPartial: true };

/** The facts that lists show of a file, also of one that can't be read. */
export const shownSummary = (file: ListedSession): SessionSummary => (file.kind === 'session' ? file.summary : file.row.summary);

/** Returns the first root that lists the file: the file, or the session that owns it as a subagent's, lies at the root's depth. */
export function listingRoot({ path, owner }: Pick<KnownFile, 'path' | 'owner'>, roots: readonly Root[]): Root | undefined {
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
