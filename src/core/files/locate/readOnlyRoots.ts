/**
 * The guard that keeps read-only roots as they are. Every change of a file in session folders passes it, for each path that
 * it changes. FORMAT section 6, rule 8.
 */
import { resolve } from 'node:path';
import { SessionError } from '../../format/entry/problem';
import { withoutSessionSuffix } from '../../format/session/archivedSession';
import { withDeadline } from '../concurrency/deadline';
import { resolveLinks } from '../io/realPathOf';
import { placeWithin } from '../relink/movedPaths';
import type { Root } from './roots';

/** Milliseconds that a folder may take to answer. */
const TIMEOUT_MS = 2000;

/** Returns the read-only root that a path is in, by names alone; `undefined` if there is none. */
export const readOnlyRootOf = (path: string, roots: readonly Root[]): Root | undefined =>
  roots.find((root) => root.readOnly && isAround(root.path, resolve(path)));

/** Returns the roots in which sessions may be changed. */
export const changeable = (roots: readonly Root[]): Root[] => roots.filter(({ readOnly }) => !readOnly);

/** The refusal of a change in a read-only root. It lasts no longer than the setting, so nothing is given up because of it. */
export class ReadOnlyRootError extends SessionError {
  constructor(path: string) {
    super(
      'read-only',
      'This session folder is read-only by the setting “sessionTree.roots”. Fork the session into a project of this machine, or import it there: {path}',
      { path },
    );
  }
}

/**
 * Checks that a change of a file or folder, and of the folder that belongs to a session, changes no read-only root: neither
 * one around it, however many roots are in between, nor one in it, which would move along.
 *
 * @param path may be missing. Its name counts, and its real path.
 * @throws {ReadOnlyRootError}
 * @throws {SessionError} `permission` if the path's folder, or a read-only root that hasn't answered before, doesn't answer in
 *   time: a link could lead anywhere
 */
export type RootGuard = (path: string) => Promise<void>;

/** True if the guard lets the changes of all paths pass now. */
export const isChangeable = (guard: RootGuard, ...paths: readonly string[]): Promise<boolean> =>
  Promise.all(paths.map(guard)).then(
    () => true,
    () => false,
  );

/** Returns the guard of roots that may change. */
export function createRootGuard(roots: () => readonly Root[]): RootGuard {
  const realRoots = new RealPaths();
  return async (path) => {
    const kept = roots().filter(({ readOnly }) => readOnly);
    if (kept.length === 0) return;
    const names = [...new Set([resolve(path), withoutSessionSuffix(resolve(path))])];
    const check = (changed: readonly string[], folders: readonly string[]): void => {
      if (changed.some((one) => folders.some((folder) => isAround(folder, one) || isAround(one, folder))))
        throw new ReadOnlyRootError(path);
    };
    const folders = kept.map((root) => root.path);
    check(names, folders);
    const [realFolders, real] = await Promise.all([
      Promise.all(folders.map((folder) => realRoots.get(folder, path))),
      Promise.all(names.map(realPathInTime)),
    ]);
    check([...names, ...real], [...folders, ...realFolders]);
  };
}

const isAround = (folder: string, path: string): boolean => placeWithin(folder, path) !== undefined;

const realPathInTime = (path: string): Promise<string> => withDeadline(resolveLinks(path), TIMEOUT_MS, () => silentError(path));

/** The real paths of roots. A root that stops answering keeps its last one, and is resolved once at a time: each call holds a thread. */
class RealPaths {
  private readonly last = new Map<string, string>();
  private readonly pending = new Map<string, Promise<string>>();

  async get(folder: string, path: string): Promise<string> {
    try {
      return await withDeadline(this.resolveOnce(folder), TIMEOUT_MS, () => silentRootError(folder, path));
    } catch (error) {
      const last = this.last.get(folder);
      if (last === undefined) throw error;
      return last;
    }
  }

  private resolveOnce(folder: string): Promise<string> {
    const before = this.pending.get(folder);
    if (before) return before;
    const pending = resolveLinks(folder)
      .then((real) => {
        this.last.set(folder, real);
        return real;
      })
      .finally(() => this.pending.delete(folder));
    this.pending.set(folder, pending);
    return pending;
  }
}

const silentRootError = (folder: string, path: string): SessionError =>
  new SessionError(
    'permission',
    'The read-only session folder {folder} doesn’t answer, so it isn’t known whether this change is in it. Connect it again, or take it out of the setting “sessionTree.roots”: {path}',
    { folder, path },
  );

const silentError = (path: string): SessionError =>
  new SessionError(
    'permission',
    'This folder didn’t answer in time, so it isn’t known whether the change is in a read-only session folder. Try again: {path}',
    { path },
  );
