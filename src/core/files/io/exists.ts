/** Checks whether anything is at a path. */
import { lstat } from 'node:fs/promises';
import { fileError, isMissing } from './fileErrors';

/** True if something is at the path, including a broken link. @throws {SessionError} `permission`, and the system's errors */
export async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: unknown) => {
      if (isMissing(error)) return false;
      throw fileError(error, path);
    },
  );
}
