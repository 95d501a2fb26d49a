/** Takes back the move of a project: its sessions go back, the newest step first, and forks keep their parents. */
import { defined } from '../../format/values/defined';
import { SessionError, type SessionErrorCode } from '../../format/entry/problem';
import { Yielder } from '../concurrency/eventLoop';
import { changeable, ReadOnlyRootError } from '../locate/readOnlyRoots';
import { rootOf, type Root } from '../locate/roots';
import { asSessionError, readKnownSessions } from '../relink/knownSessions';
import type { HeaderPlace } from '../relink/headerPlace';
import { Mover } from '../relink/mover';
import { assertInRoot, folderIn } from '../relink/stepChecks';
import { noMoveLog } from '../write/moveLog';
import type { Writer } from '../write/sessionWriter';
import type { Journal, StoredJournalEntry } from './journal';
import { beginRelink } from './relinkLog';

export type RelinkJournalEntry = Extract<StoredJournalEntry, { readonly kind: 'relink' }>;

interface UndoRelinkTools {
  readonly journal: Journal;
  readonly writer: Writer;
  readonly roots: () => readonly Root[];
}

/** Permanent reasons. Other reasons, such as a path that is taken, say what to do before the next undo. */
const LASTING_CODES: ReadonlySet<SessionErrorCode> = new Set(['not-found', 'not-a-session', 'version', 'read-only']);

const isLasting = (reason: SessionError): boolean => LASTING_CODES.has(reason.code) && !(reason instanceof ReadOnlyRootError);

/** Returns the steps of a move that haven't been taken back, the newest first. */
async function stepsOfMove(journal: Journal, group: string): Promise<RelinkJournalEntry[]> {
  const undone = new Set<string>();
  const found: RelinkJournalEntry[] = [];
  for await (const record of journal.records()) {
    if (record.kind === 'undo') undone.add(record.undoes);
    else if (record.kind === 'relink' && record.group === group && !undone.has(record.id)) found.push(record);
    else if (record.id < group) break;
  }
  return found;
}

/**
 * Takes back all steps of a move that it can. Entries that were added to the sessions since stay.
 *
 * @returns the new and old paths of the sessions; the last pair belongs to the session that moved first.
 * @throws {SessionError} the first reason if a step couldn't be taken back; the next undo retries the steps whose reason
 *   may pass.
 */
export async function undoRelink(group: string, { journal, writer, roots }: UndoRelinkTools): Promise<string[]> {
  const steps = await stepsOfMove(journal, group);
  const problems: unknown[] = [];
  let current: RelinkJournalEntry | undefined;
  const log = await beginRelink(
    journal,
    changeable(roots()),
    (error) => problems.push(error),
    () => current?.id,
  );
  const mover = new Mover({ writer, log });
  // The sessions that stay at their new paths. Their forks may have been taken back already.
  const kept = new Mover({ writer, log: noMoveLog });
  const failed = new Set<RelinkJournalEntry>();
  for (const step of steps) {
    current = step;
    const { path, newPath, before, after } = step;
    const note = (isFailed: boolean) => journal.add({ kind: 'undo', path, undoes: step.id, ...defined({ failed: isFailed || undefined }) });
    const refused = headerChangedError(newPath);
    const headerOf = ({ text }: HeaderPlace): string => {
      if (text !== before && text !== after) throw refused;
      return before;
    };
    try {
      await assertInRoot(step, { roots, writer });
      const dialect = rootOf(newPath, roots())?.dialect ?? 'pi';
      if (!(await mover.move({ path: newPath, newPath: path, headerOf, ...defined({ folder: folderIn(before) }) }, dialect)))
        await note(false);
    } catch (error) {
      const reason = asSessionError(error, newPath);
      problems.push(reason);
      failed.add(step);
      if (path !== newPath) await kept.addMoved(path, newPath);
      if (reason === refused || isLasting(reason)) await note(true);
    }
  }
  let isComplete = true;
  const turn = new Yielder(undefined);
  const places = new Set(steps.map((step) => (failed.has(step) ? step.newPath : step.path)));
  for (const { path, parents, root } of steps.length === 0 ? [] : (await readKnownSessions(changeable(roots()))).sessions) {
    if (turn.isDue()) await turn.yieldIfDue();
    // Other sessions may mean the file that is now at the old path.
    for (const each of places.has(path) ? [mover, kept] : [mover]) {
      if (!parents.some((parent) => each.moved.newPath(parent) !== undefined)) continue;
      await each.repoint(path, root.dialect, noMoveLog).catch((error: unknown) => {
        problems.push(error);
        isComplete = false;
      });
    }
  }
  await log.end(isComplete);
  if (problems.length > 0) throw problems[0];
  return steps.flatMap(({ path, newPath }) => [newPath, path]);
}

const headerChangedError = (path: string): SessionError =>
  new SessionError('changed', 'Can’t undo the move because the session’s header was changed since: {path}', { path });
