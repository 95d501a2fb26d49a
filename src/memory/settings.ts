/** The person's settings of look-ups, in a file that the editor's extension writes: for the servers and commands that agents start. */
import { homedir } from 'node:os';
import { defined, isArray, isObject, isWithin, parseRootSetting, readSmallText, type CatalogRow, type Root } from '../core/index';
import { Refusal } from './requestError';

export interface MemorySettings {
  /** False if nothing is answered. */
  readonly isEnabled: boolean;
  /** Absolute folders whose sessions, and those of folders in them, aren't answered about. */
  readonly excludedProjects: readonly string[];
  /** Folders of sessions that the person added. */
  readonly added: readonly Root[];
  /** The file that look-ups are recorded in. */
  readonly log?: string;
}

/**
 * Reads the file at each question, so that a change holds in servers that run.
 *
 * @throws {Refusal} if it can't be read: what a person excluded isn't known then
 */
export async function readMemorySettings(path: string): Promise<MemorySettings> {
  const value: unknown = await readSmallText(path, { followLink: false })
    .then((text): unknown => JSON.parse(text))
    .catch(() => undefined);
  if (!isObject(value) || value['version'] !== 1 || !isArray(value['excludedProjects']))
    throw new Refusal(`The settings of look-ups can’t be read, so nothing is answered: ${path}`);
  const { enabled, excludedProjects, roots, log } = value;
  return {
    isEnabled: enabled === true,
    excludedProjects: excludedProjects.filter((folder) => typeof folder === 'string'),
    added: parseRootSetting(roots, homedir(), homedir()).roots,
    ...defined({ log: typeof log === 'string' ? log : undefined }),
  };
}

/** @throws {Refusal} if the person switched look-ups off */
export function assertEnabled({ isEnabled }: Pick<MemorySettings, 'isEnabled'>): void {
  if (!isEnabled) throw new Refusal('The person switched look-ups off in the editor’s setting “sessionTree.memory.enabled”.');
}

/** Returns whether a session is of an excluded project, or of a worktree of one. */
export function isExcluded(
  { cwd, repository }: Pick<CatalogRow, 'cwd'> & Partial<Pick<CatalogRow, 'repository'>>,
  folders: readonly string[],
): boolean {
  const isIn = (folder: string): boolean =>
    (cwd !== '' && isWithin(cwd, folder, process.platform)) || (repository !== undefined && isWithin(repository, folder, process.platform));
  return folders.some(isIn);
}
