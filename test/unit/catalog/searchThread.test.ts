import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { SearchWorkerClient, type RequestTimeouts } from '../../../src/core/catalog/worker/searchWorkerClient';
import { normalizeRoot } from '../../../src/core/files/locate/catalogRoots';
import type { WorkerResponse } from '../../../src/core/catalog/worker/protocol/workerProtocol';
import type { Catalog } from '../../../src/core/index';
import { session } from '../../fixtures/build';
import { testCatalog } from '../../fixtures/catalog';

describe('the search thread', () => {
  const test = testCatalog();
  let catalog: Catalog;
  let link: SearchWorkerClient | undefined;
  afterEach(async () => {
    await link?.close();
  });

  /** Returns a client for a database with one session. */
  async function asked(patience?: RequestTimeouts): Promise<SearchWorkerClient> {
    const lines = session();
    for (let count = 0; count < 200; count++) lines.user('word after word');
    catalog = await test.open({ a: lines });
    return (link = new SearchWorkerClient({ database: { cacheDir: test.cacheDir }, roots: [normalizeRoot(test.root)] }, patience));
  }

  const search = (of: SearchWorkerClient, query: string, signal?: AbortSignal): Promise<number> =>
    of.request('search', { query, options: {} }, signal).then((hits) => hits.length);

  it('responds to several requests at once', async () => {
    const thread = await asked();
    assert.deepEqual(
      await Promise.all([search(thread, 'word'), search(thread, 'nothing'), thread.request('tools', undefined), search(thread, 'after')]),
      [50, 0, [], 50],
    );
  });

  it("doesn't respond to aborted searches", async () => {
    const thread = await asked();
    const left = new AbortController();
    const all = [search(thread, 'word', left.signal), search(thread, 'after')];
    left.abort(new Error('enough'));
    await assert.rejects(all[0]!, /enough/);
    assert.equal(await all[1], 50);
    await assert.rejects(search(thread, 'word', left.signal), /enough/);
  });

  it("rejects what it can't take, and works on", async () => {
    const thread = await asked();
    await assert.rejects(thread.request('search', { query: 'word', options: { since: (() => 1) as never } }), /could not be cloned/);
    await assert.rejects(thread.request('search', { query: 1 as never, options: {} }), /is not a function/);
    assert.equal(await search(thread, 'word'), 50);
  });

  it('is replaced after it broke down', async () => {
    const thread = await asked();
    assert.equal(await search(thread, 'word'), 50);
    const before = thread['worker']!;
    const left = new Promise<unknown>((resolve) => before.once('exit', resolve));
    before.postMessage(null);
    await assert.rejects(search(thread, 'word'), /reading 'kind'/);
    // Requested while the thread that broke down is still ending.
    assert.deepEqual(await Promise.all([search(thread, 'word'), left.then(() => search(thread, 'after'))]), [50, 50]);
    assert.notEqual(thread['worker'], before);
  });

  describe('while it is busy', () => {
    const stuck = (): Worker => new Worker('for (;;);', { eval: true });

    /** A client whose first thread never responds. */
    async function stuckLink(patience: RequestTimeouts): Promise<{ thread: SearchWorkerClient; first: Worker }> {
      const thread = await asked(patience);
      const first = (thread['worker'] = stuck());
      return { thread, first };
    }

    it('is replaced after a search was aborted, and the next search gets its response', async () => {
      const { thread, first } = await stuckLink({ answer: 60_000, stop: 1 });
      const left = new AbortController();
      const all = [search(thread, 'word', left.signal), search(thread, 'after')];
      left.abort(new Error('enough'));
      await assert.rejects(all[0]!, /enough/);
      assert.equal(await all[1], 50);
      assert.notEqual(thread['worker'], first);
      await first.terminate();
    });

    it('is replaced when a response takes too long, which is reported', async () => {
      const { thread, first } = await stuckLink({ answer: 20, stop: 60_000 });
      await assert.rejects(search(thread, 'word'), { code: 'invalid', template: /took longer than.*Try fewer/ });
      assert.notEqual(thread['worker'], first);
      await first.terminate();
    });

    for (const [kind, params, template] of [
      ['usage', undefined, /^Adding up the usage took longer than/],
      ['tools', undefined, /^Listing the tools took longer than/],
      ['touching', '/x', /^Finding the sessions for this file took longer than/],
    ] as const) {
      it(`reports what took too long: ${kind}`, async () => {
        const { thread, first } = await stuckLink({ answer: 20, stop: 60_000 });
        await assert.rejects(thread.request(kind, params), { code: 'invalid', template });
        await first.terminate();
      });
    }

    it('is not replaced by an aborted search while another request runs', async () => {
      const thread = await asked({ answer: 60_000, stop: 1 });
      // The thread is busy with `usage` until some time after the search was stopped.
      const script = `const { parentPort: port } = require('node:worker_threads'); let usage;
        port.on('message', (message) => {
          if (message.kind === 'usage') port.postMessage({ id: (usage = message.id), started: true });
          if (message.kind === 'stop') setTimeout(() => { port.postMessage({ id: usage, result: [] }); port.postMessage({ id: message.id, ended: true }); }, 50);
        });`;
      const first = (thread['worker'] = new Worker(script, { eval: true }));
      let isStarted = (): void => undefined;
      const started = new Promise<void>((resolve) => (isStarted = resolve));
      first.on('message', (message: WorkerResponse) => {
        thread['handleResponse'](message);
        if ('started' in message) isStarted();
      });
      const left = new AbortController();
      const searching = search(thread, 'word', left.signal);
      const usage = thread.request('usage', {});
      await started;
      left.abort(new Error('enough'));
      await assert.rejects(searching, /enough/);
      assert.deepEqual([await usage, thread['worker'] === first], [[], true]);
      thread['worker'] = undefined;
      await first.terminate();
    });
  });

  it('responds to a query of 100,000 words by the first of them, and to the next one', async () => {
    const thread = await asked();
    const words = `word ${Array.from({ length: 100_000 }, (_, index) => `w${index}`).join(' ')}`;
    assert.deepEqual(
      await Promise.all([
        search(thread, words),
        search(thread, `"${words}"`),
        search(thread, 'word '.repeat(100_000)),
        search(thread, 'word'),
      ]),
      [0, 0, 50, 50],
    );
    assert.equal(await search(thread, 'after'), 50);
  });

  it('rejects requests once it is closed', async () => {
    const thread = await asked();
    assert.equal(await search(thread, 'word'), 50);
    const closing = thread.close();
    await assert.rejects(search(thread, 'word'), /The catalog is closed/);
    await closing;
    await assert.rejects(search(thread, 'word'), /The catalog is closed/);
  });

  it('is the only thread that runs searches', async () => {
    const thread = await asked();
    const here: string[] = [];
    const { prototype } = DatabaseSync;
    const before = Object.getOwnPropertyDescriptor(prototype, 'prepare')!;
    prototype.prepare = function (sql) {
      here.push(sql);
      return (before.value as DatabaseSync['prepare']).call(this, sql);
    };
    try {
      assert.deepEqual(
        [(await catalog.search('word')).length, await catalog.tools(), await catalog.touching('/x'), await catalog.usage({ by: 'model' })],
        [50, [], [], []],
      );
      assert.equal(await search(thread, 'word'), 50);
      assert.deepEqual(here, []);
      await catalog.labels();
      assert.ok(here.length > 0, 'labels are read by those who show them');
    } finally {
      Object.defineProperty(prototype, 'prepare', before);
    }
  });
});
