/** Makes the heads of entries from parsed lines. */
import type { EntryHead, EntryLocation } from './entryHead';
import { asString, isArray, isObject, ownValue, type JsonObject } from '../values/jsonValues';
import { textOf } from './message';
import type { PathBases } from '../toolCalls/callWords';
import { isRewind } from './rewind';
import { describeEntry, describeMessage, describeToolCall } from './rowText';
import { hasPromptText, parseSessionInit, parseSystemMessage } from './prompts/systemPrompt';
import { excerpt } from '../text/excerpt';
import { parseModelRef, parseUsage, type ModelRef } from './usage';

/** Row texts of tool calls by call id. */
export type ToolCallTexts = Pick<ReadonlyMap<string, string>, 'get'> & { set(id: string, text: string): unknown; keys(): Iterable<string> };

export interface HeadOptions {
  readonly bases: PathBases;
  /** Row texts of the tool calls so far. The calls of this line are added. */
  toolCallTexts: ToolCallTexts;
  /** The model of the previous answer. Most answers have the same model, and their heads share the object. */
  lastModel?: ModelRef;
}

/** Makes the head of an entry. Missing and malformed fields count as absent. */
export function parseHead(line: JsonObject, place: EntryLocation, options: HeadOptions): EntryHead {
  const timestamp = asString(line['timestamp']) ?? '';
  // `readLine` takes only objects with a type.
  const type = line['type'] as string;
  const head: MutableHead = {
    id: place.id,
    parentId: place.parentId,
    line: place.line,
    offset: place.offset,
    length: place.length,
    type: excerpt(type, 100),
    timestamp,
    time: Date.parse(timestamp) || 0,
    text: '',
  };
  // The fields are set on the head itself: files have hundreds of thousands of heads, and copies cost time.
  if (type === 'message') readMessage(head, isObject(line['message']) ? line['message'] : {}, options);
  else readEntry(head, type, line);
  if (line['appendMode'] === 'side') head.side = true;
  return head;
}

type MutableHead = { -readonly [K in keyof EntryHead]: EntryHead[K] };

function readMessage(head: MutableHead, message: JsonObject, options: HeadOptions): void {
  recordToolCallTexts(message, options);
  const call = asString(message['toolCallId']);
  head.text = describeMessage(message, call === undefined ? undefined : options.toolCallTexts.get(call));
  const role = asString(message['role']) ?? 'other';
  head.role = excerpt(role === 'hookMessage' ? 'custom' : role, 100);
  if (isValidTime(message['timestamp'])) head.messageTime = message['timestamp'];
  setIfDefined(head, 'usage', parseUsage(message['usage']));
  if (role === 'user' || role === 'assistant') head.hasText = /\S/.test(textOf(message['content']));
  if (role === 'system') head.hasText = hasPromptText(parseSystemMessage(message));
  if (role === 'assistant') {
    const provider = asString(message['provider']);
    const model = asString(message['model']);
    if (provider !== undefined && model !== undefined) {
      const last = options.lastModel;
      head.model = last?.provider === provider && last.modelId === model ? last : (options.lastModel = { provider, modelId: model });
    }
    setIfDefined(head, 'responseModel', asString(message['responseModel']));
    setIfDefined(head, 'stopReason', asString(message['stopReason']));
  }
  if (role === 'toolResult') {
    setIfDefined(head, 'toolCallId', call);
    setIfDefined(head, 'toolName', asString(message['toolName']));
    if (message['isError'] === true) head.isError = true;
    if (isObject(message['nestedCalls'])) head.hasNestedCalls = true;
  }
  setIfDefined(head, 'customType', asString(message['customType']));
  if ((role === 'custom' || role === 'hookMessage') && message['display'] === false) head.isHidden = true;
}

function readEntry(head: MutableHead, type: string, line: JsonObject): void {
  head.text = describeEntry(line);
  setIfDefined(head, 'usage', parseUsage(line['usage']));
  const read = ownValue(FIELD_READERS, type);
  read?.(line, head);
}

const FIELD_READERS: Readonly<Record<string, (line: JsonObject, facts: MutableHead) => void>> = {
  model_change: (line, facts) => {
    const model = parseModelRef(line);
    if (model) facts.model = model;
    const role = asString(line['role']);
    if (role !== undefined) facts.modelRole = role;
  },
  usage: (line, facts) => {
    const model = parseModelRef(line);
    if (model) facts.model = model;
  },
  model_usage: (line, facts) => {
    const model = parseModelRef(line);
    if (model) facts.model = model;
  },
  thinking_level_change: (line, facts) => {
    setIfDefined(facts, 'thinkingLevel', asString(line['thinkingLevel']));
  },
  label: (line, facts) => {
    setIfDefined(facts, 'targetId', asString(line['targetId']));
    setIfDefined(facts, 'label', asString(line['label']) || undefined);
  },
  session_info: (line, facts) => {
    setIfDefined(facts, 'label', asString(line['name']));
  },
  title_change: (line, facts) => {
    setIfDefined(facts, 'label', asString(line['title']));
  },
  compaction: (line, facts) => {
    setIfDefined(facts, 'firstKeptEntryId', asString(line['firstKeptEntryId']));
    if (isArray(line['retainedTail'])) facts.retainedTail = true;
  },
  branch_summary: (line, facts) => {
    setIfDefined(facts, 'fromId', asString(line['fromId']));
    facts.hasText = (asString(line['summary']) ?? '') !== '';
  },
  context_edit: (line, facts) => {
    setIfDefined(facts, 'targetId', asString(line['targetId']));
    if (line['replacement'] === null) facts.omits = true;
  },
  archive: (line, facts) => {
    setIfDefined(facts, 'targetId', asString(line['targetId']));
    if (typeof line['archived'] === 'boolean') facts.archives = line['archived'];
  },
  leaf: (line, facts) => {
    // OpenClaw ignores lines with an unknown mode.
    if (line['appendMode'] !== undefined && line['appendMode'] !== 'side') return;
    if (line['targetId'] === null) facts.targetId = null;
    else setIfDefined(facts, 'targetId', asString(line['targetId']));
  },
  custom: (line, facts) => {
    setIfDefined(facts, 'customType', asString(line['customType']));
  },
  custom_message: (line, facts) => {
    setIfDefined(facts, 'customType', asString(line['customType']));
    if (line['display'] === false && !isRewind(line)) facts.isHidden = true;
  },
  session_init: (line, facts) => {
    facts.hasText = hasPromptText(parseSessionInit(line));
    setIfDefined(facts, 'agent', asString(line['agent']) || undefined);
  },
  ttsr_injection: (line, facts) => {
    if (isArray(line['injectedRules'])) facts.rules = line['injectedRules'].filter((rule) => typeof rule === 'string');
  },
  mode_change: (line, facts) => {
    setIfDefined(facts, 'mode', asString(line['mode']));
  },
};

function setIfDefined<K extends keyof MutableHead>(facts: MutableHead, key: K, value: MutableHead[K] | undefined): void {
  if (value !== undefined) facts[key] = value;
}

/** Records the row texts of a message's tool calls. */
export function recordToolCallTexts(message: JsonObject, { bases, toolCallTexts: calls }: HeadOptions): void {
  if (message['role'] !== 'assistant' || !isArray(message['content'])) return;
  for (const block of message['content']) {
    if (!isObject(block) || block['type'] !== 'toolCall' || typeof block['id'] !== 'string') continue;
    calls.set(block['id'], describeToolCall(asString(block['name']) ?? 'tool', block['arguments'], bases));
  }
}

/** Returns the time that a message gives, in milliseconds since 1970. */
export const messageTime = (message: unknown): number | undefined =>
  isObject(message) && isValidTime(message['timestamp']) ? message['timestamp'] : undefined;

/** True for a number of milliseconds that a date can have. */
const isValidTime = (value: unknown): value is number => typeof value === 'number' && Math.abs(value) <= 8.64e15;
