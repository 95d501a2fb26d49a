/** Builds the context at an entry of a session. Only the entries of the context plan are read from the file. */
import { contextPlan } from '../../format/context/contextPlan';
import { assembleContext, requiredBodies, type SourcedContext } from '../../format/context/assembleContext';
import type { Session } from '../../format/session/session';
import { Yielder } from '../concurrency/eventLoop';
import { readBodies } from './sessionFile';

/** The messages that a model would receive, and the settings that apply. FORMAT section 4. */
export type SessionContext = Omit<SourcedContext, 'sources'>;

/**
 * Builds the context at an entry. Reads only the entries that contribute, in slices between which the event loop runs.
 * FORMAT section 4.
 *
 * @param leafId the entry; by default the session's leaf, `null` for the context before the first entry.
 * @returns the context; `sources[i]` is the id of the entry that `messages[i]` came from.
 * @throws {SessionError} `unknown-entry`; `changed` if the file has changed since it was read.
 * @throws the signal's reason if aborted.
 */
export async function buildSessionContext(
  session: Session,
  leafId?: string | null,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<SourcedContext> {
  signal?.throwIfAborted();
  const pause = new Yielder(signal);
  const plan = contextPlan(session, leafId);
  await pause.yieldIfDue();
  const bodies = await readBodies(session, requiredBodies(plan), signal);
  await pause.yieldIfDue();
  return assembleContext(plan, session.dialect, bodies);
}
