/** Whether a file grew a moment ago by bytes that are not ours. */
import { stat } from 'node:fs/promises';

interface Written {
  readonly size: number;
  readonly mtimeMs: number;
}

/** Whose the last bytes of a file are, where that is known: of a file we never wrote to nothing is. */
export type LastBytes = (path: string, file: Written) => Promise<'ours' | 'theirs' | undefined>;

/** Bytes that came within this time may be followed by more, in milliseconds. */
export const GROWTH_MS = 10_000;

/**
 * A file that was made in one go grew too: pi writes a session's first lines all at once, and goes on with it.
 * Those of our own forks are known as ours.
 */
export async function grewByOthers(path: string, now: number, lastBytes: LastBytes | undefined, futures: Futures | undefined): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined);
  if (!stats) return false;
  const age = now - stats.mtimeMs;
  if (age >= GROWTH_MS || (age <= -GROWTH_MS && futures?.(path, stats) === 'still')) return false;
  return (await lastBytes?.(path, stats)) !== 'ours';
}

/**
 * Judges files whose time is still to come: the clock was set back since, or the time is that of a server whose clock
 * is ahead. Such a time says nothing of when the bytes came, so the file counts as growing until it has been the same
 * for `GROWTH_MS` since it was first seen.
 */
export type Futures = (path: string, file: Written) => 'growing' | 'still';

/** Files that are remembered; the oldest are forgotten, and count as growing again. */
const REMEMBERED = 1000;

/** `clock`: milliseconds that nobody sets back. */
export function rememberFutures(clock: () => number = () => performance.now()): Futures {
  const seen = new Map<string, Written & { readonly at: number }>();
  return (path, { size, mtimeMs }) => {
    const before = seen.get(path);
    if (before?.size === size && before.mtimeMs === mtimeMs) return clock() - before.at < GROWTH_MS ? 'growing' : 'still';
    seen.delete(path);
    seen.set(path, { size, mtimeMs, at: clock() });
    if (seen.size > REMEMBERED) seen.delete(seen.keys().next().value!);
    return 'growing';
  };
}
