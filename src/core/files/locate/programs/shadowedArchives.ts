/** Archives that aren't listed, because their session is. FORMAT section 1. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { compressionOf, unarchivedPath } from '../../../format/session/archivedSession';

/**
 * Returns a function that is true for an archive whose session is listed with another file: the session file itself, or
 * an archive of another format. Both files exist, with the same time, if archiving or unarchiving was interrupted. A file
 * of another time hides no archive: it may hold nothing but the lines that an agent added after its session was archived.
 *
 * @param all the names of all sessions and archives in the folder
 */
export function shadowedArchives(folder: string, all: readonly string[]): (name: string) => Promise<boolean> {
  let names: ReadonlySet<string> | undefined;
  return async (name) => {
    // Few folders have an archive.
    names ??= new Set(all);
    const session = unarchivedPath(name);
    for (const other of compressionOf(name) === 'gz' ? [session, `${session}.zst`] : [session])
      if (names.has(other) && (await haveSameTime(join(folder, name), join(folder, other)))) return true;
    return false;
  };
}

/** Milliseconds: FAT counts in steps of two seconds. */
const TIME_STEP_MS = 2000;

/** True if two files were changed at the same time. If that isn't known, both are listed. */
const haveSameTime = (a: string, b: string): Promise<boolean> =>
  Promise.all([stat(a), stat(b)]).then(
    ([one, other]) => Math.abs(one.mtimeMs - other.mtimeMs) < TIME_STEP_MS,
    () => false,
  );
