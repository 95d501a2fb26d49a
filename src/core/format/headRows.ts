/**
 * The heads of a file while it is read: of messages the scanner keeps rows, and what their texts can be made of later;
 * every other head is kept as it is.
 */
import { sizeOf, textAt, textsOf, valueOf, type ByteTable } from './byteTable';
import { CONTENT_LENGTH, describeMessage, describeToolCall } from './describe';
import { asString, isObject, textOf, type JsonObject } from './entry';
import { excerpt } from './excerpt';
import { noteToolCalls, type Calls, type EntryHead } from './head';
import type { HeadColumns, Ids, Profile } from './headColumns';
import { HeadTable } from './headTable';
import { doublesOf, parsed, ROLES, type Scanner } from './scanner';

const NO_CALL = -1;
/** What a usage has of tokens, and of dollars. */
const USAGE_NUMBERS = 5;

/**
 * The row's place is that of the head. What is made of it stays in the scanner's memory, and is good until that has
 * another file.
 */
export class HeadRows implements Calls {
  private readonly odd = new Map<number, EntryHead>();
  /** How the texts of messages begin that the scanner does not keep. */
  private readonly contents = new Map<number, string>();
  /** Texts of calls that it does not keep, either: it knows them as -2, -3 and so on. */
  private readonly callTexts: string[] = [];
  /** Of calls with ids that it does not take. */
  private readonly others = new Map<string, string>();
  private count = 0;
  /** What the scanner has, once somebody asked for all of it. */
  private kept: Kept | undefined;

  /** `home`: written as `~` in rows. */
  constructor(
    private readonly scanner: Scanner,
    private readonly home: string,
  ) {}

  /** @returns whether it was taken. */
  add(head: EntryHead): boolean {
    if (!this.scanner.putOther(head)) return false;
    this.odd.set(this.count, head);
    this.took(1);
    return true;
  }

  /** The scanner took so many messages. */
  took(messages: number): void {
    this.count += messages;
    this.kept = undefined;
  }

  /** Keeps what is needed of the message that was taken last, which the scanner does not. */
  keepText(message: JsonObject): void {
    this.contents.set(this.count - 1, excerpt(textOf(message['content']), CONTENT_LENGTH));
    noteToolCalls(message, { home: this.home, calls: this });
  }

  /** The id of the last head. */
  get lastId(): string | undefined {
    return this.count === 0 ? undefined : (this.odd.get(this.count - 1)?.id ?? this.scanner.lastId);
  }

  get(id: string): string | undefined {
    const other = this.others.get(id);
    if (other !== undefined) return other;
    const call = this.kept ? (valueOf(this.kept.calls, id) ?? NO_CALL) : this.scanner.call(id);
    return call === NO_CALL ? undefined : this.callText(call, id);
  }

  set(id: string, text: string): void {
    if (this.kept || !this.scanner.putCall(id, -1 - this.callTexts.push(text))) this.others.set(id, text);
  }

  *keys(): Generator<string, undefined> {
    const { calls } = this.end();
    for (const id of textsOf(calls)) if (!this.others.has(id) && valueOf(calls, id) !== NO_CALL) yield id;
    yield* this.others.keys();
  }

  /** What can be told without looking at each head; `undefined` where an id comes again, a parent after its child, or a line that moves the leaf. */
  table(): HeadTable | undefined {
    const { ids, count } = this.end();
    if (sizeOf(ids) < count) return undefined;
    for (const [place, { type, parentId }] of this.odd) if (type === 'leaf' || (parentId !== null && (valueOf(ids, parentId) ?? NO_CALL) >= place)) return undefined;
    return new HeadTable(this.columns(), this.ids());
  }

  /** All heads, each an object of its own. */
  heads(): EntryHead[] {
    const table = new HeadTable(this.columns(), this.ids());
    const copies = Array.from({ length: table.length }, (_, place) => table.copy(place));
    // What the scanner has may be elsewhere when it is asked for again.
    this.kept = undefined;
    return copies;
  }

  private end(): Kept {
    return (this.kept ??= new Kept(this.scanner, this.count));
  }

  private ids(): Ids {
    const kept = this.end();
    return { length: kept.count, at: (place) => this.odd.get(place)?.id ?? kept.idAt(place), placeOf: (id) => valueOf(kept.ids, id) };
  }

  private columns(): HeadColumns {
    const kept = this.end();
    const { scanner } = this;
    const time = scanner.doubles('time');
    return {
      profiles: kept.profiles, profile: kept.profile, odd: this.odd, parent: scanner.ints('parent'), line: scanner.ints('line'), offset: scanner.doubles('offset'), size: scanner.ints('size'),
      time, messageTime: scanner.doubles('messageTime'), usage: scanner.ints('usage'), tokens: kept.usages, costs: kept.usages.subarray(USAGE_NUMBERS),
      timestamp: (place) => new Date(time[place]!).toISOString(),
      text: (place) => this.text(place),
      call: (place) => textAt(kept.calls, kept.call[place]!),
    };
  }

  private text(place: number): string {
    const kept = this.end();
    const { role, toolName, stopReason } = kept.profiles[kept.profile[place]!]!;
    if (role !== 'toolResult') return describeMessage({ role, content: this.contents.get(place) ?? kept.content(place), stopReason }, undefined);
    const call = kept.callPlace[place]!;
    return describeMessage({ role, toolName }, call === NO_CALL ? undefined : this.callText(call, textAt(kept.calls, kept.call[place]!)));
  }

  private callText(call: number, id: string): string {
    if (call < NO_CALL) return this.callTexts[NO_CALL - 1 - call]!;
    const content = this.kept ? this.kept.content(call) : this.scanner.keptContent(call);
    // Of several with the same id the last counts.
    const block = (content as readonly JsonObject[]).findLast((one) => isObject(one) && one['type'] === 'toolCall' && one['id'] === id);
    return describeToolCall(asString(block?.['name']) ?? 'tool', block?.['arguments'], this.home);
  }
}

/** What the scanner has when all was read. */
class Kept {
  readonly ids: ByteTable;
  readonly calls: ByteTable;
  readonly usages: Float64Array;
  readonly profiles: readonly Profile[];
  readonly profile: Int32Array;
  readonly call: Int32Array;
  readonly callPlace: Int32Array;
  private readonly idFrom: Int32Array;
  private readonly idSize: Int32Array;
  private readonly contents: Uint8Array;
  private readonly contentFrom: Int32Array;
  private readonly contentSize: Int32Array;
  private letters: string | undefined;
  private last: { readonly place: number; readonly content: unknown } | undefined;

  constructor(
    scanner: Scanner,
    readonly count: number,
  ) {
    this.ids = scanner.table('ids');
    this.calls = scanner.table('calls');
    this.usages = doublesOf(scanner.part('usages'));
    this.profiles = textsOf(scanner.table('profiles')).map(profileOf);
    this.profile = scanner.ints('profile');
    this.call = scanner.ints('call');
    this.callPlace = scanner.ints('callPlace');
    this.idFrom = scanner.ints('idFrom');
    this.idSize = scanner.ints('idSize');
    this.contents = scanner.part('contents');
    this.contentFrom = scanner.ints('contentFrom');
    this.contentSize = scanner.ints('contentSize');
  }

  idAt(place: number): string {
    const from = this.idFrom[place]!;
    this.letters ??= new TextDecoder().decode(this.ids.bytes);
    return this.letters.substring(from, from + this.idSize[place]!);
  }

  content(place: number): unknown {
    // Of a message with many calls each result asks.
    if (this.last?.place !== place) {
      const from = this.contentFrom[place]!;
      this.last = { place, content: parsed(this.contents.subarray(from, from + this.contentSize[place]!)) };
    }
    return this.last.content;
  }
}

const [HAS_TEXT, USAGE, MESSAGE_TIME, CALL, ERROR] = [1, 2, 4, 8, 16];

/** As `profileNumber` in `wasm/scanner.ts` writes it. */
function profileOf(text: string): Profile {
  const role = ROLES[text.charCodeAt(0)]!;
  const flags = text.charCodeAt(1);
  // The first is what stands before the first NUL character.
  const [provider, modelId, stopReason, toolName] = text.slice(2).split('\0').slice(1).map((name) => (name === '' ? undefined : name.slice(1)));
  return {
    type: 'message',
    role,
    ...(role === 'toolResult' ? {} : { hasText: (flags & HAS_TEXT) !== 0 }),
    ...(provider === undefined || modelId === undefined ? {} : { model: { provider, modelId } }),
    ...(stopReason === undefined ? {} : { stopReason }),
    ...(toolName === undefined ? {} : { toolName }),
    ...((flags & ERROR) === 0 ? {} : { isError: true }),
    hasUsage: (flags & USAGE) !== 0,
    hasMessageTime: (flags & MESSAGE_TIME) !== 0,
    hasCall: (flags & CALL) !== 0,
  };
}
