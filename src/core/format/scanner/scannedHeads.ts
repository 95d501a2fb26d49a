/**
 * Collects the heads of a file while it is read. For messages, the scanner keeps rows from which the heads can be made
 * later; all other heads are kept as objects.
 */
import { asString, isObject, type JsonObject } from '../values/jsonValues';
import type { PathBases } from '../toolCalls/callWords';
import { recordToolCallTexts, type ToolCallTexts } from '../entry/parseHead';
import type { EntryHead } from '../entry/entryHead';
import { describeEntry, describeMessage, describeToolCall } from '../entry/rowText';
import type { HeadColumns, HeadProfile, IdIndex } from '../columns/headColumns';
import { NO_PARENT } from '../columns/headSource';
import { HeadTable } from '../columns/headTable';
import { IsoTimestamps } from '../columns/isoTimestamps';
import type { ResolvedHeads } from '../linking/resolveHeads';
import { resolveRows } from '../linking/resolveRows';
import { intsOf } from './byteViews';
import { dialectEvidence, parseProfile } from './scannedProfiles';
import { NONE } from './scannerLayout';
import type { ScannedRows } from './scannerRows';
import { allTexts, lookUp } from '../columns/stringTable';
import { elementAt } from '../values/lookups';
import { WasmSnapshot } from './wasmSnapshot';

/**
 * A row's index is the place of its head. The table that is made from the rows uses the scanner's memory, and is valid
 * until the scanner starts another file.
 */
export class ScannedHeads implements ToolCallTexts {
  private readonly irregular = new Map<number, EntryHead>();
  /** Texts of rows whose content the scanner doesn't keep, by place. */
  private readonly texts = new Map<number, string>();
  /** Texts of calls that the scanner doesn't keep either. It has the numbers -2, -3 and so on for them. */
  private readonly callTexts: string[] = [];
  /** Texts of calls whose ids the scanner doesn't take. */
  private readonly otherCalls = new Map<string, string>();
  /** The last row of each id that the scanner doesn't take. */
  private readonly otherIds = new Map<string, number>();
  private readonly otherRepeats: [place: number, before: number][] = [];
  private readonly otherParents: [place: number, parent: number][] = [];
  /** The number of heads. */
  length = 0;
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

  add(head: EntryHead): void {
    const parent = head.parentId === null ? undefined : this.otherIds.get(head.parentId);
    if (parent !== undefined) this.otherParents.push([this.length, parent]);
    if (!this.rows.addParsedEntry(head)) {
      const before = this.otherIds.get(head.id);
      if (before !== undefined) this.otherRepeats.push([this.length, before]);
      this.otherIds.set(head.id, this.length);
    }
    this.irregular.set(this.length, head);
    this.addScanned(1);
  }

  /** Counts lines that the scanner added as rows. */
  addScanned(lines: number): void {
    this.length += lines;
    this.snapshot = undefined;
  }

  /** Makes the text of the last scanned line from what would be kept of its content. */
  makeLastText(body: JsonObject): void {
    const { profile, line } = parseProfile(this.rows.lastProfile);
    this.texts.set(this.length - 1, describeBody(profile, line, body));
    recordToolCallTexts({ role: profile.role, ...body }, { bases: this.bases, toolCallTexts: this });
  }

  /** Returns the part of the last line that may show which program wrote it. */
  lastEvidence(): JsonObject {
    return dialectEvidence(this.rows.lastProfile);
  }

  /** The id of the last head. */
  get lastId(): string | undefined {
    return this.length === 0 ? undefined : (this.irregular.get(this.length - 1)?.id ?? this.rows.lastId);
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

  /** Returns the first heads without making them. No head may be added afterwards. */
  resolved(count: number): ResolvedHeads {
    this.rows.seal();
    const repeats = this.repeats();
    let end = repeats.length;
    while (end > 0 && repeats[end - 2]! >= count) end -= 2;
    return resolveRows(new HeadTable(this.columns(count, repeats.subarray(0, end)), this.ids(count, repeats.subarray(end))));
  }

  private takeSnapshot(): WasmSnapshot {
    return (this.snapshot ??= new WasmSnapshot(this.rows, this.length));
  }

  /** See `HeadColumns.repeats`. */
  private repeats(): Int32Array {
    const found = intsOf(this.rows.part('repeats'));
    const others = this.otherRepeats;
    if (others.length === 0) return found;
    const pairs = Array.from({ length: found.length / 2 }, (_, index): [number, number] => [found[2 * index]!, found[2 * index + 1]!]);
    return Int32Array.from([...pairs, ...others].sort(([a], [b]) => a - b).flat());
  }

  /** @param repeats the repeated rows from `count` on */
  private ids(count: number, repeats: Int32Array): IdIndex {
    const kept = this.takeSnapshot();
    const before = new Map<number, number>();
    for (let at = 0; at < repeats.length; at += 2) before.set(repeats[at]!, repeats[at + 1]!);
    const indexOf = (id: string): number | undefined => {
      let place = lookUp(kept.ids, id) ?? this.otherIds.get(id);
      while (place !== undefined && place >= count) place = before.get(place);
      return place;
    };
    return { length: count, at: (place) => this.irregular.get(place)?.id ?? kept.idAt(place), indexOf };
  }

  private columns(count: number, repeats: Int32Array): HeadColumns {
    const kept = this.takeSnapshot();
    const { rows } = this;
    const time = rows.doubles('time');
    const parents = rows.ints('parent');
    for (const [place, parent] of this.otherParents) parents[place] = parent;
    const timestamps = new IsoTimestamps();
    return {
      repeats,
      parentAt: (place) => parents[place]!,
      roots: () => {
        const places: number[] = [];
        for (let place = parents.indexOf(NO_PARENT); place >= 0 && place < count; place = parents.indexOf(NO_PARENT, place + 1))
          places.push(place);
        return places;
      },
      profiles: kept.profiles,
      profile: kept.profile,
      irregular: count === this.length ? this.irregular : new Map([...this.irregular].filter(([place]) => place < count)),
      line: rows.ints('line'),
      offset: rows.doubles('offset'),
      size: rows.ints('size'),
      time,
      messageTime: rows.doubles('messageTime'),
      usage: rows.ints('usage'),
      usages: kept.usages,
      timestamp: (place) => timestamps.of(time[place]!),
      text: (place) => this.text(place),
      toolCallId: (place) => kept.callIdAt(place),
    };
  }

  private text(place: number): string {
    const known = this.texts.get(place);
    if (known !== undefined) return known;
    const kept = this.takeSnapshot();
    const number = kept.profile[place]!;
    const { role, toolName } = elementAt(kept.profiles, number);
    if (role !== 'toolResult') return describeBody(elementAt(kept.profiles, number), kept.lines[number], kept.body(place));
    const call = kept.callPlace[place]!;
    return describeMessage({ role, toolName }, call === NONE ? undefined : this.callText(call, kept.callIdAt(place)));
  }

  private callText(call: number, id: string): string {
    if (call < NONE) return elementAt(this.callTexts, NONE - 1 - call);
    const { content } = this.snapshot ? this.snapshot.body(call) : this.rows.bodyAt(call);
    // If an id is repeated, the last call counts.
    const block = (content as readonly JsonObject[]).findLast((one) => isObject(one) && one['type'] === 'toolCall' && one['id'] === id);
    return describeToolCall(asString(block?.['name']) ?? 'tool', block?.['arguments'], this.bases);
  }
}

/** Returns the text of a row. @param line see `ScannedProfile` */
function describeBody({ role, stopReason }: HeadProfile, line: JsonObject | undefined, body: JsonObject): string {
  return line ? describeEntry({ ...line, ...body }) : describeMessage({ role, stopReason, ...body }, undefined);
}
