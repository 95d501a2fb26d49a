/** Carries out a clean-up: archives sessions, or moves them to the trash. FORMAT section 6, rule 11. */
import { SessionError } from '../../format/entry/problem';
import { changedError, readFileVersion, sameVersion } from '../read/versions/compareVersions';
import { asSessionError } from '../relink/knownSessions';
import { timeOrderedId } from '../storage/privateStorage';
import type { Trash } from '../trash/trash';
import type { Writer } from '../write/sessionWriter';
import { byPath, type CleanUpPlan, type PlannedCleanUp } from './planCleanUp';

interface CleanUpTools {
  /** With a writer and a trash that keep a journal, the whole clean-up is one change that can be undone. */
  readonly writer: Writer;
  readonly trash: Pick<Trash, 'delete'>;
  /** Leaves the folders of sessions that move to the trash, which have their subagents' sessions, where they are. */
  readonly keepFolder?: boolean;
  /** Ends the clean-up after the current session. */
  readonly signal?: AbortSignal;
  /** Reports the number of sessions that were handled, and of all. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** The result for each session, by path. */
export interface CleanUpResult {
  readonly cleaned: readonly Pick<PlannedCleanUp, 'path' | 'newPath' | 'bytes'>[];
  readonly left: CleanUpPlan['left'];
}

/** Returns the result that {@link cleanUp} will have, unless something changes before. */
export const plannedCleanUp = ({ found, left }: CleanUpPlan): CleanUpResult => ({ cleaned: found.map(outcomeOf).sort(byPath), left });

const outcomeOf = ({ path, newPath, bytes }: PlannedCleanUp): CleanUpResult['cleaned'][number] =>
  newPath === undefined ? { path, bytes } : { path, newPath, bytes };

/** Cleans up the sessions of a plan, one after the other. One that changed since it was planned is left. Never rejects. */
export async function cleanUp({ to, found, left: leftBefore }: CleanUpPlan, tools: CleanUpTools): Promise<CleanUpResult> {
  const { writer, trash, keepFolder = false, signal, onProgress } = tools;
  const group = timeOrderedId();
  const cleaned: CleanUpResult['cleaned'][number][] = [];
  const left = [...leftBefore];
  let done = 0;
  for (const planned of found) {
    const { path, version, dialect } = planned;
    try {
      if (signal?.aborted) throw canceledError(path);
      if (to === 'archive') {
        await writer.archive(path, { version, group, dialect });
        cleaned.push(outcomeOf(planned));
      } else {
        const { size } = await trash.delete(path, {
          group,
          dialect,
          keepFolder,
          check: async () => {
            if (!sameVersion(await readFileVersion(path), version)) throw changedError(path);
          },
        });
        cleaned.push({ path, bytes: size });
      }
    } catch (error) {
      left.push({ path, reason: asSessionError(error, path) });
    }
    onProgress?.(++done, found.length);
  }
  return { cleaned: cleaned.sort(byPath), left: left.sort(byPath) };
}

const canceledError = (path: string): SessionError =>
  new SessionError('invalid', 'Canceled before this session was cleaned up: {path}', { path });
