/** Reasons why a session isn't moved with its project. FORMAT section 6, rules 1, 8 and 12. */
import { access, constants, lstat, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CURRENT_VERSION } from '../../format/entry/entry';
import { DIALECT_FACTS, type Dialect } from '../../format/entry/dialect';
import { SessionError } from '../../format/entry/problem';
import { archivedError, isArchivedSession } from '../../format/session/archivedSession';
import { readOnlyError } from '../../format/write/change';
import { fileError, isMissing } from '../io/fileErrors';
import { mapPath } from '../locate/paths/mapPath';
import { ReadOnlyRootError } from '../locate/readOnlyRoots';
import { openRegularFile } from '../io/regularFile';
import { readSession } from '../read/sessionFile';
import { relatedPaths } from '../trash/relatedPaths';
import { assertWritable } from '../write/assertWritable';
import { findHeader } from './headerPlace';
import type { KnownSession } from './knownSessions';
import { assertPathFree, headerError, linkedError, otherDiskError } from './relocate';

/** Returns the reason why a session whose folder is mapped stays: its header is for its own machine. */
export const mappedReason = ({ path, cwd, root }: KnownSession): SessionError | undefined =>
  mapPath(cwd, root.map) === cwd
    ? undefined
    : new SessionError(
        'invalid',
        'This session names a folder of another machine, so it stays where it is. Change “map” in the setting “sessionTree.roots” instead: {path}',
        { path },
      );

/**
 * Checks that a session's header may be rewritten, apart from other programs that may use the session.
 *
 * @returns the session's dialect.
 * @throws {SessionError} the reason why it can't.
 */
export async function assertRewritable(session: KnownSession): Promise<Dialect> {
  const { path, root } = session;
  if (root.readOnly) throw new ReadOnlyRootError(path);
  if (session.isStored) throw readOnlyError(path, DIALECT_FACTS.openclaw.label);
  if (isArchivedSession(path)) throw archivedError(path);
  if ((await lstat(path)).isSymbolicLink()) throw linkedError(path);
  const { dialect, version } = await readSession(path, { dialect: root.dialect });
  if (isArchivedSession(path, dialect)) throw archivedError(path);
  if (!DIALECT_FACTS[dialect].writable) throw readOnlyError(path, DIALECT_FACTS[dialect].label);
  if (version > CURRENT_VERSION)
    throw new SessionError(
      'version',
      'This session has format {version}, which is newer than this extension supports, so it can’t be changed: {path}',
      { version, path },
    );
  await assertHeaderReplaceable(path);
  // The new file is created in the same folder or next to that folder.
  await access(dirname(path), constants.W_OK);
  return dialect;
}

async function assertHeaderReplaceable(path: string): Promise<void> {
  const { file, stats } = await openRegularFile(path);
  try {
    assertWritable(path, Number(stats.mode));
    const header = await findHeader(file, Number(stats.size));
    if (!header?.isExact) throw headerError(path);
  } finally {
    await file.close();
  }
}

/**
 * Checks that a session and what belongs to it can move to a new path in the same root.
 *
 * @throws {SessionError} `invalid` if the path is taken, or a link leads from or to elsewhere; `permission`.
 */
export async function assertMovable(path: string, newPath: string): Promise<void> {
  await assertPathFree(path, newPath);
  // Undo couldn't distinguish this link from the link of a forged record that leads elsewhere.
  if ((await lstat(dirname(path))).isSymbolicLink()) throw linkedError(dirname(path));
  const folder = dirname(newPath);
  const there = await lstat(folder).catch((error: unknown) => {
    if (!isMissing(error)) throw fileError(error, folder);
  });
  if (there && (await realpath(folder)) !== join(await realpath(dirname(folder)), basename(folder))) throw linkedError(folder);
  const place = there ? folder : dirname(folder);
  await access(place, constants.W_OK);
  if ((await relatedPaths(path)).length > 1 && (await stat(place)).dev !== (await stat(dirname(path))).dev) throw otherDiskError(path);
}

export const parentOfBusyForkError = (path: string, fork: string, reason: SessionError): SessionError =>
  new SessionError(
    reason.code,
    'A fork of this session would lose its parent, because it can’t be changed now. Resolve that first ({fork}): {path}',
    { fork, path },
    { cause: reason },
  );

export const canceledError = (path: string): SessionError =>
  new SessionError('invalid', 'Canceled before this session was moved: {path}', { path });
