/** The texts of a file that sessions read. */
import { forEachConcurrent } from '../../../files/concurrency/forEachConcurrent';
import { SessionError } from '../../../format/entry/problem';
import type { LocatedTouch } from '../../encoding/touchTable';
import { sessionReadings, type SessionEdit, type SessionReading, type TouchingSession } from './sessionEdits';

/** Readings that are looked at for the text before an edit, and all that are looked at. */
const MAX_READINGS = 3;
const MAX_ALL = 2000;

/**
 * Finds the texts that were read before the first edit and before whole texts were written, which aren't the work of these edits.
 * With `isFull`, all that were read.
 */
export async function fileReadings(
  edits: readonly SessionEdit[],
  sessions: readonly TouchingSession[],
  isFile: (path: string) => boolean,
  { signal, isFull }: { readonly signal: AbortSignal | undefined; readonly isFull: boolean },
): Promise<SessionReading[]> {
  const all = sessions.flatMap(({ read }) => read).sort((a, b) => a.time - b.time);
  const wanted = new Set(isFull ? all.slice(-MAX_ALL) : readBefore(edits, all));
  const bySession: SessionReading[][] = [];
  await forEachConcurrent(sessions, async (session, at) => {
    const touches = session.read.filter((touch) => wanted.has(touch));
    bySession[at] = (touches.length > 0 && (await unlessGone(sessionReadings(session, touches, isFile, signal), signal))) || [];
  });
  return bySession.flat();
}

function readBefore(edits: readonly SessionEdit[], all: readonly LocatedTouch[]): LocatedTouch[] {
  const wanted = new Set<LocatedTouch>();
  for (const [index, { edit, time }] of edits.entries()) {
    if (index > 0 && (edit.text === undefined || edit.before !== undefined)) continue;
    const since = edits[index - 1]?.time ?? -Infinity;
    for (const reading of all.filter((one) => one.time < time && one.time >= since).slice(-MAX_READINGS)) wanted.add(reading);
  }
  return [...wanted];
}

/** Resolves to `undefined` for a session that was deleted or torn a moment ago: it's left out. */
export async function unlessGone<T>(found: Promise<T[]>, signal: AbortSignal | undefined): Promise<T[] | undefined> {
  try {
    return await found;
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof SessionError)) throw error;
    return undefined;
  }
}
