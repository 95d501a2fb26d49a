import assert from 'node:assert/strict';
import type { DatabaseSync } from 'node:sqlite';
import { coversLine, documentOf, DocumentNumbers } from '../../../src/core/catalog/database/documents';
import { createTables } from '../../../src/core/catalog/database/schema';
import { loadSqlite } from '../../../src/core/files/io/loadSqlite';

describe('the numbers of lines in the index', () => {
  let database: DatabaseSync;
  beforeEach(() => {
    database = new (loadSqlite().DatabaseSync)(':memory:');
    createTables(database);
  });
  afterEach(() => database.close());

  it('fall from line to line, and from the newest expected session to the oldest', () => {
    const numbers = new DocumentNumbers(database);
    numbers.expect(100);
    const [newest, older] = [numbers.add(1, 2, 4, true), numbers.add(2, 0, 1, true)];
    assert.deepEqual(
      [4, 3, 2].map((line) => documentOf(newest, line) - newest.first),
      [0, 1, 2],
    );
    assert.deepEqual([older.first - newest.first, documentOf(older, 0) - newest.first], [3, 4]);
    assert.deepEqual(
      [1, 2, 4, 5].map((line) => coversLine(newest, line)),
      [false, true, true, false],
    );
  });

  it('of lines that come later are lower', () => {
    const numbers = new DocumentNumbers(database);
    numbers.expect(10);
    const first = numbers.add(1, 1, 4, true);
    const grown = numbers.add(1, 5, 6, false);
    assert.ok(documentOf(grown, 5) < first.first);
    numbers.expect(10);
    assert.ok(numbers.add(2, 1, 10, true).first + 10 <= grown.first);
    assert.deepEqual(numbers.of(1, 0), [first, grown]);
    assert.deepEqual(numbers.of(1, 5), [grown]);
    numbers.remove(1);
    assert.deepEqual(numbers.of(1, 0), []);
  });

  it('are never given twice, also if more lines come than were expected, or another window stores some', () => {
    const [ours, theirs] = [new DocumentNumbers(database), new DocumentNumbers(database)];
    ours.expect(5);
    theirs.expect(5);
    const ranges = [
      ours.add(1, 1, 2, true),
      theirs.add(2, 1, 3, true),
      ours.add(3, 1, 2, true),
      ours.add(4, 1, 2, true),
      theirs.add(5, 1, 9, true),
      ours.add(6, 0, 0, false),
    ];
    const all = ranges.flatMap(({ first, count }) => Array.from({ length: count }, (_, index) => first + index));
    assert.equal(new Set(all).size, all.length);
  });
});
