import type { Presence } from '../../core/index';

/**
 * Whether a session is shown as running: a program has it, or wrote to it a moment ago. pi, for one, neither
 * keeps its files open nor locks them. That a program runs in the same folder says nothing of this session.
 */
export function isRunning(presence: Presence | undefined): boolean {
  if (presence === undefined || presence.state === 'free') return false;
  return presence.state === 'live' || presence.signs.some(({ how }) => how === 'growth');
}
