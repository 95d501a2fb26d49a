/** Whether a file grew a moment ago by bytes that are not ours. */
import { stat } from 'node:fs/promises';

interface SizeAndMtime {
  readonly size: number;
  readonly mtimeMs: number;
}

/** Whose the last bytes of a file are, where that is known: of a file we never wrote to nothing is. */
export type LastWriteOwner = (path: string, file: SizeAndMtime) => Promise<'ours' | 'theirs' | undefined>;

/** Bytes that came within this time may be followed by more, in milliseconds. */
export const RECENT_WRITE_MS = 10_000;

/**
 * A file that was made in one go grew too: pi writes a session's first lines all at once, and goes on with it.
 * Those of our own forks are known as ours.
 */
export async function hasRecentForeignWrite(path: string, now: number, lastBytes: LastWriteOwner | undefined, futures: FutureMtimeCheck | undefined): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined);
  if (!stats) return false;
  const age = now - stats.mtimeMs;
  if (age >= RECENT_WRITE_MS || (age <= -RECENT_WRITE_MS && futures?.(path, stats) === 'still')) return false;
  return (await lastBytes?.(path, stats)) !== 'ours';
}

/**
 * Judges files whose time is still to come: the clock was set back since, or the time is that of a server whose clock
 * is ahead. Such a time says nothing of when the bytes came, so the file counts as growing until it has been the same
 * for `RECENT_WRITE_MS` since it was first seen.
 */
export type FutureMtimeCheck = (path: string, file: SizeAndMtime) => 'growing' | 'still';

/** Files that are remembered; the oldest are forgotten, and count as growing again. */
const REMEMBERED = 1000;

/** `clock`: milliseconds that nobody sets back. */
export function createFutureMtimeCheck(clock: () => number = () => performance.now()): FutureMtimeCheck {
  const seen = new Map<string, SizeAndMtime & { readonly at: number }>();
  return (path, { size, mtimeMs }) => {
    const before = seen.get(path);
    if (before?.size === size && before.mtimeMs === mtimeMs) return clock() - before.at < RECENT_WRITE_MS ? 'growing' : 'still';
    seen.delete(path);
    seen.set(path, { size, mtimeMs, at: clock() });
    if (seen.size > REMEMBERED) seen.delete(seen.keys().next().value!);
    return 'growing';
  };
}
