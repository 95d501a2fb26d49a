import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { databases } from '../../../src/core/files/database/thread/databaseThread';
import { loadSqlite } from '../../../src/core/files/io/loadSqlite';
import { startChild } from '../../fixtures/children';
import { session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';
import { addSession, createDatabase } from '../../fixtures/openclawDatabase';
import { pagesOf, writeAheadLog } from '../../fixtures/writeAheadLog';
import { sharePages } from '../../fixtures/sharedPages';

describe('A planted database', () => {
  const folder = testFolder();
  /** Creates a database, and returns the page at which the table of its sessions begins. */
  const create = (name: string): { path: string; root: number } => {
    const path = join(folder.path, name);
    const database = createDatabase(path);
    addSession(database, { id: name, lines: session().user('a').lines() });
    const root = database.prepare(`SELECT rootpage FROM sqlite_schema WHERE name = 'session_windows'`).get()?.['rootpage'];
    database.close();
    return { path, root: Number(root) };
  };

  it('is refused when SQLite makes no progress with it, while others are read and the event loop runs', async () => {
    const [planted, good] = [create('hanging.sqlite').path, create('good.sqlite').path];
    const child = await startChild('stuckDatabases', '400', planted, good);
    try {
      const refusal = 'SessionError: The file is left out, because reading it made no progress for at least 0.4 seconds.';
      assert.deepEqual([await child.heard(), await child.heard()], [refusal, 'good.sqlite']);
      const turns = Number(await child.heard());
      assert.ok(turns > 100, `${turns} turns of the event loop`);
      child.say('again');
      // It's refused without another thread that would hang.
      assert.deepEqual([await child.heard(), await child.heard(), await child.heard()], [refusal, 'good.sqlite', '1']);
      child.say('retry');
      assert.deepEqual([await child.heard(), await child.heard(), await child.heard()], [refusal, 'good.sqlite', '2']);
    } finally {
      await child.end();
    }
  });

  it('is refused before SQLite reads a schema whose pages are shared among many parents', async () => {
    const { path } = create('planted.sqlite');
    sharePages(path, 1);
    await assert.rejects(databases.request('list', path), /Can’t read this database \(it’s damaged\)/);
    assert.equal(databases.hangingThreads, 0);
  });

  it('is refused before SQLite reads such a schema in its log, unless the log doesn’t count', async () => {
    for (const [isValid, isLast] of [
      [true, true],
      [false, true],
      [true, false],
    ] as const) {
      const { path } = create(`planted ${isValid} ${isLast}.sqlite`);
      const before = readFileSync(path);
      sharePages(path, 1);
      const planted = pagesOf(readFileSync(path));
      writeFileSync(path, before);
      // The last commit has the first page as it was.
      const pages = isLast ? planted : [...planted, pagesOf(before)[0]!];
      writeFileSync(`${path}-wal`, writeAheadLog(pages, isValid));
      const listed = databases.request('list', path).then(({ sessions }) => sessions.length);
      if (isValid && isLast) await assert.rejects(listed, /\(it’s damaged\)/);
      else assert.equal(await listed, 1);
    }
    assert.equal(databases.hangingThreads, 0);
  });

  it('is refused before SQLite reads statistics whose pages are shared, or that are no plain table', async () => {
    for (const [name, plant] of Object.entries(PLANTED_STATISTICS)) {
      const { path } = create(`${name}.sqlite`);
      const database = new (loadSqlite().DatabaseSync)(path);
      database.exec('CREATE INDEX of_nodes ON session_nodes (label); ANALYZE');
      assert.equal((await databases.request('list', path)).sessions.length, 1);
      await databases.end();
      const root = Number(database.prepare(`SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_stat1'`).get()?.['rootpage']);
      if (plant !== undefined) {
        (database as { enableDefensive?: (active: boolean) => void }).enableDefensive?.(false);
        database.exec(`PRAGMA writable_schema = ON; ${plant}`);
      }
      database.close();
      if (plant === undefined) sharePages(path, root);
      await assert.rejects(databases.request('list', path), /\(it’s damaged\)/, name);
    }
    assert.equal(databases.hangingThreads, 0);
  });

  it('is refused if a row of its schema is very long', async () => {
    const { path } = create('planted.sqlite');
    const database = new (loadSqlite().DatabaseSync)(path);
    const columns = (count: number): string => Array.from({ length: count }, (_, column) => `column_${column}`).join();
    database.exec(`CREATE TABLE longer (${columns(500)})`);
    assert.equal((await databases.request('list', path)).sessions.length, 1);
    await databases.end();
    database.exec(`CREATE TABLE longest (${columns(1900)})`);
    database.close();
    await assert.rejects(databases.request('list', path), /its schema is too large/);
  });

  it('is damaged if shared pages are those of a table', async () => {
    const { path, root } = create('planted.sqlite');
    sharePages(path, root);
    await assert.rejects(databases.request('list', path), /Can’t read this database \(it’s damaged\)/);
  });
});

/** Changes of the schema; `undefined` for shared pages. */
const PLANTED_STATISTICS: Readonly<Record<string, string | undefined>> = {
  pages: undefined,
  computed: `UPDATE sqlite_schema SET sql = 'CREATE TABLE sqlite_stat1(tbl,idx,stat AS (hex(zeroblob(100000000))))' WHERE name = 'sqlite_stat1'`,
  index: `UPDATE sqlite_schema SET sql = 'CREATE INDEX of_nodes ON sqlite_stat1(tbl, idx, stat)' WHERE name = 'of_nodes'`,
  'long index': `UPDATE sqlite_schema SET sql = 'CREATE INDEX of_nodes' || printf('%.*c', 5000, ' ') || 'ON sqlite_stat1(tbl)' WHERE name = 'of_nodes'`,
};
