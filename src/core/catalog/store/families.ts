/** Families: which sessions are those of subagents, and of which session. Pure. FORMAT section 1. */
import { callThatStarted } from '../../format/families/subagentCalls';
import type { Steps } from '../../format/session/steps';
import type { ListedSession } from './listedSession';
import type { FindParent } from './sessionParents';

/** Sessions above a session. A longer chain counts as a circle. */
const MAX_ABOVE = 100;

/**
 * The place of a subagent's session: `parent` is the path of the session that started it; absent if that one has no row, or
 * if the sessions above are in a circle.
 */
export interface FamilyPlace {
  readonly parent?: string;
}

/** Returns the place of a subagent's session in its family; `undefined` for any other session. */
export type FindFamily = (file: ListedSession) => FamilyPlace | undefined;

/**
 * A session is a subagent's if it is in the folder of another session, or in a folder for subagents alone. Of those in the
 * ordinary folders, it's one that names a parent, and which a call in that parent has started: then it isn't a fork.
 *
 * @param rowAt returns the row of a path
 * @param find finds the session that a header names
 */
export function familyFinder(rowAt: (path: string) => ListedSession | undefined, find: FindParent): FindFamily {
  /** Returns the path above; `null` for a session that isn't a subagent's. */
  const above = (file: ListedSession): string | null | undefined => {
    for (let owner = file.owner, steps = 0; owner !== undefined && steps < MAX_ABOVE; steps++) {
      const row = rowAt(owner);
      if (row && row.kind !== 'other') return owner;
      owner = row?.owner;
    }
    const isSubagents = file.owner !== undefined || file.root.ofSubagents === true;
    const named = file.kind === 'session' ? find(file) : undefined;
    if (isSubagents) return named?.path;
    return named && file.kind === 'session' && callThatStarted(named.summary, file.summary) ? named.path : null;
  };
  return (file) => {
    const parent = above(file);
    if (parent === null) return undefined;
    const seen = new Set([file.path]);
    for (let at: string | null | undefined = parent; at !== undefined && at !== null;) {
      if (seen.has(at) || seen.size === MAX_ABOVE) return {};
      seen.add(at);
      const row = rowAt(at);
      at = row && above(row);
    }
    return parent === undefined ? {} : { parent };
  };
}

/** Returns the paths of all sessions that others may be put below. */
export function* pathsAbove(
  files: readonly ListedSession[],
  find: FindParent,
  family: FindFamily,
  isStepEnd: () => boolean,
): Steps<Set<string>> {
  const found = new Set<string>();
  for (const file of files) {
    if (isStepEnd()) yield;
    const parents = [family(file)?.parent, file.copyOf?.path, file.kind === 'session' ? find(file)?.path : undefined];
    for (const path of parents) if (path !== undefined) found.add(path);
  }
  return found;
}
