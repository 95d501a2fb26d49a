/** Refuses changes below roots that are read-only. */
import { resolve } from 'node:path';
import { SessionError } from '../../format/entry/problem';
import { withDeadline } from '../io/deadline';
import { resolveLinks } from '../io/realPathOf';
import { placeWithin } from '../relink/movedPaths';
import type { Root } from './roots';

/** Milliseconds that a folder may take to answer. After that, names alone count. */
const TIMEOUT_MS = 2000;

/** Returns the read-only root that a path is in, by names alone; `undefined` if there is none. */
export const readOnlyRootOf = (path: string, roots: readonly Root[]): Root | undefined =>
  roots.find((root) => root.readOnly && placeWithin(root.path, resolve(path)) !== undefined);

/** Returns the roots in which sessions may be changed. */
export const changeable = (roots: readonly Root[]): Root[] => roots.filter(({ readOnly }) => !readOnly);

/**
 * Checks that a path isn't in a read-only root, neither by its name nor by a link.
 *
 * @throws {SessionError} `read-only`
 */
export async function assertNotInReadOnlyRoot(path: string, roots: readonly Root[]): Promise<void> {
  const kept = roots.filter(({ readOnly }) => readOnly);
  if (kept.length === 0) return;
  const [full, real] = [resolve(path), await answeredPath(resolve(path))];
  for (const root of kept) {
    const folders = [root.path, await answeredPath(root.path)];
    if (folders.some((folder) => [full, real].some((one) => placeWithin(folder, one) !== undefined))) throw readOnlyRootError(path);
  }
}

export const readOnlyRootError = (path: string): SessionError =>
  new SessionError(
    'read-only',
    'This session folder is read-only by the setting “sessionTree.roots”. Fork the session into a project of this machine instead: {path}',
    { path },
  );

const answeredPath = (path: string): Promise<string> =>
  withDeadline(resolveLinks(path), TIMEOUT_MS, () => new Error('no answer in time')).catch(() => path);
