import assert from 'node:assert/strict';
import { appendFileSync, closeSync, openSync, readFileSync, renameSync, statSync, utimesSync, writeFileSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import type { Catalog } from '../../../src/core/index';
import { session, type SessionBuilder } from '../../fixtures/build';
import { testCatalog } from '../../fixtures/catalog';

describe('a file that the catalog knows', () => {
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
    it(`is read anew when it grew and other words stand ${where}`, async () => {
      const lines = session().user('oldword').tool('read', { path: 'x' }, 'y'.repeat(300_000));
      await open(lines);
      // Of a file of this size the first growth has the heads stored; the second goes on from them, and the worker keeps its heads.
      await grow(lines, 'grown once');
      await grow(lines, 'grown twice');
      const { ino } = statSync(path());
      writeFileSync(path(), lines.user('the last').text().replace(before, behind));
      assert.equal(statSync(path()).ino, ino, 'it is the same file');
      await catalog.refresh();
      assert.deepEqual([await texts(before), await texts(behind), await texts('last')], [[], [behind], ['the last']]);
    });
  }

  it('is read from where it ended when it grew', async () => {
    const long = 'y'.repeat(4_500_000);
    const lines = session().tool('read', { path: 'x' }, long).user('oldword').tool('read', { path: 'x' }, long);
    await open(lines);
    const fd = openSync(path(), 'r+');
    writeSync(fd, 'newword', readFileSync(path()).indexOf('oldword'));
    closeSync(fd);
    // Once from heads that are stored, once from those that the worker has.
    for (const text of ['grown once', 'grown twice']) {
      await grow(lines, text);
      assert.deepEqual([await texts(text), await texts('newword'), indexed('oldword')], [[text], [], 1]);
    }
  });

  /** On how many lines a word stands, as the index has it: a search looks at the lines themselves, too. */
  function indexed(word: string): unknown {
    const database = new DatabaseSync(join(test.cacheDir, 'catalog.sqlite'), { readOnly: true });
    try {
      return database.prepare('SELECT count(*) AS n FROM words WHERE words MATCH ?').get(word)?.['n'];
    } finally {
      database.close();
    }
  }

  it('is read anew when another one of its size and time has its place', async () => {
    await open(session().user('oldword'));
    const other = join(test.root, 'p', 'other');
    writeFileSync(other, session().user('newword').text());
    // In whole seconds, which every file system can hold.
    for (const one of [path(), other]) utimesSync(one, 1_700_000_000, 1_700_000_000);
    await catalog.refresh();
    const [before, { size, mtimeMs, ino }] = [statSync(path()), statSync(other)];
    assert.deepEqual([size, mtimeMs, ino === before.ino], [before.size, before.mtimeMs, false]);
    renameSync(other, path());
    assert.deepEqual((await catalog.refresh()).changed, [path()]);
    assert.deepEqual([await texts('oldword'), await texts('newword')], [[], ['newword']]);
  });
});
