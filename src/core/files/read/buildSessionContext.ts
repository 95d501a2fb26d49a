/** Builds the context at an entry of a session. Only the entries of the context plan are read from the file. */
import { contextPlan } from '../../format/context/contextPlan';
import { assembleContext, requiredBodies, type SourcedContext } from '../../format/context/assembleContext';
import type { Session } from '../../format/session/session';
import { Yielder } from '../io/eventLoop';
import { readBodies } from './sessionFile';

/** What the model would see, and the settings that would hold. */
export type SessionContext = Omit<SourcedContext, 'sources'>;

/**
 * The context at an entry; by default at the session's leaf, `null` is before the first entry.
 * `sources[i]` is the entry that `messages[i]` came from. A long one is made in slices, so that others get their turn.
 *
 * @throws {SessionError} `unknown-entry`; `changed` if the file is no longer what was read; the signal's reason when aborted.
 */
export async function buildSessionContext(session: Session, leafId?: string | null, { signal }: { readonly signal?: AbortSignal } = {}): Promise<SourcedContext> {
  signal?.throwIfAborted();
  const pause = new Yielder(signal);
  const plan = contextPlan(session, leafId);
  await pause.yieldIfDue();
  const bodies = await readBodies(session, requiredBodies(plan), signal);
  await pause.yieldIfDue();
  return assembleContext(plan, session.dialect, bodies);
}
