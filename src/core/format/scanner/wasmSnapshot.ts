/** The scanner's data about a file of which all lines so far were scanned. */
import type { JsonObject } from '../values/jsonValues';
import type { HeadProfile } from '../columns/headColumns';
import { parseProfile } from './scannedProfiles';
import { doublesOf } from './byteViews';
import { TABLE_ENTRY_LENGTH, TableEntry } from './scannerLayout';
import { keptBody } from './keptBody';
import type { ScannedRows } from './scannerRows';
import { allTexts, type StringTable } from '../columns/stringTable';

/** Number of content bytes that are decoded together. */
const CONTENT_BLOCK = 16 * 1024;

/** Views of the scanner's data after the whole file was read. */
export class WasmSnapshot {
  readonly ids: StringTable;
  readonly calls: StringTable;
  readonly usages: Float64Array;
  readonly profiles: readonly HeadProfile[];
  /** By profile; only for lines that aren't messages. */
  readonly lines: readonly (JsonObject | undefined)[];
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
  private last: { readonly place: number; readonly body: JsonObject } | undefined;

  constructor(
    rows: ScannedRows,
    readonly count: number,
  ) {
    this.ids = rows.table('ids');
    this.calls = rows.table('calls');
    this.usages = doublesOf(rows.part('usages'));
    const profiles = allTexts(rows.table('profiles')).map(parseProfile);
    this.profiles = profiles.map(({ profile }) => profile);
    this.lines = profiles.map(({ line }) => line);
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

  /** Returns the kept part of the content at a place (`keptBody`). */
  body(place: number): JsonObject {
    // All results of a message with many calls read the same content.
    if (this.last?.place !== place)
      this.last = {
        place,
        body: keptBody(JSON.parse(this.contentText(this.contentFrom[place]!, this.contentSize[place]!) || 'null') as unknown),
      };
    return this.last.body;
  }

  /** Decodes a whole block in one call, because a call of the decoder costs more than the bytes of a short message. */
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
