/** pi's system messages. Each changes the prompt, its named sections and the tools; all of them together give the current state. */
import { asString, isObject, textOf, type JsonObject, type Message } from '../entry/entry';

/**
 * Merges the system messages of a context into one, as pi writes it into a compaction that drops them. Returns
 * `undefined` if there are none. `timestamp`: milliseconds since 1970.
 */
export function currentSystemMessage(messages: readonly Message[], timestamp: number): JsonObject | undefined {
  const system: readonly JsonObject[] = messages.filter((message) => message.role === 'system');
  if (system.length === 0) return undefined;
  const content = system.map((message) => textOf(message['content'], '\n')).filter((text) => text !== '');
  const sections = new Map<string, unknown>();
  const tools = new Map<string, unknown>();
  for (const message of system) {
    for (const [name, section] of Object.entries(isObject(message['sections']) ? message['sections'] : {})) {
      if (section === null) sections.delete(name);
      else sections.set(name, section);
    }
    for (const [name] of named(message['toolsRemoved'])) tools.delete(name);
    for (const [name, tool] of named(message['toolsAdded'])) tools.set(name, tool);
  }
  return {
    role: 'system',
    content: content.join('\n\n'),
    ...(sections.size > 0 ? { sections: Object.fromEntries(sections) } : {}),
    ...(tools.size > 0 ? { toolsAdded: [...tools.values()] } : {}),
    timestamp,
  };
}

function named(tools: unknown): [string, JsonObject][] {
  if (!Array.isArray(tools)) return [];
  return tools.filter(isObject).flatMap((tool): [string, JsonObject][] => {
    const name = asString(tool['name']);
    return name === undefined ? [] : [[name, tool]];
  });
}
