/** The record of a project's move while it's under way: one file for each move, and a line for each step. */
import { readdir, rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { defined } from '../../format/entry/defined';
import { isArray, isObject } from '../../format/entry/jsonValues';
import { withLock } from '../storage/crossWindowLocks';
import { makePrivateFolder } from '../storage/privateFolder';
import { isNormalAbsolutePath } from '../storage/pathChecks';
import { ageOf, currentProcess, isProcessIdentity, mayBeRunning, type ProcessIdentity } from '../storage/processIdentity';
import { removeStaleTemporaryFiles } from '../storage/temporaryFiles';
import { appendPrivateLine, isTimeOrderedId, readPrivateLines, timeOrderedId, writePrivateFile } from '../storage/privateStorage';
import { exists } from '../io/exists';
import { isStep } from '../relink/stepChecks';
import type { Root } from '../locate/roots';
import type { MoveLog, MoveStep } from '../write/moveLog';
import type { Journal } from './journal';

/** A step in the record. `undoes`: the journal's record that the step takes back. */
export interface LoggedStep extends MoveStep {
  readonly undoes?: string;
}

/** The record of a move whose process may be gone. */
export interface RelinkRecord {
  readonly file: string;
  /** The id that the journal's records of the move have in common. */
  readonly group: string;
  /** The process that carries the move out. */
  readonly owner: ProcessIdentity;
  readonly steps: readonly LoggedStep[];
  /** The paths of the roots in which forks of the sessions may be, without those that a start has dealt with. */
  readonly roots: readonly string[];
  /** True if a start has dealt with all steps, and with some of the roots. */
  readonly isSearched: boolean;
}

const folderOf = (journal: Journal): string => join(journal.folder, 'relinking');
const ENDING = '.steps';

/**
 * Begins the record of a move. Each step is in the journal once it's done.
 *
 * @param roots those in which forks of the sessions may be.
 * @param undoneBy returns the journal's record that a step takes back. Without it, the steps can be undone.
 * @param onProblem receives failures to record a step that is done.
 * @throws {SessionError} `permission` or `no-space`.
 */
export async function beginRelink(
  journal: Journal,
  roots: readonly Root[],
  onProblem: (error: unknown) => void,
  undoneBy?: (step: MoveStep) => string | undefined,
): Promise<MoveLog> {
  const group = timeOrderedId();
  const file = join(folderOf(journal), `${group}${ENDING}`);
  await makePrivateFolder(folderOf(journal));
  await writePrivateFile(file, `${JSON.stringify({ ...currentProcess(), roots: roots.map(({ path }) => path) })}\n`);
  return {
    begin: async ({ path, newPath, before, after }) => {
      const undoes = undoneBy?.({ path, newPath, before, after });
      await appendPrivateLine(file, { path, newPath, before, after, ...defined({ undoes }) });
    },
    done: (step) => noteStep(journal, group, { ...step, ...undoesOf(undoneBy?.(step)) }).catch(onProblem),
    end: async (isComplete) => {
      if (isComplete) await unlink(file).catch(onProblem);
    },
  };
}

const undoesOf = (undoes: string | undefined): { undoes?: string } => (undoes === undefined ? {} : { undoes });

/** Adds a step to the journal. */
export async function noteStep(journal: Journal, group: string, { path, newPath, before, after, undoes }: LoggedStep): Promise<void> {
  await journal.add(undoes === undefined ? { kind: 'relink', path, newPath, before, after, group } : { kind: 'undo', path, undoes });
}

/** Returns all records. Leaves out files that aren't records. */
export async function relinkRecords(journal: Journal): Promise<RelinkRecord[]> {
  const folder = folderOf(journal);
  if (!(await exists(folder))) return [];
  await removeStaleTemporaryFiles(folder);
  const found: RelinkRecord[] = [];
  for (const name of (await readdir(folder)).sort()) {
    const group = name.slice(0, -ENDING.length);
    if (!name.endsWith(ENDING) || !isTimeOrderedId(group)) continue;
    const file = join(folder, name);
    const [owner, ...steps] = await readPrivateLines(file);
    if (!isProcessIdentity(owner)) continue;
    const searched = new Set(steps.map(searchedRoot).filter(isNormalAbsolutePath));
    const roots = rootsOf(owner).filter((root) => !searched.has(root));
    found.push({ file, group, owner, steps: steps.filter(isLoggedStep), roots, isSearched: searched.size > 0 });
  }
  return found;
}

/** Records that the forks in these roots lead to their parents' new paths. */
export const noteSearchedRoots = async ({ file, roots }: RelinkRecord, searched: readonly Root[]): Promise<void> => {
  for (const { path } of searched) if (roots.includes(path)) await appendPrivateLine(file, { searched: path });
};

const searchedRoot = (line: unknown): unknown => (isObject(line) ? line['searched'] : undefined);

const rootsOf = (owner: object): readonly string[] => {
  const roots = 'roots' in owner ? owner.roots : undefined;
  return isArray(roots) ? roots.filter(isNormalAbsolutePath) : [];
};

/** Removes the records of moves that no start could finish for so long. One that another window is ending is waited for. */
export async function pruneRelinks(journal: Journal, maxAgeMs: number): Promise<void> {
  for (const { file, owner } of await relinkRecords(journal))
    if (ageOf(owner.since) > maxAgeMs && !mayBeRunning(owner)) await withLock(journal.folder, file, () => rm(file, { force: true }));
}

function isLoggedStep(value: unknown): value is LoggedStep {
  if (!isObject(value)) return false;
  const { path, newPath, before, after, undoes } = value;
  return (
    isNormalAbsolutePath(path) &&
    isNormalAbsolutePath(newPath) &&
    typeof before === 'string' &&
    typeof after === 'string' &&
    isStep({ path, newPath, before, after }) &&
    (undoes === undefined || isTimeOrderedId(undoes))
  );
}
