import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { mock } from 'node:test';
import { DatabaseSync } from 'node:sqlite';
import { MessageChannel, Worker } from 'node:worker_threads';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import type { Indexer } from '../../../src/core/catalog/database/indexer';
import { SegmentWriter } from '../../../src/core/catalog/database/segments/segmentWriter';
import { WritableDatabase } from '../../../src/core/catalog/database/writableDatabase';
import { createPulseMemory } from '../../../src/core/catalog/index/pulse';
import { createScanBuffers, type IndexRecord } from '../../../src/core/catalog/index/scanSession';
import { CatalogWriter } from '../../../src/core/catalog/worker/catalogWriter';
import { CollectedTexts } from '../../../src/core/catalog/worker/collectedTexts';
import { shareFiles } from '../../../src/core/catalog/worker/fileList';
import { scanNewFile } from '../../../src/core/catalog/worker/scannedFile';
import { statFileVersions } from '../../../src/core/files/read/statFiles';
import type { Catalog, Root } from '../../../src/core/index';
import { archiveIn, ompText, writeArchived } from '../../fixtures/archive';
import { session, type SessionBuilder } from '../../fixtures/build';
import { testCatalog } from '../../fixtures/catalog';
import { testFolder } from '../../fixtures/folder';
import { addArchivedSession, addEvent, addPackedEvent, addSession, createDatabase } from '../../fixtures/openclawDatabase';

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
    const database = new WritableDatabase({ cacheDir, hasWordIndex: true });
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

  describe('and are left for the second pass', () => {
    const WORKER = join(__dirname, '../../../bundled/catalogWorker.js');
    const NAMES = ['events', 'cold', 'gzip', 'zstd'] as const;
    const roots = (): Root[] => [
      { path: databasePath(), dialect: 'openclaw', flat: true },
      { path: archiveIn(folder.path), dialect: 'omp', flat: false },
    ];
    afterEach(() => mock.restoreAll());

    /** Lines that are too far apart to be read at once. @param bytes those of a tool's result, which isn't searched */
    const lines = (name: string, bytes = 100_000): SessionBuilder =>
      session()
        .user(`first ${name} Äpfel`)
        .tool('read', { path: 'x' }, randomBytes(bytes).toString('hex'))
        .user(`last ${name} ${'again '.repeat(30)}`);

    /** Writes a session of each kind. Returns their paths, the newest first. */
    function writeKinds(bytes?: number): string[] {
      const database = createDatabase(databasePath());
      database.exec('BEGIN');
      const events = lines('events', bytes).lines();
      addSession(database, { id: 'events', lines: events });
      addPackedEvent(database, 'events', events.length, session().user('packed events', { id: 'packed' }).lines()[1]!);
      const { name, archive } = addArchivedSession(database, 'cold', lines('cold').lines());
      database.exec('COMMIT');
      database.close();
      mkdirSync(join(folder.path, 'cold'));
      writeFileSync(join(folder.path, 'cold', name), archive);
      const gzip = writeArchived(folder.path, 'p/gzip', lines('gzip'));
      const zstd = join(dirname(gzip), 'zstd.jsonl.zst');
      writeFileSync(zstd, zstdCompressSync(Buffer.from(ompText(lines('zstd')))));
      return [path('events'), path('cold'), gzip, zstd];
    }

    /** How often each word is in the index, the number of words of each document, and the sessions without words. */
    function countsIn(cacheDir: string): unknown[] {
      const database = new DatabaseSync(join(cacheDir, 'catalog.sqlite'));
      try {
        database.exec(`INSERT INTO words (words, rank) VALUES ('integrity-check', 1)`);
        database.exec('CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, words, row)');
        return [
          database.prepare('SELECT term, doc, cnt FROM temp.vocabulary ORDER BY term').all(),
          database.prepare('SELECT hex(sz) AS size FROM words_docsize ORDER BY size').all(),
          database.prepare('SELECT n FROM unindexed').all(),
        ];
      } finally {
        database.close();
      }
    }

    /** Compares the index with one that got the words with the rows, and searches for words of each session. */
    async function assertSearchable(catalog: Catalog, paths: readonly string[]): Promise<void> {
      for (const name of NAMES)
        for (const query of [`"first ${name}"`, `"last ${name}"`])
          assert.deepEqual(
            (await catalog.search(query)).map((hit) => basename(hit.path).split('.')[0]),
            [name],
            query,
          );
      assert.equal((await catalog.search('"packed events"')).length, 1);
      // The title of both archives.
      assert.equal((await catalog.search('"Put aside"')).length, 2);
      await catalog.close();
      const cacheDir = join(test.cacheDir, 'whole');
      await withIndexer(cacheDir, async (indexer) => {
        indexer.begin();
        for (const at of paths) put(indexer, at, await scanned(at));
        indexer.commit();
      });
      assert.deepEqual(countsIn(test.cacheDir), countsIn(cacheDir));
    }

    const unindexed = (indexer: Indexer): string[] => indexer.unindexed().map((n) => basename(indexer.textsOf(n)!.path).split('.')[0]!);

    /** Calls `work` as if there were no WebAssembly. */
    async function withoutWebAssembly(work: () => void | Promise<void>): Promise<void> {
      const host = globalThis as { WebAssembly?: object };
      const { WebAssembly } = host;
      try {
        delete host.WebAssembly;
        await work();
      } finally {
        Object.assign(host, { WebAssembly });
      }
    }

    /** Another window reads a session of the database that has grown. */
    async function growElsewhere(): Promise<void> {
      const database = new DatabaseSync(databasePath());
      addEvent(database, 'events', 9, session().user('grown', { id: 'grown' }).lines()[1]!);
      database.close();
      await withIndexer(test.cacheDir, async (other) => {
        other.begin();
        put(other, path('events'), await scanned(path('events')));
        other.commit();
      });
    }

    for (const [reason, left, store] of [
      ['the window is closed before', ['zstd', 'gzip', 'cold', 'events'], () => undefined],
      [
        'another window has read one anew',
        ['zstd', 'gzip', 'cold'],
        async (texts: CollectedTexts) => {
          await growElsewhere();
          texts.store();
        },
      ],
    ] as const)
      it(`are searchable after the next start if ${reason}`, async () => {
        const paths = writeKinds();
        await withIndexer(test.cacheDir, async (indexer) => {
          indexer.expect(paths.length, 1_000_000);
          const texts = await collect(indexer, paths);
          await store(texts);
          assert.deepEqual(unindexed(indexer).sort(), [...left].sort());
        });
        await assertSearchable(await test.open({}, { roots: roots() }), paths);
      });

    it('are searchable after the next start if their numbers fall', async () => {
      const paths = writeKinds();
      for (const first of paths) {
        await withIndexer(test.cacheDir, async (indexer) => {
          const texts = await collect(indexer, [first, ...paths.filter((at) => at !== first)]);
          texts.store();
          assert.deepEqual(indexer.unindexed().length, paths.length - 1);
        });
        await assertSearchable(await test.open({}, { roots: roots() }), paths);
        await withIndexer(test.cacheDir, (indexer) => indexer.empty());
      }
    });

    it('are searchable after the next start if there was no WebAssembly', async () => {
      const paths = writeKinds();
      await withIndexer(test.cacheDir, async (indexer) => {
        indexer.expect(paths.length, 1_000_000);
        await withoutWebAssembly(async () => (await collect(indexer, paths)).store());
        assert.equal(indexer.unindexed().length, paths.length);
      });
      await assertSearchable(await test.open({}, { roots: roots() }), paths);
    });

    /** Indexes a large batch with another thread. */
    async function indexLargeBatch(paths: readonly string[]): Promise<void> {
      const versions = await statFileVersions(paths, 1, undefined, () => undefined);
      const files = await shareFiles(
        paths.map((at, index) => {
          const version = versions[index];
          assert.ok(version && !(version instanceof Error));
          return { path: at, dialect: 'openclaw' as const, version: { ...version, size: 10_000_000 } };
        }),
      );
      const { port1, port2 } = new MessageChannel();
      const thread = new Worker(WORKER, { workerData: { reader: port2 }, transferList: [port2] });
      const ended = once(thread, 'exit');
      const writer = new CatalogWriter({ cacheDir: test.cacheDir, hasWordIndex: true, pulse: createPulseMemory() }, (response) =>
        assert.notEqual(response.kind, 'failed'),
      );
      const stop = new Int32Array(new SharedArrayBuffer(4));
      await writer.serve({ kind: 'index', id: 1, files, gone: [], isComplete: true, stop, reader: port1 });
      await writer.serve({ kind: 'close', id: 2 });
      await ended;
    }

    it('are added by two threads in the same run if they can’t be stored with the rows', async () => {
      const paths = writeKinds();
      // oxlint-disable-next-line typescript/unbound-method -- it's called as a method below
      const { begin } = SegmentWriter.prototype;
      let calls = 0;
      mock.method(SegmentWriter.prototype, 'begin', function (this: SegmentWriter, segments: number): boolean {
        // Those of the rows are stored in one segment.
        if (segments === 1) return calls++ < 0;
        return begin.call(this, segments);
      });
      await indexLargeBatch(paths);
      assert.ok(calls > 0);
      await assertSearchable(await test.openOnly({ roots: roots(), background: false }), paths);
    });

    it('are added in the same run without WebAssembly', async () => {
      const paths = writeKinds();
      await withoutWebAssembly(() => indexLargeBatch(paths));
      await assertSearchable(await test.openOnly({ roots: roots(), background: false }), paths);
    });
  });
});
