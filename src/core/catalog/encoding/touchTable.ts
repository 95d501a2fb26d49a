/** The entries that read or wrote files, as bytes. A row for each would take longer to store than everything else of a session except its words. */
import type { Touch } from '../../format/entry/fileTouches';
import { TOUCH_FILE_UNIT as FILE, TouchFlag } from '../../format/scanner/scannerLayout';
import { ByteReader, ByteWriter } from './byteCodec';
import { parseStoredStrings } from '../database/databaseErrors';

export interface EntryTouch extends Touch {
  readonly entryId: string;
}

/** The stored form. */
export interface EncodedTouches {
  /** The paths without repetitions, as a JSON array. */
  readonly paths: string;
  /** For each touch, the path's index, with the entry's id if it differs from the one before. */
  readonly bytes: Uint8Array;
}

const { writes: WRITES, sameEntry: SAME_ENTRY } = TouchFlag;

/** Repetitions are dropped; the order is kept. */
export function encodeTouches(touches: readonly EntryTouch[]): EncodedTouches {
  const writer = new ByteWriter();
  const indexes = new Map<string, number>();
  const written = new Set<number>();
  let before: string | undefined;
  for (const { file, entryId, kind } of touches) {
    let index = indexes.get(file);
    if (index === undefined) indexes.set(file, (index = indexes.size));
    if (entryId !== before) written.clear();
    const code = index * FILE + (kind === 'write' ? WRITES : 0);
    if (written.has(code)) continue;
    written.add(code);
    writer.number(code + (entryId === before ? SAME_ENTRY : 0));
    if (entryId !== before) writer.text(entryId);
    before = entryId;
  }
  return { paths: JSON.stringify([...indexes.keys()]), bytes: writer.bytes() };
}

/** The entries that read or wrote one of the wanted files, in their order. */
export function* decodeTouches(
  { paths, bytes }: EncodedTouches,
  isWanted: (path: string) => boolean,
): Generator<{ entryId: string; kind: Touch['kind'] }> {
  const wanted = parseStoredStrings(paths).map(isWanted);
  if (!wanted.includes(true)) return;
  const reader = new ByteReader(bytes);
  for (let entryId = ''; !reader.isAtEnd();) {
    const code = reader.number();
    if ((code & SAME_ENTRY) === 0) entryId = reader.text();
    if (wanted[Math.floor(code / FILE)]) yield { entryId, kind: (code & WRITES) === 0 ? 'read' : 'write' };
  }
}
