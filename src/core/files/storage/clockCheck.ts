/**
 * Plausibility of the system clock, checked before old things are deleted for good. A clock that is years ahead, as
 * after an empty battery or in a restored virtual machine, would make everything old.
 */
import { join } from 'node:path';
import { isObject } from '../../format/entry/jsonValues';
import { writePrivateFile, readPrivateJson } from './privateStorage';

const DAY_MS = 24 * 60 * 60 * 1000;
/**
 * A step this far ahead between two checks is doubted: either the editor was closed for long, or the clock is wrong.
 */
const FAR_MS = 30 * DAY_MS;

/** State at the last check, in milliseconds since 1970. */
interface ClockRecord {
  readonly at: number;
  /** The time at which the clock was first found far ahead. Absent once it has run for a day since then. */
  readonly doubtedAt?: number;
}

/**
 * Records the time in `folder` and compares it with the last check. After a step of more than 30 days ahead, or of any
 * length back, the clock has to run for a day until it's plausible again.
 *
 * @param now milliseconds since 1970
 * @throws {SessionError} if the time can't be recorded
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
  if (!isObject(value)) return undefined;
  const { at, doubtedAt } = value;
  if (!isTime(at)) return undefined;
  return isTime(doubtedAt) ? { at, doubtedAt } : { at };
}

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
