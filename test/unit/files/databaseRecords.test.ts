import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { CorruptDatabase, DatabaseMoved } from '../../../src/core/files/database/databaseErrors';
import { LineEnds } from '../../../src/core/files/database/lineEnds';
import { integer, uint16, uint32, varint, varintEnd } from '../../../src/core/files/database/pages/numbers';
import { RecordColumns, type ColumnValue } from '../../../src/core/files/database/pages/record';
import { TableRow } from '../../../src/core/files/database/pages/tables';
import { eventOf } from '../../../src/core/files/database/transcript';

function columnsOf(...bytes: number[]): RecordColumns {
  const columns = new RecordColumns();
  columns.read(Buffer.from(bytes));
  return columns;
}

const valuesOf = (columns: RecordColumns): ColumnValue[] => Array.from({ length: columns.count }, (_, column) => columns.value(column));

describe('The numbers of a database’s pages', () => {
  it('of variable length have one to nine bytes, of which the ninth counts in full', () => {
    const read = (bytes: number[], at: number): [value: number, end: number] => {
      const buffer = Buffer.from(bytes);
      return [varint(buffer, at), varintEnd(buffer, at)];
    };
    assert.deepEqual(read([0x7f], 0), [127, 1]);
    assert.deepEqual(read([0, 0x81, 0x00], 1), [128, 3]);
    assert.deepEqual(read([0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x81, 0x02], 0), [258, 9]);
    assert.deepEqual(read([0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x81, 0x82, 0x03], 0), [386, 9]);
  });

  it('are damaged if they are cut off', () => {
    assert.throws(() => varint(Buffer.from([0x81]), 0), CorruptDatabase);
  });

  it('are those that Node reads', () => {
    const bytes = Buffer.from([0x00, 0x80, 0xff, 0x7f, 0xfe, 0x01, 0x81, 0xff, 0xff, 0xff]);
    for (let at = 0; at + 6 <= bytes.length; at++) {
      assert.equal(uint16(bytes, at), bytes.readUInt16BE(at));
      assert.equal(uint32(bytes, at), bytes.readUInt32BE(at));
      for (let length = 1; length <= 6; length++) assert.equal(integer(bytes, at, length), bytes.readIntBE(at, length));
    }
  });
});

describe('The columns of a database’s record', () => {
  it('are damaged if the header is cut off', () => {
    assert.throws(() => columnsOf(4, 1), /header is cut off/);
  });

  it('are read by their types: numbers, text, bytes, and those without bytes', () => {
    const eight = Buffer.alloc(8);
    eight.writeBigInt64BE(-5_000_000_000n);
    // The header has its own length, and then the types of eight columns. 10 and 11 are reserved.
    const columns = columnsOf(9, 6, 17, 14, 0, 8, 9, 10, 1, ...eight, ...Buffer.from('no'), 7, 250);
    assert.deepEqual(valuesOf(columns), [-5_000_000_000, 'no', Buffer.from([7]), null, 0, 1, null, -6]);
    assert.deepEqual(
      [0, 1, 2, 3].map((column) => [columns.length(column), columns.isText(column), columns.isBlob(column)]),
      [
        [8, false, false],
        [2, true, false],
        [1, false, true],
        [0, false, false],
      ],
    );
    assert.deepEqual(columns.bytesOf(1), Buffer.from('no'));
    assert.deepEqual(
      Array.from({ length: 9 }, (_, column) => columns.number(column)),
      [-5_000_000_000, undefined, undefined, undefined, 0, 1, undefined, -6, undefined],
    );
  });

  it('are those of the last record alone', () => {
    const columns = columnsOf(4, 8, 8, 8);
    assert.deepEqual(valuesOf(columns), [0, 0, 0]);
    columns.read(Buffer.from([2, 19, 0x61, 0x62, 0x63]));
    assert.deepEqual(valuesOf(columns), ['abc']);
    for (const column of [-1, 1, 2])
      assert.deepEqual(
        [columns.value(column), columns.isText(column), columns.isBlob(column), columns.bytesOf(column).length],
        [null, false, false, 0],
      );
  });

  it('are empty behind the end of a record that is cut off', () => {
    const columns = columnsOf(2, 6, 0);
    assert.deepEqual([columns.value(0), columns.number(0)], [null, undefined]);
    assert.deepEqual(valuesOf(columnsOf(4, 5, 0, 17)), [null, null, null]);
    assert.equal(columns.length(0), 8);
    assert.ok(columnsOf(2, 17, 0x61).compareText(0, Buffer.from('a')) < 0);
  });

  it('are compared with a text as SQLite sorts', () => {
    const texts = ['', 'a', 'aa', 'ab', 'b', 'ä', '😀', '￿'];
    const values: (string | number | null | Uint8Array)[] = [...texts, null, -1, 5, new Uint8Array(), new Uint8Array([0x61])];
    const database = new DatabaseSync(':memory:');
    const statement = database.prepare('SELECT (? > ?) - (? < ?) AS sign');
    for (const text of texts) {
      const wanted = Buffer.from(text);
      for (const value of values) {
        const sign = value === null ? -1 : statement.get(value, text, value, text)?.['sign'];
        assert.equal(Math.sign(recordOf(value).compareText(0, wanted)), sign, `${String(value)} beside ${text}`);
      }
    }
    database.close();
  });
});

describe('An event of a database', () => {
  it('is one of the session and at the place that the index says', () => {
    const columns = new Map(['session_id', 'seq', 'event_json'].map((name, column) => [name, column]));
    const row = new TableRow({ root: 2, columns }).read(Buffer.from([4, 15, 1, 17, 0x61, 7, 0x7b, 0x7d]));
    const read = (id: string, seq: number, known?: number) =>
      eventOf(row, Buffer.from(id), { seqs: [seq], rowids: [1], ends: new LineEnds(), generation: 'g', time: 0 }, 0, known);
    assert.deepEqual(read('a', 7, 2), { bytes: Buffer.from('{}'), damage: undefined, length: 2, stored: 2 });
    for (const [id, seq, known] of [
      ['b', 7, 2],
      ['a', 8, 2],
      ['a', 7, 3],
    ] as const)
      assert.throws(() => read(id, seq, known), DatabaseMoved);
  });
});

/** A record with one column. */
function recordOf(value: string | number | null | Uint8Array): RecordColumns {
  if (value === null) return columnsOf(2, 0);
  if (typeof value === 'number') return columnsOf(2, 1, value & 0xff);
  const bytes = Buffer.from(value);
  return columnsOf(2, 2 * bytes.length + (typeof value === 'string' ? 13 : 12), ...bytes);
}
