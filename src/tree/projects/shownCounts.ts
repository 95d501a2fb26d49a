/** The facts that a row shows of the sessions below it. A stored screen has them without these sessions. Pure. */
import type { ReadableItem, SessionGroup } from './sessionGroups';

/** The number of sessions of a group that can be read and aren't below another session. */
export const sessionsIn = ({ items, stored }: SessionGroup): number =>
  stored?.count ?? items.reduce((count, { kind }) => count + Number(kind === 'session'), 0);

/** The number of a session's forks. */
export const forkCount = ({ children, stored }: ReadableItem): number =>
  stored?.forks ?? children.filter((other) => other.kind === 'session' && !other.isSubagent && !other.copyOf).length;
