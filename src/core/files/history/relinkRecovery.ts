/** Finishes the moves of projects whose process was killed: the session that was under way, and the parents of forks. */
import { rmdir, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { SessionError } from '../../format/entry/problem';
import { runGrouped } from '../concurrency/runGrouped';
import { changeable } from '../locate/readOnlyRoots';
import type { Root } from '../locate/roots';
import { movingPath } from '../relink/relocate';
import { compareMoved } from '../relink/compareMoved';
import { readKnownSessions } from '../relink/knownSessions';
import { Mover } from '../relink/mover';
import { assertInRoot } from '../relink/stepChecks';
import { headerTextOf } from '../relink/headerPlace';
import { withLock } from '../storage/crossWindowLocks';
import { mayBeRunning } from '../storage/processIdentity';
import { removeStaleTemporaryFiles } from '../storage/temporaryFiles';
import { exists } from '../io/exists';
import { relatedPaths } from '../trash/relatedPaths';
import { moveBack } from '../trash/trashMoves';
import { noMoveLog } from '../write/moveLog';
import { releaseHidden } from '../write/removeOriginal';
import type { Writer } from '../write/sessionWriter';
import type { Journal } from './journal';
import { noteSearchedRoots, noteStep, relinkRecords, type LoggedStep, type RelinkRecord } from './relinkLog';

export interface RelinkRecoveryTools {
  readonly journal: Journal;
  /** It doesn't record its changes in the journal. */
  readonly writer: Writer;
  /** Returns the roots in which forks of the sessions may be. */
  readonly roots: () => readonly Root[];
}

/**
 * Finishes interrupted moves, according to the records in the extension's storage. A session that is in both places loses
 * the file without anything of its own; the steps that didn't begin aren't made up for.
 *
 * @param onFound receives each session that may have changed.
 * @throws all failures, after the other records are handled; they're tried again at the next start.
 */
export async function recoverRelinks(tools: RelinkRecoveryTools, onFound: (path: string) => void): Promise<void> {
  await runGrouped(
    (await relinkRecords(tools.journal)).filter(({ owner }) => !mayBeRunning(owner)),
    ({ file }) => file,
    ({ file }) =>
      withLock(tools.journal.folder, file, async () => {
        // Another window may have finished it meanwhile.
        const record = (await relinkRecords(tools.journal)).find((one) => one.file === file);
        // The forks are in the roots, which may not be known yet. A record that leads elsewhere changes nothing.
        if (!record || !(await areInRoots(record, tools))) return;
        if (await finish(record, tools, onFound)) await unlink(file).catch(() => undefined);
      }),
  );
}

async function areInRoots({ steps }: RelinkRecord, tools: RelinkRecoveryTools): Promise<boolean> {
  try {
    for (const step of steps) await assertInRoot(step, tools);
    return true;
  } catch (error) {
    if (error instanceof SessionError) return false;
    throw error;
  }
}

/** Returns false if a step's disk isn't mounted, or a root with forks isn't known or there. Then the record is needed again. */
async function finish(record: RelinkRecord, tools: RelinkRecoveryTools, onFound: (path: string) => void): Promise<boolean> {
  const { journal, writer, roots } = tools;
  const noted = await notedSteps(journal, record);
  const mover = new Mover({ writer, log: noMoveLog });
  let isWhole = true;
  for (const step of record.steps) {
    if (!record.isSearched && !(await isThere(step))) isWhole = false;
    if (!(await (record.isSearched ? hasMoved(step) : isDone(step, writer)))) continue;
    if (step.newPath !== step.path) await mover.addMoved(step.path, step.newPath);
    if (!noted.has(keyOf(step))) await noteStep(journal, record.group, step);
    onFound(step.path);
    onFound(step.newPath);
  }
  if (mover.moved.isEmpty) return isWhole;
  const reachable: Root[] = [];
  for (const root of changeable(roots()))
    if ((!record.isSearched || record.roots.includes(root.path)) && (await exists(root.path))) reachable.push(root);
  for (const { path, parents, root } of (await readKnownSessions(reachable)).sessions) {
    if (!parents.some((parent) => mover.moved.newPath(parent) !== undefined)) continue;
    await mover.repoint(path, root.dialect);
    onFound(path);
  }
  // The steps that aren't there yet may have forks anywhere.
  if (!isWhole) return false;
  await noteSearchedRoots(record, reachable);
  // Only the roots that the killed window had are waited for.
  return record.roots.every((path) => reachable.some((root) => root.path === path));
}

/** False if neither of a step's files is there: its disk isn't mounted, or someone has removed the session. */
const isThere = async ({ path, newPath }: LoggedStep): Promise<boolean> =>
  (await exists(path)) || (await exists(newPath)) || exists(movingPath(path));

const hasMoved = async ({ path, newPath }: LoggedStep): Promise<boolean> => (await exists(newPath)) && !(await exists(path));

/** Brings a step to one of its ends, and returns whether that's the new one. */
async function isDone(step: LoggedStep, writer: Writer): Promise<boolean> {
  const { path, newPath, after } = step;
  await removeStaleTemporaryFiles(dirname(newPath));
  if (newPath === path) return (await headerTextOf(path).catch(() => undefined)) === after;
  await releaseHidden(movingPath(path), path);
  // The new folder stays then, even if it's empty: it may have been there before.
  if (!(await exists(newPath))) return false;
  if (!(await exists(path))) return true;
  return writer.guarded(path, async () => {
    const whole = await compareMoved(step);
    if (whole === 'neither') return false;
    const [from, to] = whole === 'new' ? [path, newPath] : [newPath, path];
    for (const related of (await relatedPaths(from)).slice(1)) {
      const place = join(dirname(to), basename(related));
      if (!(await exists(place))) await moveBack(related, place);
    }
    await unlink(from);
    if (whole === 'new') await rmdir(dirname(from)).catch(() => undefined);
    return whole === 'new';
  });
}

const keyOf = ({ path, undoes }: Pick<LoggedStep, 'path' | 'undoes'>): string => undoes ?? path;

/** The steps that the journal has. */
async function notedSteps(journal: Journal, { group, owner }: RelinkRecord): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for await (const record of journal.records()) {
    if (record.kind === 'relink' && record.group === group) found.add(record.path);
    else if (record.kind === 'undo') found.add(record.undoes);
    if (Date.parse(record.at) < owner.since) break;
  }
  return found;
}
