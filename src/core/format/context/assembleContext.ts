/** A plan and the bodies that it names → the messages. */
import type { Entry, Message } from '../entry/entry';
import type { ContextPlan, ContextSettings } from './contextPlan';
import { entryMessages, withoutFailedTurns, type SourcedMessage } from './contextMessages';
import type { Dialect } from '../entry/dialect';

/** The entries whose bodies a plan needs. */
export function requiredBodies(plan: ContextPlan): string[] {
  return plan.steps.flatMap(({ id, editId }) => (editId === undefined ? [id] : [id, editId]));
}

/** What the model would see, and the settings that would hold. */
export interface SourcedContext extends ContextSettings {
  readonly messages: readonly Message[];
  /** The entry that each message came from. */
  readonly sources: readonly string[];
}

export function assembleContext(plan: ContextPlan, dialect: Dialect, bodies: readonly Entry[]): SourcedContext {
  const byId = new Map(bodies.map((entry) => [entry.id, entry]));
  const all: SourcedMessage[] = plan.steps.flatMap(({ id, editId }) =>
    entryMessages(byId.get(id)!, editId === undefined ? undefined : byId.get(editId)).map((message) => ({ message, source: id })),
  );
  const sourced = dialect === 'omp' ? withoutFailedTurns(all) : all;
  return { messages: sourced.map(({ message }) => message), ...plan.settings, sources: sourced.map(({ source }) => source) };
}
