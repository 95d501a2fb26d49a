/** Comparison of two versions of a file: the same, grown, or changed otherwise. */
import { SessionError } from '../../../format/entry/problem';
import type { Session } from '../../../format/session/session';
import { sessionFileVersion } from './findFileVersion';
import { followSession, readSession, type FileVersion, type ReadOptions } from '../sessionFile';

export { sessionFileVersion as readFileVersion };

/** Returns true if nothing has changed between two versions of a file. */
export const sameVersion = (a: FileVersion, b: FileVersion): boolean =>
  a.ino === b.ino && a.facts === b.facts && (a.facts !== undefined || (a.size === b.size && a.mtimeMs === b.mtimeMs));

/** Returns true if the sizes are the same, too: neither of them is a guess. */
export const isSameExactly = (a: FileVersion, b: FileVersion): boolean => sameVersion(a, b) && a.size === b.size;

export const hasGrown = (before: FileVersion, now: FileVersion): boolean => before.ino === now.ino && before.size < now.size;

/** Returns the session as of `now`. If the file only grew since `before`, only the appended part is read. */
export async function refreshSession(session: Session, before: FileVersion, now: FileVersion, options: ReadOptions): Promise<Session> {
  if (sameVersion(before, now)) return session;
  return hasGrown(before, now) ? followSession(session, options) : readSession(session.path, options);
}

/** @throws {SessionError} `changed` if the versions differ. */
export function assertUnchanged(session: Session, before: FileVersion, now: FileVersion): void {
  if (!sameVersion(before, now)) throw changedError(session.path);
}

export function changedError(path: string): SessionError {
  return new SessionError('changed', 'The file was changed at the same time, so nothing was saved. Refresh and try again: {path}', {
    path,
  });
}
