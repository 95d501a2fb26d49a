import assert from 'node:assert/strict';
import { appendFileSync, copyFileSync, linkSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Catalog, UsageFilter, UsageKey } from '../../../src/core/index';
import { session, type Fields, type SessionBuilder } from '../../fixtures/build';
import { testCatalog } from '../../fixtures/catalog';
import { testFolder } from '../../fixtures/folder';
import { dice } from '../../fixtures/random';

/** An answer that costs a number of dollars. */
const costs = (total: unknown, given: Fields = {}): { message: Fields } => ({
  message: { usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, cost: { total } }, ...given },
});

const sums = async (catalog: Catalog, by: UsageKey, filter: UsageFilter = {}): Promise<Record<string, number>> =>
  Object.fromEntries((await catalog.usage({ by, ...filter })).map(({ key, cost }) => [key, cost]));

/** The same sum in each grouping. */
async function total(catalog: Catalog): Promise<number> {
  const keys: readonly UsageKey[] = ['day', 'project', 'model', 'session', 'program'];
  const totals: number[] = [];
  for (const key of keys) totals.push(Object.values(await sums(catalog, key)).reduce((sum, cost) => sum + cost, 0));
  assert.equal(new Set(totals).size, 1, totals.join(' '));
  return totals[0]!;
}

describe('Usage that several sessions have', () => {
  const test = testCatalog();
  const folder = testFolder();

  const original = (): SessionBuilder => session({ id: 'one' }).user('x').assistant('a', costs(1)).assistant('b', costs(2));
  const fork = (given: Fields = {}): SessionBuilder =>
    session({ id: 'two', timestamp: '2026-01-03T00:00:00.000Z', parentSession: '/gone/one.jsonl', ...given })
      .user('x')
      .assistant('a', costs(1))
      .assistant('own', costs(4, { timestamp: 5 }));

  it('counts for the one that had it first, whichever is gone', async () => {
    const catalog = await test.open({ z: original(), a: fork() });
    assert.deepEqual(await sums(catalog, 'session'), { [test.path('z')]: 3, [test.path('a')]: 4 });
    assert.equal(await total(catalog), 7);
    rmSync(test.path('z'));
    await catalog.refresh();
    assert.deepEqual(await sums(catalog, 'session'), { [test.path('a')]: 5 });
  });

  it('counts whole for each of them if asked, as rows show it', async () => {
    const catalog = await test.open({ z: original(), a: fork() });
    assert.deepEqual(await sums(catalog, 'session', { ownForks: false }), { [test.path('z')]: 3, [test.path('a')]: 5 });
  });

  it('counts once in copies, hard links, archives, and forks of forks without a parent', async () => {
    const catalog = await test.open({ one: original(), three: fork(), four: fork({ id: 'three' }).assistant('more', costs(8)) });
    copyFileSync(test.path('one'), test.path('copy'));
    linkSync(test.path('one'), test.path('hard'));
    writeFileSync(`${test.path('packed')}.gz`, gzipSync(original().text()));
    await catalog.refresh();
    assert.equal((await catalog.sessions()).length, 6);
    assert.equal(await total(catalog), 15);
  });

  it('counts once in a folder and a link to it, in one root or in two', async function () {
    if (process.platform === 'win32') this.skip();
    const catalog = await test.open({ one: original() });
    symlinkSync(dirname(test.path('one')), join(test.root, 'link'));
    const other = join(folder.path, 'other');
    symlinkSync(test.root, other);
    await catalog.refresh();
    assert.equal(await total(catalog), 3);
    const both = await test.open({}, { roots: [test.root, other] });
    assert.ok((await both.sessions()).length >= 2);
    assert.equal(await total(both), 3);
  });

  it('counts answers apart that differ in their id, time, model or numbers', async () => {
    const one = (given: Fields, total = 1): SessionBuilder =>
      session().assistant('x', { ...given, ...costs(total, given['message'] as Fields) });
    const catalog = await test.open({
      a: one({}),
      id: one({ id: 'other' }),
      time: one({ message: { timestamp: 1 } }),
      model: one({ message: { model: 'other' } }),
      numbers: one({}, 2),
      same: session({ id: 'other' }).assistant('said otherwise', costs(1)),
    });
    assert.equal(await total(catalog), 6);
  });

  it('counts the answers of hundreds of models, which are read in slices', async () => {
    const answered = (lines: SessionBuilder, from: number, to: number): SessionBuilder => {
      for (let n = from; n < to; n++) lines.assistant('x', { id: `n${n}`, ...costs(1, { model: `m${n}`, timestamp: n }) });
      return lines;
    };
    const catalog = await test.open({
      first: answered(session({ id: 'first' }), 1000, 1100),
      many: answered(session({ id: 'many' }), 0, 600),
      fork: answered(session({ id: 'fork', timestamp: '2026-01-03T00:00:00.000Z' }), 300, 700),
      last: answered(session({ id: 'last' }), 2000, 2100),
    });
    const expected = { [test.path('first')]: 100, [test.path('many')]: 600, [test.path('fork')]: 100, [test.path('last')]: 100 };
    assert.deepEqual(await sums(catalog, 'session'), expected);
    assert.equal(Object.keys(await sums(catalog, 'model')).length, 900);
  });

  it('is current when one of them grows', async () => {
    const catalog = await test.open({ one: original(), two: fork() });
    const lines = fork().assistant('more', costs(8)).lines();
    appendFileSync(test.path('two'), `${lines.at(-1)!}\n`);
    await catalog.refresh();
    assert.equal(await total(catalog), 15);
    // The parent gets the same line, as a sync program would write it.
    appendFileSync(test.path('one'), `${lines.at(-1)!}\n`);
    await catalog.refresh();
    assert.equal(await total(catalog), 15);
  });

  it('never becomes infinite, and never falls', async () => {
    const odd = [1e308, 1e308, -1e308, -5, '7', null, Number.MAX_SAFE_INTEGER + 2, 3];
    const lines = session();
    for (const value of odd) {
      const usage = { input: value, output: value, cacheRead: value, cacheWrite: value, cacheWrite1h: value, cost: { total: value } };
      lines.assistant('x', { message: { usage } });
    }
    // Numbers that JSON reads as Infinity.
    lines.assistant('y', { message: { usage: { input: 4, output: 'huge', cost: { total: 'huge' } } } });
    const catalog = await test.open({ a: { text: () => lines.text().replaceAll('"huge"', '1e999') } });
    const expected = { key: 'pi', input: 7, output: 3, cacheRead: 3, cacheWrite: 3, cacheWrite1h: 3, cost: 3 };
    assert.deepEqual(await catalog.usage({ by: 'program' }), [expected]);
  });

  describe('of a session and its subagents', () => {
    const childPath = (...names: string[]): string => join(test.root, 'p', 'parent', ...names);
    const put = (path: string, lines: SessionBuilder): void => {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, lines.text());
    };
    const child = (id: string, cost: number): SessionBuilder =>
      session({ id, timestamp: '2026-01-03T00:00:00.000Z' })
        .user(id)
        .assistant('done', costs(cost, { timestamp: cost }));
    /** The result of a tool that tells what other sessions cost. */
    const told = (details: Fields, total: number): SessionBuilder => {
      const parent = session({ id: 'parent' }).user('x').assistant('a', costs(1));
      return parent.message({
        role: 'toolResult',
        toolCallId: 'c',
        toolName: 'task',
        content: [],
        isError: false,
        details,
        ...costs(total).message,
      });
    };

    it('counts what a result tells of a child only while the child’s file is gone', async () => {
      const path = childPath('Explore.jsonl');
      put(path, child('child', 16));
      const byId = told({ results: [{ id: 'Explore' }] }, 16);
      const catalog = await test.open({ parent: byId });
      assert.equal(await total(catalog), 17);
      rmSync(path);
      await catalog.refresh();
      assert.equal(await total(catalog), 17);
      assert.deepEqual(await sums(catalog, 'session'), { [test.path('parent')]: 17 });
    });

    it('knows the child by its file, also one that has moved with its parent or was archived', async () => {
      const path = childPath('run', 'run-0', 'session.jsonl');
      const other = join(folder.path, 'elsewhere.jsonl');
      const parent = (file: string): SessionBuilder => told({ results: [{ sessionFile: file }] }, 16);
      put(path, child('child', 16));
      // The roots list the child here as a session of its own.
      const roots = [test.root, { path: dirname(path), flat: true }];
      for (const file of [path, join(folder.path, 'before', 'parent', 'run', 'run-0', 'session.jsonl')]) {
        const catalog = await test.open({ parent: parent(file) }, { roots });
        assert.equal(await total(catalog), 17, file);
      }
      const unknown = await test.open({ parent: parent(other) }, { roots });
      assert.equal(await total(unknown), 33);
      writeFileSync(`${path}.gz`, gzipSync(child('child', 16).text()));
      rmSync(path);
      const archived = await test.open({ parent: parent(path) }, { roots });
      assert.equal(await total(archived), 17);
    });

    it('is the family’s, with each answer once', async () => {
      const path = childPath('Explore.jsonl');
      // A copy of the parent's branch, with an answer of its own.
      put(
        path,
        session({ id: 'child', timestamp: '2026-01-03T00:00:00.000Z' }).user('x').assistant('a', costs(1)).assistant('own', costs(4)),
      );
      // The parent is a fork itself, of a session outside the family.
      const catalog = await test.open({
        parent: session({ id: 'parent', timestamp: '2026-01-02T12:00:00.000Z' }).user('x').assistant('a', costs(1)),
        origin: session({ id: 'origin', timestamp: '2026-01-01T00:00:00.000Z' }).user('x').assistant('a', costs(1)),
      });
      assert.deepEqual(await sums(catalog, 'family'), { [test.path('parent')]: 5, [path]: 5, [test.path('origin')]: 1 });
      assert.deepEqual(await sums(catalog, 'session'), { [test.path('origin')]: 1, [path]: 4 });
    });
  });

  it('is what a plain recount of all answers gives', async function () {
    this.timeout(120_000);
    const random = dice(40);
    const catalog = await test.open();
    /** The costs of answers by their ids, for each file. */
    let files = new Map<string, Map<string, number>>();
    let lines = new Map<string, string[]>();
    let count = 0;
    const write = (path: string): void =>
      writeFileSync(
        path,
        lines
          .get(path)!
          .map((line) => `${line}\n`)
          .join(''),
      );
    const grow = (path: string): void => {
      const id = `n${String(++count)}`;
      const cost = random.below(1000);
      const message = { role: 'assistant', content: [], provider: 'p', model: `m${random.below(3)}`, ...costs(cost).message };
      const timestamp = new Date(Date.UTC(2026, 0, 1 + random.below(5), 0, 0, count)).toISOString();
      lines.get(path)!.push(JSON.stringify({ type: 'message', id, parentId: null, timestamp, message }));
      files.get(path)!.set(id, cost);
    };
    for (let step = 0; step < 60; step++) {
      const paths = [...files.keys()];
      const path = test.path(String(step));
      const from = paths.length > 0 ? random.one(paths) : undefined;
      const kind = from === undefined ? 'new' : random.one(['new', 'copy', 'fork', 'grow', 'move', 'remove', 'grow', 'fork'] as const);
      if (kind === 'new' || from === undefined) {
        lines.set(path, [
          JSON.stringify({ type: 'session', version: 3, id: path, timestamp: new Date(step * 1000).toISOString(), cwd: '/w' }),
        ]);
        files.set(path, new Map());
        for (let left = random.below(5); left >= 0; left--) grow(path);
        write(path);
      } else if (kind === 'copy') {
        copyFileSync(from, path);
        files.set(path, new Map(files.get(from)));
        lines.set(path, [...lines.get(from)!]);
      } else if (kind === 'fork') {
        const [header, ...entries] = lines.get(from)!;
        const kept = entries.slice(0, random.below(entries.length + 1));
        lines.set(path, [header!.replace('"id":"', '"id":"fork of '), ...kept]);
        const ids = new Set(kept.map((line) => (JSON.parse(line) as { id: string }).id));
        files.set(path, new Map([...files.get(from)!].filter(([id]) => ids.has(id))));
        grow(path);
        write(path);
      } else if (kind === 'grow') {
        grow(from);
        appendFileSync(from, `${lines.get(from)!.at(-1)!}\n`);
      } else if (kind === 'move') {
        renameSync(from, path);
        files = new Map([...files].map(([at, answers]) => [at === from ? path : at, answers]));
        lines = new Map([...lines].map(([at, written]) => [at === from ? path : at, written]));
      } else {
        rmSync(from);
        files.delete(from);
        lines.delete(from);
      }
      if (step % 4 !== 0) continue;
      // Every second change is read by another window.
      const other = await test.openOnly();
      if (step % 8 === 0) await other.refresh();
      await catalog.refresh();
      await other.refresh();
      for (const options of [{ by: 'session' }, { by: 'family' }, { by: 'day', timeZone: 'Europe/Berlin' }] as const)
        assert.deepEqual(await catalog.usage(options), await other.usage(options), `after step ${step}`);
      await other.close();
      const answers = new Map([...files.values()].flatMap((one) => [...one]));
      const expected = [...answers.values()].reduce((sum, cost) => sum + cost, 0);
      assert.equal(await total(catalog), expected, `after step ${step}`);
      const whole = Object.fromEntries([...files].map(([at, one]) => [at, [...one.values()].reduce((sum, cost) => sum + cost, 0)]));
      assert.deepEqual(await sums(catalog, 'session', { ownForks: false }), whole);
    }
    assert.ok(count > 60 && files.size > 10);
  });
});
