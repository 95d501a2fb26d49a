/** Reads the system prompt and the tools of a context. Only the entries that record them are read from the file. */
import type { ContextPlan } from '../../format/context/contextPlan';
import { systemPromptEntries, systemPromptSteps } from '../../format/context/systemMessage';
import type { SystemPrompt } from '../../format/entry/prompts/systemPrompt';
import type { Session } from '../../format/session/session';
import { Yielder } from '../concurrency/eventLoop';
import { readBodies } from './sessionFile';

/**
 * Reads the system prompt and the tools that a context has at its end. FORMAT section 4.
 *
 * @returns `undefined` if the file records neither.
 * @throws {SessionError} `changed` if the file has changed since it was read.
 * @throws the signal's reason if aborted.
 */
export async function readSystemPrompt(session: Session, plan: ContextPlan, signal?: AbortSignal): Promise<SystemPrompt | undefined> {
  const entries = await readBodies(session, systemPromptEntries(plan), signal);
  return new Yielder(signal).run(systemPromptSteps(entries));
}
