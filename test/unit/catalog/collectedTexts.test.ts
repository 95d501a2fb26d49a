import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { writeFileSync } from 'node:fs';
import type { Indexer } from '../../../src/core/catalog/database/indexer';
import { WritableDatabase } from '../../../src/core/catalog/database/writableDatabase';
import { createScanBuffers, type IndexRecord } from '../../../src/core/catalog/index/scanSession';
import { CollectedTexts } from '../../../src/core/catalog/worker/collectedTexts';
import { scanNewFile } from '../../../src/core/catalog/worker/scanThread';
import { session, type SessionBuilder } from '../../fixtures/build';
import { testCatalog } from '../../fixtures/catalog';
import { testFolder } from '../../fixtures/folder';
import { addSession, createDatabase } from '../../fixtures/openclawDatabase';

describe('texts that come with the rows of packed sessions', function () {
  this.timeout(20_000);
  const folder = testFolder();
  const test = testCatalog();
  const check = (): void => undefined;
  const buffers = createScanBuffers();
  const databasePath = (): string => join(folder.path, 'a.sqlite');
  const path = (id: string): string => join(databasePath(), `${id}.jsonl`);

  function writeSessions(sessions: Readonly<Record<string, SessionBuilder>>): void {
    const database = createDatabase(databasePath());
    database.exec('BEGIN');
    for (const [id, built] of Object.entries(sessions)) addSession(database, { id, lines: built.lines() });
    database.exec('COMMIT');
    database.close();
  }

  async function scanned(at: string, leaveWordsFrom = Infinity): Promise<IndexRecord> {
    const { result } = await scanNewFile(0, { path: at, dialect: 'openclaw' }, { buffers, check, leaveWordsFrom });
    assert.ok('packed' in result);
    return result.packed;
  }

  async function withIndexer(cacheDir: string, work: (indexer: Indexer) => void | Promise<void>): Promise<void> {
    const database = new WritableDatabase({ cacheDir, indexed: true });
    await work(database.open(check));
    database.close();
  }

  const put = (indexer: Indexer, at: string, record: IndexRecord): void => indexer.put({ path: at, version: record.version }, record);

  /** Stores sessions in a transaction, and collects their texts. */
  async function collect(indexer: Indexer, paths: readonly string[]): Promise<CollectedTexts> {
    const collected = new CollectedTexts(indexer);
    indexer.begin();
    for (const at of paths) {
      const record = await scanned(at, 0);
      put(indexer, at, record);
      assert.ok(record.texts);
      collected.add(at, record.version, record.texts);
    }
    indexer.commit();
    return collected;
  }

  /** All words of the index with their documents, and the number of words of each document. */
  function wordsIn(cacheDir: string): unknown[] {
    const database = new DatabaseSync(join(cacheDir, 'catalog.sqlite'));
    try {
      database.exec(`CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, words, instance)`);
      return [
        database.prepare('SELECT term, doc FROM temp.vocabulary ORDER BY term, doc').all(),
        database.prepare('SELECT id, sz FROM words_docsize ORDER BY id').all(),
        database.prepare('SELECT n FROM unindexed').all(),
      ];
    } finally {
      database.close();
    }
  }

  const SESSIONS = {
    one: session().user('apple').tool('read', { path: 'apple.ts' }, 'result').user('Äpfel und apple '.repeat(30)),
    two: session().user('banana').assistant('the banana, the banana, the banana, the banana').name('Title of two'),
  };

  it('become the words that the index would get with the rows', async () => {
    writeSessions(SESSIONS);
    const archive = join(folder.path, 'three.jsonl.gz');
    writeFileSync(archive, gzipSync(session().user('cherry').text()));
    const paths = [path('one'), path('two'), archive];
    const cacheDir = join(test.cacheDir, 'other');
    await withIndexer(cacheDir, async (indexer) => {
      indexer.begin();
      indexer.expect(3, 1_000_000);
      for (const at of paths) put(indexer, at, await scanned(at));
      indexer.commit();
    });
    await withIndexer(test.cacheDir, async (indexer) => {
      indexer.expect(3, 1_000_000);
      const collected = await collect(indexer, paths);
      assert.equal(indexer.unindexed().length, 3);
      collected.store();
      assert.deepEqual(indexer.unindexed(), []);
    });
    const [words] = wordsIn(cacheDir);
    assert.ok(Array.isArray(words) && words.length >= 10, JSON.stringify(words));
    assert.deepEqual(wordsIn(test.cacheDir), wordsIn(cacheDir));
  });

  it('stay left if another window has read a session anew, or removed it, in between', async () => {
    writeSessions(SESSIONS);
    for (const isReadAnew of [false, true])
      await withIndexer(test.cacheDir, async (indexer) => {
        indexer.expect(2, 1_000_000);
        const collected = await collect(indexer, [path('one'), path('two')]);
        indexer.begin();
        indexer.remove(path('two'));
        if (isReadAnew) put(indexer, path('two'), await scanned(path('two')));
        indexer.commit();
        collected.store();
        assert.equal(indexer.unindexed().length, 1);
        // What is left is stored later.
        collected.store();
        indexer.begin();
        for (const id of ['one', 'two']) indexer.remove(path(id));
        indexer.commit();
      });
  });

  it('stay left if their numbers fall, which a segment can’t take', async () => {
    writeSessions(SESSIONS);
    await withIndexer(test.cacheDir, async (indexer) => {
      // No numbers are set aside, so that each session gets lower ones.
      const collected = await collect(indexer, [path('one'), path('two')]);
      collected.store();
      assert.deepEqual(
        indexer.unindexed().map((n) => indexer.textsOf(n)?.path),
        [path('two')],
      );
    });
  });

  it('are searched after a large batch was read in one go', async () => {
    const [one, two] = [session().user('apple'), session().user('banana')];
    for (let each = 0; each < 4500; each++) {
      one.user(`number ${each}`);
      two.assistant(`answer ${each}`);
    }
    writeSessions({ one, two });
    const catalog = await test.open({}, { roots: [{ path: databasePath(), dialect: 'openclaw', flat: true }] });
    const found = async (query: string): Promise<string[]> => (await catalog.search(query)).map((hit) => hit.path);
    assert.deepEqual(
      [await found('apple'), await found('banana'), await found('"number 4321"'), await found('"answer 4321"')],
      [[path('one')], [path('two')], [path('one')], [path('two')]],
    );
  });
});
