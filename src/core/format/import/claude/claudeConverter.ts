/**
 * Converts a session of Claude Code (`~/.claude/projects/<project>/<session id>.jsonl`) to format 3 (FORMAT section 8). Its lines form a
 * tree by `uuid` and `parentUuid`. A compaction is a `compact_boundary` without a parent, whose `logicalParentUuid` is the last line
 * before it, and a line with `isCompactSummary`; `preservedSegment` names the earlier lines that are kept. These names and their meaning
 * come from public parsers and their samples: github.com/daaain/claude-code-log, github.com/microsoft/amplifier
 * (ai_working/claude_code_logging).
 */
import { asString, isObject, type JsonObject } from '../../values/jsonValues';
import { attachedContent, localCommand, type GivenContent } from './claudeAttachments';
import { assistantContent, userContent } from './claudeContent';
import { ClaudeContext } from './claudeContext';
import { ClaudeTitles, seenKind, withFacts } from './claudeLines';
import { ClaudeOrder } from './claudeOrder';
import { ClaudeQueue } from './claudeQueue';
import { ClaudeRepeats } from './claudeRepeats';
import { isCaveat, isFromProgram, isProgramText, split, typedCommand } from './claudeTexts';
import { ClaudeTree, type Spot } from './claudeTree';
import { isoTime, textsOf, tokens, type Converter, type ConverterTools, type ForeignFacts } from '../converter';

const contentOf = (value: JsonObject): GivenContent | undefined =>
  isObject(value['attachment']) ? attachedContent(value['attachment']) : localCommand(value);

/** The model of lines that the program made without one. */
const NO_MODEL = '<synthetic>';

interface Boundary {
  readonly line: number;
  readonly spot: Spot;
  readonly kept: Spot | undefined;
  readonly tokensBefore: number;
}

export function createClaudeConverter({ stamp, omissions, ids }: ConverterTools): Converter {
  const tree = new ClaudeTree(ids);
  const queue = new ClaudeQueue();
  const context = new ClaudeContext(tree);
  const repeats = new ClaudeRepeats();
  const titles = new ClaudeTitles();
  const toolNames = new Map<string, string>();
  /** The notes before commands that the program ran itself. */
  const caveats = new Set<string>();
  const subagentLines: number[] = [];
  let facts: ForeignFacts = {};
  let boundary: Boundary | undefined;
  /** The lines that are written again between a boundary and its summary. */
  let again: JsonObject[] = [];
  let model = NO_MODEL;
  let time = '';
  let leafId: string | null = null;

  /** The place of a line's parent. A parent that isn't in the file is replaced by the line before. */
  const parentOf = (value: JsonObject, line: number): Spot => {
    const spot = tree.parentOf(value);
    if (spot) return spot;
    const last = tree.lastOf(value);
    if (last.place !== null) omissions.add('missing-parent', line);
    return last;
  };

  const said = (content: readonly JsonObject[]): JsonObject => ({
    type: 'message',
    message: { role: 'user', content, timestamp: Date.parse(time) },
  });
  const noted = (content: readonly JsonObject[], display: boolean): JsonObject => ({
    type: 'custom_message',
    customType: 'claude-code.meta',
    content,
    display,
  });

  /** Adds the texts of the queue without a separate line, where they reached the model. */
  const addQueued = (spot: Spot): Spot => {
    let at = spot;
    for (const { text, time: when } of queue.take()) {
      const content = [{ type: 'text', text }];
      const entry = isProgramText(text)
        ? noted(content, false)
        : { type: 'message', message: { role: 'user', content, timestamp: Date.parse(when) } };
      at = tree.add({ isSidechain: !tree.hasMain && subagentLines.length > 0 }, at, when, entry, 'other');
    }
    return at;
  };
  /** The same before a line that may continue another branch. */
  const addQueuedBefore = (spot: Spot): Spot => {
    const { last } = tree;
    const reached = addQueued(last);
    return spot.place === last.place ? reached : spot;
  };

  const addAnswer = (value: JsonObject, message: JsonObject, line: number): void => {
    const messageId = asString(message['id']);
    let turn = tree.openTurn(messageId);
    if (!turn) {
      const parent = parentOf(value, line);
      const given = asString(message['model']) ?? NO_MODEL;
      if (given !== NO_MODEL) model = given;
      const before = context.addBefore(value, parent);
      turn = tree.beginTurn(value, isOwn(value) ? addQueued(before) : before, time, model, messageId);
    }
    const blocks = assistantContent(message['content'], line, omissions);
    for (const { type, id, name } of blocks) if (type === 'toolCall') toolNames.set(String(id), String(name));
    tree.grow(value, turn, blocks);
  };

  const isOwn = (value: JsonObject): boolean => value['isSidechain'] !== true || !tree.hasMain;

  const addUser = (value: JsonObject, message: JsonObject, line: number): void => {
    const { blocks, results } = userContent(message['content'], line, omissions);
    const parent = tree.besideCall(results[0]?.callId ?? '') ?? parentOf(value, line);
    if (results.length === 0) {
      addSaid(value, parent, blocks);
      return;
    }
    const details = isObject(value['toolUseResult']) ? { details: { toolUseResult: value['toolUseResult'] } } : {};
    const timestamp = Date.parse(time);
    let spot = parent;
    for (const { callId, content, isError } of results) {
      const toolName = toolNames.get(callId) ?? '';
      const result = { role: 'toolResult', toolCallId: callId, toolName, content, ...details, isError, timestamp };
      spot = tree.add(value, tree.besideCall(callId) ?? spot, time, { type: 'message', message: result }, 'result');
    }
    const [own, others] = split(blocks);
    if (own.length > 0) spot = tree.add(value, spot, time, noted(own, true), 'other');
    if (others.length > 0) tree.add(value, spot, time, said(others), 'other');
  };

  const addSaid = (value: JsonObject, parent: Spot, blocks: readonly JsonObject[]): void => {
    const text = textsOf(blocks);
    if (value['isCompactSummary'] === true) {
      addSummary(value, parent, text);
      return;
    }
    // A subagent's prompt comes from another agent.
    if (value['isMeta'] === true || (value['isSidechain'] !== true && isFromProgram(value))) {
      const { place } = tree.add(value, parent, time, noted(blocks, false), 'other');
      if (isCaveat(text) && typeof place === 'string') caveats.add(place);
      return;
    }
    const [own, others] = split(blocks);
    let spot = parent;
    if (own.length > 0) spot = tree.add(value, spot, time, noted(own, true), 'other');
    if (others.length === 0 && own.length > 0) return;
    const command = blocks.length === 1 ? typedCommand(text) : undefined;
    const content = command === undefined ? others : [{ type: 'text', text: command }];
    if (typeof spot.place === 'string' && caveats.has(spot.place) && command !== undefined) {
      tree.add(value, spot, time, noted(content, true), 'other');
      return;
    }
    queue.said(text);
    if (value['isSidechain'] !== true) tree.closeTurns();
    spot = context.addBefore(value, spot);
    if (isOwn(value)) spot = addQueuedBefore(spot);
    tree.add(value, spot, time, said(content), 'prompt');
  };

  const addSummary = (value: JsonObject, parent: Spot, text: string): void => {
    if (value['isSidechain'] !== true) tree.closeTurns();
    tree.compact(value, boundary?.spot ?? parent, time, text, boundary?.tokensBefore ?? 0, boundary?.kept);
    for (const { uuid } of again) tree.place({ uuid }, tree.last);
    boundary = undefined;
    again = [];
  };

  const addBoundary = (value: JsonObject, line: number): void => {
    const metadata = isObject(value['compactMetadata']) ? value['compactMetadata'] : {};
    const segment = isObject(metadata['preservedSegment']) ? metadata['preservedSegment'] : {};
    // Kept lines may have been written again after the boundary: then the line before it is the last one.
    const spot = addQueuedBefore(context.addBefore(value, tree.spotOf(value['logicalParentUuid']) ?? tree.last));
    if (boundary) omissions.add('unreadable-summary', boundary.line);
    boundary = { line, spot, kept: tree.spotOf(segment['headUuid']), tokensBefore: tokens(metadata['preTokens']) };
    repeats.hasCompaction = true;
    tree.place(value, spot);
  };

  /** Reads a message that was there before. One that a compaction writes again is kept by it, and what hangs on it follows the compaction. */
  const repeat = (value: JsonObject, first: string, line: number): void => {
    if (!repeats.hasCompaction || !repeats.has(first)) {
      if (repeats.differs(value, first)) omissions.add('same-id', line);
      return;
    }
    const before = tree.spotOf(first);
    if (boundary) {
      boundary = { ...boundary, kept: boundary.kept ?? before };
      again.push({ uuid: first }, { uuid: value['uuid'] });
      if (value['uuid'] !== first) tree.place(value, boundary.spot);
      return;
    }
    if (before) tree.keepFrom(before);
    tree.place({ uuid: first }, tree.last);
    tree.place(value, tree.last);
  };

  const read = (value: JsonObject, line: number): void => {
    time = isoTime(value['timestamp']) ?? (time === '' ? stamp.now().toISOString() : time);
    const { type, message } = value;
    if (titles.add(value)) return;
    if (type === 'queue-operation') {
      if (!queue.operation(value, time)) omissions.add('line-type', line, `${type}: ${asString(value['reason']) ?? ''}`);
      if (queue.isFull) addQueued(tree.last);
      return;
    }
    const first = repeats.firstOf(value, tree.spotOf(value['uuid']) !== undefined);
    if (first !== undefined) {
      repeat(value, first, line);
      return;
    }
    if (value['isSidechain'] === true && (type === 'user' || type === 'assistant')) subagentLines.push(line);
    if (type === 'assistant' && isObject(message)) addAnswer(value, message, line);
    else if (type === 'user' && isObject(message)) addUser(value, message, line);
    else if (type === 'system' && value['subtype'] === 'compact_boundary') addBoundary(value, line);
    else if (!addAttachment(value, line)) {
      const spot = tree.parentOf(value) ?? tree.lastOf(value);
      const kind = seenKind(value);
      const given = kind === undefined ? undefined : contentOf(value);
      if (given) context.add(value, spot, time, given);
      else tree.skip(value, spot);
      if (kind !== undefined && !given) omissions.add('line-type', line, kind);
    }
    repeats.remember(value);
  };

  /** Adds the texts that the running turn took from the queue. Returns false for other lines, and for texts that were already added. */
  const addAttachment = (value: JsonObject, line: number): boolean => {
    const { attachment } = value;
    if (value['type'] !== 'attachment' || !isObject(attachment) || attachment['type'] !== 'queued_command') return false;
    const { blocks } = userContent(attachment['prompt'], line, omissions);
    const text = textsOf(blocks);
    if (blocks.length === 0) omissions.add('line-type', line, 'queued_command');
    if (blocks.length > 0 && queue.attached(text)) {
      const isProgram = isFromProgram(attachment) || isFromProgram(value) || isProgramText(text);
      tree.add(value, parentOf(value, line), time, isProgram ? noted(blocks, false) : said(blocks), 'other');
    } else tree.skip(value, tree.parentOf(value) ?? tree.lastOf(value));
    return true;
  };

  const order = new ClaudeOrder(read);
  return {
    add: (value, line, size = 0) => {
      if (facts.cwd === undefined || facts.start === undefined) facts = withFacts(facts, value);
      order.add(value, line, size);
      return tree.take();
    },
    end: () => {
      order.end();
      context.end();
      addQueued(tree.last);
      leafId = tree.end();
      if (boundary) omissions.add('unreadable-summary', boundary.line);
      if (tree.hasMain) for (const line of subagentLines) omissions.add('subagent', line);
      const { name } = titles;
      const entries = tree.take();
      if (name !== undefined) {
        const id = ids.take();
        entries.push({ type: 'session_info', id, parentId: leafId, timestamp: time, name });
        leafId = id;
      }
      return entries;
    },
    get facts() {
      return facts;
    },
    get leafId() {
      return leafId;
    },
  };
}
