/** Whether a file grew a moment ago by bytes that are not ours. */
import { stat } from 'node:fs/promises';

/** Whose the last bytes of a file are, where that is known: of a file we never wrote to nothing is. */
export type LastBytes = (path: string, file: { readonly size: number; readonly mtimeMs: number }) => Promise<'ours' | 'theirs' | undefined>;

/** Bytes that came within this time may be followed by more, in milliseconds. */
export const GROWTH_MS = 10_000;
/** What was last written this soon after the file was made is part of its making, in milliseconds. */
const MADE_WITHIN_MS = 500;

export async function grewByOthers(path: string, lastBytes: LastBytes | undefined, now: number): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined);
  if (!stats || Math.abs(now - stats.mtimeMs) >= GROWTH_MS) return false;
  // A file that was made in one go did not grow. Where the system knows no birth it is 0, and we are in doubt.
  const isNew = Math.abs(stats.mtimeMs - stats.birthtimeMs) < MADE_WITHIN_MS;
  return ((await lastBytes?.(path, stats)) ?? (isNew ? 'ours' : 'theirs')) === 'theirs';
}
