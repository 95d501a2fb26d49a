/** What a list shows of a session. Pure, and small whatever the session's size. */
import { writeRefusal } from '../format/change';
import { DIALECT_FACTS, type Dialect } from '../format/dialect';
import { CURRENT_VERSION, asString } from '../format/entry';
import type { Session } from '../format/session';
import { activityTime, suspectedTip } from '../format/tree';

export interface SessionSummary {
  readonly path: string;
  readonly dialect: Dialect;
  readonly id: string;
  /** The project's folder; empty where the file names none. */
  readonly cwd: string;
  readonly name?: string;
  /** A path, or in oh-my-pi a session id. */
  readonly parentSession?: string;
  /** Milliseconds since 1970, 0 if the header has no date. */
  readonly created: number;
  /** The newest user or assistant message, else `created`; 0 if there is neither. */
  readonly modified: number;
  /** Messages of all branches. */
  readonly messageCount: number;
  /** The beginning of the first user message that has text. */
  readonly firstMessage?: string;
  readonly problems: number;
  /** Whether something may be appended to the file. */
  readonly writable: boolean;
  /** Whether a migration would make it so: an earlier version, or entries without ids. */
  readonly isOld: boolean;
  /** The tip that the session probably should be at, where its leaf looks like an accident. */
  readonly suspectedTip?: string;
}

export function summarize(session: Session): SessionSummary {
  const { header } = session;
  const created = Date.parse(header.timestamp) || 0;
  let modified = 0;
  let messageCount = 0;
  let firstMessage: string | undefined;
  for (const head of session.entries) {
    if (head.type !== 'message') continue;
    messageCount++;
    modified = Math.max(modified, activityTime(head) ?? 0);
    if (head.role === 'user' && head.hasText) firstMessage ??= head.text.replace(/^user: /, '');
  }
  const parentSession = asString(header.parentSession) ?? asString(header.branchedFrom);
  const tip = suspectedTip(session);
  return {
    path: session.path,
    dialect: session.dialect,
    id: header.id,
    cwd: header.cwd,
    ...(session.name === undefined ? {} : { name: session.name }),
    ...(parentSession ? { parentSession } : {}),
    created,
    modified: modified || created,
    messageCount,
    ...(firstMessage === undefined ? {} : { firstMessage }),
    problems: session.problems.length,
    writable: writeRefusal(session) === undefined,
    isOld: DIALECT_FACTS[session.dialect].writable && (session.version < CURRENT_VERSION || (session.version === CURRENT_VERSION && session.hasGivenIds)),
    ...(tip ? { suspectedTip: tip.id } : {}),
  };
}
