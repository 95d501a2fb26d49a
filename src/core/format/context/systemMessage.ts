/** Replays system messages. Each changes the prompt, its named sections and the tools; all of them together give the current state. */
import type { EntryTraits, HeadSource } from '../columns/headSource';
import { defined } from '../values/defined';
import { valueOf } from '../values/lookups';
import { asString, isObject, type JsonObject } from '../values/jsonValues';
import { textOf, type Message } from '../entry/message';
import type { Entry } from '../entry/entry';
import type { EntryHead } from '../entry/entryHead';
import { hasPromptParts, parseSystemMessage, sessionInitText, type SystemPrompt } from '../entry/prompts/systemPrompt';
import { finishSteps, stepCounter, type Steps } from '../session/steps';
import { entryMessages } from './contextMessages';
import type { ContextPlan, PlannedPath } from './contextPlan';

/**
 * Returns the ids of the entries from which the system prompt of a context is replayed, in order. Needs heads only; a
 * compaction is always among them, although only its body shows whether it has a system message. FORMAT section 4.
 */
export function systemPromptEntries({ path, steps }: ContextPlan): string[] {
  const heads = new Map(path.map((head) => [head.id, head]));
  const contributing = steps.map(({ id }) => valueOf(heads, id));
  return finishSteps(promptRecords(path, contributing, (head) => head)).map(({ id }) => id);
}

/** Like {@link systemPromptEntries}, by place, in steps. Makes no head. */
export function systemPromptPlaces(heads: HeadSource, { places, steps }: PlannedPath): Steps<number[]> {
  return promptRecords(places, [...steps.keys()], (place) => heads.traitsAt(place));
}

/** Returns the last `session_init` of a path, and the contributing entries that may have a system message. */
function* promptRecords<T>(path: readonly T[], contributing: readonly T[], traitsOf: (entry: T) => EntryTraits): Steps<T[]> {
  const init = path.findLast((entry) => traitsOf(entry).type === 'session_init');
  yield;
  const recorded = contributing.filter((entry) => mayRecordPrompt(traitsOf(entry)));
  return [...(init === undefined ? [] : [init]), ...recorded];
}

const mayRecordPrompt = ({ type, role }: EntryTraits): boolean => type === 'compaction' || role === 'system';

/** Returns the system message of a path that declares the prompt; later ones are changes. FORMAT section 4. */
export const promptDeclaration = (path: readonly EntryHead[]): EntryHead | undefined => path.find(declaresPrompt);

/** Returns whether a system message declares the prompt, if no earlier one of its path does. FORMAT section 4. */
export const declaresPrompt = ({ role, hasText }: EntryTraits): boolean => role === 'system' && hasText === true;

/**
 * Replays the system prompt and the tools of a context as one system message, in pi's form. FORMAT section 4.
 *
 * @param entries those of {@link systemPromptEntries}, in that order.
 * @returns `undefined` if there is no system message.
 */
export const replaySystemMessage = (entries: readonly Entry[]): Message | undefined => finishSteps(systemMessageSteps(entries));

/** Does the same as {@link replaySystemMessage}, in steps. */
export function* systemMessageSteps(entries: readonly Entry[]): Steps<Message | undefined> {
  const messages: Message[][] = [];
  for (const entry of entries) {
    messages.push(entry.type === 'session_init' ? [yield* initMessage(entry)] : entryMessages(entry).filter(isSystem));
    yield;
  }
  // Its messages are generic objects; it returns one of them, or a new one with the role `system`.
  return (yield* currentSystemMessage(messages.flat(), 0)) as Message | undefined;
}

/**
 * Replays the system prompt and the tools of a context.
 *
 * @param entries those of {@link systemPromptEntries}, in that order.
 * @returns `undefined` if the entries record neither a prompt nor tools.
 */
export const replaySystemPrompt = (entries: readonly Entry[]): SystemPrompt | undefined => finishSteps(systemPromptSteps(entries));

/** Does the same as {@link replaySystemPrompt}, in steps. */
export function* systemPromptSteps(entries: readonly Entry[]): Steps<SystemPrompt | undefined> {
  const message = yield* systemMessageSteps(entries);
  if (!message) return undefined;
  yield;
  const outputSchema = entries.find(({ type }) => type === 'session_init')?.['outputSchema'] ?? undefined;
  const prompt = { ...parseSystemMessage(message), ...defined({ outputSchema }) };
  return prompt.text === '' && !hasPromptParts(prompt) ? undefined : prompt;
}

/** Returns oh-my-pi's entry as the system message that it stands for. */
function* initMessage(entry: JsonObject): Steps<Message> {
  const tools: readonly unknown[] = Array.isArray(entry['tools']) ? entry['tools'] : [];
  const toolsAdded: unknown[] = [];
  const isStep = stepCounter();
  for (const tool of tools) {
    toolsAdded.push(typeof tool === 'string' ? { name: tool } : tool);
    if (isStep()) yield;
  }
  return { role: 'system', content: sessionInitText(entry), toolsAdded };
}

/**
 * Merges the system messages of a context into one, as pi writes it into a compaction that drops them. Returns
 * `undefined` if there are none. `timestamp`: milliseconds since 1970.
 */
export function* currentSystemMessage(messages: readonly Message[], timestamp: number): Steps<JsonObject | undefined> {
  const system: readonly JsonObject[] = messages.filter(isSystem);
  if (system.length === 0) return undefined;
  const content = system.map((message) => textOf(message['content'], '\n')).filter((text) => text !== '');
  const sections = new Map<string, unknown>();
  const tools = new Map<string, unknown>();
  const isStep = stepCounter();
  for (const message of system) {
    for (const [name, section] of Object.entries(isObject(message['sections']) ? message['sections'] : {})) {
      if (section === null) sections.delete(name);
      else sections.set(name, section);
      if (isStep()) yield;
    }
    for (const [name] of named(message['toolsRemoved'])) {
      tools.delete(name);
      if (isStep()) yield;
    }
    for (const [name, tool] of named(message['toolsAdded'])) {
      tools.set(name, tool);
      if (isStep()) yield;
    }
  }
  return {
    role: 'system',
    content: content.join('\n\n'),
    ...(sections.size > 0 ? { sections: Object.fromEntries(sections) } : {}),
    ...(tools.size > 0 ? { toolsAdded: [...tools.values()] } : {}),
    timestamp,
  };
}

const isSystem = ({ role }: Message): boolean => role === 'system';

function* named(tools: unknown): Generator<[string, JsonObject]> {
  for (const tool of Array.isArray(tools) ? tools : []) {
    const name = isObject(tool) ? asString(tool['name']) : undefined;
    if (isObject(tool) && name !== undefined) yield [name, tool];
  }
}
