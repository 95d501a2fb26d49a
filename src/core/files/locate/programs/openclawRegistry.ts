/** Finds the databases that OpenClaw's registry names: anybody may have written it, so its paths are checked. FORMAT section 7. */
import { lstat } from 'node:fs/promises';
import { isAbsolute, join, normalize } from 'node:path';
import { SessionError } from '../../../format/entry/problem';
import { mayContactServer } from '../../../format/text/remotePath';
import { databases } from '../../database/thread/databaseThread';
import { isMissing } from '../../io/fileErrors';
import { notRegularFileError } from '../../io/regularFile';
import type { DiskAccess } from '../folderQueries';

/** Databases of one registry. OpenClaw names one for each agent. */
const MAX_DATABASES = 200;

/** Returns the databases that the registry in a state folder names, existing or not; none if it's missing. */
export async function registeredDatabases(
  state: string,
  access: DiskAccess,
  onProblem: (path: string, error: unknown) => void,
): Promise<string[]> {
  const path = join(state, 'state', 'openclaw.sqlite');
  try {
    const named = await access(path, readRegistry);
    const found = named.filter(mayBeDatabase);
    if (named.length > MAX_DATABASES) {
      const count = String(MAX_DATABASES);
      onProblem(
        path,
        new SessionError('invalid', 'OpenClaw’s registry names more than {count} databases. Only the last used ones are read: {path}', {
          count,
          path,
        }),
      );
    } else if (found.length < named.length)
      onProblem(
        path,
        new SessionError('invalid', 'OpenClaw’s registry names files that can’t be databases of this computer. They’re ignored: {path}', {
          path,
        }),
      );
    return found.slice(0, MAX_DATABASES);
  } catch (error) {
    if (!isMissing(error)) onProblem(path, error);
    return [];
  }
}

/** Reads one path more than are used. */
async function readRegistry(path: string): Promise<string[]> {
  if (!(await lstat(path)).isFile()) throw notRegularFileError(path);
  return databases.request('registered', path, MAX_DATABASES + 1);
}

const mayBeDatabase = (path: string): boolean =>
  isAbsolute(path) &&
  path.endsWith('.sqlite') &&
  !/\p{Cc}/u.test(path) &&
  normalize(path) === path &&
  !mayContactServer(path, process.platform, []);
