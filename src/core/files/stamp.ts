/** Ids and times of the machine, for the pure functions that need them. */
import { randomBytes } from 'node:crypto';
import type { Stamp } from '../format/names';

export function systemStamp(): Stamp {
  return { id: () => randomBytes(4).toString('hex'), now: () => new Date() };
}
