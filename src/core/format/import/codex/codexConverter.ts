/**
 * Converts a session of Codex (`~/.codex/sessions/<date>/rollout-*.jsonl`) to format 3 (FORMAT section 8). Its lines are a
 * log: `session_meta`, then `response_item`, `turn_context`, `compacted` and `event_msg`, each with a `payload`
 * (github.com/openai/codex, codex-rs/protocol/src/protocol.rs, `RolloutItem`). Early sessions have the items alone. Turns
 * that were rolled back (`thread_rolled_back`) are a branch.
 */
import { defined } from '../../values/defined';
import { asString, isObject, type JsonObject } from '../../values/jsonValues';
import { NestedCalls } from './nestedCalls';
import { CodexAnswer } from './codexAnswer';
import { STATE_TYPES, seenEvent } from './codexEvents';
import { answerBlocks, codexContent, codexUsage, keptContents, toolResult } from './codexItems';
import { factsOfMeta, levelOf } from './codexMeta';
import { CodexPrompts } from './codexPrompts';
import { splitContext } from './codexTexts';
import { isoTime, textsOf, tokens, usageOf, type Converter, type ConverterTools, type ForeignFacts } from '../converter';

export function createCodexConverter({ stamp, omissions, ids }: ConverterTools): Converter {
  let facts: ForeignFacts = {};
  let provider = 'openai';
  let model = '';
  let level: string | undefined;
  let time = '';
  let tip: string | null = null;
  /** The prompts on the way to the tip: the entries before them. */
  const prompts: (string | null)[] = [];
  const toolNames = new Map<string, string>();
  const nested = new NestedCalls();
  let answer: CodexAnswer | undefined;
  let counted = '';
  const said = new CodexPrompts();
  /** The usage of an answer whose items aren't there yet: some versions count before they write them. */
  let early: JsonObject | undefined;
  /** Tokens of the last answer with its input. */
  let contextTokens = 0;
  let name: string | undefined;
  const out: JsonObject[] = [];

  const takeEarly = (): JsonObject | undefined => {
    const usage = early;
    early = undefined;
    return usage;
  };
  const flushAnswer = (): void => {
    if (!answer) return;
    if (!answer.usage) answer.usage = takeEarly() ?? usageOf(0, 0, 0, 0);
    for (const line of answer.entries(provider, model)) out.push(line);
    answer = undefined;
  };
  const emit = (entry: JsonObject): void => {
    flushAnswer();
    const { type, ...rest } = entry;
    const id = ids.take();
    const filled = type === 'compaction' ? { ...rest, firstKeptEntryId: id } : rest;
    out.push({ type, id, parentId: tip, timestamp: time, ...filled });
    tip = id;
  };

  const addItem = (item: JsonObject, line: number): void => {
    const blocks = answerBlocks(item, line, omissions);
    if (blocks) addToAnswer(blocks);
    nested.add(item);
    const result = toolResult(item, line, omissions);
    if (result) addResult(result);
    else if (blocks) return;
    else if (item['type'] === 'message') addMessage(item, line);
    else if (item['type'] === 'agent_message') addAgentMessage(item, line);
    else if (item['type'] === 'compaction' || item['type'] === 'context_compaction') omissions.add('unreadable-summary', line);
    else addOther(asString(item['type']) ?? '', line);
  };

  const addOther = (type: string, line: number): void => {
    if (!STATE_TYPES.has(type)) omissions.add('line-type', line, type);
  };

  const addToAnswer = (blocks: readonly JsonObject[]): void => {
    addEventPrompt(said.answer());
    if (answer?.isDone) flushAnswer();
    answer ??= beginAnswer();
    for (const block of blocks) {
      const { type, id, name: tool } = block;
      if (type === 'toolCall') toolNames.set(String(id), String(tool));
      answer.blocks.push(block);
    }
  };

  const beginAnswer = (): CodexAnswer => {
    const begun = new CodexAnswer(ids.take(), tip, time);
    tip = begun.id;
    return begun;
  };

  /** Ends the answer that is being written, or one that only has tokens or an error so far. Otherwise the last answer was complete. */
  const endAnswer = (stopReason: string, errorMessage?: string): void => {
    const isBeing = answer !== undefined && !answer.isDone;
    if (!isBeing && errorMessage === undefined && !early && !said.isUnanswered) return;
    if (!isBeing) flushAnswer();
    answer ??= beginAnswer();
    answer.end = { stopReason, ...defined({ errorMessage }) };
  };

  const addResult = ({ callId, content, isError }: { callId: string; content: readonly JsonObject[]; isError: boolean }): void => {
    const toolName = toolNames.get(callId) ?? '';
    const { fields, command } = nested.ofResult(callId, textsOf(content), isError);
    if (command !== undefined) answer?.describe(callId, command);
    const message = { role: 'toolResult', toolCallId: callId, toolName, content, ...fields, isError, timestamp: Date.parse(time) };
    const id = ids.take();
    const line = { type: 'message', id, parentId: tip, timestamp: time, message };
    tip = id;
    if (answer) answer.results.push(line);
    else out.push(line);
  };

  const addMessage = (item: JsonObject, line: number): void => {
    const content = codexContent(item['content'], line, omissions);
    if (item['role'] !== 'user') {
      emit({ type: 'custom_message', customType: 'codex.developer', content, display: false });
      return;
    }
    const [context, own] = splitContext(content);
    if (context.length > 0) addContext(context);
    if (own.length > 0 && !said.isDoubtful(own)) addPrompt(own);
  };

  /** Counts the tokens of a turn without an answer. */
  const addUnanswered = (): void => {
    const usage = takeEarly();
    if (usage) emit({ type: 'usage', kind: 'codex.unanswered', provider, model, usage });
  };

  const addContext = (content: readonly JsonObject[]): void =>
    emit({ type: 'custom_message', customType: 'codex.context', content, display: false });

  const addPrompt = (content: readonly JsonObject[]): void => {
    flushAnswer();
    addUnanswered();
    prompts.push(tip);
    emit({ type: 'message', message: { role: 'user', content, timestamp: Date.parse(time) } });
    said.prompt(textsOf(content));
  };
  const addEventPrompt = (text: string | undefined): void => {
    if (text !== undefined) addPrompt([{ type: 'text', text }]);
  };

  /** Adds a message that was the person's or Codex's, now that the next line shows which. */
  const settle = (payload: unknown): void => {
    const doubtful = said.settle(payload);
    if (doubtful) (doubtful.isPrompt ? addPrompt : addContext)(doubtful.content);
  };

  /** A message between agents, which the model gets. */
  const addAgentMessage = (item: JsonObject, line: number): void =>
    emit({
      type: 'custom_message',
      customType: 'codex.agent',
      content: codexContent(item['content'], line, omissions),
      display: true,
      details: { author: asString(item['author']) ?? '', recipient: asString(item['recipient']) ?? '' },
    });

  const addTurnContext = (payload: JsonObject): void => {
    const given = asString(payload['model']);
    if (given !== undefined && given !== model) {
      flushAnswer();
      model = given;
      emit({ type: 'model_change', provider, modelId: model });
    }
    const next = levelOf(payload['effort']);
    if (next === undefined || next === level) return;
    level = next;
    emit({ type: 'thinking_level_change', thinkingLevel: level });
  };

  const addCompaction = (payload: JsonObject, line: number): void => {
    const summary = asString(payload['message']) ?? '';
    if (summary.trim() === '') {
      omissions.add('unreadable-summary', line);
      return;
    }
    emit({ type: 'compaction', summary, tokensBefore: contextTokens });
    // pi keeps only entries that are next to each other, so the messages that were kept are repeated, for the model alone.
    for (const content of keptContents(payload['replacement_history'], summary, line, omissions))
      emit({ type: 'custom_message', customType: 'codex.kept', content, display: false });
  };

  const addEvent = (payload: JsonObject, line: number): void => {
    const type = asString(payload['type']) ?? '';
    if (type === 'token_count') addUsage(payload['info']);
    else if (type === 'thread_rolled_back') rollBack(payload['num_turns']);
    else if (type === 'thread_name_updated') name = asString(payload['thread_name']) ?? name;
    else if (type === 'user_message') said.event(asString(payload['message']) ?? '');
    else if (type === 'turn_aborted') endAnswer('aborted');
    else if (type === 'error') endAnswer('error', asString(payload['message']) ?? '');
    else if (type === 'patch_apply_end') nested.patched(payload);
    else if (type === 'item_completed') addPlan(payload['item']);
    else {
      const seen = seenEvent(payload);
      if (seen !== undefined) omissions.add('line-type', line, seen);
    }
  };

  /** Counts tokens. Codex may repeat a count with new limits, which counts once. */
  const addUsage = (info: unknown): void => {
    const last = isObject(info) ? info['last_token_usage'] : undefined;
    if (!isObject(info) || !isObject(last)) return;
    const total = JSON.stringify(info['total_token_usage'] ?? last);
    const isNew = total !== counted;
    counted = total;
    const waiting = answer && !answer.usage ? takeEarly() : undefined;
    if (answer && waiting) answer.usage = waiting;
    if (!isNew) return;
    contextTokens = tokens(last['total_tokens']);
    if (answer && !answer.usage) answer.usage = codexUsage(last);
    else {
      addUnanswered();
      early = codexUsage(last);
    }
  };

  /** Adds a plan, which Codex takes out of the answer that it was in. */
  const addPlan = (item: unknown): void => {
    const text = isObject(item) && asString(item['type'])?.toLowerCase() === 'plan' ? (asString(item['text']) ?? '') : '';
    if (text.trim() === '' || (answer && textsOf(answer.blocks).includes(text))) return;
    const block = { type: 'text', text };
    if (answer && answer.results.length === 0) answer.blocks.push(block);
    else addToAnswer([block]);
  };

  const rollBack = (turns: unknown): void => {
    const count = typeof turns === 'number' && turns > 0 ? Math.min(Math.floor(turns), prompts.length) : 0;
    if (count === 0) return;
    flushAnswer();
    tip = prompts[prompts.length - count] ?? null;
    prompts.length -= count;
  };

  const addMeta = (payload: JsonObject, line: number): void => {
    if ('instructions' in payload || 'base_instructions' in payload) {
      if (payload['instructions'] !== null || isObject(payload['base_instructions'])) omissions.add('instructions', line);
    }
    // A fork repeats the header of the session that it's from.
    if (facts.sessionId !== undefined) return;
    provider = asString(payload['model_provider']) ?? provider;
    facts = factsOfMeta(payload, facts);
  };

  const read = (value: JsonObject, line: number): void => {
    time = isoTime(value['timestamp']) ?? (time === '' ? stamp.now().toISOString() : time);
    const { type } = value;
    const payload = value['payload'];
    settle(payload);
    if (!isObject(payload)) {
      if (type === undefined && typeof value['id'] === 'string') addMeta(value, line);
      else if (typeof type === 'string') addItem(value, line);
      else addOther(asString(value['record_type']) ?? '', line);
      return;
    }
    if (type === 'session_meta') addMeta(payload, line);
    else if (type === 'response_item') addItem(payload, line);
    else if (type === 'turn_context') addTurnContext(payload);
    else if (type === 'compacted') addCompaction(payload, line);
    else if (type === 'event_msg') addEvent(payload, line);
    else if (type === 'inter_agent_communication') addAgentMessage(payload, line);
    else addOther(asString(type) ?? '', line);
  };

  return {
    add: (value, line) => {
      read(value, line);
      return out.splice(0);
    },
    end: () => {
      settle(undefined);
      addEventPrompt(said.answer());
      flushAnswer();
      addUnanswered();
      if (name !== undefined && name.trim() !== '') emit({ type: 'session_info', name });
      return out.splice(0);
    },
    get facts() {
      return facts;
    },
    get leafId() {
      return tip;
    },
  };
}
