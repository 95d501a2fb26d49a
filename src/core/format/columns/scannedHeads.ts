/**
 * Collects the heads of a file while it is read. For messages, the scanner keeps rows from which the heads can be made
 * later; all other heads are kept as objects.
 */
import { tableSize, allTexts, lookUp, type StringTable } from './stringTable';
import { MAX_CONTENT_LENGTH, describeMessage, describeToolCall, describeUserText } from '../entry/rowText';
import { asString, isObject, textOf, type JsonObject } from '../entry/entry';
import type { PathBases } from '../entry/callWords';
import { excerpt } from '../text/excerpt';
import { recordToolCallTexts, type ToolCallTexts, type EntryHead } from '../entry/entryHead';
import type { HeadColumns, IdIndex, HeadProfile } from './headColumns';
import { HeadTable } from './headTable';
import { doublesOf } from './scannerInstance';
import { NONE, PROFILE_NAME_MARK, ProfileFlag, TABLE_ENTRY_LENGTH, TableEntry, UsageField } from './scannerLayout';
import { ROLES, type ScannedRows } from './scannerRows';

/** Number of content bytes that are decoded at once. */
const CONTENT_BLOCK = 16 * 1024;

/**
 * A row's index is the place of its head. The table that is made from the rows uses the scanner's memory, and is valid
 * until the scanner starts another file.
 */
export class ScannedHeads implements ToolCallTexts {
  private readonly irregular = new Map<number, EntryHead>();
  /** The parts of message texts that rows need and the scanner doesn't keep, by place: the rows of user messages, and the beginnings of others. */
  private readonly texts = new Map<number, string>();
  /** Texts of calls that the scanner doesn't keep either. It has the numbers -2, -3 and so on for them. */
  private readonly callTexts: string[] = [];
  /** Texts of calls whose ids the scanner doesn't take. */
  private readonly otherCalls = new Map<string, string>();
  private count = 0;
  /** The scanner's data, once all heads were requested. */
  private snapshot: WasmSnapshot | undefined;

  /**
   * @param rows the rows that the heads are made from
   * @param bases the folders that rows show paths relative to
   */
  constructor(
    readonly rows: ScannedRows,
    private readonly bases: PathBases,
  ) {}

  /** @returns false if the scanner can't represent the head */
  add(head: EntryHead): boolean {
    if (!this.rows.addParsedEntry(head)) return false;
    this.irregular.set(this.count, head);
    this.addScanned(1);
    return true;
  }

  /** Counts messages that the scanner added as rows. */
  addScanned(messages: number): void {
    this.count += messages;
    this.snapshot = undefined;
  }

  /** Keeps the text of the last scanned message, if the scanner doesn't. */
  keepMessageText(message: JsonObject): void {
    const text = textOf(message['content']);
    this.texts.set(this.count - 1, message['role'] === 'user' ? describeUserText(text) : excerpt(text, MAX_CONTENT_LENGTH));
    recordToolCallTexts(message, { bases: this.bases, toolCallTexts: this });
  }

  /** The id of the last head. */
  get lastId(): string | undefined {
    return this.count === 0 ? undefined : (this.irregular.get(this.count - 1)?.id ?? this.rows.lastId);
  }

  get(id: string): string | undefined {
    const other = this.otherCalls.get(id);
    if (other !== undefined) return other;
    const call = this.snapshot ? (lookUp(this.snapshot.calls, id) ?? NONE) : this.rows.findCall(id);
    return call === NONE ? undefined : this.callText(call, id);
  }

  set(id: string, text: string): void {
    if (this.snapshot || !this.rows.putCall(id, -1 - this.callTexts.push(text))) this.otherCalls.set(id, text);
  }

  *keys(): Generator<string, undefined> {
    const { calls } = this.takeSnapshot();
    for (const id of allTexts(calls)) if (!this.otherCalls.has(id) && lookUp(calls, id) !== NONE) yield id;
    yield* this.otherCalls.keys();
  }

  /** Makes a table without making the heads; `undefined` if an id is repeated, a parent follows its child, or a line moves the leaf. */
  table(): HeadTable | undefined {
    const { ids, count } = this.takeSnapshot();
    if (tableSize(ids) < count) return undefined;
    for (const [place, { type, parentId }] of this.irregular)
      if (type === 'leaf' || (parentId !== null && (lookUp(ids, parentId) ?? NONE) >= place)) return undefined;
    return new HeadTable(this.columns(), this.ids());
  }

  /** Makes all heads, each as an object of its own. */
  heads(): EntryHead[] {
    const table = new HeadTable(this.columns(), this.ids());
    const copies = Array.from({ length: table.length }, (_, place) => table.at(place));
    // The scanner's data may have moved by the next access.
    this.snapshot = undefined;
    return copies;
  }

  private takeSnapshot(): WasmSnapshot {
    return (this.snapshot ??= new WasmSnapshot(this.rows, this.count));
  }

  private ids(): IdIndex {
    const kept = this.takeSnapshot();
    return { length: kept.count, at: (place) => this.irregular.get(place)?.id ?? kept.idAt(place), indexOf: (id) => lookUp(kept.ids, id) };
  }

  private columns(): HeadColumns {
    const kept = this.takeSnapshot();
    const { rows } = this;
    const time = rows.doubles('time');
    const timestamps = new IsoTimestamps();
    return {
      profiles: kept.profiles,
      profile: kept.profile,
      irregular: this.irregular,
      parent: rows.ints('parent'),
      line: rows.ints('line'),
      offset: rows.doubles('offset'),
      size: rows.ints('size'),
      time,
      messageTime: rows.doubles('messageTime'),
      usage: rows.ints('usage'),
      tokens: kept.usages,
      costs: kept.usages.subarray(UsageField.inputCost),
      timestamp: (place) => timestamps.of(time[place]!),
      text: (place) => this.text(place),
      toolCallId: (place) => kept.callIdAt(place),
    };
  }

  private text(place: number): string {
    const kept = this.takeSnapshot();
    const { role, toolName, stopReason } = kept.profiles[kept.profile[place]!]!;
    const known = this.texts.get(place);
    if (role === 'user' && known !== undefined) return known;
    if (role !== 'toolResult') return describeMessage({ role, content: known ?? kept.content(place), stopReason }, undefined);
    const call = kept.callPlace[place]!;
    return describeMessage({ role, toolName }, call === NONE ? undefined : this.callText(call, kept.callIdAt(place)));
  }

  private callText(call: number, id: string): string {
    if (call < NONE) return this.callTexts[NONE - 1 - call]!;
    const content = this.snapshot ? this.snapshot.content(call) : this.rows.contentOf(call);
    // If an id is repeated, the last call counts.
    const block = (content as readonly JsonObject[]).findLast((one) => isObject(one) && one['type'] === 'toolCall' && one['id'] === id);
    return describeToolCall(asString(block?.['name']) ?? 'tool', block?.['arguments'], this.bases);
  }
}

/** Views of the scanner's data after the whole file was read. */
class WasmSnapshot {
  readonly ids: StringTable;
  readonly calls: StringTable;
  readonly usages: Float64Array;
  readonly profiles: readonly HeadProfile[];
  readonly profile: Int32Array;
  readonly call: Int32Array;
  readonly callPlace: Int32Array;
  private readonly idFrom: Int32Array;
  private readonly idSize: Int32Array;
  private readonly contents: Uint8Array;
  private readonly contentFrom: Int32Array;
  private readonly contentSize: Int32Array;
  private readonly decoder = new TextDecoder();
  private decodedIds: string | undefined;
  private decodedCalls: string | undefined;
  private block: { readonly from: number; readonly to: number; readonly text: string | undefined } = { from: 0, to: 0, text: '' };
  private lastContent: { readonly place: number; readonly content: unknown } | undefined;

  constructor(
    rows: ScannedRows,
    readonly count: number,
  ) {
    this.ids = rows.table('ids');
    this.calls = rows.table('calls');
    this.usages = doublesOf(rows.part('usages'));
    this.profiles = allTexts(rows.table('profiles')).map(parseProfile);
    this.profile = rows.ints('profile');
    this.call = rows.ints('call');
    this.callPlace = rows.ints('callPlace');
    this.idFrom = rows.ints('idFrom');
    this.idSize = rows.ints('idSize');
    this.contents = rows.part('contents');
    this.contentFrom = rows.ints('contentFrom');
    this.contentSize = rows.ints('contentSize');
  }

  idAt(place: number): string {
    const from = this.idFrom[place]!;
    this.decodedIds ??= this.decoder.decode(this.ids.bytes);
    return this.decodedIds.substring(from, from + this.idSize[place]!);
  }

  /** Returns the id of the call that a tool result answers. */
  callIdAt(place: number): string {
    const { entries, bytes } = this.calls;
    const at = this.call[place]! * TABLE_ENTRY_LENGTH;
    this.decodedCalls ??= this.decoder.decode(bytes);
    const from = entries[at + TableEntry.from]!;
    return this.decodedCalls.substring(from, from + entries[at + TableEntry.length]!);
  }

  content(place: number): unknown {
    // All results of a message with many calls read the same content.
    if (this.lastContent?.place !== place)
      this.lastContent = {
        place,
        content: JSON.parse(this.contentText(this.contentFrom[place]!, this.contentSize[place]!) || 'null') as unknown,
      };
    return this.lastContent.content;
  }

  /** Decodes a whole block at once, because a call of the decoder costs more than the bytes of a short message. */
  private contentText(from: number, size: number): string {
    let { block } = this;
    if (from < block.from || from + size > block.to) {
      const to = Math.min(this.contents.length, from + Math.max(size, CONTENT_BLOCK));
      const text = this.decoder.decode(this.contents.subarray(from, to));
      // Byte positions are character positions only if all of the text is ASCII.
      this.block = block = { from, to, text: text.length === to - from ? text : undefined };
    }
    return block.text === undefined
      ? this.decoder.decode(this.contents.subarray(from, from + size))
      : block.text.slice(from - block.from, from - block.from + size);
  }
}

const MINUTE = 60_000;
const DIGIT_ZERO = 0x30;

/**
 * Does the same as `Date.toISOString`, for times that mostly are in the same minute as the previous one: keeps the
 * characters up to the minute. The text is decoded from bytes, because a concatenated string keeps its parts in memory.
 */
class IsoTimestamps {
  private minute = NaN;
  private bytes = new Uint8Array(0);
  private readonly decoder = new TextDecoder();

  of(time: number): string {
    const minute = Math.floor(time / MINUTE);
    if (minute !== this.minute) {
      this.bytes = new TextEncoder().encode(new Date(minute * MINUTE).toISOString());
      this.minute = minute;
    }
    // The text ends with `ss.mmmZ`.
    const { bytes } = this;
    const end = bytes.length;
    let rest = Math.trunc(time - minute * MINUTE);
    for (let index = end - 2; index >= end - 7; index--) {
      if (index === end - 5) continue;
      bytes[index] = DIGIT_ZERO + (rest % 10);
      rest = Math.trunc(rest / 10);
    }
    return this.decoder.decode(bytes);
  }
}

const NAME_MARK = String.fromCharCode(PROFILE_NAME_MARK);

/** Parses a profile that `profileNumber` in `wasm/rows.ts` wrote. */
function parseProfile(text: string): HeadProfile {
  const role = ROLES[text.charCodeAt(0)]!;
  const flags = text.charCodeAt(1);
  // Each name follows a NUL character.
  const [provider, modelId, stopReason, toolName, responseModel] = text
    .slice(2)
    .split('\0')
    .slice(1)
    .map((name) => (name.startsWith(NAME_MARK) ? name.slice(1) : undefined));
  return {
    type: 'message',
    role,
    ...(role === 'toolResult' ? {} : { hasText: (flags & ProfileFlag.hasText) !== 0 }),
    ...(provider === undefined || modelId === undefined ? {} : { model: { provider, modelId } }),
    ...(responseModel === undefined ? {} : { responseModel }),
    ...(stopReason === undefined ? {} : { stopReason }),
    ...(toolName === undefined ? {} : { toolName }),
    ...((flags & ProfileFlag.isError) === 0 ? {} : { isError: true }),
    hasUsage: (flags & ProfileFlag.hasUsage) !== 0,
    hasMessageTime: (flags & ProfileFlag.hasMessageTime) !== 0,
    hasCall: (flags & ProfileFlag.hasToolCallId) !== 0,
  };
}
