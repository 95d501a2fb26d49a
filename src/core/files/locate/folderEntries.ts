/** Reads the entries of folders in a root, up to a limit, and reports what can't be read. */
import { opendir, readdir, stat } from 'node:fs/promises';
import type { Dirent } from 'node:fs';
import { join } from 'node:path';
import { SessionError } from '../../format/entry/problem';
import { withoutSessionSuffix } from '../../format/session/archivedSession';
import { isMissing } from '../io/fileErrors';
import type { Root } from './roots';

/** Receives an error and the path that it concerns. */
export type OnProblem = (path: string, error: unknown) => void;

/** Limit of entries that are read per root. Settings may name any folder, so the cost must be bounded. */
const MAX_ENTRIES = 200_000;
/** Limits of entries that are read below the folder of one session, where programs keep other files, too, and below all such folders of a root. */
const [MAX_FAMILY_ENTRIES, MAX_ENTRIES_OF_FAMILIES] = [100_000, 200_000];
/** Entries that one call to the disk returns. */
const ENTRIES_AT_ONCE = 1024;

/** Remaining number of entries that may be read of a folder. */
export interface Budget {
  readonly root: Root;
  /** The root, or the folder of a session. It's reported if it has more entries. */
  readonly folder: string;
  readonly most: number;
  left: number;
  isReported: boolean;
}

export type NamedEntry = Pick<Dirent, 'name' | 'isDirectory'>;

/** Looks for sessions by their names, for their archives, and for the folders with the same names, without listing the folder. */
export async function namedEntries(
  folder: string,
  names: readonly string[],
  onProblem: OnProblem,
  failed: string[],
): Promise<NamedEntry[]> {
  const found: NamedEntry[] = [];
  for (const name of names.flatMap((session) => [session, `${session}.zst`, `${session}.gz`, withoutSessionSuffix(session)])) {
    const path = join(folder, name);
    try {
      const stats = await stat(path);
      found.push({ name, isDirectory: () => stats.isDirectory() });
    } catch (error) {
      if (isMissing(error)) continue;
      failed.push(path);
      onProblem(path, error);
    }
  }
  return found;
}

export const budgetOf = (root: Root, most = MAX_ENTRIES): Budget => ({ root, folder: root.path, most, left: most, isReported: false });

/** Hands out the budgets of the folders of a root's sessions, which don't take from the root's. */
export class FamilyBudgets {
  private left = MAX_ENTRIES_OF_FAMILIES;

  constructor(
    private readonly root: Root,
    private readonly most = MAX_FAMILY_ENTRIES,
  ) {}

  of(folder: string): Budget {
    const most = Math.min(this.most, this.left);
    return { root: this.root, folder, most, left: most, isReported: false };
  }

  /** Takes what was read from the budgets of the other families. */
  spend({ most, left }: Budget): void {
    this.left = Math.max(0, this.left - (most - Math.max(0, left)));
  }
}

/** True for the error about a root with more files and folders than are listed. */
export const isEntryLimitError = (error: unknown): boolean =>
  error instanceof SessionError && error.template === entryLimitError('', 0).template;

const entryLimitError = (path: string, limit: number): SessionError =>
  new SessionError(
    'invalid',
    'This session folder has more than {limit} files and folders, so not all are listed. Set “sessionTree.roots” or “sessionDir” to the folder that only holds sessions: {path}',
    { path, limit },
  );

const familyLimitError = (path: string, limit: number): SessionError =>
  new SessionError(
    'invalid',
    'The folder of this session’s subagents has too many files and folders, so only the first {limit} are searched for sessions: {path}',
    { path, limit },
  );

/** Returns the error for a folder that was given as a session folder. */
export const missingRootError = (path: string): SessionError =>
  new SessionError('not-found', 'This session folder doesn’t exist. Create it, or fix its path in the settings: {path}', { path });

export async function foldersOf(path: string, budget: Budget, onProblem: OnProblem, failed: string[]): Promise<string[]> {
  const entries = await entriesIn(path, budget, onProblem, failed);
  return entries
    .filter((entry) => (entry.isDirectory() || entry.isSymbolicLink()) && !entry.name.startsWith('.'))
    .map((entry) => join(path, entry.name));
}

/**
 * Bytes: a folder whose size is at most this is read in one call, which is twice as fast and leaves a fifth of the
 * garbage. The size grows with the number of names, whether a file system counts bytes or names; this is 5,000 to 25,000. File systems that always report 0 give no indication.
 */
const SMALL_FOLDER = 512 * 1024;

/** True if a folder of this size can be read in one call. */
export const isSmallFolder = (size: number): boolean => size > 0 && size <= SMALL_FOLDER;

async function entriesOf(path: string): Promise<Dirent[] | AsyncIterable<Dirent>> {
  const { size } = await stat(path);
  return isSmallFolder(size) ? readdir(path, { withFileTypes: true }) : opendir(path, { bufferSize: ENTRIES_AT_ONCE });
}

export async function entriesIn(path: string, budget: Budget, onProblem: OnProblem, failed: string[]): Promise<Dirent[]> {
  let entries: Dirent[] = [];
  if (budget.left < 0) return entries;
  try {
    const found = await entriesOf(path);
    if (Array.isArray(found)) {
      entries = found.slice(0, Math.max(0, budget.left));
      budget.left -= found.length;
    } else
      for await (const entry of found) {
        if (--budget.left < 0) break;
        entries.push(entry);
      }
  } catch (error) {
    // A link to a file among the folders isn't a folder, and a folder that vanished meanwhile is empty.
    if (isMissing(error)) {
      if (path === budget.root.path && !budget.root.mayBeMissing) onProblem(path, missingRootError(path));
      return [];
    }
    failed.push(path);
    onProblem(path, error);
    return [];
  }
  if (budget.left < 0 && !budget.isReported) {
    const { folder, root, most } = budget;
    budget.isReported = true;
    failed.push(folder);
    onProblem(folder, folder === root.path ? entryLimitError(folder, most) : familyLimitError(folder, most));
  }
  return entries;
}
