import assert from 'node:assert/strict';
import { DamagedDatabase } from '../../../src/core/catalog/encoding/damagedDatabase';
import { loadSqlite } from '../../../src/core/files/io/loadSqlite';
import { prepareRows, rowChecker } from '../../../src/core/catalog/database/sqlite/resultRows';

describe('Rows of the database', () => {
  const check = rowChecker('number', 'text', 'bytes', 'number?', 'bytes?');
  const first = (sql: string): ReturnType<typeof check> => {
    const database = new (loadSqlite().DatabaseSync)(':memory:');
    try {
      const row = prepareRows(database, sql).get();
      assert.ok(row);
      return check(row);
    } finally {
      database.close();
    }
  };

  it('are tuples of their columns', () => {
    assert.deepEqual(first(`SELECT 1.5, 'a', x'01', 2, x'02'`), [1.5, 'a', Uint8Array.of(1), 2, Uint8Array.of(2)]);
    assert.deepEqual(first(`SELECT 1, '', x'', NULL, NULL`), [1, '', new Uint8Array(), null, null]);
  });

  for (const columns of [
    `NULL, 'a', x'01', 2, x'02'`,
    `'1', 'a', x'01', 2, x'02'`,
    `1, 1, x'01', 2, x'02'`,
    `1, 'a', 'b', 2, x'02'`,
    `1, 'a', x'01', '2', x'02'`,
    `1, 'a', x'01', 2, 'b'`,
    `1, 'a', x'01', 2`,
    `1, 'a', x'01', 2, x'02', 3`,
  ]) {
    it(`are damage with the columns ${columns}`, () => {
      assert.throws(() => first(`SELECT ${columns}`), DamagedDatabase);
    });
  }
});
