import assert from 'node:assert/strict';
import { utimesSync } from 'node:fs';
import type { ResourceLimits } from 'node:worker_threads';
import { IndexWorkerClient } from '../../../src/core/catalog/worker/indexWorkerClient';
import type { WatchLimits } from '../../../src/core/files/concurrency/threadWatch';
import { defined, type Catalog, type CatalogRow } from '../../../src/core/index';
import { breakThreads, type Breakdowns } from '../../fixtures/brokenThreads';
import { session, type SessionBuilder } from '../../fixtures/build';
import { testCatalog } from '../../fixtures/catalog';

const words = (of: string): SessionBuilder => session().user(`question ${of}`).assistant(`answer ${of}`);

/** More than a second thread is worth, in files whose words are read in a second pass. */
const manySessions = (): Record<string, SessionBuilder> =>
  Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`many${index}`, session().user(`question ${'x'.repeat(1024 * 1024)}`)]));

describe('A file that a thread doesn’t get on with', function () {
  this.timeout(60_000);
  const test = testCatalog();
  let repair: () => void = () => undefined;
  const limits = { interval: 100, stuck: 2000 };
  afterEach(() => repair());

  interface Opened {
    readonly catalog: Catalog;
    readonly leftOut: string[];
    /** The rows by the names of their files. */
    readonly row: (name: string) => Promise<CatalogRow | undefined>;
  }

  async function openBroken(
    breakdowns: Breakdowns,
    sessions: Readonly<Record<string, SessionBuilder>>,
    options: { readonly limits?: WatchLimits; readonly memory?: ResourceLimits } = { limits },
  ): Promise<Opened> {
    repair = breakThreads(breakdowns, options.memory);
    const leftOut: string[] = [];
    const catalog = await test.open(sessions, {
      ...defined({ limits: options.limits }),
      background: false,
      onLeftOut: (path, error) => leftOut.push(`${path}: ${error.message}`),
    });
    return {
      catalog,
      leftOut,
      row: async (name) => (await catalog.sessions()).find(({ path }) => path === test.path(name)),
    };
  }

  for (const [kind, reason] of [
    ['hangs', 'The file is left out, because reading it made no progress for at least 2 seconds.'],
    ['fills memory', 'The file is left out, because reading it took too much memory.'],
  ] as const)
    it(`has a row with a problem, and all others are complete and searchable: ${kind}`, async () => {
      const { catalog, leftOut, row } = await openBroken(
        { 'b.jsonl': kind, 'd.jsonl': kind },
        { a: words('a'), b: words('b'), c: words('c'), d: words('d') },
        kind === 'hangs' ? { limits } : { memory: { maxOldGenerationSizeMb: 60 } },
      );
      assert.deepEqual(new Set(leftOut), new Set([`${test.path('b')}: ${reason}`, `${test.path('d')}: ${reason}`]));
      for (const name of ['b', 'd']) {
        const broken = await row(name);
        assert.equal(broken?.problem?.message, reason);
        assert.ok(broken.complete);
      }
      for (const name of ['a', 'c']) assert.deepEqual({ ...(await row(name)), problem: undefined }.complete, true);
      assert.deepEqual(new Set((await catalog.search('answer')).map(({ path }) => path)), new Set([test.path('a'), test.path('c')]));
    });

  it('is left out of a large batch, whichever thread reads it', async () => {
    const { catalog, leftOut, row } = await openBroken({ many7: 'hangs' }, { ...manySessions(), a: words('a') });
    assert.equal(leftOut.length, 1);
    assert.match((await row('many7'))?.problem?.message ?? '', /no progress/);
    assert.equal((await catalog.search('question', { limit: 50 })).length, 20);
  });

  it('isn’t read again by the next catalog, and is after it has changed', async () => {
    const { catalog } = await openBroken({ 'b.jsonl': 'hangs' }, { a: words('a'), b: words('b') });
    await catalog.close();
    const next = await test.openOnly({ background: false, onLeftOut: () => assert.fail() });
    await next.refresh();
    const problemOf = async (of: Catalog): Promise<unknown> =>
      (await of.sessions()).find(({ path }) => path === test.path('b'))?.problem?.code;
    assert.equal(await problemOf(next), 'invalid');
    repair();
    utimesSync(test.path('b'), new Date(), new Date('2026-03-01T00:00:00.000Z'));
    await next.refresh();
    // The thread runs on with the breakdown until it's replaced.
    await next.close();
    const last = await test.openOnly({ background: false });
    await last.forget([test.path('b')]);
    await last.refresh();
    assert.equal(await problemOf(last), undefined);
  });

  it('doesn’t keep other requests from their responses', async () => {
    repair = breakThreads({ 'b.jsonl': 'hangs' });
    const catalog = await test.open({ a: words('a'), b: words('b') }, { limits, background: false });
    await catalog.forget([test.path('a')]);
    const client = new IndexWorkerClient({ cacheDir: test.cacheDir });
    assert.equal(await client.check(), false);
    await client.close();
  });
});
