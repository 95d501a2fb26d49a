/** Sessions with their subagents' sessions, which are in the folder with the session's name and move with it. */
import { stepCounter, type Steps } from '../../format/session/steps';
import type { KnownSession } from './knownSessions';

/** A session and all sessions of subagents below it. */
export interface Family {
  readonly session: KnownSession;
  readonly subagents: readonly KnownSession[];
}

/** The sessions of a family, the owner first. */
export const membersOf = ({ session, subagents }: Family): readonly KnownSession[] => [session, ...subagents];

/**
 * Returns the families that a project's sessions move in. If a subagent's session belongs to the project and its owner
 * doesn't, it's a family by itself: its file isn't moved.
 */
export function* findFamilies(sessions: readonly KnownSession[], ofProject: { has(session: KnownSession): boolean }): Steps<Family[]> {
  const byPath = new Map<string, KnownSession>();
  const isStepEnd = stepCounter();
  for (const session of sessions) {
    byPath.set(session.path, session);
    if (isStepEnd()) yield;
  }
  const ownerOf = (session: KnownSession): KnownSession => {
    let top = session;
    for (let next = byPath.get(session.owner ?? ''); next; next = byPath.get(next.owner ?? '')) top = next;
    return top;
  };
  const subagents = new Map<KnownSession, KnownSession[]>();
  const heads: KnownSession[] = [];
  for (const session of sessions) {
    if (isStepEnd()) yield;
    const owner = ownerOf(session);
    if (owner === session || !ofProject.has(owner)) {
      if (ofProject.has(session)) heads.push(session);
      continue;
    }
    const others = subagents.get(owner);
    if (others) others.push(session);
    else subagents.set(owner, [session]);
  }
  return heads.map((session) => ({ session, subagents: subagents.get(session) ?? [] }));
}
