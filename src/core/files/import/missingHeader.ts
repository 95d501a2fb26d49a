/**
 * Opens a session whose file has entries, but no header. The header's content is taken from the file's name, from its
 * entries, and from the other sessions in its folder. FORMAT section 6, rule 10.
 */
import { opendir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { SessionError } from '../../format/entry/problem';
import { headerOfName } from '../../format/import/headerOfName';
import { isWithoutHeader } from '../../format/parse/readErrors';
import type { Session } from '../../format/session/session';
import { isSessionName } from '../locate/listFiles';
import { readSessionOrigin } from '../presence/sessionOrigin';
import { readSession, type ReadOptions } from '../read/sessionFile';

/** Number of other files in the folder that are checked for their project. */
const MAX_NEIGHBORS = 20;
/** Names that are read of the folder. */
const MAX_NAMES = 1000;

/** The project of a session whose file doesn't name it. */
interface GivenProject {
  /** By default the project folder of the other sessions next to the file. */
  readonly cwd?: string | undefined;
  /** Asks for the project, if these sessions work in several folders, or there are none. */
  readonly askForProject?: (() => Promise<string>) | undefined;
}

/**
 * Reads a session, also without a header: then with one that's made for it, which is one of its problems.
 *
 * @param source the path that the file comes from
 * @throws {SessionError} as {@link readSession}; `invalid` if nothing says which project the session belongs to
 */
export async function readWithHeader(path: string, source: string, project: GivenProject, options: ReadOptions): Promise<Session> {
  try {
    return await readSession(path, options);
  } catch (error) {
    if (!isWithoutHeader(error)) throw error;
    const named = headerOfName(basename(source), '');
    const { entries } = await readSession(path, { ...options, madeHeader: named });
    // Files of other programs have entries of any type.
    if (!entries.some(({ role }) => role === 'user' || role === 'assistant')) throw error;
    const cwd = project.cwd ?? (await projectOfNeighbors(source)) ?? (await project.askForProject?.());
    if (cwd === undefined) throw unknownProjectError(source);
    const timestamp = named.timestamp === '' ? (entries[0]?.timestamp ?? '') : named.timestamp;
    return readSession(path, { ...options, madeHeader: { ...named, timestamp, cwd } });
  }
}

export const unknownProjectError = (path: string): SessionError =>
  new SessionError('invalid', 'The file doesn’t name a folder on this machine. Choose a project for it: {path}', { path });

/** Returns the folder that the other sessions in a file's folder work in, if all of them work in the same one. */
async function projectOfNeighbors(path: string): Promise<string | undefined> {
  const found = new Set<string>();
  for (const name of await namesBeside(path)) {
    const { cwd } = await readSessionOrigin(join(dirname(path), name));
    if (cwd !== undefined && cwd !== '') found.add(cwd);
  }
  const [cwd] = found;
  return found.size === 1 ? cwd : undefined;
}

async function namesBeside(path: string): Promise<string[]> {
  const names: string[] = [];
  let count = 0;
  for await (const entry of await opendir(dirname(path))) {
    if (++count > MAX_NAMES || names.length === MAX_NEIGHBORS) break;
    if (entry.isFile() && isSessionName(entry.name) && entry.name !== basename(path)) names.push(entry.name);
  }
  return names;
}
