/** Detects recent growth of a file by another program. */
import { stat } from 'node:fs/promises';

interface SizeAndMtime {
  readonly size: number;
  readonly mtimeMs: number;
}

/**
 * Returns the writer of a file's last bytes; `undefined` if unknown, as for files that the extension never wrote to.
 */
export type LastWriteOwner = (path: string, file: SizeAndMtime) => Promise<'ours' | 'theirs' | undefined>;

/** Milliseconds. A write within this time may be followed by more. */
export const RECENT_WRITE_MS = 10_000;

/**
 * Returns true if a file has just been written to by another program. A file that was created in one go counts, too: pi
 * writes a session's first lines together, and then continues the session. The extension's own forks are known as such.
 */
export async function hasRecentForeignWrite(
  path: string,
  now: number,
  lastBytes: LastWriteOwner | undefined,
  futures: FutureMtimeCheck | undefined,
): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined);
  if (!stats) return false;
  const age = now - stats.mtimeMs;
  if (age >= RECENT_WRITE_MS || (age <= -RECENT_WRITE_MS && futures?.(path, stats) === 'still')) return false;
  return (await lastBytes?.(path, stats)) !== 'ours';
}

/**
 * Judges files whose modification time is in the future: the clock has been set back since, or the time comes from a
 * server whose clock is ahead. Such a time doesn't reveal when the bytes were written, so the file counts as growing
 * until it has been unchanged for `RECENT_WRITE_MS` since it was first seen.
 */
export type FutureMtimeCheck = (path: string, file: SizeAndMtime) => 'growing' | 'still';

/** Number of remembered files. Beyond it the oldest are forgotten, and count as growing again. */
const REMEMBERED = 1000;

/**
 * Creates a check with its own memory of files.
 *
 * @param clock returns monotonic milliseconds.
 */
export function createFutureMtimeCheck(clock: () => number = () => performance.now()): FutureMtimeCheck {
  const seen = new Map<string, SizeAndMtime & { readonly at: number }>();
  return (path, { size, mtimeMs }) => {
    const before = seen.get(path);
    if (before?.size === size && before.mtimeMs === mtimeMs) return clock() - before.at < RECENT_WRITE_MS ? 'growing' : 'still';
    seen.delete(path);
    seen.set(path, { size, mtimeMs, at: clock() });
    if (seen.size > REMEMBERED) {
      const [oldest = path] = seen.keys();
      seen.delete(oldest);
    }
    return 'growing';
  };
}
