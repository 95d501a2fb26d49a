/**
 * Entry heads: the part of an entry that stays in memory, without its body. It's enough for rows, walks, filters and
 * totals.
 */
import { asString, isArray, isObject, ownValue, textOf, type JsonObject, type ModelRef, type Usage } from './entry';
import type { PathBases } from './callWords';
import { describeEntry, describeMessage, describeToolCall } from './rowText';
import { hasPromptText, parseSessionInit, parseSystemMessage } from './systemPrompt';
import { excerpt } from '../text/excerpt';

/**
 * The part of an entry that rows, tree walks and totals need. Its size doesn't grow with the entry's. FORMAT section 2.
 */
export interface EntryHead {
  readonly id: string;
  readonly parentId: string | null;
  readonly type: string;
  /** Only for messages. */
  readonly role?: string;
  /** ISO 8601, exactly as in the file. */
  readonly timestamp: string;
  /** `timestamp` in milliseconds since 1970; 0 if it isn't a date. */
  readonly time: number;
  /** The line in the file, from 1. */
  readonly line: number;
  /** Position of the object in the file, in bytes. */
  readonly offset: number;
  readonly length: number;
  /** The text of the entry's row, a single line. */
  readonly text: string;
  readonly usage?: Usage;
  /** For assistant messages, model changes and usage lines. */
  readonly model?: ModelRef;
  /** For assistant messages: the model that answered, where it isn't the one that was asked. */
  readonly responseModel?: string;
  /** oh-my-pi: the role that the model was chosen for. */
  readonly modelRole?: string;
  readonly thinkingLevel?: string;
  /** For messages: the message's own time, in milliseconds since 1970. */
  readonly messageTime?: number;
  /** For user, assistant and system messages and for `session_init`: true if there is any text. */
  readonly hasText?: boolean;
  /** For assistant messages. */
  readonly stopReason?: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly isError?: boolean;
  /** For tool results: true if the tool called others while it ran. */
  readonly hasNestedCalls?: boolean;
  /** For labels, context edits and `leaf` lines. */
  readonly targetId?: string | null;
  /** The label, absent if the line clears it; for `session_info`, the name. */
  readonly label?: string;
  readonly customType?: string;
  /** For messages of extensions: true if their program doesn't show them. */
  readonly isHidden?: boolean;
  readonly firstKeptEntryId?: string;
  readonly fromId?: string;
  /** For compactions: true if messages replace the kept entries. */
  readonly retainedTail?: boolean;
  /** For context edits: true if the target is removed from the context. */
  readonly omits?: boolean;
  /** oh-my-pi: the injected rules, and the mode that was entered. */
  readonly rules?: readonly string[];
  readonly mode?: string;
  /** True for an entry that never becomes the leaf (OpenClaw's `appendMode: "side"`). */
  readonly side?: boolean;
}

export interface EntryLocation {
  readonly id: string;
  readonly parentId: string | null;
  readonly line: number;
  readonly offset: number;
  readonly length: number;
}

/** Row texts of tool calls by call id. */
export type ToolCallTexts = Pick<ReadonlyMap<string, string>, 'get'> & { set(id: string, text: string): unknown; keys(): Iterable<string> };

export interface HeadOptions {
  readonly bases: PathBases;
  /** Row texts of the tool calls so far. The calls of this line are added. */
  toolCallTexts: ToolCallTexts;
  /** The model of the previous answer. Most answers have the same one, and their heads share the object. */
  lastModel?: ModelRef;
}

/** Makes the head of an entry. Missing and malformed fields count as absent. */
export function parseHead(line: JsonObject, place: EntryLocation, options: HeadOptions): EntryHead {
  const timestamp = asString(line['timestamp']) ?? '';
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
      const same = options.lastModel?.provider === provider && options.lastModel.modelId === model;
      head.model = same ? options.lastModel! : (options.lastModel = { provider, modelId: model });
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
    if (line['display'] === false) facts.isHidden = true;
  },
  session_init: (line, facts) => {
    facts.hasText = hasPromptText(parseSessionInit(line));
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

/**
 * Returns the model whose usage an entry has: the one that answered, of the provider that was asked. FORMAT section 5.
 */
export function billedModel({ model, responseModel }: Pick<EntryHead, 'model' | 'responseModel'>): ModelRef | undefined {
  return model && responseModel !== undefined ? { provider: model.provider, modelId: responseModel } : model;
}

/** Returns the model that a line names: `provider` and `modelId` (or `model`), or oh-my-pi's `provider/id`, split at the first slash. */
export function parseModelRef(line: JsonObject): ModelRef | undefined {
  const provider = asString(line['provider']);
  const modelId = asString(line['modelId']) ?? asString(line['model']);
  if (modelId === undefined) return undefined;
  if (provider !== undefined) return { provider, modelId };
  const slash = modelId.indexOf('/');
  return slash < 0 ? { provider: '', modelId } : { provider: modelId.slice(0, slash), modelId: modelId.slice(slash + 1) };
}

/** Records the row texts of a message's tool calls. */
export function recordToolCallTexts(message: JsonObject, { bases, toolCallTexts: calls }: HeadOptions): void {
  if (message['role'] !== 'assistant' || !isArray(message['content'])) return;
  for (const block of message['content']) {
    if (!isObject(block) || block['type'] !== 'toolCall' || typeof block['id'] !== 'string') continue;
    calls.set(block['id'], describeToolCall(asString(block['name']) ?? 'tool', block['arguments'], bases));
  }
}

/** True for a number of milliseconds that a date can have. */
/** Returns the time that a message gives, in milliseconds since 1970. */
export const messageTime = (message: unknown): number | undefined =>
  isObject(message) && isValidTime(message['timestamp']) ? message['timestamp'] : undefined;

const isValidTime = (value: unknown): value is number => typeof value === 'number' && Math.abs(value) <= 8.64e15;

const finiteOrZero = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0);

/** Returns a usage in which every number is present; `undefined` if there is none. */
export function parseUsage(value: unknown): Usage | undefined {
  if (!isObject(value)) return undefined;
  const { totalTokens } = value;
  const cost = isObject(value['cost']) ? parseCost(value['cost']) : undefined;
  const [input, output, cacheRead, cacheWrite] = [
    finiteOrZero(value['input']),
    finiteOrZero(value['output']),
    finiteOrZero(value['cacheRead']),
    finiteOrZero(value['cacheWrite']),
  ];
  // The usual, complete usage is made by a single literal.
  if (typeof totalTokens === 'number' && cost) return { input, output, cacheRead, cacheWrite, totalTokens, cost };
  return { input, output, cacheRead, cacheWrite, ...(typeof totalTokens === 'number' ? { totalTokens } : {}), ...(cost ? { cost } : {}) };
}

const parseCost = (value: JsonObject): NonNullable<Usage['cost']> => ({
  input: finiteOrZero(value['input']),
  output: finiteOrZero(value['output']),
  cacheRead: finiteOrZero(value['cacheRead']),
  cacheWrite: finiteOrZero(value['cacheWrite']),
  total: finiteOrZero(value['total']),
});
