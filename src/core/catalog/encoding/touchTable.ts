/** Which entries read or wrote which files, as bytes: a row for each would take longer to store than all else of a session but its words. */
import type { Touch } from '../../format/entry/fileTouches';
import { ByteReader, ByteWriter } from './byteCodec';
import { parseStoredStrings } from '../database/databaseErrors';

export interface EntryTouch extends Touch {
  readonly entryId: string;
}

/** As it is stored. */
export interface EncodedTouches {
  /** Each once, a list in JSON. */
  readonly paths: string;
  /** Paths by their place, with their entries. */
  readonly bytes: Uint8Array;
}

const [WRITES, SAME_ENTRY, FILE] = [1, 2, 4];

/** Each once, in their order. */
export function encodeTouches(touches: readonly EntryTouch[]): EncodedTouches {
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
  return { paths: JSON.stringify([...places.keys()]), bytes: writer.bytes() };
}

/** The entries that read or wrote one of some files. */
export function* decodeTouches({ paths, bytes }: EncodedTouches, isWanted: (path: string) => boolean): Generator<{ entryId: string; kind: Touch['kind'] }> {
  const wanted = parseStoredStrings(paths).map(isWanted);
  if (!wanted.includes(true)) return;
  const reader = new ByteReader(bytes);
  for (let entryId = ''; !reader.isAtEnd(); ) {
    const what = reader.number();
    if ((what & SAME_ENTRY) === 0) entryId = reader.text();
    if (wanted[Math.floor(what / FILE)]) yield { entryId, kind: (what & WRITES) === 0 ? 'read' : 'write' };
  }
}
