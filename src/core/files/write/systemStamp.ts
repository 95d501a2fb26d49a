/** Ids and times from the system, for the pure functions that need them. */
import { customAlphabet } from 'nanoid';
import type { Stamp } from '../../format/write/sessionNames';

export function systemStamp(): Stamp {
  return { id: customAlphabet('0123456789abcdef', 8), now: () => new Date() };
}
