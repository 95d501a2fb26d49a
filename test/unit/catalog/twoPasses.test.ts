import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { basename, join } from 'node:path';
import { execPath } from 'node:process';
import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads';
import type { Indexer } from '../../../src/core/catalog/database/indexer';
import { WritableDatabase } from '../../../src/core/catalog/database/writableDatabase';
import { createPulseMemory } from '../../../src/core/files/concurrency/pulse';
import { createScanBuffers } from '../../../src/core/catalog/index/scanSession';
import { wordsOf } from '../../../src/core/catalog/index/storedTexts';
import { CatalogWriter } from '../../../src/core/catalog/worker/catalogWriter';
import { shareFiles } from '../../../src/core/catalog/worker/protocol/fileList';
import { scanNewFile } from '../../../src/core/catalog/worker/scan/scannedFile';
import type { IndexResponse } from '../../../src/core/catalog/worker/protocol/workerProtocol';
import { fileVersion, type FileVersion } from '../../../src/core/files/read/versions/fileVersion';
import type { Catalog } from '../../../src/core/index';
import { session, type SessionBuilder } from '../../fixtures/build';
import { testCatalog } from '../../fixtures/catalog';

type Progress = Extract<IndexResponse, { kind: 'progress' }>;

const WORKER = join(__dirname, '../../../bundled/catalogWorker.js');

describe('sessions that are read in two passes', function () {
  this.timeout(20_000);
  const test = testCatalog();
  const { path, open } = test;
  const check = (): void => undefined;
  const buffers = createScanBuffers();

  /** Writes sessions, and stores them as a process that is killed after the first pass does. */
  async function firstPass(sessions: Readonly<Record<string, SessionBuilder>>): Promise<void> {
    mkdirSync(join(test.root, 'p'), { recursive: true });
    for (const [name, lines] of Object.entries(sessions)) writeFileSync(path(name), lines.text());
    await write(async (indexer) => {
      for (const name of Object.keys(sessions)) await storeRows(indexer, name);
    });
  }

  async function write(work: (indexer: Indexer) => void | Promise<void>): Promise<void> {
    const database = new WritableDatabase({ cacheDir: test.cacheDir });
    const indexer = database.open();
    indexer.begin();
    await work(indexer);
    indexer.commit();
    database.close();
  }

  async function storeRows(indexer: Indexer, name: string): Promise<void> {
    const { result } = await scanNewFile(0, { path: path(name), dialect: 'pi' }, { buffers, check, leaveWordsFrom: 0 });
    assert.ok('packed' in result);
    indexer.put({ path: path(name), version: result.packed.version }, result.packed);
  }

  /** The number of rows of a table. */
  function count(table: string): unknown {
    const database = new DatabaseSync(join(test.cacheDir, 'catalog.sqlite'), { readOnly: true });
    try {
      return database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.['n'];
    } finally {
      database.close();
    }
  }

  /** The number of rows in the index, and of sessions whose words were left for later. */
  const stored = (): [texts: unknown, unindexed: unknown] => [count('words'), count('unindexed')];
  const matches = (word: string): unknown => count(`words WHERE words MATCH '${word}'`);

  /** The names of the sessions that have the hits. */
  const found = async (catalog: Catalog, query: string): Promise<string> =>
    (await catalog.search(query))
      .map((hit) => basename(hit.path, '.jsonl'))
      .sort()
      .join(' ');

  it('are made searchable in the background', async () => {
    await firstPass({ a: session().user('apple') });
    let onDone: () => void;
    const done = new Promise<void>((resolve) => (onDone = resolve));
    const catalog = await test.openOnly({ onProgress: (count, total) => count === total && onDone() });
    await done;
    assert.equal(await found(catalog, 'apple'), 'a');
  });

  it('are searchable after the next start, which says that they aren’t at first', async () => {
    await firstPass({
      a: session().user('apple').tool('read', { path: 'apple.ts' }, 'result').user('Äpfel und apple'),
      b: session().user('banana').assistant('apple').name('apple'),
      none: session(),
    });
    assert.deepEqual(stored(), [0, 2]);
    const progress: string[] = [];
    const catalog = await open({}, { onProgress: (done, total) => progress.push(`${done}/${total}`) });
    assert.deepEqual(await found(catalog, 'apple'), 'a a a b b');
    assert.deepEqual(await found(catalog, 'äpfel'), 'a');
    assert.deepEqual([progress[0], progress.at(-1), ...stored()], ['1/2', '2/2', 7, 0]);
  });

  it('have their rows, tools and files before', async () => {
    await firstPass({ a: session().user('apple').tool('read', { path: 'x.ts' }, 'result') });
    const before = await test.openOnly({ background: false });
    assert.deepEqual(
      [
        (await before.sessions()).map(({ complete }) => complete),
        await before.tools(),
        (await before.search('', { tools: ['read'] })).length,
      ],
      [[true], ['read'], 1],
    );
    assert.deepEqual(await found(before, 'apple'), '');
  });

  it('are read again if they grow in between', async () => {
    // Large enough for its session to be kept, from which a scan continues.
    const large = session().user('apple').user('before');
    for (let index = 0; index < 20; index++) large.tool('read', {}, 'y'.repeat(500_000));
    await firstPass({ a: large });
    appendFileSync(path('a'), `${session().user('apple later', { id: 'later' }).lines()[1]!}\n`);
    const catalog = await open();
    assert.deepEqual(await found(catalog, 'apple'), 'a a');
    assert.deepEqual(stored(), [23, 0]);
    appendFileSync(path('a'), `${session().user('apple last', { id: 'last' }).lines()[1]!}\n`);
    await catalog.refresh();
    assert.deepEqual([await found(catalog, 'apple'), ...stored()], ['a a a', 24, 0]);
  });

  it('are read again if they are rewritten or removed in between', async () => {
    await firstPass({ a: session().user('apple').user('apple'), b: session().user('apple') });
    writeFileSync(path('a'), session().user('cherry').text());
    rmSync(path('b'));
    const catalog = await open();
    assert.deepEqual([await found(catalog, 'apple'), await found(catalog, 'cherry'), ...stored()], ['', 'a', 1, 0]);
  });

  it('keep the words that another window has added', async () => {
    await firstPass({ a: session().user('apple') });
    await write((indexer) => {
      const [n] = indexer.unindexed();
      const texts = indexer.textsOf(n!)!;
      const words = wordsOf(texts, buffers, check)!;
      indexer.addWords(n!, texts, words);
      indexer.addWords(n!, texts, { ...words, bytes: Buffer.from('other\n') });
    });
    assert.deepEqual([stored(), matches('apple'), matches('other')], [[1, 0], 1, 0]);
  });

  /** Checks the index of words, and reads the database. */
  const withWords = <T>(read: (database: DatabaseSync) => T): T => {
    const database = new DatabaseSync(join(test.cacheDir, 'catalog.sqlite'));
    try {
      database.exec(`INSERT INTO words (words, rank) VALUES ('integrity-check', 1)`);
      return read(database);
    } finally {
      database.close();
    }
  };

  it('get no words of another version', async () => {
    await firstPass({ a: session().user('apple') });
    await write(async (indexer) => {
      const [n] = indexer.unindexed();
      const texts = indexer.textsOf(n!)!;
      const words = wordsOf(texts, buffers, check)!;
      writeFileSync(path('a'), session().user('cherry and more').text());
      assert.equal(wordsOf(texts, buffers, check), undefined);
      await storeRows(indexer, 'a');
      indexer.addWords(n!, texts, words);
    });
    assert.deepEqual(stored(), [0, 1]);
    assert.deepEqual(await found(await open(), 'apple'), '');
  });

  it('are removed without a trace', async () => {
    await firstPass({ a: session().user('apple'), b: session().user('banana') });
    await write((indexer) => indexer.remove(path('a')));
    assert.deepEqual(stored(), [0, 1]);
    await write((indexer) => {
      indexer.commit();
      indexer.empty();
    });
    assert.deepEqual(stored(), [0, 0]);
  });

  describe('of many bytes', () => {
    const COUNT = 40;
    const many = (): Record<string, SessionBuilder> =>
      Object.fromEntries(
        Array.from({ length: COUNT }, (_, index) => [
          `s${index}`,
          session().user(`apple ${index}`).tool('read', { path: 'x' }, 'y'.repeat(500_000)).user('apple'),
        ]),
      );

    /** Writes the sessions and indexes them. Returns the last report. */
    async function index(reader: MessagePort, stop: Int32Array<SharedArrayBuffer>, onRows: () => void): Promise<Progress> {
      const sessions = many();
      mkdirSync(join(test.root, 'p'), { recursive: true });
      for (const [name, lines] of Object.entries(sessions)) writeFileSync(path(name), lines.text());
      const versionOf = (name: string): FileVersion => fileVersion(statSync(path(name), { bigint: true }));
      const files = await shareFiles(
        Object.keys(sessions).map((name) => ({ path: path(name), root: { dialect: 'pi' }, version: versionOf(name) })),
      );
      const reports: Progress[] = [];
      let rows = 0;
      const writer = new CatalogWriter({ cacheDir: test.cacheDir, pulse: createPulseMemory() }, (response) => {
        if (response.kind !== 'progress') return;
        reports.push(response);
        rows += response.files.length;
        if (rows === COUNT) onRows();
      });
      await writer.serve({ kind: 'index', id: 1, files, gone: [], isComplete: true, stop, reader });
      await writer.serve({ kind: 'close', id: 2 });
      return reports.at(-1)!;
    }

    /** Indexes with two threads, and stops as soon as all rows were reported. */
    async function untilRows(): Promise<Progress> {
      const stop = new Int32Array(new SharedArrayBuffer(4));
      const { port1, port2 } = new MessageChannel();
      const thread = new Worker(WORKER, { workerData: { reader: port2 }, transferList: [port2] });
      const last = await index(port1, stop, () => Atomics.store(stop, 0, 1));
      await once(thread, 'exit');
      return last;
    }

    it('have all rows before they are searchable', async () => {
      const { done, total } = await untilRows();
      assert.deepEqual([done, total, ...stored()], [COUNT / 2, COUNT, 0, COUNT]);
      const rows = await (await test.openOnly({ background: false })).sessions();
      assert.deepEqual([rows.length, rows.every(({ complete, messageCount }) => complete && messageCount === 4)], [COUNT, true]);
    });

    it('are finished by the next refresh of everything alone', async () => {
      await untilRows();
      appendFileSync(path('s0'), `${session().user('cherry', { id: 'later' }).lines()[1]!}\n`);
      const catalog = await test.openOnly({ background: false });
      await catalog.refresh([path('s0')]);
      assert.deepEqual([await found(catalog, 'cherry'), ...stored()], ['s0', 5, COUNT - 1]);
      await catalog.refresh();
      assert.deepEqual([(await catalog.search('apple', { limit: 1000 })).length, ...stored()], [2 * COUNT, 4 * COUNT + 1, 0]);
    });

    it('are finished if the thread that reads words breaks down', async () => {
      const { port1, port2 } = new MessageChannel();
      // It reads no file, and ends when the first words are requested.
      port2.once('message', () => {
        port2.once('message', () => port2.close());
        port2.postMessage('done');
      });
      const { done, total } = await index(port1, new Int32Array(new SharedArrayBuffer(4)), () => undefined);
      assert.deepEqual([done, total, ...stored()], [COUNT, COUNT, 4 * COUNT, 0]);
    });

    it('have no words if they’re stopped while words are read', async () => {
      const stop = new Int32Array(new SharedArrayBuffer(4));
      const { port1, port2 } = new MessageChannel();
      // It reads no file, and has no words of the sessions.
      port2.once('message', ({ counters }: { readonly counters: Int32Array<SharedArrayBuffer> }) => {
        port2.on('message', () => {
          Atomics.store(stop, 0, 1);
          port2.postMessage({ words: undefined });
          // The number of results handed over.
          Atomics.add(counters, 1, 1);
        });
        port2.postMessage('done');
      });
      const { done, total } = await index(port1, stop, () => undefined);
      port2.close();
      assert.deepEqual([done < total, ...stored()], [true, 0, COUNT]);
      const catalog = await open();
      assert.deepEqual([(await catalog.search('apple', { limit: 1000 })).length, ...stored()], [2 * COUNT, 4 * COUNT, 0]);
    });

    for (const [method, when, call] of [
      ['addWords', 'after', 30],
      ['addWords', 'after', COUNT],
      // The second call follows the last commit.
      ['setBulkMode', 'before', 2],
    ] as const)
      it(`lose nothing if the process is killed ${when} call ${call} of ${method}`, async () => {
        const folder = join(test.root, 'p');
        mkdirSync(folder, { recursive: true });
        for (const [name, lines] of Object.entries(many())) writeFileSync(path(name), lines.text());
        const script = join(__dirname, '../../fixtures/killedIndexing.js');
        const process = spawn(execPath, [script, folder, test.cacheDir, method, when, String(call)], { stdio: 'inherit' });
        const [, signal] = (await once(process, 'exit')) as [unknown, unknown];
        assert.equal(signal, 'SIGKILL');
        // On a slow machine there is a commit in between.
        const [texts, unindexed] = stored();
        assert.equal(texts, 4 * (COUNT - Number(unindexed)));
        assert.equal(unindexed === 0, method === 'setBulkMode');
        withWords(() => undefined);
        const catalog = await open();
        assert.equal((await catalog.search('apple', { limit: 1000 })).length, 2 * COUNT);
        withWords(() => assert.deepEqual(stored(), [4 * COUNT, 0]));
      });

    describe('whose words another thread has read', () => {
      beforeEach(async () => {
        const { port1, port2 } = new MessageChannel();
        const thread = new Worker(WORKER, { workerData: { reader: port2 }, transferList: [port2] });
        const { done, total } = await index(port1, new Int32Array(new SharedArrayBuffer(4)), () => undefined);
        await once(thread, 'exit');
        assert.deepEqual([done, total, ...stored()], [COUNT, COUNT, 4 * COUNT, 0]);
      });

      it('are searched, grow, are rewritten and removed', async () => {
        const catalog = await open();
        const [, second] = await catalog.search('apple 17');
        assert.deepEqual([basename((await catalog.search('apple 17'))[0]!.path), second], ['s17.jsonl', undefined]);
        appendFileSync(path('s1'), `${session().user('cherry', { id: 'later' }).lines()[1]!}\n`);
        writeFileSync(path('s2'), session().user('cherry').text());
        rmSync(path('s3'));
        await catalog.refresh();
        assert.deepEqual(
          [await found(catalog, 'cherry'), (await catalog.search('apple', { limit: 1000 })).length, ...stored()],
          ['s1 s2', 2 * COUNT - 4, 4 * COUNT + 1 - 3 - 4, 0],
        );
        await catalog.close();
        assert.equal(
          withWords((database) => database.prepare(`SELECT count(*) AS n FROM words WHERE words MATCH 'apple'`).get()?.['n']),
          2 * COUNT - 4,
        );
      });
    });
  });
});
