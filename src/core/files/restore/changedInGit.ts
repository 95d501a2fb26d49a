/** Finds the files of a session's folder that Git shows as changed, and that no session is known to have edited. */
import { join } from 'node:path';
import { workingChanges } from '../git/commitChanges';
import { repositoryOf } from '../git/fileCommits';
import { placeKey, placeWithin } from '../relink/movedPaths';

/**
 * Returns the absolute paths of files that differ from the last commit, with new files that aren't ignored, in order. None outside of
 * repositories.
 *
 * @param recorded the files that sessions edited
 * @throws {SessionError} `invalid` if Git fails
 */
export async function changedInGit(folder: string, recorded: readonly string[], signal?: AbortSignal): Promise<string[]> {
  const repository = await repositoryOf(join(folder, '.git'));
  if (repository === undefined) return [];
  const known = new Set(recorded.map(placeKey));
  const changed = (await workingChanges(repository, signal)).map(({ path }) => join(repository, path));
  return changed.filter((file) => placeWithin(folder, file) && !known.has(placeKey(file))).sort();
}
