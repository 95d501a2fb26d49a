/** Writes a session's heads as bytes, in the columns of `storedHeads`. */
import { hashOf } from '../../format/columns/stringTable';
import type { Usage } from '../../format/entry/usage';
import type { EntryHead } from '../../format/entry/entryHead';
import type { HeadProfile } from '../../format/columns/headColumns';
import { NO_PARENT } from '../../format/columns/headSource';
import { defined } from '../../format/entry/defined';
import { elementAt, lastOf, valueOf } from '../../format/entry/lookups';
import { headsOf } from '../../format/linking/headsById';
import { readerStateOf } from '../../format/linking/readerState';
import type { Session } from '../../format/session/session';
import { ColumnWriter } from './columnCodec';
import { callTextOf } from './storedCalls';
import { BLOCK, IRREGULAR, ROOT, TIME_PART, USAGE_NUMBERS, type StoredHeads } from './storedHeads';
import { isCanonicalTimestamp } from './timestamps';

/** The problems that linking the heads finds again. */
const RECOMPUTED_PROBLEMS = new Set(['unknown-parent']);
/** The problems that can't be restored from heads alone. */
const UNRESTORABLE_PROBLEMS = new Set(['duplicate-id', 'cycle', 'torn-line']);

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
  | 'customType'
  | 'isHidden'
  | 'modelRole'
  | 'thinkingLevel'
>;
const RARE_FIELDS: { readonly [K in keyof Required<RareFields>]: K } = {
  hasNestedCalls: 'hasNestedCalls',
  targetId: 'targetId',
  label: 'label',
  firstKeptEntryId: 'firstKeptEntryId',
  fromId: 'fromId',
  retainedTail: 'retainedTail',
  omits: 'omits',
  rules: 'rules',
  mode: 'mode',
  side: 'side',
};
const RARE_FIELD_KEYS = Object.values(RARE_FIELDS);
const INT = 0x7fffffff;
const isInt = (value: number): boolean => Number.isInteger(value) && Math.abs(value) <= INT && !Object.is(value, -0);

/** @returns `undefined` for the few sessions that can't be restored from their heads alone */
export function encodeHeads(session: Session): Uint8Array | undefined {
  const { lines, links } = readerStateOf(session);
  if (lines.beforeLastLine || links.leafTargets.size > 0 || session.problems.some(({ code }) => UNRESTORABLE_PROBLEMS.has(code)))
    return undefined;
  const columns = new HeadColumnsWriter();
  const answers = new Map<string, string | undefined>();
  const heads = headsOf(session);
  for (let place = 0; place < heads.length; place++) {
    const head = heads.peek(place);
    if (head.toolCallId !== undefined) answers.set(head.toolCallId, callTextOf(head));
    columns.add(head);
  }
  const { calls, ...rest } = lines;
  const stored: StoredHeads = {
    parts: {
      path: session.path,
      dialect: session.dialect,
      ...defined({ name: session.name }),
      problems: session.problems.filter(({ code }) => !RECOMPUTED_PROBLEMS.has(code)),
      hasGivenIds: session.hasGivenIds,
      ...defined({ marks: session.marks, leafId: session.leafId === null ? undefined : session.leafId }),
      size: session.size,
    },
    lines: rest,
    calls: Array.from(calls.keys(), (id) => [id, valueOf(calls, id)] as const).filter(([id, text]) => answers.get(id) !== text),
    profiles: columns.profiles,
    irregular: columns.irregular,
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
  /** The state in front of each block; see `Start`. */
  private readonly starts: number[] = [];
  private readonly idLengths: number[] = [];
  private readonly textLengths: number[] = [];
  /** By block. */
  private readonly ids: string[][] = [];
  private readonly texts: string[][] = [];
  private before: Pick<Draft, 'line' | 'offset' | 'length'> = { line: 0, offset: 0, length: 0 };

  add(head: EntryHead): void {
    const row = this.profile.length;
    if (row % BLOCK === 0) this.beginBlock();
    const parent = head.parentId === null ? NO_PARENT : this.rows.get(head.parentId);
    this.parents.push(parent === undefined || parent === NO_PARENT ? ROOT : row - parent);
    // A head that comes before its parent is linked by the parent's id, which only irregular heads have.
    if (parent === undefined || !this.fits(head)) {
      this.profile.push(IRREGULAR);
      this.irregular.push([row, head]);
    } else this.put(head);
    this.rows.set(head.id, row);
    this.hashes.push(hashOf(head.id));
    this.before = head;
  }

  finish(json: string): Uint8Array {
    const writer = new ColumnWriter();
    writer.text(json);
    writer.numbers('ints', this.hashes);
    writer.numbers('words', this.profile);
    writer.numbers('ints', this.parents);
    writer.numbers('doubles', this.starts);
    writer.numbers('bytes', this.lines);
    writer.numbers('bytes', this.offsets);
    writer.numbers('ints', this.lengths);
    writer.numbers('doubles', this.times);
    writer.numbers('ints', this.messageTimes);
    writer.numbers('words', this.idLengths);
    writer.numbers('words', this.textLengths);
    writer.numbers('ints', this.tokens);
    writer.numbers('doubles', this.costs);
    for (const [block, ids] of this.ids.entries()) {
      writer.text(ids.join(''));
      writer.text(elementAt(this.texts, block).join(''));
    }
    return writer.finish();
  }

  /** Writes the numbers in the order of `Start`. */
  private beginBlock(): void {
    const { line, offset, length } = this.before;
    this.starts.push(line, offset + length, this.times.length, this.messageTimes.length, this.tokens.length / USAGE_NUMBERS);
    this.starts.push(this.textLengths.length);
    this.ids.push([]);
    this.texts.push([]);
  }

  private fits(head: EntryHead): boolean {
    const gap = head.offset - this.before.offset - this.before.length;
    const { messageTime = head.time } = head;
    return (
      [head.line - this.before.line, gap].every((value) => isInt(value) && value >= 0 && value <= 0xff) &&
      isInt(head.length) &&
      [head.id, head.text, head.toolCallId ?? '', head.timestamp].every(({ length }) => length <= 0xffff) &&
      (isCanonicalTimestamp(head.timestamp, head.time) ? isInt(messageTime - head.time) : Number.isInteger(messageTime)) &&
      fitsUsage(head.usage) &&
      this.profiles.length < IRREGULAR &&
      RARE_FIELD_KEYS.every((key) => head[key] === undefined)
    );
  }

  private put(head: EntryHead): void {
    this.profile.push(this.profileOf(head));
    this.lines.push(head.line - this.before.line);
    this.offsets.push(head.offset - this.before.offset - this.before.length);
    this.lengths.push(head.length);
    this.idLengths.push(head.id.length);
    lastOf(this.ids).push(head.id);
    this.text(head.text);
    if (head.toolCallId !== undefined) this.text(head.toolCallId);
    this.putTimes(head);
    const { usage } = head;
    if (!usage?.cost) return;
    this.tokens.push(usage.input, usage.output, usage.cacheRead, usage.cacheWrite, usage.totalTokens ?? NaN);
    this.costs.push(usage.cost.input, usage.cost.output, usage.cost.cacheRead, usage.cost.cacheWrite, usage.cost.total);
  }

  private putTimes({ timestamp, time, messageTime }: EntryHead): void {
    const hasTimestamp = !isCanonicalTimestamp(timestamp, time);
    this.times.push(time);
    if (hasTimestamp) this.text(timestamp);
    if (messageTime === undefined) return;
    if (!hasTimestamp) this.messageTimes.push(messageTime - time);
    else this.messageTimes.push(Math.floor(messageTime / TIME_PART), messageTime - Math.floor(messageTime / TIME_PART) * TIME_PART);
  }

  private text(text: string): void {
    this.textLengths.push(text.length);
    lastOf(this.texts).push(text);
  }

  private profileOf(head: EntryHead): number {
    const profile = {
      type: head.type,
      role: head.role,
      hasText: head.hasText,
      model: head.model,
      responseModel: head.responseModel,
      stopReason: head.stopReason,
      toolName: head.toolName,
      isError: head.isError,
      customType: head.customType,
      isHidden: head.isHidden,
      modelRole: head.modelRole,
      thinkingLevel: head.thinkingLevel,
      hasUsage: head.usage !== undefined,
      hasMessageTime: head.messageTime !== undefined,
      hasCall: head.toolCallId !== undefined,
      hasTimestamp: isCanonicalTimestamp(head.timestamp, head.time) ? undefined : true,
    };
    const key = JSON.stringify(profile);
    let number = this.numbers.get(key);
    // Read from the key, so that it has no member that is undefined.
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
