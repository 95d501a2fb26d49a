/** Prompts of OpenClaw that the model got in other words than the person's. FORMAT section 4. */
import { isObject } from '../../values/jsonValues';
import type { Content, Message } from '../message';

/** Returns the text that the model got instead of a user message's own; `undefined` if it got the message as it is. */
export function modelPromptOf(message: Message): string | undefined {
  const facts = message.role === 'user' ? message['__openclaw'] : undefined;
  const projection = isObject(facts) ? facts['modelPromptProjection'] : undefined;
  if (!isObject(projection) || projection['version'] !== 1) return undefined;
  const { text } = projection;
  return typeof text === 'string' ? text : undefined;
}

/** Returns a message as the model got it: its first text is the model's, and images stay. */
export function asModelGot(message: Message): Message {
  const text = modelPromptOf(message);
  return text === undefined || message.role !== 'user' ? message : { ...message, content: withText(message.content, text) };
}

function withText(content: Content, text: string): Content {
  if (typeof content === 'string') return text;
  const at = content.findIndex((block) => block.type === 'text');
  if (at < 0) return [{ type: 'text', text }, ...content];
  return content.map((block, index) => (index === at ? { ...block, text } : block));
}
