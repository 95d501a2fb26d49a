/**
 * Makes a whole entry from a parsed line. Missing and malformed parts become empty; all other keys stay. Names of
 * versions 1 and 2 are replaced by the names of version 3, so that no other code needs to know them.
 */
import { asString, isObject, ownValue, type JsonObject } from '../values/jsonValues';
import type { Entry } from './entry';
import type { Message } from './message';
import type { EntryHead } from './entryHead';
import { finishSteps, STEP_LENGTH, type Steps } from '../session/steps';

/** @param head gives the id and the parent, which version 1 lines don't have */
export const parseEntry = (line: JsonObject, head: GivenHead): Entry => finishSteps(parseEntrySteps(line, head));

type GivenHead = Pick<EntryHead, 'id' | 'parentId' | 'firstKeptEntryId'>;

/** Does what {@link parseEntry} does, in steps: one line may have hundreds of thousands of blocks or kept messages. */
export function* parseEntrySteps(line: JsonObject, head: GivenHead): Steps<Entry> {
  const entry: Record<string, unknown> = { ...line, id: head.id, parentId: head.parentId };
  if (typeof entry['timestamp'] !== 'string') entry['timestamp'] = '';
  const parser = ownValue(ENTRY_PARSERS, String(line['type']));
  if (parser) yield* parser(entry, head);
  // The parser of this type has given its fields the types of `Entry`.
  return entry as unknown as Entry;
}

const ENTRY_PARSERS: Readonly<Record<string, (entry: Record<string, unknown>, head: GivenHead) => Steps<void>>> = {
  *message(entry) {
    entry['message'] = yield* parseMessage(entry['message']);
  },
  *compaction(entry, head) {
    entry['summary'] = text(entry['summary']);
    if (!/\S/.test(text(entry['shortSummary']))) delete entry['shortSummary'];
    if (typeof entry['tokensBefore'] !== 'number') entry['tokensBefore'] = 0;
    if (typeof entry['firstKeptEntryIndex'] === 'number') {
      delete entry['firstKeptEntryIndex'];
      if (head.firstKeptEntryId !== undefined) entry['firstKeptEntryId'] = head.firstKeptEntryId;
    }
    if (isObject(entry['systemMessage'])) entry['systemMessage'] = yield* parseMessage(entry['systemMessage']);
    if (Array.isArray(entry['retainedTail'])) entry['retainedTail'] = yield* parseMessages(entry['retainedTail']);
  },
  *branch_summary(entry) {
    entry['summary'] = text(entry['summary']);
    yield;
  },
  *custom_message(entry) {
    entry['customType'] = text(entry['customType']);
    entry['content'] = yield* parseContent(entry['content']);
  },
  *context_edit(entry) {
    const replacement = entry['replacement'];
    if (isObject(replacement) && Array.isArray(replacement['content'])) {
      entry['replacement'] = { ...replacement, content: yield* parseContent(replacement['content']) };
    }
  },
};

function* parseMessages(values: readonly unknown[]): Steps<Message[]> {
  const messages: Message[] = [];
  for (const value of values) {
    messages.push(yield* parseMessage(value));
    if (messages.length % STEP_LENGTH === 0) yield;
  }
  return messages;
}

function* parseMessage(value: unknown): Steps<Message> {
  const given = isObject(value) ? value : {};
  const name = asString(given['role']) ?? 'other';
  const role = name === 'hookMessage' ? 'custom' : name;
  const message: Record<string, unknown> = { ...given, role };
  for (const key of STRING_FIELDS) if (key in message && typeof message[key] !== 'string') Reflect.deleteProperty(message, key);
  if (role === 'custom') message['customType'] ??= '';
  if (role === 'branchSummary' || role === 'compactionSummary') message['summary'] ??= '';
  if ('content' in given || ROLES_WITH_CONTENT.has(role))
    message['content'] = role === 'system' && given['content'] == null ? '' : yield* parseContent(given['content']);
  // The fields of each role were given the types of `Message` above.
  return message as unknown as Message;
}

const ROLES_WITH_CONTENT = new Set(['system', 'developer', 'user', 'assistant', 'toolResult', 'custom']);
/** Message fields that must be strings; other values count as absent. */
const STRING_FIELDS = [
  'provider',
  'model',
  'stopReason',
  'errorMessage',
  'toolCallId',
  'toolName',
  'command',
  'code',
  'output',
  'fullOutputPath',
  'customType',
  'summary',
];

function* parseContent(value: unknown): Steps<unknown> {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return [];
  const blocks: JsonObject[] = [];
  for (const block of value.filter(isObject)) {
    blocks.push(parseBlock(block));
    if (blocks.length % STEP_LENGTH === 0) yield;
  }
  return blocks;
}

/** Returns a block whose fields have the types that its `type` requires; a well-formed block is returned unchanged. */
function parseBlock(block: JsonObject): JsonObject {
  const type = asString(block['type']) ?? '';
  const needed = ownValue(BLOCK_STRING_FIELDS, type) ?? [];
  const missing = needed.filter((key) => typeof block[key] !== 'string');
  const args = type === 'toolCall' && !isObject(block['arguments']);
  if (missing.length === 0 && !args) return block;
  return { ...block, ...Object.fromEntries(missing.map((key) => [key, ''])), ...(args ? { arguments: {} } : {}) };
}

const BLOCK_STRING_FIELDS: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  thinking: ['thinking'],
  image: ['data', 'mimeType'],
  toolCall: ['id', 'name'],
};

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
