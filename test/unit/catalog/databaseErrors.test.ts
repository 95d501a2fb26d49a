import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { openForReading, openForWriting, withDatabaseLock } from '../../../src/core/catalog/database/database';
import { PAGE_BYTES } from '../../../src/core/catalog/database/schema';
import { WritableDatabase } from '../../../src/core/catalog/database/writableDatabase';
import { mapDatabaseError, isDamage } from '../../../src/core/catalog/database/databaseErrors';
import { DamagedDatabase } from '../../../src/core/catalog/encoding/damagedDatabase';
import { DatabaseRecovery } from '../../../src/core/catalog/database/databaseRecovery';
import { createPulseMemory } from '../../../src/core/files/concurrency/pulse';
import { CatalogWriter } from '../../../src/core/catalog/worker/catalogWriter';
import type { IndexResponse } from '../../../src/core/catalog/worker/protocol/workerProtocol';
import { entryId, session, type SessionBuilder } from '../../fixtures/build';
import { testCatalog } from '../../fixtures/catalog';

describe('damaged catalog', () => {
  const test = testCatalog();
  const database = (suffix = ''): string => join(test.cacheDir, `catalog.sqlite${suffix}`);

  /** Overwrites the pages of the closed database from the `first` on, which SQLite notices when it reads them. */
  function overwrite(first: number, path = database()): void {
    const bytes = readFileSync(path);
    assert.ok(bytes.length > first * PAGE_BYTES);
    bytes.fill(0xff, first * PAGE_BYTES);
    writeFileSync(path, bytes, { flag: 'r+' });
  }

  const sessions = (): Record<string, SessionBuilder> => ({
    a: session().user('the first message').label(entryId(1), 'important'),
    b: session().user('zanzibar'),
  });

  for (const [what, damage] of [
    ['of which all pages but the first are overwritten', () => overwrite(1)],
    ['of which the first page is overwritten', () => overwrite(0)],
    ['that is cut off', () => truncateSync(database(), PAGE_BYTES)],
    ['that is empty', () => truncateSync(database(), 0)],
    ['that is another file', () => writeFileSync(database(), 'text '.repeat(10_000))],
  ] as const)
    it(`is rebuilt from the session files ${what}`, async () => {
      await (await test.open(sessions())).close();
      damage();
      const opened = await test.open({});
      assert.deepEqual(
        (await opened.labels()).map(({ label }) => label),
        ['important'],
      );
      assert.deepEqual((await opened.sessions()).map(({ firstMessage }) => firstMessage).sort(), ['the first message', 'zanzibar']);
      assert.deepEqual(
        (await opened.search('zanzibar')).map(({ path }) => path),
        [test.path('b')],
      );
      await opened.close();
      const plain = new DatabaseSync(database(), { readOnly: true });
      assert.deepEqual(Object.values(plain.prepare('PRAGMA integrity_check').get()!), ['ok']);
      plain.close();
    });

  /** Overwrites the first page of a table, while nothing that needs it is read. */
  function overwriteTable(table: string): void {
    const plain = new DatabaseSync(database(), { readOnly: true });
    const page = Number(plain.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(table)!['rootpage']);
    plain.close();
    const bytes = readFileSync(database());
    bytes.fill(0xff, (page - 1) * PAGE_BYTES, page * PAGE_BYTES);
    writeFileSync(database(), bytes, { flag: 'r+' });
  }

  it('is rebuilt before the answer if a search is the first to meet the damage', async () => {
    await (await test.open(sessions())).close();
    const opened = await test.open({});
    overwriteTable('words_data');
    assert.deepEqual(
      (await opened.search('zanzibar')).map(({ path }) => path),
      [test.path('b')],
    );
  });

  it('is checked if a process may have ended without closing it, and not otherwise', async () => {
    await (await test.open(sessions())).close();
    const check = (): void => {
      const writable = new WritableDatabase({ cacheDir: test.cacheDir });
      try {
        writable.open();
        writable.check();
      } finally {
        writable.close();
      }
    };
    const plain = new DatabaseSync(database());
    plain.exec('INSERT INTO removed VALUES (1)');
    const wal = readFileSync(database('-wal'));
    plain.close();
    overwriteTable('answers');
    check();
    // A process that is killed leaves its WAL.
    writeFileSync(database('-wal'), wal);
    assert.throws(check, DamagedDatabase);
  });

  it('isn’t created for a check', async () => {
    const responses: IndexResponse[] = [];
    const location = { cacheDir: test.cacheDir, pulse: createPulseMemory() };
    await new CatalogWriter(location, (response) => responses.push(response)).serve({ kind: 'check', id: 1 });
    assert.deepEqual([responses, existsSync(database())], [[{ kind: 'done', id: 1, wasRebuilt: false }], false]);
  });

  it('continues after an interrupted process without rereading', async () => {
    const opened = await test.open({ a: session().user('zanzibar') });
    const saved = readdirSync(test.cacheDir).map((name) => [name, readFileSync(join(test.cacheDir, name))] as const);
    assert.ok(saved.some(([name, bytes]) => name.endsWith('-wal') && bytes.length > 0));
    await opened.close();
    for (const [name, bytes] of saved) writeFileSync(join(test.cacheDir, name), bytes);
    const before = statSync(database()).ino;
    const again = await test.open({});
    assert.equal((await again.search('zanzibar')).length, 1);
    assert.equal(statSync(database()).ino, before, 'it is the same file');
  });

  for (const suffix of ['-journal', '-wal', '-shm', '-lock-journal', '-lock-wal']) {
    it(`isn’t opened with a pipe as its ${suffix}, which would never return`, async function () {
      if (process.platform === 'win32') this.skip();
      await (await test.open({ a: session().user('ordinary') })).close();
      rmSync(database(suffix), { force: true });
      execFileSync('mkfifo', [database(suffix)]);
      // With a partner, opening the pipe returns, so that this test fails instead of hanging.
      const partner = openSync(database(suffix), 'r+');
      try {
        const location = { cacheDir: test.cacheDir };
        const isBesideLock = suffix.startsWith('-lock');
        const read = openForReading(location, 100);
        read?.close();
        assert.equal(read !== undefined, isBesideLock);
        if (isBesideLock) withDatabaseLock(location, () => undefined);
        else assert.throws(() => openForWriting(location), DamagedDatabase);
      } finally {
        closeSync(partner);
      }
      const opened = await test.open({});
      assert.equal((await opened.search('ordinary')).length, 1);
      assert.equal(lstatSync(database(suffix), { throwIfNoEntry: false })?.isFIFO() ?? false, false);
    });
  }

  it('is never written by two processes unaware of each other', async () => {
    await (await test.open({ a: session().user('zanzibar') })).close();
    // This process reads the database before its worker opens it.
    const opened = await test.open({ c: session().user('between') });
    await opened.search('zanzibar');
    const other = (work: string) =>
      promisify(execFile)(process.execPath, [
        '-e',
        `const database = new (require('node:sqlite').DatabaseSync)(${JSON.stringify(database())}); ${work}; database.close();`,
      ]);
    const read = "database.prepare('SELECT count(*) FROM sessions').get()";
    // The last connection to close deletes the WAL, and an exclusive one doesn't share what it reads. Both must
    // notice that this process has it open; its locks would be lost if any descriptor of the file were closed.
    await assert.rejects(other(`database.exec('PRAGMA locking_mode = EXCLUSIVE'); ${read}`), /database is locked/);
    await other(read);
    assert.ok(existsSync(database('-wal')));
    writeFileSync(test.path('b'), session().user('later').text());
    await opened.refresh();
    await opened.close();
    assert.equal((await (await test.open({})).search('later')).length, 1);
  });

  it('recovers if its own files were made read-only', async () => {
    await (await test.open({ a: session().user('zanzibar') })).close();
    chmodSync(database(), 0o400);
    chmodSync(test.cacheDir, 0o500);
    try {
      const opened = await test.open({});
      assert.equal((await opened.search('zanzibar')).length, 1);
    } finally {
      chmodSync(test.cacheDir, 0o700);
    }
  });

  describe('is distinguished from other errors', () => {
    const sqlite = (errcode: number): Error => Object.assign(new Error('of SQLite'), { errcode });
    const codeOf = (error: unknown): unknown => (mapDatabaseError(error, '/cache') as { code?: unknown }).code;

    it('by SQLite’s codes', () => {
      // Corrupt, not a database, short read, damaged file system; then full, read-only, can't open, busy.
      assert.deepEqual(
        [11, 26, 522, 8458, 267, 13, 8, 14, 5].map((code) => isDamage(sqlite(code))),
        [true, true, true, true, true, false, false, false, false],
      );
      assert.deepEqual(
        [sqlite(13), sqlite(8), sqlite(14), sqlite(11), new DamagedDatabase('x'), Object.assign(new Error('x'), { code: 'EROFS' })].map(
          codeOf,
        ),
        ['no-space', 'permission', 'permission', 'damaged', 'damaged', 'permission'],
      );
    });
  });
});

describe('DatabaseRecovery', () => {
  /** A worker that rebuilds the database if the reported damage is in the current file. */
  function worker() {
    const calls: string[] = [];
    let ino = 1n;
    const mending = new DatabaseRecovery(
      {
        check: (damaged) => {
          calls.push(damaged === undefined ? 'check' : `damaged ${damaged}`);
          if (damaged !== ino) return Promise.resolve(false);
          ino++;
          return Promise.resolve(true);
        },
      },
      () => {
        calls.push('read');
        return Promise.resolve();
      },
      '/cache',
    );
    return { calls, mending, ino: () => ino };
  }

  it('repeats the query after damage', async () => {
    const { calls, mending } = worker();
    let isDamaged = true;
    const ask = (): string => {
      calls.push('ask');
      if (isDamaged) throw new DamagedDatabase('met', 1n);
      return 'answer';
    };
    const answer = mending.withRecovery(() => {
      try {
        return ask();
      } finally {
        isDamaged = false;
      }
    });
    assert.equal(await answer, 'answer');
    assert.deepEqual(calls, ['ask', 'damaged 1', 'read', 'ask']);
  });

  it('rereads everything if another window rebuilt the database', async () => {
    const { calls, mending, ino } = worker();
    const errors = [new DamagedDatabase('met', ino() - 1n)];
    const answer = await mending.withRecovery(() => {
      const error = errors.pop();
      if (error) throw error;
      return 'answer';
    });
    assert.equal(answer, 'answer');
    assert.deepEqual(calls, ['damaged 0', 'read']);
  });

  it('gives up with an error on a disk that damages everything', async () => {
    const { calls, mending, ino } = worker();
    await assert.rejects(
      mending.withRecovery(() => Promise.reject(new DamagedDatabase('met', ino()))),
      { code: 'damaged' },
    );
    assert.equal(calls.filter((call) => call.startsWith('damaged')).length, 3);
  });
});

describe('catalog on unusual disks', () => {
  const test = testCatalog();

  it('lists a file under each of its names', async () => {
    const opened = await test.open({ a: session().user('zanzibar') });
    linkSync(test.path('a'), test.path('b'));
    await opened.refresh();
    assert.deepEqual((await opened.search('zanzibar')).map(({ path }) => path).sort(), [test.path('a'), test.path('b')]);
    appendFileSync(test.path('b'), session().user('more', { id: 'more' }).lines()[1]!.concat('\n'));
    await opened.refresh();
    assert.equal((await opened.search('more')).length, 2);
  });

  it('rereads a file whose time is earlier than before, or in the future', async () => {
    const opened = await test.open({ a: session().user('zanzibar') });
    for (const [year, word] of [
      [1971, 'past'],
      [2199, 'future'],
      [1999, 'again'],
    ] as const) {
      writeFileSync(test.path('a'), session().user(word).text());
      utimesSync(test.path('a'), new Date(year, 1), new Date(year, 1));
      await opened.refresh();
      assert.equal((await opened.search(word)).length, 1, word);
    }
  });

  it('rereads a file that was replaced by another of the same size and time', async () => {
    const opened = await test.open({ a: session().user('zanzibar') });
    const { atime, mtime } = statSync(test.path('a'));
    writeFileSync(join(test.root, 'other'), session().user('zanzibas').text());
    utimesSync(join(test.root, 'other'), atime, mtime);
    renameSync(join(test.root, 'other'), test.path('a'));
    await opened.refresh();
    assert.equal((await opened.search('zanzibas')).length, 1);
  });
});
