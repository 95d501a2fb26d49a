/** Finishes the moves of projects whose process was killed: the session that was under way, and the parents of forks. */
import { rmdir, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { changeable } from '../locate/readOnlyRoots';
import type { Root } from '../locate/roots';
import { movingPath } from '../relink/relocate';
import { compareMoved } from '../relink/compareMoved';
import { readKnownSessions } from '../relink/knownSessions';
import { Mover } from '../relink/mover';
import { isInRoot } from '../relink/stepChecks';
import { headerTextOf } from '../relink/headerPlace';
import type { OperationHandler, OperationRecord } from '../storage/operationRecord';
import { isTimeOrderedId } from '../storage/privateStorage';
import { mayBeRunning } from '../storage/processIdentity';
import { removeStaleTemporaryFiles } from '../storage/temporaryFiles';
import { exists } from '../io/exists';
import { relatedPaths } from '../trash/relatedPaths';
import { moveBack } from '../trash/trashMoves';
import { noMoveLog } from '../write/moveLog';
import { releaseHidden } from '../write/removeOriginal';
import type { Writer } from '../write/sessionWriter';
import type { Journal } from './journal';
import { noteSearchedRoots, noteStep, recordedMove, type LoggedStep } from './relinkLog';

interface RelinkRecoveryTools {
  readonly journal: Journal;
  /** It doesn't record its changes in the journal. */
  readonly writer: Writer;
  /** Returns the roots in which forks of the sessions may be. */
  readonly roots: () => readonly Root[];
}

/**
 * Returns a handler that finishes an interrupted move. If a session is in both places, the file whose bytes are all in the
 * other one is removed; steps that didn't begin aren't carried out.
 *
 * @param onFound receives each session that may have changed.
 */
export function relinkHandler(tools: RelinkRecoveryTools, onFound: (path: string) => void): OperationHandler {
  return async (record) => {
    if (mayBeRunning(record.process) || !isTimeOrderedId(record.id)) return false;
    // The forks are in the roots, which may not be known yet. A record that leads elsewhere changes nothing.
    for (const step of recordedMove(record).steps) if (!(await isInRoot(step, tools))) return false;
    return finish(record, tools, onFound);
  };
}

/** Returns false if a step's disk isn't mounted, or a root with forks isn't known or there. Then the record is needed again. */
async function finish(record: OperationRecord, tools: RelinkRecoveryTools, onFound: (path: string) => void): Promise<boolean> {
  const { journal, writer, roots } = tools;
  const noted = await notedSteps(journal, record);
  const move = recordedMove(record);
  const mover = new Mover({ writer, log: noMoveLog });
  let isWhole = true;
  for (const step of move.steps) {
    if (!move.isSearched && !(await isThere(step))) isWhole = false;
    if (!(await (move.isSearched ? hasMoved(step) : isDone(step, writer)))) continue;
    if (step.newPath !== step.path) await mover.addMoved(step.path, step.newPath);
    if (!noted.has(keyOf(step))) await noteStep(journal, record.id, step);
    onFound(step.path);
    onFound(step.newPath);
  }
  if (mover.moved.isEmpty) return isWhole;
  const reachable: Root[] = [];
  for (const root of changeable(roots()))
    if ((!move.isSearched || move.roots.includes(root.path)) && (await exists(root.path))) reachable.push(root);
  for (const { path, parents, root } of (await readKnownSessions(reachable)).sessions) {
    if (!parents.some((parent) => mover.moved.newPath(parent) !== undefined)) continue;
    await mover.repoint(path, root.dialect);
    onFound(path);
  }
  // The steps that aren't there yet may have forks anywhere.
  if (!isWhole) return false;
  await noteSearchedRoots(record, reachable);
  // Only the roots that the killed window had are waited for.
  return move.roots.every((path) => reachable.some((root) => root.path === path));
}

/** False if neither of a step's files exists: its disk isn't mounted, or someone has removed the session. */
const isThere = async ({ path, newPath }: LoggedStep): Promise<boolean> =>
  (await exists(path)) || (await exists(newPath)) || exists(movingPath(path));

const hasMoved = async ({ path, newPath }: LoggedStep): Promise<boolean> => (await exists(newPath)) && !(await exists(path));

/** Completes a step or takes it back, and returns whether it's complete. */
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
async function notedSteps(journal: Journal, { id, process }: OperationRecord): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for await (const record of journal.records(process.since)) {
    if (record.kind === 'relink' && record.group === id) found.add(record.path);
    else if (record.kind === 'undo') found.add(record.undoes);
  }
  return found;
}
