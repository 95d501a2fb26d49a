/** Reads a session's heads from bytes, in the columns of `storedHeads`. */
import { hashOf, probe, buildSlots } from '../../format/columns/stringTable';
import type { IdIndex } from '../../format/columns/headColumns';
import { HeadTable } from '../../format/columns/headTable';
import { linkSession } from '../../format/linking/linkSession';
import { resolveRows } from '../../format/linking/resolveRows';
import type { Session } from '../../format/session/session';
import { ColumnReader } from './columnCodec';
import { StoredCalls } from './storedCalls';
import { StoredColumns } from './storedColumns';
import type { StoredHeads } from './storedHeads';

/** @throws if the bytes aren't those of `encodeHeads` */
export function decodeHeads(bytes: Uint8Array): Session {
  const reader = new ColumnReader(bytes);
  // The reader has checked that these are the bytes that `encodeHeads` wrote.
  const stored = JSON.parse(reader.text()) as StoredHeads;
  const hashes = reader.numbers('ints');
  const columns = new StoredColumns(reader, stored);
  const table = new HeadTable(
    columns,
    idsOf(hashes, (row) => columns.id(row)),
  );
  const calls = new StoredCalls(stored.calls, columns);
  const session = linkSession({ ...stored.parts, lines: { ...stored.lines, calls } }, resolveRows(table));
  if (!session) throw new TypeError('Stored heads are those of a whole file, which always links.');
  return session;
}

/** The number of ids that are looked up without a table of slots. Making one takes as long as this many look-ups or longer. */
const SCANS = 64;

/** Finds ids by hash; building a `Map` of them would take longer than all other decoding. */
function idsOf(hashes: Int32Array, at: (row: number) => string): IdIndex {
  let scans = 0;
  let slots: Int32Array | undefined;
  const rowOf = (id: string): number | undefined => {
    const hash = hashOf(id);
    if (!slots && scans++ < SCANS) {
      let row = hashes.indexOf(hash);
      while (row >= 0 && at(row) !== id) row = hashes.indexOf(hash, row + 1);
      return row < 0 ? undefined : row;
    }
    slots ??= buildSlots(hashes);
    const row = probe(slots, hash, (each) => hashes[each] === hash && at(each) === id);
    return row < 0 ? undefined : row;
  };
  return { length: hashes.length, at, indexOf: rowOf };
}
