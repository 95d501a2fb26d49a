import assert from 'node:assert/strict';
import { cpSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DamagedDatabase } from '../../../src/core/catalog/encoding/damagedDatabase';
import { databasePath, openForReading, openForWriting, type DatabaseLocation } from '../../../src/core/catalog/database/database';
import { unreadableRow } from '../../../src/core/catalog/rows/catalogRow';
import { WritableDatabase } from '../../../src/core/catalog/database/writableDatabase';
import { testFolder } from '../../fixtures/folder';

describe('WritableDatabase', () => {
  const folder = testFolder();
  const opened: { close(): void }[] = [];
  afterEach(() => {
    for (const one of opened.splice(0)) one.close();
  });

  const at = (name: string): DatabaseLocation => ({ cacheDir: join(folder.path, name) });

  /** Opens the database for writing like a window does, and creates it if it is missing. */
  function open(place: DatabaseLocation): {
    readonly database: WritableDatabase;
    commit(path: string, problem?: string): void;
    has(path: string): boolean;
    close(): void;
  } {
    const database = new WritableDatabase(place);
    const indexer = database.open();
    const window = {
      database,
      commit: (path: string, problem = 'none') => {
        indexer.begin();
        indexer.putUnreadable({
          path,
          version: { size: 1, mtimeMs: 1, ino: '1' },
          complete: true,
          row: unreadableRow(path, new Error(problem), 'pi', 0),
        });
        indexer.commit();
      },
      has: (path: string) => indexer.find(path) !== undefined,
      close: () => database.close(),
    };
    opened.push(window);
    return window;
  }

  /** A database after its connection was closed. */
  function closed(name: string): DatabaseLocation {
    const place = at(name);
    const window = open(place);
    window.commit('/first.jsonl');
    window.close();
    return place;
  }

  const isRefused = (place: DatabaseLocation): void => assert.throws(() => new WritableDatabase(place).open(), DamagedDatabase);

  it('leaves a single file and the lock when it’s closed', () => {
    const { cacheDir } = closed('cache');
    assert.deepEqual(readdirSync(cacheDir).sort(), ['catalog.sqlite', 'catalog.sqlite-lock']);
  });

  it('has the commits of a process that was killed', () => {
    const place = closed('cache');
    open(place).commit('/second.jsonl');
    cpSync(place.cacheDir, at('left').cacheDir, { recursive: true });
    const again = open(at('left'));
    assert.ok(again.has('/first.jsonl') && again.has('/second.jsonl'));
    again.database.check();
  });

  it('has a WAL that is small again after a large commit', () => {
    const place = closed('cache');
    const window = open(place);
    const walSize = (): number => statSync(`${databasePath(place)}-wal`).size;
    window.commit('/large.jsonl', 'x'.repeat(20_000_000));
    assert.ok(walSize() > 17_000_000);
    window.commit('/small.jsonl');
    assert.ok(walSize() < 17_000_000);
    assert.ok(window.has('/large.jsonl'));
  });

  it('waits for the disk at checkpoints, whether it’s new or not', () => {
    const synchronous = ['new', 'opened again'].map(() => {
      const { database } = openForWriting(at('cache'));
      opened.push(database);
      return database.prepare('PRAGMA synchronous').get()?.['synchronous'];
    });
    assert.deepEqual(synchronous, [1, 1]);
  });

  for (const sql of [
    'CREATE TRIGGER harm AFTER UPDATE ON sessions BEGIN DELETE FROM labels; END',
    'CREATE VIEW more AS SELECT 1',
    'DROP TABLE labels',
    'PRAGMA user_version = 99',
  ])
    it(`isn’t opened with other tables: ${sql}`, () => {
      const place = closed('cache');
      const plain = new DatabaseSync(databasePath(place));
      plain.exec(sql);
      plain.close();
      assert.equal(openForReading(place, 2000), undefined);
      isRefused(place);
    });

  it('isn’t opened with a rollback journal beside it, which it never has', () => {
    const place = closed('cache');
    writeFileSync(`${databasePath(place)}-journal`, '');
    assert.equal(openForReading(place, 2000), undefined);
    isRefused(place);
  });

  it('is set aside once for all windows if it’s damaged', () => {
    const place = closed('cache');
    const [one, other] = [open(place), open(place)];
    one.database.setAside();
    const anew = open(place);
    anew.commit('/anew');
    other.database.setAside();
    anew.close();
    assert.ok(open(place).has('/anew'));
  });
});
