import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { prepareRows } from '../../../src/core/catalog/database/sqlite/resultRows';
import { wordMatchesBetween } from '../../../src/core/catalog/database/wordMatches';

describe('Matches between two documents', () => {
  it('cost what lies between them, and not all matches of the index', () => {
    const database = new DatabaseSync(':memory:');
    // The types don't have it yet, and older versions of Node don't need it.
    (database as { enableDefensive?: (active: boolean) => void }).enableDefensive?.(false);
    try {
      database.exec(`CREATE VIRTUAL TABLE words USING fts5(text, content='', contentless_delete=1, detail=none, tokenize='ascii')`);
      database.exec(`INSERT INTO words (words, rank) VALUES ('pgsz', 64)`);
      const add = database.prepare('INSERT INTO words (rowid, text) VALUES (?, ?)');
      database.exec('BEGIN');
      for (let document = 1; document <= 5000; document++) add.run(document, 'pear');
      database.exec('COMMIT');
      const connection = { again: (sql: string, ...values: (string | number)[]) => prepareRows(database, sql).all(...values) };
      // Whoever reads the last pages fails.
      database.exec(`UPDATE words_data SET block = x'00' WHERE id IN (SELECT id FROM words_data ORDER BY id DESC LIMIT 10)`);
      assert.throws(() => wordMatchesBetween(connection, '"pear"', 1, 5000), /malformed/);
      assert.deepEqual(wordMatchesBetween(connection, '"pear"', 7, 9), [7, 8, 9]);
    } finally {
      database.close();
    }
  });
});
