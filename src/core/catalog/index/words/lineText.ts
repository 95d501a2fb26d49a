/** The searchable text of a line, the same for indexing and for snippets. Pure. */
import { defined } from '../../../format/values/defined';
import { OUTER_LENGTH } from '../../../format/scanner/scannerLayout';
import { asString, isArray, isObject, type JsonObject, ownValue } from '../../../format/values/jsonValues';
import { textOf } from '../../../format/entry/message';
import { toolCallBlocks, fileArgument } from '../../../format/toolCalls/fileTouches';
import { beginning } from '../../../format/text/characters';
import { parseSessionInit, parseSystemMessage, promptPlainText } from '../../../format/entry/prompts/systemPrompt';

interface LineText {
  /** A message's role, or the entry's type. */
  readonly role: string;
  readonly text: string;
}

/** The length up to which a message's tool arguments are indexed; tool calls may write whole files. */
const MAX_INDEXED_ARGUMENTS = 64 * 1024;

/** The roles of lines that the model read, though nobody said them: what tools and commands returned, and what extensions added. */
const READ_ROLES: ReadonlySet<string> = new Set(['toolResult', 'bashExecution', 'pythonExecution', 'custom', 'custom_message']);

/** Returns whether nobody wrote any of the text of a line with this role; a command was written. */
export const isAdded = (role: string): boolean => isRead(role) && !role.endsWith('Execution');

/** The word in the index that marks the texts of these lines. It has no letter or digit, so that no text has it otherwise. */
export const READ_WORD = '··';

/** Returns whether the text of a line with this role is ranked behind what was said. */
export const isRead = (role: string): boolean => READ_ROLES.has(role);

/** The searchable text of an entry's line; empty if it has none. */
export function textOfLine(line: JsonObject): LineText {
  const type = asString(line['type']) ?? '';
  const found =
    type === 'message'
      ? textOfMessage(isObject(line['message']) ? line['message'] : {})
      : { role: type, text: ownValue(TEXTS, type)?.(line) ?? '' };
  return /\S/.test(found.text) ? found : { role: found.role, text: '' };
}

const field =
  (name: string) =>
  (line: JsonObject): string =>
    asString(line[name]) ?? '';

/** The texts in a content without the middle of long ones. */
const outerTextOf = (content: unknown): string =>
  isArray(content)
    ? content
        .map((block) => (isObject(block) && block['type'] === 'text' && typeof block['text'] === 'string' ? outerParts(block['text']) : ''))
        .filter(Boolean)
        .join('\n')
    : outerParts(textOf(content));

/** A text without its middle, if it's long: a tool may return whole files. */
function outerParts(text: string): string {
  const from = isPair(text, OUTER_LENGTH) ? OUTER_LENGTH - 1 : OUTER_LENGTH;
  const end = text.length - OUTER_LENGTH;
  const to = isPair(text, end) ? end + 1 : end;
  return from >= to ? text : `${text.slice(0, from)}\n${text.slice(to)}`;
}

/** Returns true in the middle of a code point. */
const isPair = (text: string, at: number): boolean => (text.codePointAt(at - 1) ?? 0) > 0xffff;

const TEXTS: Readonly<Record<string, (line: JsonObject) => string>> = {
  label: field('label'),
  session_info: field('name'),
  title_change: field('title'),
  compaction: (line) => [asString(line['shortSummary']), asString(line['summary'])].filter(Boolean).join('\n'),
  branch_summary: field('summary'),
  custom_message: (line) => outerTextOf(line['content']),
  session_init: (line) => [asString(line['task']), promptPlainText(parseSessionInit(line))].filter(Boolean).join('\n\n'),
};

function textOfMessage(message: JsonObject): LineText {
  const role = asString(message['role']) ?? '';
  switch (role) {
    case 'user':
      return { role, text: textOf(message['content'], '\n') };
    case 'assistant':
      return { role, text: [textOf(message['content'], '\n'), ...callTexts(message['content'])].filter(Boolean).join('\n') };
    case 'bashExecution':
    case 'pythonExecution':
      return { role, text: [commandOf(message), outerParts(asString(message['output']) ?? '')].filter(Boolean).join('\n') };
    case 'toolResult':
    case 'custom':
      return { role, text: outerTextOf(message['content']) };
    case 'hookMessage':
      return { role: 'custom', text: outerTextOf(message['content']) };
    case 'system':
      return { role, text: promptPlainText(parseSystemMessage(message)) };
    default:
      return { role, text: '' };
  }
}

const commandOf = (message: JsonObject): string => asString(message['command']) ?? asString(message['code']) ?? '';

function callTexts(content: unknown): string[] {
  const parts: string[] = [];
  const budget = { left: MAX_INDEXED_ARGUMENTS };
  for (const call of toolCallBlocks(content)) {
    for (const text of stringsIn(call['arguments'], budget)) parts.push(text);
    if (budget.left <= 0) break;
  }
  return parts;
}

/** All strings in a value, in order, up to `budget.left` characters. */
function stringsIn(args: unknown, budget: { left: number }): string[] {
  const found: string[] = [];
  const waiting = [args];
  while (waiting.length > 0 && budget.left > 0) {
    const next = waiting.pop();
    if (typeof next === 'string') {
      found.push(beginning(next, budget.left));
      budget.left -= next.length;
    } else if (typeof next === 'object' && next !== null) {
      const inner = Object.values(next) as unknown[];
      for (let index = Math.min(inner.length, MAX_VALUES) - 1; index >= 0; index--) waiting.push(inner[index]);
    }
  }
  return found;
}

/** The number of values examined per object or array. */
const MAX_VALUES = 1000;

/** A tool call for display. */
export interface CallText {
  readonly name: string;
  /** The strings in its arguments, up to `MAX_SHOWN_ARGUMENTS` characters. */
  readonly text: string;
  /** The file's path as the call gives it. */
  readonly file?: string;
}

/** The length up to which a call's arguments are shown. */
const MAX_SHOWN_ARGUMENTS = 1000;

/** The tool calls of a line. */
export function callsOfLine(line: JsonObject): CallText[] {
  const message = line['message'];
  if (line['type'] !== 'message' || !isObject(message) || message['role'] !== 'assistant') return [];
  return toolCallBlocks(message['content']).map((call) => {
    const args = call['arguments'];
    const file = isObject(args) ? fileArgument(args) : undefined;
    return {
      name: asString(call['name']) ?? '',
      text: stringsIn(args, { left: MAX_SHOWN_ARGUMENTS }).join(' '),
      ...defined({ file }),
    };
  });
}

/** The names of the tools that a line calls, without repetitions. */
export function toolsOfLine(line: JsonObject): readonly string[] {
  const message = line['message'];
  if (line['type'] !== 'message' || !isObject(message) || message['role'] !== 'assistant') return NONE;
  const calls = toolCallBlocks(message['content']);
  return calls.length === 0 ? NONE : [...new Set(calls.flatMap((call) => asString(call['name']) || []))];
}

const NONE: readonly string[] = [];
