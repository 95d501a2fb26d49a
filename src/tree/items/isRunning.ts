import type { Presence } from '../../core/index';

/**
 * True if a session is shown as running: a program has it open or locked, or wrote to it a moment ago. The last is needed
 * because pi, for one, neither keeps its files open nor locks them. A program running in the same folder doesn't count.
 */
export function isRunning(presence: Presence | undefined): boolean {
  if (presence === undefined || presence.state === 'free') return false;
  return presence.state === 'live' || presence.signs.some(({ how }) => how === 'growth');
}
