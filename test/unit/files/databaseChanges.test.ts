import assert from 'node:assert/strict';
import { readFileSync, renameSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseView } from '../../../src/core/files/database/databaseView';
import { CLOCK_TICK, type Reading } from '../../../src/core/files/database/pages/diskRequests';
import { readDatabase } from '../../../src/core/files/database/openDatabases';
import { PageReader } from '../../../src/core/files/database/pages/pageReader';
import { readDatabaseSync } from '../../../src/core/files/sync/openDatabasesSync';
import { SessionError } from '../../../src/core/format/entry/problem';
import { readTables, scanRows } from '../../../src/core/files/database/pages/tables';
import { loadSqlite } from '../../../src/core/files/io/loadSqlite';
import { session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';
import { addSession, createDatabase } from '../../fixtures/openclawDatabase';
import { watched } from '../../fixtures/watchedReading';

const readers: readonly [string, <T>(path: string, request: (view: DatabaseView) => Reading<T>) => Promise<T>][] = [
  ['in the extension host', readDatabase],
  ['in a worker thread', (path, request) => Promise.resolve(readDatabaseSync(path, request))],
];

describe('A database that changes while it is read', () => {
  const folder = testFolder();

  const createWith = (name: string, id: string): string => {
    const path = join(folder.path, name);
    const database = createDatabase(path);
    addSession(database, { id, lines: session().user('a').lines() });
    database.close();
    return path;
  };

  for (const [where, read] of readers)
    it(`is read from the file that has replaced it, ${where}`, async () => {
      for (let at = 0; at < 3; at++) {
        const path = createWith(`${at}.sqlite`, 'old');
        const other = createWith('other.sqlite', 'new');
        const ids = async (onAnswer: (asked: unknown, number: number) => void): Promise<string[]> =>
          (await read(path, (view) => watched(view.list(), onAnswer))).sessions.map(({ id }) => id);
        const found = await ids((_, number) => {
          if (number === at) renameSync(other, path);
        });
        assert.deepEqual(found, ['new'], `after request ${at}`);
        assert.deepEqual(await ids(() => undefined), ['new'], `after request ${at}`);
      }
    });

  for (const [where, read] of readers)
    it(`isn’t read through a link in place of its log, ${where}`, async () => {
      const path = join(folder.path, `linked-${readers.findIndex(([name]) => name === where)}.sqlite`);
      const database = createDatabase(path);
      addSession(database, { id: 'one', lines: session().user('a').lines() });
      assert.equal((await read(path, (view) => view.list())).sessions.length, 1);
      renameSync(`${path}-wal`, `${path}-elsewhere`);
      symlinkSync(`${path}-elsewhere`, `${path}-wal`);
      await assert.rejects(
        async () => read(path, (view) => view.list()),
        (error) => error instanceof SessionError && error.code === 'not-a-session',
      );
      renameSync(`${path}-elsewhere`, `${path}-wal`);
      database.close();
    });

  /** Creates a table that is first in the database, and one that is last; both have a row with the same number. */
  const createPair = (path: string, journal: string): { readonly set: (value: number) => void; readonly exec: (sql: string) => void } => {
    const database = new (loadSqlite().DatabaseSync)(path);
    after(() => database.close());
    database.exec(`PRAGMA journal_mode = ${journal}; PRAGMA synchronous = OFF`);
    database.exec('CREATE TABLE first (value); CREATE TABLE filler (value); INSERT INTO filler VALUES (zeroblob(200000))');
    database.exec('CREATE TABLE last (value); INSERT INTO first VALUES (1); INSERT INTO last VALUES (1); PRAGMA wal_checkpoint(TRUNCATE)');
    const set = (value: number): void =>
      database.exec(`BEGIN; UPDATE first SET value = ${value}; UPDATE last SET value = ${value}; COMMIT`);
    return { set, exec: (sql) => database.exec(sql) };
  };

  /** Reads the numbers of both tables. Calls `between` after the first one. */
  const readPair = (reader: PageReader, between: () => void) =>
    function* (): Reading<number[]> {
      const tables = yield* readTables(reader);
      const found: number[] = [];
      for (const name of ['first', 'last']) {
        yield* scanRows(reader, tables.get(name)!, (row) => found.push(row.integer('value')!) > 0);
        between();
      }
      return found;
    };

  it('is read again if its log was checkpointed and begun anew before the check', () => {
    const path = join(folder.path, 'a.sqlite');
    const { set, exec } = createPair(path, 'WAL');
    exec('CREATE TABLE other (value)');
    const reader = new PageReader();
    let isChanged = false;
    let isBegunAnew = false;
    const work = readPair(reader, () => {
      if (isChanged) return;
      isChanged = true;
      set(2);
      exec('PRAGMA wal_checkpoint(FULL)');
    });
    const found = readDatabaseSync(path, () =>
      watched(reader.read(work), (asked) => {
        const isHeader = typeof asked === 'object' && asked.file === 'wal' && asked.offset === 0;
        if (!isChanged || isBegunAnew || !isHeader) return;
        isBegunAnew = true;
        exec('INSERT INTO other VALUES (zeroblob(100000))');
      }),
    );
    assert.deepEqual([isBegunAnew, found], [true, [2, 2]]);
  });

  it('is read again if it has no log and was written twice within a tick of the clock', () => {
    const path = join(folder.path, 'a.sqlite');
    const { set } = createPair(path, 'DELETE');
    const before = readFileSync(path);
    set(2);
    const after = readFileSync(path);
    const write = (bytes: Buffer, time: number): number => {
      writeFileSync(path, bytes);
      utimesSync(path, time / 1000, time / 1000);
      return time;
    };
    const reader = new PageReader();
    let isChanged = false;
    const written = write(before, Date.now());
    const work = readPair(reader, () => {
      if (isChanged) return;
      isChanged = true;
      // The time that was set may be stored a millisecond early.
      write(after, Date.now() - written < CLOCK_TICK - 1 ? written : Date.now());
    });
    assert.deepEqual(
      readDatabaseSync(path, () => reader.read(work)),
      [2, 2],
    );
  });
});
