import assert from 'node:assert/strict';
import { cpSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DamagedDatabase } from '../../../src/core/catalog/database/databaseErrors';
import { databasePath, openForReading, openForWriting, type DatabaseLocation } from '../../../src/core/catalog/database/database';
import { unreadableRow } from '../../../src/core/catalog/rows/catalogRow';
import { PAGE_BYTES } from '../../../src/core/catalog/database/schema';
import { countValidFrames } from '../../../src/core/catalog/database/integrity/walFrames';
import { SealedFile } from '../../../src/core/catalog/database/integrity/sealedFile';
import { WritableDatabase } from '../../../src/core/catalog/database/writableDatabase';
import { testFolder } from '../../fixtures/folder';

describe('SealedFile', () => {
  const folder = testFolder();
  const opened: { close(): void }[] = [];
  afterEach(() => {
    for (const one of opened.splice(0)) one.close();
  });

  const at = (name: string): DatabaseLocation => ({ cacheDir: join(folder.path, name), hasWordIndex: true });
  const fileOf = (place: DatabaseLocation, suffix = ''): string => databasePath(place) + suffix;

  /** Opens the database for writing like a window does, and creates it if it is missing. */
  function open(place: DatabaseLocation): {
    readonly database: WritableDatabase;
    commit(path: string, problem?: string): void;
    checkpoint(): void;
    has(path: string): boolean;
    close(): void;
  } {
    const database = new WritableDatabase(place);
    const indexer = database.open(() => undefined);
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
      checkpoint: () => indexer.checkpoints.runFinal(),
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

  /** Copies the files as a process killed now would leave them. */
  function left(place: DatabaseLocation, name: string): DatabaseLocation {
    cpSync(place.cacheDir, at(name).cacheDir, { recursive: true });
    rmSync(fileOf(at(name), '-shm'), { force: true });
    return at(name);
  }

  /** Changes the bytes of a file wherever it contains a text. */
  function change(path: string, text: string): void {
    const bytes = readFileSync(path);
    assert.ok(bytes.includes(text));
    for (let place; (place = bytes.indexOf(text)) >= 0;) bytes[place]! ^= 1;
    writeFileSync(path, bytes, { flag: 'r+' });
  }

  const isRefused = (place: DatabaseLocation): void =>
    assert.throws(() => new WritableDatabase(place).open(() => undefined), DamagedDatabase);

  it('accepts the sealed file and later commits', () => {
    const place = closed('cache');
    const window = open(place);
    window.commit('/second.jsonl');
    const again = open(left(place, 'left'));
    assert.ok(again.has('/first.jsonl') && again.has('/second.jsonl'));
  });

  it('is of a database whose large WAL is emptied by the checkpoint after a request', () => {
    const place = closed('cache');
    const window = open(place);
    const walSize = (): number => statSync(fileOf(place, '-wal')).size;
    window.commit('/small.jsonl');
    window.database.checkpoint();
    assert.ok(walSize() > 0, 'a small one isn’t worth a checkpoint');
    window.commit('/large.jsonl', 'x'.repeat(9_000_000));
    assert.ok(walSize() > 16 * 1024 * 1024);
    window.database.checkpoint();
    assert.equal(walSize(), 0);
    const again = open(left(place, 'left'));
    assert.ok(again.has('/first.jsonl') && again.has('/large.jsonl'));
  });

  it('is of a database that waits for the disk at checkpoints, whether it’s new or not', () => {
    const place = at('cache');
    const synchronous = ['new', 'opened again'].map(() => {
      const file = new SealedFile(databasePath(place));
      const database = openForWriting(place, file);
      opened.push(database, file);
      return database.prepare('PRAGMA synchronous').get()?.['synchronous'];
    });
    assert.deepEqual(synchronous, [1, 1]);
  });

  it('rejects other bytes', () => {
    const place = closed('cache');
    change(fileOf(place), 'first.jsonl');
    isRefused(place);
  });

  it('rejects another size', () => {
    const place = closed('cache');
    const seal = JSON.parse(readFileSync(fileOf(place, '-seal'), 'utf8')) as { size: number };
    writeFileSync(fileOf(place, '-seal'), JSON.stringify({ ...seal, size: seal.size + 1 }));
    isRefused(place);
  });

  it('rejects a seal that lacks a member', () => {
    const place = closed('cache');
    const seal = JSON.parse(readFileSync(fileOf(place, '-seal'), 'utf8')) as Record<string, unknown>;
    const lacking = Object.keys(seal).map((key) => ({ ...seal, [key]: undefined }));
    for (const other of [...lacking, null, 'seal']) {
      writeFileSync(fileOf(place, '-seal'), JSON.stringify(other));
      isRefused(place);
    }
  });

  it('rejects a missing seal, and a rollback journal beside the database', () => {
    const place = closed('cache');
    writeFileSync(fileOf(place, '-journal'), '');
    isRefused(place);
    rmSync(fileOf(place, '-journal'));
    open(place).close();
    rmSync(fileOf(place, '-seal'));
    isRefused(place);
  });

  it('rejects a database without the WAL that has its last commits', () => {
    const place = closed('cache');
    const window = open(place);
    const reader = new DatabaseSync(fileOf(place), { readOnly: true });
    reader.exec('BEGIN; SELECT * FROM sessions');
    // The reader keeps this commit out of the file.
    window.commit('/second.jsonl');
    window.checkpoint();
    const [whole, lost] = [left(place, 'whole'), left(place, 'lost')];
    reader.close();
    rmSync(fileOf(lost, '-wal'));
    isRefused(lost);
    assert.ok(open(whole).has('/second.jsonl'));
  });

  it('rejects a WAL that lost commits which are in the file', () => {
    const place = closed('cache');
    const window = open(place);
    window.commit('/second.jsonl');
    const { size } = statSync(fileOf(place, '-wal'));
    window.commit('/third');
    window.checkpoint();
    const lost = left(place, 'lost');
    truncateSync(fileOf(lost, '-wal'), size);
    isRefused(lost);
  });

  for (const [commits, title] of [
    [1, 'as many'],
    [3, 'more'],
  ] as const) {
    it(`rejects the WAL of another database that has ${title} commits`, () => {
      const place = closed('cache');
      const other = open(at('other'));
      for (let count = 0; count < commits; count++) other.commit(`/other/${count}`);
      cpSync(fileOf(at('other'), '-wal'), fileOf(place, '-wal'));
      isRefused(place);
    });
  }

  for (const sql of [
    'CREATE TRIGGER harm AFTER UPDATE ON state BEGIN DELETE FROM sessions; END',
    'DROP TABLE labels',
    'PRAGMA user_version = 99',
  ]) {
    it(`rejects other tables despite a valid seal: ${sql}`, () => {
      const place = closed('cache');
      const plain = new DatabaseSync(fileOf(place));
      opened.push(plain);
      // In the WAL only: the file still matches its seal.
      plain.exec(sql);
      const planted = left(place, 'planted');
      assert.equal(openForReading(planted, 2000), undefined);
      isRefused(planted);
    });
  }

  it('doesn’t seal a file that was damaged meanwhile', () => {
    const place = closed('cache');
    const window = open(place);
    window.commit('/second.jsonl');
    change(fileOf(place), 'first.jsonl');
    assert.throws(() => window.checkpoint(), DamagedDatabase);
    isRefused(left(place, 'left'));
  });

  it('doesn’t checkpoint a WAL that was damaged meanwhile', () => {
    const place = closed('cache');
    const window = open(place);
    window.commit('/second.jsonl');
    change(fileOf(place, '-wal'), 'second.jsonl');
    assert.throws(() => window.checkpoint(), DamagedDatabase);
    isRefused(left(place, 'left'));
  });

  it('is set aside with a damaged database, once for all windows', () => {
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

describe('countValidFrames', () => {
  const folder = testFolder();

  it('counts frames as SQLite does, up to the first damaged one', () => {
    const path = join(folder.path, 'a.sqlite');
    const wal = `${path}-wal`;
    assert.equal(countValidFrames(wal), 0);
    const database = new DatabaseSync(path);
    try {
      database.exec(
        `PRAGMA page_size = ${PAGE_BYTES}; PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE texts (text)`,
      );
      const add = (text: string): void => void database.prepare('INSERT INTO texts VALUES (?)').run(text.repeat(800_000));
      const counted = (): unknown => database.prepare('PRAGMA wal_checkpoint(PASSIVE)').get()?.['log'];
      for (const text of ['a', 'b', 'c']) add(text);
      const frames = countValidFrames(wal);
      assert.ok(frames > 128, 'more than are read at a time');
      assert.equal(frames, counted());
      // Everything is in the file: the WAL is reused from its beginning, with older frames after that.
      add('d');
      assert.ok(countValidFrames(wal) < frames);
      assert.equal(countValidFrames(wal), counted());
      const bytes = readFileSync(wal);
      const [size, damaged] = [24 + PAGE_BYTES, 10];
      bytes[32 + damaged * size + size - 1]! ^= 1;
      writeFileSync(wal, bytes, { flag: 'r+' });
      assert.equal(countValidFrames(wal), damaged);
    } finally {
      database.close();
    }
  });
});
