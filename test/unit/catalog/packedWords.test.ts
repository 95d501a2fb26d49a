import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { MessageChannel, Worker } from 'node:worker_threads';
import { zstdCompressSync } from 'node:zlib';
import type { Indexer } from '../../../src/core/catalog/database/indexer';
import { WritableDatabase } from '../../../src/core/catalog/database/writableDatabase';
import { haveWords } from '../../../src/core/catalog/index/words/lineWords';
import { createPulseMemory } from '../../../src/core/files/concurrency/pulse';
import { createScanBuffers, type FileIndex } from '../../../src/core/catalog/index/scanSession';
import { CatalogWriter } from '../../../src/core/catalog/worker/catalogWriter';
import { shareFiles } from '../../../src/core/catalog/worker/protocol/fileList';
import { scanNewFile } from '../../../src/core/catalog/worker/scan/scannedFile';
import { statFileVersions } from '../../../src/core/files/read/versions/statFiles';
import type { Catalog, Root } from '../../../src/core/index';
import { archiveIn, ompText, writeArchived } from '../../fixtures/archive';
import { session, type SessionBuilder } from '../../fixtures/build';
import { testCatalog } from '../../fixtures/catalog';
import { testFolder } from '../../fixtures/folder';
import { addArchivedSession, addPackedEvent, addSession, createDatabase } from '../../fixtures/openclawDatabase';

describe('words of packed sessions', function () {
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

  async function scanned(at: string): Promise<FileIndex> {
    const { result } = await scanNewFile(0, { path: at, dialect: 'openclaw' }, { buffers, check, leaveWordsFrom: 0 });
    assert.ok('packed' in result);
    return result.packed;
  }

  async function withIndexer(cacheDir: string, work: (indexer: Indexer) => void | Promise<void>): Promise<void> {
    const database = new WritableDatabase({ cacheDir });
    await work(database.open());
    database.close();
  }

  const put = (indexer: Indexer, at: string, record: FileIndex): void => indexer.put({ path: at, version: record.version }, record);

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

  describe('of each kind', () => {
    const WORKER = join(__dirname, '../../../bundled/catalogWorker.js');
    const NAMES = ['events', 'cold', 'gzip', 'zstd'] as const;
    const roots = (): Root[] => [
      { path: databasePath(), dialect: 'openclaw', flat: true },
      { path: archiveIn(folder.path), dialect: 'omp', flat: false },
    ];

    /** Lines that are too far apart to be read at once. @param bytes the length of a tool's result, which isn't searched */
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

    /** Indexes a large batch with another thread. */
    async function indexLargeBatch(paths: readonly string[]): Promise<void> {
      const versions = await statFileVersions(paths, 1, undefined, () => undefined);
      const files = await shareFiles(
        paths.map((at, index) => {
          const version = versions[index];
          assert.ok(version && !(version instanceof Error));
          return { path: at, root: { dialect: 'openclaw' as const }, version: { ...version, size: 10_000_000 } };
        }),
      );
      const { port1, port2 } = new MessageChannel();
      const thread = new Worker(WORKER, { workerData: { reader: port2 }, transferList: [port2] });
      const ended = once(thread, 'exit');
      const writer = new CatalogWriter({ cacheDir: test.cacheDir, pulse: createPulseMemory() }, (response) =>
        assert.notEqual(response.kind, 'failed'),
      );
      const stop = new Int32Array(new SharedArrayBuffer(4));
      await writer.serve({ kind: 'index', id: 1, files, gone: [], isComplete: true, stop, reader: port1 });
      await writer.serve({ kind: 'close', id: 2 });
      await ended;
    }

    it('are never left for later', async () => {
      for (const at of writeKinds()) assert.ok(haveWords((await scanned(at)).words), at);
    });

    it('are added with the rows of a large batch, whose other words are left for later', async () => {
      const paths = writeKinds();
      await indexLargeBatch(paths);
      await assertSearchable(await test.openOnly({ roots: roots(), background: false }), paths);
    });

    it('are added without WebAssembly, too', async () => {
      const paths = writeKinds();
      await withoutWebAssembly(() => indexLargeBatch(paths));
      await assertSearchable(await test.openOnly({ roots: roots(), background: false }), paths);
    });
  });
});
