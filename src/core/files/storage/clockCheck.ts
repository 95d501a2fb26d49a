/**
 * Whether the clock can be believed when old things are forgotten for good: one that is years ahead, as after an empty
 * battery or in a restored virtual machine, would make everything old.
 */
import { join } from 'node:path';
import { isObject } from '../../format/entry/entry';
import { writePrivateFile, readPrivateJson } from './privateStorage';

const DAY_MS = 24 * 60 * 60 * 1000;
/** A step this far ahead between two looks is doubted: the editor was closed for long, or the clock is wrong. */
const FAR_MS = 30 * DAY_MS;

/** What was noted at the last look, in milliseconds since 1970. */
interface ClockRecord {
  readonly at: number;
  /** When the clock was first seen far ahead, if that was no day ago. */
  readonly doubtedAt?: number;
}

/**
 * Notes the time in `folder`, and compares it with the last look. After a step of more than 30 days ahead, or of any
 * length back, the clock has to run for a day until it is believed again.
 *
 * @param now milliseconds since 1970
 * @throws {SessionError} if the time can't be noted
 */
export async function isClockPlausible(folder: string, now = Date.now()): Promise<boolean> {
  const path = join(folder, 'clock.json');
  const last = parseClockRecord(await readPrivateJson(path));
  const look = nextClockRecord(last, now);
  await writePrivateFile(path, JSON.stringify(look));
  return look.doubtedAt === undefined;
}

function nextClockRecord(last: ClockRecord | undefined, now: number): ClockRecord {
  if (!last) return { at: now };
  if (now < last.at || now - last.at > FAR_MS) return { at: now, doubtedAt: now };
  const isDoubted = last.doubtedAt !== undefined && now - last.doubtedAt < DAY_MS;
  return isDoubted ? { at: now, doubtedAt: last.doubtedAt } : { at: now };
}

function parseClockRecord(value: unknown): ClockRecord | undefined {
  if (!isObject(value) || !Number.isFinite(value['at'])) return undefined;
  const { at, doubtedAt } = value as { at: number; doubtedAt?: unknown };
  return { at, ...(Number.isFinite(doubtedAt) ? { doubtedAt: doubtedAt as number } : {}) };
}
