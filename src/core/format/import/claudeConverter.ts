/**
 * Converts a session of Claude Code (`~/.claude/projects/<project>/<session id>.jsonl`) to format 3 (FORMAT section 8). Its lines form a tree by
 * `uuid` and `parentUuid`. A compaction is a `compact_boundary` without a parent, whose `logicalParentUuid` is the last line
 * before it, and a line with `isCompactSummary`; `preservedSegment` names what is kept of the lines before. These names and
 * their meaning are those of public parsers and their samples: github.com/daaain/claude-code-log,
 * github.com/microsoft/amplifier (ai_working/claude_code_logging).
 */
import { defined } from '../entry/defined';
import { asString, isObject, type JsonObject } from '../entry/jsonValues';
import { assistantContent, userContent } from './claudeContent';
import { ClaudeTurn } from './claudeTurn';
import { isoTime, textsOf, tokens, type Converter, type ConverterTools, type ForeignFacts } from './converter';

/** The place of a line's children: behind an entry, or behind an answer that may still grow. */
type Place = string | ClaudeTurn | null;

/** The model of lines that the program made without one. */
const NO_MODEL = '<synthetic>';

/** The lines that name a session. The first kind that the file has counts. */
const TITLE_TYPES = ['custom-title', 'ai-title', 'summary'] as const;
type TitleType = (typeof TITLE_TYPES)[number];

/** Adds the facts that a line states about the whole session. The first line that states a fact counts. */
function withFacts(facts: ForeignFacts, value: JsonObject): ForeignFacts {
  return defined({
    sessionId: facts.sessionId ?? asString(value['sessionId']),
    cwd: facts.cwd ?? asString(value['cwd']),
    start: facts.start ?? isoTime(value['timestamp']),
  });
}

export function createClaudeConverter({ stamp, omissions, ids }: ConverterTools): Converter {
  /** The places of all lines that are part of the tree, by `uuid`. */
  const places = new Map<string, Place>();
  const turns = new Map<string, ClaudeTurn>();
  const counted = new Set<string>();
  const toolNames = new Map<string, string>();
  const titles = new Map<TitleType, { readonly text: string; readonly line: number }>();
  let facts: ForeignFacts = {};
  const out: JsonObject[] = [];
  /** The last line of the conversation itself, and of any, subagents included. */
  let last: Place = null;
  let lastOfAny: Place = null;
  let boundary: { readonly line: number; readonly place: Place; readonly kept: unknown; readonly tokensBefore: number } | undefined;
  let model = NO_MODEL;
  let time = '';
  let leafId: string | null = null;

  const close = (turn: ClaudeTurn): void => {
    if (turn.isClosed) return;
    out.push(...turn.close(counted.has(turn.key)));
    counted.add(turn.key);
    turns.delete(turn.key);
  };
  const idOf = (place: Place): string | null => {
    if (!(place instanceof ClaudeTurn)) return place;
    close(place);
    return place.tailId;
  };

  /** The place of a line's parent. A parent that isn't in the file is replaced by the line before. */
  const parentOf = (value: JsonObject, line: number): Place => {
    const parent = value['parentUuid'];
    if (typeof parent !== 'string') return parent === undefined || value['isCompactSummary'] === true ? last : null;
    const place = places.get(parent);
    if (place !== undefined) return place;
    omissions.add('missing-parent', line);
    return last;
  };
  const settle = (value: JsonObject, place: Place): void => {
    if (typeof value['uuid'] === 'string') places.set(value['uuid'], place);
  };
  const reach = (value: JsonObject, place: Place): void => {
    settle(value, place);
    lastOfAny = place;
    if (value['isSidechain'] !== true) last = place;
  };
  const emit = (value: JsonObject, parent: Place, entry: JsonObject): void => {
    const id = ids.take(value['uuid']);
    const parentId = idOf(parent);
    const { type, ...rest } = entry;
    const filled = type === 'compaction' && rest['firstKeptEntryId'] === undefined ? { ...rest, firstKeptEntryId: id } : rest;
    out.push({ type, id, parentId, timestamp: time, ...filled });
    reach(value, id);
  };

  const addAnswer = (value: JsonObject, message: JsonObject, line: number): void => {
    const messageId = asString(message['id']);
    let turn = messageId === undefined ? undefined : turns.get(messageId);
    if (!turn) {
      const parentId = idOf(parentOf(value, line));
      const given = asString(message['model']) ?? NO_MODEL;
      if (given !== NO_MODEL) model = given;
      const id = ids.take(value['uuid']);
      turn = new ClaudeTurn(id, messageId ?? id, {
        parentId,
        time,
        model,
        costUSD: value['costUSD'],
        isSubagent: value['isSidechain'] === true,
      });
      turns.set(turn.key, turn);
    }
    const blocks = assistantContent(message['content'], line, omissions);
    for (const { type, id, name } of blocks) if (type === 'toolCall') toolNames.set(String(id), String(name));
    turn.add(blocks, message, value['isApiErrorMessage'] === true);
    reach(value, turn);
  };

  const addUser = (value: JsonObject, message: JsonObject, line: number): void => {
    const parent = parentOf(value, line);
    const { blocks, results } = userContent(message['content'], line, omissions);
    if (results.length === 0) {
      addSaid(value, parent, blocks);
      return;
    }
    const details = isObject(value['toolUseResult']) ? { details: { toolUseResult: value['toolUseResult'] } } : {};
    let place = parent;
    let wanted = value['uuid'];
    const timestamp = Date.parse(time);
    const append = (one: JsonObject): void => {
      const id = ids.take(wanted);
      wanted = undefined;
      if (place instanceof ClaudeTurn && !place.isClosed) place.addResult(id, time, one);
      else {
        out.push({ type: 'message', id, parentId: idOf(place), timestamp: time, message: one });
        place = id;
      }
    };
    for (const { callId, content, isError } of results) {
      const toolName = toolNames.get(callId) ?? '';
      append({ role: 'toolResult', toolCallId: callId, toolName, content, ...details, isError, timestamp });
    }
    if (blocks.length > 0) append({ role: 'user', content: blocks, timestamp });
    reach(value, place);
  };

  const addSaid = (value: JsonObject, parent: Place, blocks: readonly JsonObject[]): void => {
    // Nothing is added to the answers before a prompt, so entries keep the order of the lines.
    if (value['isSidechain'] !== true) for (const turn of [...turns.values()]) if (!turn.isSubagent) close(turn);
    if (value['isCompactSummary'] === true) {
      const kept = typeof boundary?.kept === 'string' ? places.get(boundary.kept) : undefined;
      const firstKept = kept instanceof ClaudeTurn ? kept.entryId : kept;
      emit(value, boundary?.place ?? parent, {
        type: 'compaction',
        summary: textsOf(blocks),
        ...(typeof firstKept === 'string' ? { firstKeptEntryId: firstKept } : {}),
        tokensBefore: boundary?.tokensBefore ?? 0,
      });
      boundary = undefined;
    } else if (value['isMeta'] === true) {
      emit(value, parent, { type: 'custom_message', customType: 'claude-code.meta', content: blocks, display: false });
    } else emit(value, parent, { type: 'message', message: { role: 'user', content: blocks, timestamp: Date.parse(time) } });
  };

  const addBoundary = (value: JsonObject, line: number): void => {
    const metadata = isObject(value['compactMetadata']) ? value['compactMetadata'] : {};
    const segment = isObject(metadata['preservedSegment']) ? metadata['preservedSegment'] : {};
    const logical = value['logicalParentUuid'];
    // Kept lines may have been written again, behind the boundary: then the line before it is the last one.
    const place = (typeof logical === 'string' ? places.get(logical) : undefined) ?? last;
    if (boundary) omissions.add('unreadable-summary', boundary.line);
    boundary = { line, place, kept: segment['headUuid'], tokensBefore: tokens(metadata['preTokens']) };
    settle(value, place);
  };

  const addTitle = (type: TitleType, value: JsonObject, line: number): void => {
    const text = asString(value['customTitle'] ?? value['aiTitle'] ?? value['summary']);
    if (text === undefined) return;
    const before = titles.get(type);
    if (before && before.text !== text) omissions.add('line-type', before.line, type);
    titles.set(type, { text, line });
  };

  /** Returns the session's name, and names the lines of others. */
  const takeName = (): string | undefined => {
    const [name, ...others] = TITLE_TYPES.map((type) => ({ type, title: titles.get(type) })).filter(({ title }) => title !== undefined);
    for (const { type, title } of others) if (title && title.text !== name?.title?.text) omissions.add('line-type', title.line, type);
    return name?.title?.text;
  };

  const read = (value: JsonObject, line: number): void => {
    time = isoTime(value['timestamp']) ?? (time === '' ? stamp.now().toISOString() : time);
    if (facts.cwd === undefined || facts.start === undefined) facts = withFacts(facts, value);
    const { type, uuid, message } = value;
    const titleType = TITLE_TYPES.find((one) => one === type);
    if (titleType) {
      addTitle(titleType, value, line);
      return;
    }
    if (typeof uuid === 'string' && places.has(uuid)) {
      omissions.add('same-id', line);
      return;
    }
    if (value['isSidechain'] === true && (type === 'user' || type === 'assistant')) omissions.add('subagent', line);
    if (type === 'assistant' && isObject(message)) addAnswer(value, message, line);
    else if (type === 'user' && isObject(message)) addUser(value, message, line);
    else if (type === 'system' && value['subtype'] === 'compact_boundary') addBoundary(value, line);
    else {
      const kind = type === 'system' ? value['subtype'] : isObject(value['attachment']) ? value['attachment']['type'] : undefined;
      omissions.add('line-type', line, [asString(type) ?? '', asString(kind) ?? ''].filter((part) => part !== '').join(': '));
      if (typeof uuid === 'string')
        settle(value, typeof value['parentUuid'] === 'string' ? (places.get(value['parentUuid']) ?? last) : last);
    }
  };

  return {
    add: (value, line) => {
      read(value, line);
      return out.splice(0);
    },
    end: () => {
      for (const turn of [...turns.values()]) close(turn);
      if (boundary) omissions.add('unreadable-summary', boundary.line);
      leafId = idOf(last ?? lastOfAny);
      const name = takeName();
      if (name !== undefined && name.trim() !== '') {
        const id = ids.take();
        out.push({ type: 'session_info', id, parentId: leafId, timestamp: time, name });
        leafId = id;
      }
      return out.splice(0);
    },
    get facts() {
      return facts;
    },
    get leafId() {
      return leafId;
    },
  };
}
