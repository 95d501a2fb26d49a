/**
 * The records of an FTS5 index that describe its segments and count its texts, in the format that is described at the top
 * of FTS5's `fts5_index.c`. Variable-length integers have seven bits per byte, high bits first.
 */

/** A segment: pages with words in ascending order. */
export interface Segment {
  readonly id: number;
  readonly firstPage: number;
  readonly lastPage: number;
  /** The texts that it has are those whose sizes are stored with one of these origins. */
  readonly firstOrigin: number;
  readonly lastOrigin: number;
  readonly tombstonePages: number;
  readonly tombstones: number;
  readonly texts: number;
}

interface Level {
  /** The number of segments that are being merged. */
  readonly merged: number;
  /** The oldest first. */
  readonly segments: readonly Segment[];
}

/** The record of the index's structure, of an index from which texts can be removed. */
export interface IndexStructure {
  readonly settingsVersion: number;
  readonly writtenPages: number;
  /** The newest segments first. */
  readonly levels: readonly Level[];
}

/** Marks the version of the format that has origins. */
const VERSION = [0xff, 0, 0, 1];

/** Returns `undefined` for another version of the format. */
export function decodeStructure(bytes: Uint8Array): IndexStructure | undefined {
  if (!VERSION.every((byte, index) => bytes[4 + index] === byte)) return undefined;
  const numbers = decodeVarints(bytes.subarray(8));
  let at = 0;
  const take = (): number => numbers?.[at++] ?? Number.NaN;
  const [levelCount, segmentCount, writtenPages] = [take(), take(), take()];
  const levels: Level[] = [];
  while (levels.length < levelCount && at < (numbers?.length ?? 0)) {
    const [merged, count] = [take(), take()];
    const segments: Segment[] = [];
    while (segments.length < count && at < (numbers?.length ?? 0))
      segments.push({
        id: take(),
        firstPage: take(),
        lastPage: take(),
        firstOrigin: take(),
        lastOrigin: take(),
        tombstonePages: take(),
        tombstones: take(),
        texts: take(),
      });
    levels.push({ merged, segments });
  }
  const structure = { settingsVersion: new DataView(bytes.buffer, bytes.byteOffset).getUint32(0), writtenPages, levels };
  const isWhole = at === numbers?.length && levels.length === levelCount && segmentsOf(structure).length === segmentCount;
  return isWhole ? structure : undefined;
}

export function encodeStructure(structure: IndexStructure): Uint8Array {
  const { settingsVersion, writtenPages, levels } = structure;
  const start = new Uint8Array(8);
  new DataView(start.buffer).setUint32(0, settingsVersion);
  start.set(VERSION, 4);
  const numbers = [levels.length, segmentsOf(structure).length, writtenPages];
  for (const { merged, segments } of levels) {
    numbers.push(merged, segments.length);
    for (const one of segments)
      numbers.push(one.id, one.firstPage, one.lastPage, one.firstOrigin, one.lastOrigin, one.tombstonePages, one.tombstones, one.texts);
  }
  return Buffer.concat([start, encodeVarints(numbers)]);
}

export const segmentsOf = ({ levels }: IndexStructure): readonly Segment[] => levels.flatMap(({ segments }) => segments);

/** Adds segments that were written last. */
export function withSegments(structure: IndexStructure, added: readonly Segment[]): IndexStructure {
  const [newest, ...older] = structure.levels;
  const pages = added.reduce((sum, { lastPage }) => sum + lastPage, 0);
  return {
    ...structure,
    writtenPages: structure.writtenPages + pages,
    levels: [{ merged: newest?.merged ?? 0, segments: [...(newest?.segments ?? []), ...added] }, ...older],
  };
}

/** `undefined` if an integer isn't whole, or too large to be exact. */
export function decodeVarints(bytes: Uint8Array): number[] | undefined {
  const numbers: number[] = [];
  let value = 0;
  let length = 0;
  for (const byte of bytes) {
    value = value * 128 + (byte & 127);
    length++;
    if (!Number.isSafeInteger(value) || length > 8) return undefined;
    if (byte >= 128) continue;
    numbers.push(value);
    value = length = 0;
  }
  return length === 0 ? numbers : undefined;
}

export function encodeVarints(values: readonly number[]): Uint8Array {
  return Uint8Array.from(
    values.flatMap((value) => {
      const bytes = [value % 128];
      for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) bytes.unshift((rest % 128) + 128);
      return bytes;
    }),
  );
}
