/** Assembles the messages of a context from its plan and the bodies that the plan needs. */
import type { Entry } from '../entry/entry';
import type { Message } from '../entry/message';
import { asModelGot } from '../entry/prompts/modelPrompt';
import type { ContextPlan, ContextSettings } from './contextPlan';
import { entryMessages, withoutFailedTurns, type SourcedMessage } from './contextMessages';
import type { Dialect } from '../entry/dialect';
import { valueOf } from '../values/lookups';

/** Returns the ids of the entries whose bodies a plan needs. */
export function requiredBodies(plan: ContextPlan): string[] {
  return plan.steps.flatMap(({ id, editId }) => (editId === undefined ? [id] : [id, editId]));
}

/** The messages that the model sees, and the settings that apply. */
export interface SourcedContext extends ContextSettings {
  readonly messages: readonly Message[];
  /** The entry of each message. */
  readonly sources: readonly string[];
}

export function assembleContext(plan: ContextPlan, dialect: Dialect, bodies: readonly Entry[]): SourcedContext {
  const byId = new Map(bodies.map((entry) => [entry.id, entry]));
  const all: SourcedMessage[] = plan.steps.flatMap(({ id, editId }) =>
    // An edit replaces what the model got.
    entryMessages(valueOf(byId, id), editId === undefined ? undefined : byId.get(editId)).map((message) => ({
      message: editId === undefined ? asModelGot(message) : message,
      source: id,
    })),
  );
  const sourced = dialect === 'omp' ? withoutFailedTurns(all) : all;
  return { messages: sourced.map(({ message }) => message), ...plan.settings, sources: sourced.map(({ source }) => source) };
}
