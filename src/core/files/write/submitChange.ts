/** Applies a change to a session file: checks and reads it, plans the lines, writes them once, and verifies the file. */
import { defined } from '../../format/values/defined';
import { planChange, type Change, type ChangePlan } from '../../format/write/change';
import type { Stamp } from '../../format/write/sessionNames';
import { SessionError } from '../../format/entry/problem';
import type { Session } from '../../format/session/session';
import { goneError, replacedError } from '../io/assertInPlace';
import type { Disk } from '../io/disk';
import { hasGrown, readFileVersion } from '../read/versions/compareVersions';
import { followSession, readSession, withAppendedLines } from '../read/sessionFile';
import { appendText } from './appendText';
import { keyOf } from './fileQueue';
import { withBranchFiles } from './branchFiles';
import type { OwnWrites } from './ownWrites';
import { preserveLeaf, serializeLines } from './preserveLeaf';
import { readOptions, type InspectedSession, type PreWriteCheck, type PreWriteOptions } from './preWriteCheck';
import { withProgramLock } from './writeGuard';

/** Options for changing an existing file. `dialect` is the dialect of the file's root; see {@link ReadOptions.dialect}. */
export interface SubmitOptions extends PreWriteOptions {
  /** The id shared by changes that are undone together. */
  readonly group?: string;
}

/** Result of a change. */
export interface SubmitResult {
  /** Id of the last line that was written. */
  readonly entryId: string;
  /** Set if another program wrote at the same moment; both changes are in the file. */
  readonly concurrent?: true;
  /** The session that the change was planned for. */
  readonly before: Session;
  /** The session after the change. */
  readonly session: Session;
}

/** The parts of a writer that a change needs. */
interface WriterParts {
  readonly preWriteCheck: PreWriteCheck;
  readonly own: OwnWrites;
  readonly stamp: Stamp;
  readonly disk: Disk;
}

/** Number of attempts while another program writes. Then the change is refused. */
const ATTEMPTS = 10;

/**
 * Returns the function that applies changes, with retries. While another program writes, the file may grow between the
 * check and the write. Then nothing was written, and the next attempt checks for signs again, follows the growth and
 * plans again.
 */
export function createSubmit({
  preWriteCheck,
  own,
  stamp,
  disk,
}: WriterParts): (path: string, change: Change, options: SubmitOptions) => Promise<SubmitResult> {
  const writeAt = async (
    path: string,
    change: Change,
    options: SubmitOptions,
    { session, version, foreignMs }: InspectedSession,
  ): Promise<SubmitResult> => {
    const decision = planChange(session, await withBranchFiles(session, change), stamp);
    return withProgramLock(
      path,
      session.dialect,
      async () => {
        const text = serializeLines(decision.lines);
        const done = await appendText(session, version, text, decision.titleSlot, disk);
        // The write has succeeded, even if the file can't be read again now.
        const after = await sessionAfter(session, decision, options).catch((error: unknown) => withoutReading(session, text, error));
        if (!after.byId.has(decision.entryId)) throw replacedError(path);
        const kept = {
          entryId: decision.entryId,
          session: after,
          ...done,
          ...(await preserveLeaf({ session, change, decision, done, after }, { stamp, disk })),
        };
        await own.remember(await keyOf(path), {
          version: kept.version,
          foreignMs: done.concurrent ? Date.now() : foreignMs,
          ...(done.concurrent ? {} : { session: after }),
        });
        return { entryId: kept.entryId, ...defined({ concurrent: done.concurrent || undefined }), before: session, session: kept.session };
      },
      disk,
    );
  };

  return async (path, change, options) => {
    let inspected: InspectedSession | undefined;
    for (let left = ATTEMPTS; ; left--) {
      try {
        inspected = await preWriteCheck.inspect(path, options, inspected);
        return await writeAt(path, change, options, inspected);
      } catch (error) {
        if (left === 1 || !(await onlyGrew(error, path, inspected))) throw error;
      }
    }
  };
}

/** Returns the session after a write. A new title changes the start of the file, which requires a full read. */
function sessionAfter(session: Session, decision: ChangePlan, options: SubmitOptions): Promise<Session> {
  return decision.titleSlot ? readSession(session.path, readOptions(options)) : followSession(session, readOptions(options));
}

/**
 * Derives the session from the written text.
 *
 * @throws {SessionError} `damaged` if the file is gone, although the lines were just found in it.
 */
function withoutReading(session: Session, text: string, error: unknown): Session {
  if (error instanceof SessionError && error.code === 'not-found') throw goneError(session.path);
  return withAppendedLines(session, text);
}

/**
 * True if an attempt failed only because the file grew. Files that were replaced or changed otherwise are left to the
 * person.
 */
async function onlyGrew(error: unknown, path: string, inspected: InspectedSession | undefined): Promise<boolean> {
  if (!(error instanceof SessionError && error.code === 'changed')) return false;
  return inspected === undefined || hasGrown(inspected.version, await readFileVersion(path));
}
