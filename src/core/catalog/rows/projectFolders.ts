/** The folders of all projects. There are far fewer of them than sessions, so making rows of all sessions to get them is wasted. */
import { stepCounter, type Steps } from '../../format/session/steps';
import type { SessionSummary } from './sessionSummary';

/** Returns the folders of the sessions without repetitions, beginning with the folder of the newest session. */
export function* projectFolders(sessions: Iterable<Pick<SessionSummary, 'cwd' | 'modified'>>): Steps<string[]> {
  const newest = new Map<string, number>();
  const isStepEnd = stepCounter();
  for (const { cwd, modified } of sessions) {
    const known = newest.get(cwd);
    if (known === undefined || known < modified) newest.set(cwd, modified);
    if (isStepEnd()) yield;
  }
  return [...newest].sort(([, a], [, b]) => b - a).map(([cwd]) => cwd);
}
