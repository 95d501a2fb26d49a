/** The context at a place of a session: the plan's entries are read, and nothing else of the file. */
import type { Entry, Message } from '../format/entry';
import { contextPlan, type ContextSettings } from '../format/context';
import { messagesOf, withoutDeadTurns, type SourcedMessage } from '../format/contextMessages';
import type { Session } from '../format/session';
import { readBodies } from './sessionFile';

/** What the model would see, and the settings that would hold. */
export interface SessionContext extends ContextSettings {
  readonly messages: readonly Message[];
}

/**
 * The context at an entry; by default at the session's leaf, `null` is before the first entry.
 * `sources[i]` is the entry that `messages[i]` came from.
 *
 * @throws {SessionError} `unknown-entry`; `changed` if the file is no longer what was read.
 */
export async function buildSessionContext(session: Session, leafId?: string | null): Promise<SessionContext & { readonly sources: readonly string[] }> {
  const plan = contextPlan(session, leafId);
  const ids = plan.steps.flatMap(({ id, editId }) => (editId === undefined ? [id] : [id, editId]));
  const bodies = new Map<string, Entry>((await readBodies(session, ids)).map((entry) => [entry.id, entry]));
  const all: SourcedMessage[] = plan.steps.flatMap(({ id, editId }) =>
    messagesOf(bodies.get(id)!, editId === undefined ? undefined : bodies.get(editId)).map((message) => ({ message, source: id })),
  );
  const sourced = session.dialect === 'omp' ? withoutDeadTurns(all) : all;
  return { messages: sourced.map(({ message }) => message), ...plan.settings, sources: sourced.map(({ source }) => source) };
}
