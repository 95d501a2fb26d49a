/** The sessions that a person has pinned in oh-my-pi, which keeps their IDs next to its session folder. FORMAT section 1. */
import { basename, dirname, join } from 'node:path';
import { SessionError } from '../../../format/entry/problem';
import { isMissing } from '../../io/fileErrors';
import { readSmallText } from '../../io/smallFile';
import { isArchiveRoot } from './archiveFolders';
import type { Root } from '../roots';

const FILE_NAME = 'session-pins.json';

/** Returns the files in which oh-my-pi keeps the pins of the roots' sessions, existing or not. */
export function pinFilesOf(roots: readonly Root[]): string[] {
  // The folder that PI_CODING_AGENT_DIR names is pi's and oh-my-pi's.
  const own = roots.filter(({ path, dialect, flat }) => !flat && (dialect === 'omp' || dialect === 'pi') && basename(path) === 'sessions');
  return [...new Set(own.map((root) => join(isArchiveRoot(root) ? dirname(dirname(root.path)) : dirname(root.path), FILE_NAME)))];
}

/**
 * Reads the IDs of the pinned sessions; none if the file is missing.
 *
 * @throws {SessionError} `invalid` for anything but a list in JSON.
 * @throws {NodeJS.ErrnoException} the system's errors.
 */
export async function readPins(path: string): Promise<ReadonlySet<string>> {
  let text: string;
  try {
    text = await readSmallText(path);
  } catch (error) {
    if (isMissing(error)) return new Set();
    throw error;
  }
  const ids = parse(text);
  if (!Array.isArray(ids)) throw new SessionError('invalid', 'This isn’t oh-my-pi’s list of pinned sessions: {path}', { path });
  return new Set(ids.filter((id): id is string => typeof id === 'string'));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
