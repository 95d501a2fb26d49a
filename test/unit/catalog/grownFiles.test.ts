import assert from 'node:assert/strict';
import {
  appendFileSync,
  closeSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { mock } from 'node:test';
import { WritableDatabase } from '../../../src/core/catalog/database/writableDatabase';
import { DiskInventory } from '../../../src/core/catalog/refresh/diskInventory';
import { unreadableRow } from '../../../src/core/catalog/rows/catalogRow';
import { fileVersion } from '../../../src/core/files/read/versions/fileVersion';
import type { Catalog } from '../../../src/core/index';
import { session, type SessionBuilder } from '../../fixtures/build';
import { testCatalog } from '../../fixtures/catalog';

describe('a file in the catalog', () => {
  const test = testCatalog();
  let catalog: Catalog;

  const path = (): string => test.path('a');

  async function open(lines: SessionBuilder): Promise<void> {
    catalog = await test.open({ a: lines });
  }

  async function grow(lines: SessionBuilder, text: string): Promise<void> {
    appendFileSync(path(), `${lines.user(text).lines().at(-1)!}\n`);
    assert.deepEqual((await catalog.refresh()).changed, [path()]);
  }

  const texts = async (query: string): Promise<string[]> => (await catalog.search(query)).map(({ snippet }) => snippet);

  for (const [where, before, behind] of [
    ['at its beginning', 'oldword', 'newword'],
    ['before its end', 'grown twice', 'other words'],
  ] as const) {
    it(`is read again when it grew and its text changed ${where}`, async () => {
      const lines = session().user('oldword').tool('read', { path: 'x' }, 'y'.repeat(300_000));
      await open(lines);
      // At this size the session is kept when the file first grows, and used the second time.
      await grow(lines, 'grown once');
      await grow(lines, 'grown twice');
      const { ino } = statSync(path());
      writeFileSync(path(), lines.user('the last').text().replace(before, behind));
      assert.equal(statSync(path()).ino, ino, 'it is the same file');
      await catalog.refresh();
      assert.deepEqual([await texts(before), await texts(behind), await texts('last')], [[], [behind], ['the last']]);
    });
  }

  it('is read from its previous end when it grew', async () => {
    const long = 'y'.repeat(4_500_000);
    const lines = session().tool('read', { path: 'x' }, long).user('oldword').tool('read', { path: 'x' }, long);
    await open(lines);
    // The session is kept from now on.
    await grow(lines, 'grown first');
    const fd = openSync(path(), 'r+');
    writeSync(fd, 'newword', readFileSync(path()).indexOf('oldword'));
    closeSync(fd);
    for (const text of ['grown once', 'grown twice']) {
      await grow(lines, text);
      assert.deepEqual([await texts(text), await texts('newword'), indexed('oldword')], [[text], [], 1]);
    }
  });

  it('is read from its previous end after other files were read', async () => {
    const lines = session().user('first');
    for (let index = 0; index < 1500; index++) lines.user(`mine ${index} ${'x'.repeat(100)}`);
    await open(lines);
    await grow(lines, 'grown once');
    const others = session().user('first');
    for (let index = 0; index < 2000; index++) others.assistant(`other ${index} ${'y'.repeat(100)}`);
    writeFileSync(test.path('b'), others.text());
    await catalog.refresh();
    await grow(lines, 'grown twice');
    const row = (await catalog.sessions()).find((one) => one.path === path());
    assert.deepEqual([row?.problem, row?.messageCount, await texts('twice')], [undefined, 1503, ['grown twice']]);
  });

  /** Returns the number of lines with a word according to the index alone; a search checks the lines, too. */
  function indexed(word: string): unknown {
    const database = new DatabaseSync(join(test.cacheDir, 'catalog.sqlite'), { readOnly: true });
    try {
      return database.prepare('SELECT count(*) AS n FROM words WHERE words MATCH ?').get(word)?.['n'];
    } finally {
      database.close();
    }
  }

  it('keeps its words if it was cut back to what was known before it is read', async () => {
    const lines = session().user('oldword').tool('read', { path: 'x' }, 'y'.repeat(300_000));
    catalog = await test.open({ a: lines });
    await grow(lines, 'grown once');
    const known = readFileSync(path());
    appendFileSync(path(), `${lines.user('taken back').lines().at(-1)!}\n`);
    const inspect = mock.method(DiskInventory.prototype, 'inspect', async function (this: DiskInventory, ...args: [string[]]) {
      inspect.mock.restore();
      const inspection = await this.inspect(...args);
      truncateSync(path(), known.length);
      utimesSync(path(), 1_700_000_000, 1_700_000_000);
      return inspection;
    });
    await catalog.refresh([path()]);
    const found = [await texts('oldword'), await texts('once'), await texts('taken')];
    assert.deepEqual(found, [['oldword'], ['grown once'], []]);
    assert.deepEqual((await catalog.search('', { tools: ['read'] })).length, 1);
    // The next growth is added to all of it.
    writeFileSync(path(), known);
    await grow(lines, 'grown twice');
    assert.deepEqual([await texts('oldword'), await texts('twice')], [['oldword'], ['grown twice']]);
  });

  it('is read as a whole when it grew and another window couldn’t read it meanwhile', async () => {
    const lines = session().user('oldword').tool('read', { path: 'x' }, 'y'.repeat(300_000));
    await open(lines);
    await grow(lines, 'grown once');
    await grow(lines, 'grown twice');
    const now = fileVersion(statSync(path()));
    const database = new WritableDatabase({ cacheDir: test.cacheDir });
    const other = database.open();
    other.begin();
    const row = unreadableRow(path(), new Error('EACCES'), 'pi', now.mtimeMs);
    other.putUnreadable({ path: path(), version: { ...now, size: now.size + 1 }, complete: true, row });
    other.commit();
    database.close();
    await grow(lines, 'grown again');
    assert.deepEqual([await texts('oldword'), await texts('again')], [['oldword'], ['grown again']]);
  });

  it('is read again when another file of the same size and time replaced it', async () => {
    await open(session().user('oldword'));
    const other = join(test.root, 'p', 'other');
    writeFileSync(other, session().user('newword').text());
    // Whole seconds, which every file system supports.
    for (const one of [path(), other]) utimesSync(one, 1_700_000_000, 1_700_000_000);
    await catalog.refresh();
    const [before, { size, mtimeMs, ino }] = [statSync(path()), statSync(other)];
    assert.deepEqual([size, mtimeMs, ino === before.ino], [before.size, before.mtimeMs, false]);
    renameSync(other, path());
    assert.deepEqual((await catalog.refresh()).changed, [path()]);
    assert.deepEqual([await texts('oldword'), await texts('newword')], [[], ['newword']]);
  });
});
