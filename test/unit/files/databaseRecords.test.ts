import assert from 'node:assert/strict';
import { CorruptDatabase } from '../../../src/core/files/database/databaseErrors';
import { columnPlaces, columnValue, varint } from '../../../src/core/files/database/pages/record';

describe('The columns of a database’s record', () => {
  it('have numbers of one to nine bytes, of which the ninth counts in full', () => {
    assert.deepEqual(varint(Buffer.from([0x7f]), 0), [127, 1]);
    assert.deepEqual(varint(Buffer.from([0, 0x81, 0x00]), 1), [128, 3]);
    assert.deepEqual(varint(Buffer.from([0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x81, 0x02]), 0), [258, 9]);
  });

  it('are damaged if a number or the header is cut off', () => {
    assert.throws(() => varint(Buffer.from([0x81]), 0), CorruptDatabase);
    assert.throws(() => columnPlaces(Buffer.from([4, 1])), /header is cut off/);
  });

  it('are read by their types: numbers, text, bytes, and those without bytes', () => {
    const eight = Buffer.alloc(8);
    eight.writeBigInt64BE(-5_000_000_000n);
    // The header has its own length, and then the types of eight columns. 10 and 11 are reserved.
    const record = Buffer.concat([Buffer.from([9, 6, 17, 14, 0, 8, 9, 10, 1]), eight, Buffer.from('no'), Buffer.from([7, 250])]);
    const values = columnPlaces(record).map((place) => columnValue(record, place));
    assert.deepEqual(values, [-5_000_000_000, 'no', Buffer.from([7]), null, 0, 1, null, -6]);
  });

  it('are empty behind the end of a record that is cut off', () => {
    const [place] = columnPlaces(Buffer.from([2, 6]));
    assert.ok(place);
    assert.equal(columnValue(Buffer.from([2, 6, 0]), place), null);
  });
});
