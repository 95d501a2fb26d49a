/**
 * The tree of a session of Claude Code while its lines are read: the places of lines, the answers that may still grow, and the
 * entries that are complete. Only lines with a message are entries; the others have the place of an entry.
 */
import { asString, isArray, isObject, type JsonObject } from '../../values/jsonValues';
import { ClaudeTurn } from './claudeTurn';
import type { EntryIds } from '../converter';

/** The place of a line's children: below an entry, or below an answer that may still grow. */
type Place = string | ClaudeTurn | null;

/** A place, and the prompt that led to it. */
export interface Spot {
  readonly place: Place;
  /** The prompt's entry; `null` before the first. */
  readonly prompt: string | null;
  /** True for the place of a line without a message. */
  readonly isSkipped?: true;
}

const ROOT: Spot = { place: null, prompt: null };

export class ClaudeTree {
  private readonly spots = new Map<string, Spot>();
  private readonly turns = new Map<string, ClaudeTurn>();
  /** The open answers, by the ids of their calls. */
  private readonly calls = new Map<string, ClaudeTurn>();
  private readonly counted = new Set<string>();
  /** The last places that each prompt led to. */
  private readonly tips = new Map<string | null, Spot>();
  /** A compaction, until it's clear which of the lines before it are written again. */
  private compaction: JsonObject | undefined;
  private readonly out: JsonObject[] = [];
  /** The last place of the conversation itself, of any, subagents included, and of each subagent. */
  private mainTip: Spot | undefined;
  private anyTip: Spot = ROOT;
  private readonly agentTips = new Map<string, Spot>();
  /** Set once an answer or a result has no parent: then a prompt without one begins no branch either. */
  private isFlat = false;

  constructor(private readonly ids: EntryIds) {}

  /** The last place of the conversation. */
  get last(): Spot {
    return this.mainTip ?? ROOT;
  }

  /** The last place of the conversation that a line belongs to. */
  lastOf(value: JsonObject): Spot {
    return isOfSubagent(value) ? (this.agentTips.get(agentOf(value)) ?? ROOT) : this.last;
  }

  /** True if the conversation itself has begun, not only conversations of subagents. */
  get hasMain(): boolean {
    return this.mainTip !== undefined;
  }

  /** The place of a line that was read. */
  spotOf(uuid: unknown): Spot | undefined {
    return typeof uuid === 'string' ? this.spots.get(uuid) : undefined;
  }

  /** The place of a line's parent; `undefined` if it isn't in the file. */
  parentOf(value: JsonObject): Spot | undefined {
    const parent = value['parentUuid'];
    if (typeof parent === 'string') return this.current(this.spots.get(parent));
    const last = this.lastOf(value);
    this.isFlat ||= last.place !== null && isContinuation(value);
    return parent === undefined || this.isFlat || value['isCompactSummary'] === true ? last : ROOT;
  }

  /** Places a line without a message. It never begins a branch: what follows it continues what its prompt led to by then. */
  skip(value: JsonObject, parent: Spot): void {
    this.place(value, { ...parent, isSkipped: true });
  }

  /** Gives a line's children a place. */
  place({ uuid }: JsonObject, spot: Spot): void {
    if (typeof uuid === 'string') this.spots.set(uuid, spot);
  }

  /** Adds an entry with the line's ID, and returns its place. @param time ISO 8601 */
  add(value: JsonObject, parent: Spot, time: string, entry: JsonObject, kind: 'prompt' | 'result' | 'other'): Spot {
    const { type, ...rest } = entry;
    const id = this.ids.take(value['uuid']);
    const line = { type, id, timestamp: time, ...rest };
    const place = parent.place;
    if (kind !== 'prompt' && place instanceof ClaudeTurn) {
      if (place.isClosed) this.push([place.follow(line)]);
      else place.addBehind(line, kind === 'result');
      return this.reach(value, parent);
    }
    this.push([{ type, id, parentId: this.idOf(parent), timestamp: time, ...rest }]);
    return this.reach(value, { place: id, prompt: kind === 'prompt' ? id : parent.prompt });
  }

  /** Adds a compaction. What it keeps may still be found. */
  compact(value: JsonObject, parent: Spot, time: string, summary: string, tokensBefore: number, kept: Spot | undefined): void {
    const parentId = this.idOf(parent);
    const id = this.ids.take(value['uuid']);
    this.push([]);
    this.compaction = { type: 'compaction', id, parentId, timestamp: time, summary, tokensBefore };
    if (kept) this.keepFrom(kept);
    this.reach(value, { place: id, prompt: id });
  }

  /** Names the first entry that a compaction kept, unless it's known. */
  keepFrom({ place }: Spot): void {
    const firstKeptEntryId = place instanceof ClaudeTurn ? place.entryId : place;
    if (this.compaction && this.compaction['firstKeptEntryId'] === undefined && firstKeptEntryId !== null)
      this.compaction = { ...this.compaction, firstKeptEntryId };
  }

  /** Returns the open answer with a message's id. */
  openTurn(key: unknown): ClaudeTurn | undefined {
    return typeof key === 'string' ? this.turns.get(key) : undefined;
  }

  /** Begins an answer. */
  beginTurn(value: JsonObject, parent: Spot, time: string, model: string, messageId: string | undefined): ClaudeTurn {
    const parentId = this.idOf(parent);
    const id = this.ids.take(value['uuid']);
    const isSubagent = value['isSidechain'] === true;
    const turn = new ClaudeTurn(id, messageId ?? id, {
      parentId,
      prompt: parent.prompt,
      time,
      model,
      costUSD: value['costUSD'],
      isSubagent,
    });
    this.turns.set(turn.key, turn);
    return turn;
  }

  /** Adds a line to an answer. */
  grow(value: JsonObject, turn: ClaudeTurn, blocks: readonly JsonObject[]): void {
    turn.add(blocks, isObject(value['message']) ? value['message'] : {}, value['isApiErrorMessage'] === true);
    for (const { type, id } of blocks) if (type === 'toolCall') this.calls.set(asString(id) ?? '', turn);
    this.reach(value, { place: turn, prompt: turn.prompt });
  }

  /** The place of a call's result: below its answer while that's open. */
  besideCall(callId: string): Spot | undefined {
    const turn = this.calls.get(callId);
    return turn && { place: turn, prompt: turn.prompt };
  }

  /** Nothing is added to the answers before a prompt, so entries keep the order of the lines. */
  closeTurns(): void {
    for (const turn of [...this.turns.values()]) if (!turn.isSubagent) this.close(turn);
  }

  /** Returns the entries that are complete. */
  take(): JsonObject[] {
    return this.out.splice(0);
  }

  /** Completes everything, and returns the entry at which the session continues. */
  end(): string | null {
    for (const turn of [...this.turns.values()]) this.close(turn);
    this.push([]);
    return this.idOf(this.mainTip ?? this.anyTip);
  }

  /** The last place that the prompt of a place led to. */
  tipOf(spot: Spot): Spot {
    return this.tips.get(spot.prompt) ?? spot;
  }

  private current(spot: Spot | undefined): Spot | undefined {
    return spot?.isSkipped ? this.tipOf(spot) : spot;
  }

  private reach(value: JsonObject, spot: Spot): Spot {
    this.place(value, spot);
    this.tips.set(spot.prompt, spot);
    this.anyTip = spot;
    if (isOfSubagent(value)) this.agentTips.set(agentOf(value), spot);
    else this.mainTip = spot;
    return spot;
  }

  private idOf({ place }: Spot): string | null {
    if (!(place instanceof ClaudeTurn)) return place;
    this.close(place);
    return place.tailId;
  }

  private close(turn: ClaudeTurn): void {
    if (turn.isClosed) return;
    this.push(turn.close(this.counted.has(turn.key)));
    this.counted.add(turn.key);
    this.turns.delete(turn.key);
    for (const id of turn.callIds) if (this.calls.get(id) === turn) this.calls.delete(id);
  }

  private push(entries: readonly JsonObject[]): void {
    if (this.compaction)
      this.out.push({ ...this.compaction, firstKeptEntryId: this.compaction['firstKeptEntryId'] ?? this.compaction['id'] });
    this.compaction = undefined;
    for (const entry of entries) this.out.push(entry);
  }
}

const isOfSubagent = (value: JsonObject): boolean => value['isSidechain'] === true;

/** Returns a name for the conversation that a line belongs to: the session's own, or a subagent's. */
export const agentOf = (value: JsonObject): string => (isOfSubagent(value) ? `agent ${asString(value['agentId']) ?? ''}` : '');

/** True for an answer or a result, which never begin a conversation. */
function isContinuation({ type, message }: JsonObject): boolean {
  const content = isObject(message) ? message['content'] : undefined;
  return type === 'assistant' || (isArray(content) && content.some((block) => isObject(block) && block['type'] === 'tool_result'));
}
