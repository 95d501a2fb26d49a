/**
 * The folders in which oh-my-pi keeps archived sessions: `archive/sessions` next to `sessions`, with the same project
 * folders. FORMAT section 1.
 */
import { basename, dirname, join, relative, sep } from 'node:path';
import type { Dialect } from '../../../format/entry/dialect';
import { isArchivedSession } from '../../../format/session/archivedSession';

interface Root {
  readonly path: string;
  readonly dialect: Dialect;
  readonly flat: boolean;
}

const ARCHIVE = 'archive';
const SESSIONS = 'sessions';

/** Returns the folder of the archived sessions of an agent folder. */
export const archiveFolderOf = (agent: string): string => join(agent, ARCHIVE, SESSIONS);

/** True for a root in which compressed files are sessions, too. */
export const isArchiveRoot = ({ path, flat }: Pick<Root, 'path' | 'flat'>): boolean => !flat && isArchiveFolder(path);

const isArchiveFolder = (path: string): boolean => basename(path) === SESSIONS && basename(dirname(path)) === ARCHIVE;

/** The place that a session would have if it weren't archived. */
interface UnarchivedPlace {
  /** The folder of all sessions. */
  readonly sessions: string;
  /** The name of its project's folder. */
  readonly project: string;
}

/**
 * Returns the path that an archived session, or a session of one of its subagents, has when it isn't archived.
 *
 * @param root the root that contains the session, if it's known. Without it, a compressed file one level below an
 *   archive is recognized.
 * @returns `undefined` for any other session.
 */
export function unarchivedPlaceOf(path: string, root: Root | undefined): UnarchivedPlace | undefined {
  const archive = root ? root.path : dirname(dirname(path));
  // Sessions of another program may lie in folders of the same names.
  const isArchived = isArchivedSession(path) || root?.dialect === 'omp';
  if (!isArchived || !(root ? isArchiveRoot(root) : isArchiveFolder(archive))) return undefined;
  const [project = ''] = relative(archive, dirname(path)).split(sep);
  return { sessions: join(dirname(dirname(archive)), SESSIONS), project };
}

/** Returns the folder of sessions in which a session is continued: the folder of its file, unless it's archived. */
export function unarchivedFolderOf(path: string): string {
  const place = unarchivedPlaceOf(path, undefined);
  return place ? join(place.sessions, place.project) : dirname(path);
}
