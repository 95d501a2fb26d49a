/** Checks that a folder is the one in which a session's calls ran. */
import { isAbsolute } from 'node:path';
import { SessionError } from '../../format/entry/problem';
import { readHeader } from '../api/listSessions';
import { repositoryOf } from '../git/fileCommits';
import { worktreeOf } from '../git/worktree';
import { fileError } from '../io/fileErrors';
import { resolveLinks } from '../io/realPathOf';
import { UntrustedPaths } from '../io/untrustedPaths';
import { mapPath } from '../locate/paths/mapPath';
import { rootOf, type Root } from '../locate/roots';
import { readSession } from '../read/sessionFile';
import { placeKey, placeWithin } from '../relink/movedPaths';
import { join } from 'node:path';

/**
 * Verifies that a folder is the one that a session's header names, on this machine, or the same folder of another worktree of its
 * repository.
 *
 * @throws {SessionError} `invalid` if it's another folder; as `readSession` if the session can't be read
 */
export async function assertSessionFolder(folder: string, session: string, roots: readonly Root[]): Promise<void> {
  const cwd = mapPath(await cwdOf(session), rootOf(session, roots)?.map);
  const paths = new UntrustedPaths();
  if (isAbsolute(cwd) && !(await paths.isRefused(cwd)) && !(await paths.isRefused(folder))) {
    const [own, given] = [await resolveLinks(cwd), await resolveLinks(folder)];
    if (placeKey(own) === placeKey(given)) return;
    const [ownPlace, givenPlace] = [await placeInRepository(own), await placeInRepository(given)];
    if (ownPlace && givenPlace && ownPlace === givenPlace) return;
  }
  throw new SessionError('invalid', 'This isn’t the folder of the session that the files are restored for: {path}', { path: folder });
}

async function cwdOf(session: string): Promise<string> {
  try {
    const header = await readHeader(session).catch(() => undefined);
    return (header ?? (await readSession(session)).header).cwd;
  } catch (error) {
    throw fileError(error, session);
  }
}

/** Returns the main working tree of a folder's repository and the folder within its own; `undefined` outside of repositories. */
async function placeInRepository(folder: string): Promise<string | undefined> {
  const root = await repositoryOf(join(folder, '.git'));
  if (root === undefined) return undefined;
  const main = (await worktreeOf(folder))?.repository ?? root;
  return `${placeKey(await resolveLinks(main))}\n${placeWithin(root, folder) ?? ''}`;
}
