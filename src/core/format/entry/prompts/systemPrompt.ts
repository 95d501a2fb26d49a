/**
 * The system prompt and the tools that a line records: pi's system messages, each of which changes the state before it,
 * and oh-my-pi's `session_init`. Malformed parts are shown as JSON or count as absent. FORMAT section 2.
 */
import { asString, isArray, isObject, type JsonObject } from '../../values/jsonValues';
import { textOf } from '../message';
import { jsonText } from '../../text/jsonText';

/** A named section of a system prompt. FORMAT section 2. */
export interface PromptSection {
  readonly name: string;
  readonly text: string;
}

/** A tool that the model may call. FORMAT section 2. */
export interface PromptTool {
  readonly name: string;
  /** Empty if only the name is recorded. */
  readonly description: string;
  /** The JSON schema of the arguments, as in the file; absent if it isn't recorded. */
  readonly parameters?: unknown;
}

/** A system prompt and tools, or a change of them. FORMAT section 4. */
export interface SystemPrompt {
  /** The text before the sections. */
  readonly text: string;
  /** In the order in which the model gets them. */
  readonly sections: readonly PromptSection[];
  readonly tools: readonly PromptTool[];
  /** oh-my-pi: the JSON schema of the answer, as in the file; absent if there is none. */
  readonly outputSchema?: unknown;
  /** Names of the sections and tools that a change removes. */
  readonly removedSections: readonly string[];
  readonly removedTools: readonly string[];
}

/** Reads a message with the role `system`. FORMAT section 2. */
export function parseSystemMessage(message: JsonObject): SystemPrompt {
  const sections = Object.entries(isObject(message['sections']) ? message['sections'] : {});
  return {
    text: textOf(message['content'], '\n'),
    sections: sections.flatMap(([name, value]) => (value === null ? [] : [{ name, text: promptValueText(value) }])),
    tools: toolsOf(message['toolsAdded']),
    removedSections: sections.flatMap(([name, value]) => (value === null ? [name] : [])),
    removedTools: toolsOf(message['toolsRemoved']).map(({ name }) => name),
  };
}

/** Reads a `session_init` line: the whole state at the start of a subagent's session. FORMAT section 2. */
export function parseSessionInit(line: JsonObject): SystemPrompt {
  return {
    text: sessionInitText(line),
    sections: [],
    tools: toolsOf(line['tools']),
    ...(line['outputSchema'] == null ? {} : { outputSchema: line['outputSchema'] }),
    removedSections: [],
    removedTools: [],
  };
}

/** Returns the text of the prompt of a `session_init` line. */
export function sessionInitText({ systemPrompt: prompt }: JsonObject): string {
  const parts = (isArray(prompt) ? prompt : [prompt]).flatMap((part) => asString(isObject(part) ? part['text'] : part) ?? []);
  return parts.join('\n\n');
}

/** Returns whether any text of a prompt is recorded, and not only tools. FORMAT section 4. */
export const hasPromptText = ({ text, sections }: SystemPrompt): boolean => /\S/.test(text) || sections.some((one) => /\S/.test(one.text));

/**
 * Returns whether the message contains anything but text. A system message that is only a text is shown like other
 * messages. FORMAT section 2.
 */
export const hasPromptParts = ({ sections, tools, removedSections, removedTools }: SystemPrompt): boolean =>
  [sections, tools, removedSections, removedTools].some(({ length }) => length > 0);

/** Returns all texts of a prompt: the sections, then names and descriptions of the tools, a blank line between them. */
export function promptPlainText({ text, sections, tools }: SystemPrompt): string {
  return [text, ...sections.map((section) => section.text), ...tools.map(({ name, description }) => joined(name, description))]
    .filter((part) => part !== '')
    .join('\n\n');
}

const joined = (name: string, description: string): string => (description === '' ? name : `${name}: ${description}`);

/** Returns a value of a prompt as text: a string as it is, anything else, such as a schema, as indented JSON. */
export const promptValueText = (value: unknown): string => (typeof value === 'string' ? value : jsonText(value, 2));

/** oh-my-pi lists names, pi objects. A tool without a name can't be called, so it counts as absent. */
function toolsOf(value: unknown): PromptTool[] {
  if (!isArray(value)) return [];
  return value.flatMap((tool): PromptTool[] => {
    if (typeof tool === 'string') return [{ name: tool, description: '' }];
    const name = isObject(tool) ? asString(tool['name']) : undefined;
    if (!isObject(tool) || name === undefined) return [];
    const { description, parameters } = tool;
    return [{ name, description: description == null ? '' : promptValueText(description), ...(parameters == null ? {} : { parameters }) }];
  });
}
