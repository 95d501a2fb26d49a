/** Which entries read or wrote which files, as bytes: a row for each would take longer to store than all else of a session but its words. */
import type { Touch } from '../format/touches';
import { ByteReader, ByteWriter } from './bytes';

export interface TouchOfEntry extends Touch {
  readonly entryId: string;
}

/** As it goes from thread to thread. */
export interface PackedTouches {
  /** Paths, each once, with NUL characters between them. */
  readonly paths: string;
  /** Paths by their place, with their entries. */
  readonly bytes: Uint8Array;
}

const [WRITES, SAME_ENTRY, FILE] = [1, 2, 4];

/** Each once, in their order. */
export function packTouches(touches: readonly TouchOfEntry[]): PackedTouches {
  const writer = new ByteWriter();
  const places = new Map<string, number>();
  const told = new Set<number>();
  let before: string | undefined;
  for (const { file, entryId, kind } of touches) {
    let place = places.get(file);
    if (place === undefined) places.set(file, (place = places.size));
    if (entryId !== before) told.clear();
    const what = place * FILE + (kind === 'write' ? WRITES : 0);
    if (told.has(what)) continue;
    told.add(what);
    writer.number(what + (entryId === before ? SAME_ENTRY : 0));
    if (entryId !== before) writer.text(entryId);
    before = entryId;
  }
  return { paths: [...places.keys()].join('\0'), bytes: writer.bytes() };
}

/** As it is stored: with the numbers that the files have in the database. */
export function storedTouches({ paths, bytes }: PackedTouches, fileNumber: (path: string) => number): Uint8Array {
  const writer = new ByteWriter();
  const files = paths.split('\0');
  writer.number(files.length);
  for (const path of files) writer.number(fileNumber(path));
  return Buffer.concat([writer.bytes(), bytes]);
}

/** Of what is stored the numbers of the files, each once. */
export function filesOf(stored: Uint8Array): number[] {
  return filesIn(new ByteReader(stored));
}

/** Of what is stored the entries that read or wrote one of some files. */
export function* touchesOf(stored: Uint8Array, isWanted: (file: number) => boolean): Generator<{ entryId: string; kind: Touch['kind'] }> {
  const reader = new ByteReader(stored);
  const wanted = filesIn(reader).map(isWanted);
  if (!wanted.includes(true)) return;
  for (let entryId = ''; !reader.isAtEnd(); ) {
    const what = reader.number();
    if ((what & SAME_ENTRY) === 0) entryId = reader.text();
    if (wanted[Math.floor(what / FILE)]) yield { entryId, kind: (what & WRITES) === 0 ? 'read' : 'write' };
  }
}

const filesIn = (reader: ByteReader): number[] => Array.from({ length: reader.number() }, () => reader.number());
