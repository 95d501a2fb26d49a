/** What of a line people search for. Pure; the same for indexing and for snippets. */
import { asString, isObject, textOf, type JsonObject } from '../../format/entry/entry';
import { toolCallBlocks, fileArgument } from '../../format/entry/fileTouches';

export interface LineText {
  /** A message's role, or the entry's type. */
  readonly role: string;
  readonly text: string;
}

/** Arguments are indexed up to this many characters a message: whole files are written by tool calls. */
const MAX_INDEXED_ARGUMENTS = 64 * 1024;

/** The searchable text of an entry's line; empty if it has none. */
export function textOfLine(line: JsonObject): LineText {
  const type = line['type'] as string;
  const found = type === 'message' ? textOfMessage(isObject(line['message']) ? line['message'] : {}) : { role: type, text: Object.hasOwn(TEXTS, type) ? TEXTS[type]!(line) : '' };
  return /\S/.test(found.text) ? found : { role: found.role, text: '' };
}

const field = (name: string) => (line: JsonObject): string => asString(line[name]) ?? '';

const TEXTS: Readonly<Record<string, (line: JsonObject) => string>> = {
  label: field('label'),
  session_info: field('name'),
  title_change: field('title'),
  compaction: (line) => [asString(line['shortSummary']), asString(line['summary'])].filter(Boolean).join('\n'),
  branch_summary: field('summary'),
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
      return { role, text: asString(message['command']) ?? asString(message['code']) ?? '' };
    default:
      return { role, text: '' };
  }
}

function callTexts(content: unknown): string[] {
  const parts: string[] = [];
  const room = { left: MAX_INDEXED_ARGUMENTS };
  for (const call of toolCallBlocks(content)) {
    for (const text of stringsIn(call['arguments'], room)) parts.push(text);
    if (room.left <= 0) break;
  }
  return parts;
}

/** All texts in arguments, in order, as long as there is room for them. */
function stringsIn(given: unknown, room: { left: number }): string[] {
  const found: string[] = [];
  const waiting = [given];
  while (waiting.length > 0 && room.left > 0) {
    const next = waiting.pop();
    if (typeof next === 'string') {
      found.push(next.length > room.left ? next.slice(0, room.left) : next);
      room.left -= next.length;
    } else if (typeof next === 'object' && next !== null) {
      const inner = Object.values(next) as unknown[];
      for (let index = Math.min(inner.length, MAX_VALUES) - 1; index >= 0; index--) waiting.push(inner[index]);
    }
  }
  return found;
}

/** Values of one object or list that are looked at. */
const MAX_VALUES = 1000;

/** A tool call as it can be shown. */
export interface CallText {
  readonly name: string;
  /** The texts of its arguments, or how they begin. */
  readonly text: string;
  /** The file that it names, as it names it. */
  readonly file?: string;
}

/** Characters of a call's arguments that are shown. */
const MAX_SHOWN_ARGUMENTS = 1000;

/** The tool calls of a line. */
export function callsOfLine(line: JsonObject): CallText[] {
  const message = line['message'];
  if (line['type'] !== 'message' || !isObject(message) || message['role'] !== 'assistant') return [];
  return toolCallBlocks(message['content']).map((call) => {
    const given = call['arguments'];
    const file = isObject(given) ? fileArgument(given) : undefined;
    return { name: asString(call['name']) ?? '', text: stringsIn(given, { left: MAX_SHOWN_ARGUMENTS }).join(' '), ...(file === undefined ? {} : { file }) };
  });
}

/** The names of the tools that a line calls, each once. */
export function toolsOfLine(line: JsonObject): readonly string[] {
  const message = line['message'];
  if (line['type'] !== 'message' || !isObject(message) || message['role'] !== 'assistant') return NONE;
  const calls = toolCallBlocks(message['content']);
  return calls.length === 0 ? NONE : [...new Set(calls.flatMap((call) => asString(call['name']) || []))];
}

const NONE: readonly string[] = [];
