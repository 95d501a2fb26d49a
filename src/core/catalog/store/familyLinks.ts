/** The way from a call to the sessions of the subagents that it started, and back. In steps, and pure. */
import { callThatStarted, isNamedBy, type SubagentCall } from '../../format/families/subagentCalls';
import { stepCounter, type Steps } from '../../format/session/steps';
import { familyFinder } from './families';
import type { ListedFile, ListedSession } from './listedSession';
import { parentFinder } from './sessionParents';

/** A session of a subagent, and the call that started it, as far as the recording tells. */
export interface StartedSession {
  readonly file: ListedFile<'session'>;
  readonly call: SubagentCall | undefined;
  /** True if the call's result names the session; otherwise only the times tell. */
  readonly isNamed: boolean;
}

/** Returns the sessions of the subagents right below a session, the oldest first. */
export function* subagentsOf(files: ReadonlyMap<string, ListedSession>, path: string): Steps<StartedSession[]> {
  const parent = files.get(path);
  if (parent?.kind !== 'session') return [];
  const isStepEnd = stepCounter();
  const sessions = [...files.values()].filter((file) => file.kind === 'session');
  const family = familyFinder((at) => files.get(at), yield* parentFinder(sessions, isStepEnd));
  const found: StartedSession[] = [];
  for (const file of sessions) {
    if (isStepEnd()) yield;
    if (family(file)?.parent !== path) continue;
    const call = callThatStarted(parent.summary, file.summary);
    found.push({ file, call, isNamed: isNamedBy(call, file.path) });
  }
  return found.sort((a, b) => a.file.summary.created - b.file.summary.created);
}

/** Returns the path of the session above, for each session of a subagent that has one. */
export function* subagentParents(files: ReadonlyMap<string, ListedSession>): Steps<Map<string, string>> {
  const isStepEnd = stepCounter();
  const sessions = [...files.values()].filter((file) => file.kind === 'session');
  const family = familyFinder((at) => files.get(at), yield* parentFinder(sessions, isStepEnd));
  const parents = new Map<string, string>();
  for (const file of sessions) {
    if (isStepEnd()) yield;
    const parent = family(file)?.parent;
    if (parent !== undefined) parents.set(file.path, parent);
  }
  return parents;
}

/**
 * Returns the sessions of subagents below any of these sessions, at any depth, without these sessions.
 *
 * @param parents as {@link subagentParents} returns them, which is without circles
 */
export function* subagentsBelow(parents: ReadonlyMap<string, string>, paths: readonly string[]): Steps<string[]> {
  const isStepEnd = stepCounter();
  const tops = new Set(paths);
  const found: string[] = [];
  for (const [path, parent] of parents) {
    if (isStepEnd()) yield;
    let above: string | undefined = parent;
    while (above !== undefined && !tops.has(above)) above = parents.get(above);
    if (above !== undefined && !tops.has(path)) found.push(path);
  }
  return found;
}

/** Returns the session above a subagent's, and the entry of the call that started it; `undefined` for other sessions. */
export function* callOf(
  files: ReadonlyMap<string, ListedSession>,
  path: string,
): Steps<{ readonly path: string; readonly entryId?: string } | undefined> {
  const file = files.get(path);
  if (file?.kind !== 'session') return undefined;
  const sessions = [...files.values()].filter((each) => each.kind === 'session');
  const above = familyFinder((at) => files.get(at), yield* parentFinder(sessions, stepCounter()))(file)?.parent;
  const parent = above === undefined ? undefined : files.get(above);
  if (above === undefined || !parent) return undefined;
  const call = parent.kind === 'session' ? callThatStarted(parent.summary, file.summary) : undefined;
  return call ? { path: above, entryId: call.resultId ?? call.entryId } : { path: above };
}
