/**
 * A session's heads as bytes, so that a large file can be opened, and read on from where it ended, without reading it again.
 * Stored in columns: most of what JSON would spend time on is equal in all heads, or a number.
 */
import { hashOf, probe, buildSlots } from '../../format/columns/stringTable';
import type { Usage } from '../../format/entry/entry';
import type { EntryHead } from '../../format/entry/entryHead';
import type { HeadColumns, IdIndex, HeadProfile } from '../../format/columns/headColumns';
import { NO_PARENT } from '../../format/columns/headSource';
import { HeadTable } from '../../format/columns/headTable';
import { headsOf } from '../../format/linking/headsById';
import { linkSession, type SessionParts } from '../../format/linking/linkSession';
import { readerStateOf, type LinesState } from '../../format/linking/readerState';
import type { Session } from '../../format/session/session';
import { ColumnReader, ColumnWriter } from './columnCodec';
import { isCanonicalTimestamp, TIMESTAMP_LENGTH, formatTimestamps } from './timestamps';

/** The problems that linking the heads finds again. */
const RECOMPUTED_PROBLEMS = new Set(['unknown-parent']);
/** The problems that can't be restored from heads alone. */
const UNRESTORABLE_PROBLEMS = new Set(['duplicate-id', 'cycle', 'torn-line']);

interface StoredHeads {
  readonly parts: Omit<SessionParts, 'lines'>;
  readonly lines: Omit<LinesState, 'calls'>;
  readonly calls: (readonly [string, string])[];
  readonly profiles: readonly HeadProfile[];
  /** The heads that don't fit into the columns, by their position. */
  readonly odd: readonly (readonly [number, EntryHead])[];
}

type Draft = { -readonly [K in keyof EntryHead]: EntryHead[K] };

/** The fields that no head in the columns has. */
type RareFields = Omit<
  EntryHead,
  | 'id'
  | 'parentId'
  | 'type'
  | 'role'
  | 'timestamp'
  | 'time'
  | 'line'
  | 'offset'
  | 'length'
  | 'text'
  | 'usage'
  | 'model'
  | 'responseModel'
  | 'messageTime'
  | 'hasText'
  | 'stopReason'
  | 'toolCallId'
  | 'toolName'
  | 'isError'
>;
const RARE_FIELDS: { readonly [K in keyof Required<RareFields>]: K } = {
  modelRole: 'modelRole',
  hasNestedCalls: 'hasNestedCalls',
  thinkingLevel: 'thinkingLevel',
  targetId: 'targetId',
  label: 'label',
  customType: 'customType',
  isHidden: 'isHidden',
  firstKeptEntryId: 'firstKeptEntryId',
  fromId: 'fromId',
  retainedTail: 'retainedTail',
  omits: 'omits',
  rules: 'rules',
  mode: 'mode',
  side: 'side',
};
const RARE_FIELD_KEYS = Object.values(RARE_FIELDS);
/** In `profiles`: the head is one of the irregular ones. */
const IRREGULAR = 0xffff;
/** The number of token counts, and of dollar amounts, in a usage. */
const USAGE_NUMBERS = 5;
const INT = 0x7fffffff;
const isInt = (value: number): boolean => Number.isInteger(value) && Math.abs(value) <= INT && !Object.is(value, -0);

/** The number of heads whose texts are decoded together when one of them is read; a power of two. */
const BLOCK = 512;

/** @returns `undefined` for the few sessions that can't be restored from their heads alone */
export function encodeHeads(session: Session): Uint8Array | undefined {
  const { lines, links } = readerStateOf(session);
  if (lines.beforeLastLine || links.leafTargets.size > 0 || session.problems.some(({ code }) => UNRESTORABLE_PROBLEMS.has(code)))
    return undefined;
  const columns = new HeadColumnsWriter();
  const answered = new Set<string>();
  const heads = headsOf(session);
  for (let place = 0; place < heads.length; place++) {
    const head = heads.peek(place);
    if (head.toolCallId !== undefined) answered.add(head.toolCallId);
    columns.add(head);
  }
  const { calls, ...rest } = lines;
  const stored: StoredHeads = {
    parts: {
      path: session.path,
      dialect: session.dialect,
      ...(session.name === undefined ? {} : { name: session.name }),
      problems: session.problems.filter(({ code }) => !RECOMPUTED_PROBLEMS.has(code)),
      hasGivenIds: session.hasGivenIds,
      ...(session.marks ? { marks: session.marks } : {}),
      ...(session.leafId === null ? {} : { leafId: session.leafId }),
      size: session.size,
    },
    lines: rest,
    calls: Array.from(calls.keys()).flatMap((id) => (answered.has(id) ? [] : [[id, calls.get(id)!]])),
    profiles: columns.profiles,
    odd: columns.irregular,
  };
  return columns.finish(JSON.stringify(stored));
}

class HeadColumnsWriter {
  readonly profiles: HeadProfile[] = [];
  readonly irregular: [number, EntryHead][] = [];
  private readonly numbers = new Map<string, number>();
  private readonly rows = new Map<string, number>();
  private readonly profile: number[] = [];
  private readonly parents: number[] = [];
  /** The hashes of all ids, those of irregular heads included. */
  private readonly hashes: number[] = [];
  private readonly lines: number[] = [];
  private readonly offsets: number[] = [];
  private readonly lengths: number[] = [];
  private readonly times: number[] = [];
  private readonly messageTimes: number[] = [];
  private readonly tokens: number[] = [];
  private readonly costs: number[] = [];
  private readonly ids: string[] = [];
  private readonly texts: string[][] = [];
  private before: Pick<Draft, 'line' | 'offset' | 'length'> = { line: 0, offset: 0, length: 0 };

  add(head: EntryHead): void {
    const row = this.profile.length;
    if (row % BLOCK === 0) this.texts.push([]);
    const parent = head.parentId === null ? NO_PARENT : this.rows.get(head.parentId);
    if (parent === undefined || !this.fits(head)) {
      this.profile.push(IRREGULAR);
      this.irregular.push([row, head]);
    } else this.put(head, parent);
    this.rows.set(head.id, row);
    this.hashes.push(hashOf(head.id));
    this.before = head;
  }

  finish(json: string): Uint8Array {
    const writer = new ColumnWriter();
    writer.text(json);
    writer.numbers('words', this.profile);
    writer.numbers('ints', this.hashes);
    writer.numbers('ints', this.parents);
    writer.numbers('bytes', this.lines);
    writer.numbers('bytes', this.offsets);
    writer.numbers('ints', this.lengths);
    writer.numbers('doubles', this.times);
    writer.numbers('ints', this.messageTimes);
    writer.numbers('ints', this.tokens);
    writer.numbers('doubles', this.costs);
    writer.numbers(
      'words',
      this.ids.map(({ length }) => length),
    );
    writer.text(this.ids.join(''));
    writer.numbers(
      'words',
      this.texts.flat().map(({ length }) => length),
    );
    for (const texts of this.texts) writer.text(texts.join(''));
    return writer.finish();
  }

  private fits(head: EntryHead): boolean {
    const gap = head.offset - this.before.offset - this.before.length;
    const { messageTime = head.time } = head;
    return (
      [head.line - this.before.line, gap].every((value) => isInt(value) && value >= 0 && value <= 0xff) &&
      [head.length, messageTime - head.time].every(isInt) &&
      [head.id, head.text, head.toolCallId ?? ''].every(({ length }) => length <= 0xffff) &&
      isCanonicalTimestamp(head.timestamp, head.time) &&
      fitsUsage(head.usage) &&
      this.profiles.length < IRREGULAR &&
      RARE_FIELD_KEYS.every((key) => head[key] === undefined)
    );
  }

  private put(head: EntryHead, parent: number): void {
    this.profile.push(this.profileOf(head));
    this.parents.push(parent);
    this.lines.push(head.line - this.before.line);
    this.offsets.push(head.offset - this.before.offset - this.before.length);
    this.lengths.push(head.length);
    this.times.push(head.time);
    this.ids.push(head.id);
    this.text(head.text);
    if (head.toolCallId !== undefined) this.text(head.toolCallId);
    if (head.messageTime !== undefined) this.messageTimes.push(head.messageTime - head.time);
    const { usage } = head;
    if (!usage?.cost) return;
    this.tokens.push(usage.input, usage.output, usage.cacheRead, usage.cacheWrite, usage.totalTokens!);
    this.costs.push(usage.cost.input, usage.cost.output, usage.cost.cacheRead, usage.cost.cacheWrite, usage.cost.total);
  }

  private text(text: string): void {
    this.texts.at(-1)!.push(text);
  }

  private profileOf({
    type,
    role,
    hasText,
    model,
    responseModel,
    stopReason,
    toolName,
    isError,
    usage,
    messageTime,
    toolCallId,
  }: EntryHead): number {
    const profile = {
      type,
      role,
      hasText,
      model,
      responseModel,
      stopReason,
      toolName,
      isError,
      hasUsage: usage !== undefined,
      hasMessageTime: messageTime !== undefined,
      hasCall: toolCallId !== undefined,
    };
    const key = JSON.stringify(profile);
    let number = this.numbers.get(key);
    if (number === undefined) this.numbers.set(key, (number = this.profiles.push(JSON.parse(key) as HeadProfile) - 1));
    return number;
  }
}

/** True if there is no usage, or one with all fields that the programs write. */
function fitsUsage(usage: Usage | undefined): boolean {
  if (!usage) return true;
  const { input, output, cacheRead, cacheWrite, totalTokens, cost } = usage;
  return totalTokens !== undefined && cost !== undefined && [input, output, cacheRead, cacheWrite, totalTokens].every(isInt);
}

/** @throws if the bytes aren't those of `encodeHeads` */
export function decodeHeads(bytes: Uint8Array): Session {
  const reader = new ColumnReader(bytes);
  const stored = JSON.parse(reader.text()) as StoredHeads;
  return linkSession({ ...stored.parts, lines: { ...stored.lines, calls: new Map(stored.calls) } }, tableOf(reader, stored))!;
}

function tableOf(reader: ColumnReader, { profiles, odd }: StoredHeads): HeadTable {
  const [profile, hashes, parents, lines, offsets, lengths, times, messageTimes, tokens, costs, idLengths] = [
    reader.numbers('words'),
    reader.numbers('ints'),
    reader.numbers('ints'),
    reader.numbers('bytes'),
    reader.numbers('bytes'),
    reader.numbers('ints'),
    reader.numbers('doubles'),
    reader.numbers('ints'),
    reader.numbers('ints'),
    reader.numbers('doubles'),
    reader.numbers('words'),
  ];
  const [letters, textLengths] = [reader.text(), reader.numbers('words')];
  const count = profile.length;
  const texts = Array.from({ length: Math.ceil(count / BLOCK) }, () => reader.lazyText());
  const [parent, size, usage] = [new Int32Array(count), new Int32Array(count), new Int32Array(count)];
  const [line, id, idEnd, text, textEnd, callEnd] = [
    new Uint32Array(count),
    new Uint32Array(count),
    new Uint32Array(count),
    new Uint32Array(count),
    new Uint32Array(count),
    new Uint32Array(count),
  ];
  const [offset, time, messageTime] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)];
  const irregular = new Map(odd);
  let timestamps: string | undefined;
  let [stored, message, used, part, at, letter, lastLine, end] = [0, 0, 0, 0, 0, 0, 0, 0];
  for (let row = 0; row < count; row++) {
    if (row % BLOCK === 0) at = 0;
    const number = profile[row]!;
    if (number === IRREGULAR) {
      const head = irregular.get(row)!;
      line[row] = lastLine = head.line;
      offset[row] = head.offset;
      size[row] = head.length;
      end = head.offset + head.length;
      time[row] = head.time;
    } else {
      const { hasUsage, hasMessageTime, hasCall } = profiles[number]!;
      id[row] = letter;
      idEnd[row] = letter += idLengths[stored]!;
      parent[row] = parents[stored]!;
      line[row] = lastLine += lines[stored]!;
      offset[row] = end + offsets[stored]!;
      size[row] = lengths[stored]!;
      end = offset[row]! + size[row]!;
      time[row] = times[stored]!;
      if (hasMessageTime) messageTime[row] = time[row]! + messageTimes[message++]!;
      if (hasUsage) usage[row] = used++ * USAGE_NUMBERS;
      text[row] = at;
      textEnd[row] = at += textLengths[part++]!;
      callEnd[row] = hasCall ? (at += textLengths[part++]!) : at;
      stored++;
    }
  }
  const ids = idsOf(hashes, (row) => irregular.get(row)?.id ?? letters.slice(id[row], idEnd[row]));
  for (const [row, { parentId }] of odd) parent[row] = parentId === null ? NO_PARENT : (ids.indexOf(parentId) ?? NO_PARENT);
  const columns: HeadColumns = {
    profiles,
    profile,
    irregular,
    parent,
    line,
    offset,
    size,
    time,
    messageTime,
    usage,
    tokens,
    costs,
    timestamp: (row) =>
      (timestamps ??= formatTimestamps(time.map((at, index) => (profile[index] === IRREGULAR ? 0 : at)))).slice(
        row * TIMESTAMP_LENGTH,
        (row + 1) * TIMESTAMP_LENGTH,
      ),
    text: (row) => texts[Math.floor(row / BLOCK)]!().slice(text[row], textEnd[row]),
    toolCallId: (row) => texts[Math.floor(row / BLOCK)]!().slice(textEnd[row], callEnd[row]),
  };
  return new HeadTable(columns, ids);
}

/** Finds ids by hash; building a `Map` of them would take longer than all other decoding. */
function idsOf(hashes: Int32Array, at: (row: number) => string): IdIndex {
  const slots = buildSlots(hashes);
  const rowOf = (id: string): number | undefined => {
    const hash = hashOf(id);
    const row = probe(slots, hash, (each) => hashes[each] === hash && at(each) === id);
    return row < 0 ? undefined : row;
  };
  return { length: hashes.length, at, indexOf: rowOf };
}
