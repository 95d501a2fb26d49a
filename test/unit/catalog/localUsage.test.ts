import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { LocalUsage } from '../../../src/core/catalog/index/localUsage';
import { localDayOf } from '../../../src/core/catalog/rows/localDays';
import { dayName, usageFacts } from '../../../src/core/catalog/index/sessionFacts';
import type { KnownFile } from '../../../src/core/catalog/rows/catalogRow';
import type { SessionUsage } from '../../../src/core/catalog/rows/usageBy';
import { readSession, summarize, type Session, type UsageFilter } from '../../../src/core/index';
import { session, type SessionBuilder } from '../../fixtures/build';
import { testCatalog } from '../../fixtures/catalog';
import { testFolder } from '../../fixtures/folder';

/** An answer that costs a number of dollars. */
const answer = (builder: SessionBuilder, time: string, total: number): SessionBuilder =>
  builder.assistant('x', {
    timestamp: time,
    message: { timestamp: Date.parse(time), usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, cost: { total } } },
  });

describe('usage by the days of a time zone', () => {
  const test = testCatalog();

  it('counts each answer on its local day, with whole local days of a period', async () => {
    const berlin = session({ timestamp: '2026-03-28T22:00:00.000Z' });
    answer(answer(answer(berlin, '2026-03-28T22:30:00.000Z', 1), '2026-03-28T23:30:00.000Z', 2), '2026-03-29T22:30:00.000Z', 4);
    const catalog = await test.open({ berlin });
    const costs = async (filter: UsageFilter): Promise<unknown> =>
      (await catalog.usage({ by: 'day', ...filter })).map(({ key, cost }) => [key, cost]);
    assert.deepEqual(await costs({}), [
      ['2026-03-28', 3],
      ['2026-03-29', 4],
    ]);
    // Summer time begins on March 29.
    const timeZone = 'Europe/Berlin';
    assert.deepEqual(await costs({ timeZone }), [
      ['2026-03-28', 1],
      ['2026-03-29', 2],
      ['2026-03-30', 4],
    ]);
    assert.deepEqual(await costs({ timeZone, since: Date.parse('2026-03-28T23:59:00Z'), until: Date.parse('2026-03-29T21:59:00Z') }), [
      ['2026-03-29', 2],
    ]);
    const since = Date.parse('2026-03-29T22:00:00Z');
    assert.deepEqual(
      (await catalog.usage({ by: 'model', timeZone, since })).map(({ cost }) => cost),
      [4],
    );
    await assert.rejects(catalog.usage({ by: 'day', timeZone: 'Europe/Nowhere' }), { code: 'invalid' });
  });

  it('counts what forks have in common once, on its local day', async () => {
    const begin = (given: object): SessionBuilder => answer(session({ cwd: '/work/a', ...given }), '2026-01-01T23:30:00.000Z', 1);
    const catalog = await test.open({
      parent: begin({ id: 'parent', timestamp: '2026-01-01T23:00:00.000Z' }),
      fork: answer(begin({ id: 'fork', timestamp: '2026-01-02T12:00:00.000Z', parentSession: 'parent' }), '2026-01-02T12:30:00.000Z', 2),
    });
    const costs = async (filter: UsageFilter): Promise<unknown> =>
      (await catalog.usage({ by: 'day', ownForks: true, ...filter })).map(({ key, cost }) => [key, cost]);
    assert.deepEqual(await costs({ timeZone: 'Europe/Berlin' }), [['2026-01-02', 3]]);
    assert.deepEqual(await costs({}), [
      ['2026-01-01', 1],
      ['2026-01-02', 2],
    ]);
  });
});

describe('days of a time zone', () => {
  it('are those of its calendar, and those of UTC where it has none', () => {
    const day = (timeZone: string, time: number): string => dayName(localDayOf(timeZone)(time));
    assert.equal(day('Asia/Kathmandu', Date.parse('2026-05-01T18:14:59Z')), '2026-05-01');
    assert.equal(day('Asia/Kathmandu', Date.parse('2026-05-01T18:15:00Z')), '2026-05-02');
    assert.equal(day('Pacific/Kiritimati', Date.parse('2026-12-31T10:00:00Z')), '2027-01-01');
    assert.equal(day('America/Los_Angeles', Date.parse('2026-01-01T07:59:00Z')), '2025-12-31');
    assert.equal(day('America/Los_Angeles', 0), '');
    assert.equal(day('America/Los_Angeles', Date.UTC(20_000, 0)), '+020000-01-01');
    assert.ok(Number.isNaN(localDayOf('America/Los_Angeles')(Number.NaN)));
  });
});

describe('sessions that are read for local days', () => {
  const folder = testFolder();
  const sessions = new Map<string, Session>();
  const files = new Map<string, KnownFile>();
  let reads: string[] = [];

  const read = async (path: string): Promise<Session> => {
    reads.push(path);
    return readSession(path);
  };
  const fileOf = (path: string): KnownFile => {
    const file = files.get(path);
    assert.ok(file, path);
    return file;
  };

  /** @param changed time of the file's last change */
  async function put(name: string, builder: SessionBuilder, changed: string): Promise<string> {
    const path = await folder.write(name, builder.text());
    const found = await readSession(path);
    sessions.set(path, found);
    files.set(path, {
      path,
      row: { summary: summarize(found) },
      version: { size: 0, mtimeMs: Date.parse(changed), ino: 0 } as never, // Nothing else is read of it.
      complete: true,
    });
    return path;
  }

  const facts = (): SessionUsage[] => [...sessions].flatMap(([path, found]) => usageFacts(found).map((fact) => ({ path, ...fact })));

  beforeEach(() => {
    sessions.clear();
    files.clear();
    reads = [];
  });

  it('are those that may have worked on both sides of midnight, once for each version', async () => {
    const day = answer(session({ timestamp: '2026-01-02T08:00:00.000Z' }), '2026-01-02T09:00:00.000Z', 1);
    await put('day.jsonl', day, '2026-01-02T09:00:01.000Z');
    const late = answer(session({ timestamp: '2026-01-02T22:00:00.000Z' }), '2026-01-02T22:59:00.000Z', 2);
    await put('late.jsonl', late, '2026-01-02T22:59:01.000Z');
    const night = answer(session({ timestamp: '2026-01-02T22:00:00.000Z' }), '2026-01-02T23:30:00.000Z', 4);
    const nightPath = await put('night.jsonl', night, '2026-01-02T23:30:01.000Z');
    const usage = new LocalUsage('Europe/Berlin');
    const convert = async (): Promise<unknown> => {
      reads = [];
      return (await usage.convert(facts(), fileOf, read)).map(({ day, cost }) => [day, cost]);
    };
    const expected = [
      ['2026-01-02', 1],
      ['2026-01-02', 2],
      ['2026-01-03', 4],
    ];
    assert.deepEqual([await convert(), reads], [expected, [nightPath]]);
    assert.deepEqual([await convert(), reads], [expected, []]);
    files.set(nightPath, { ...fileOf(nightPath) });
    assert.deepEqual([await convert(), reads], [expected, [nightPath]]);
  });

  it('are forks, whose entries are older, and those that had a compaction after their last message', async () => {
    const fork = answer(session({ timestamp: '2026-01-02T12:00:00.000Z', parentSession: 'x' }), '2026-01-01T23:30:00.000Z', 1);
    await put('fork.jsonl', answer(fork, '2026-01-02T12:30:00.000Z', 2), '2026-01-02T12:30:00.000Z');
    const compacted = answer(session({ timestamp: '2026-01-02T21:00:00.000Z' }), '2026-01-02T22:30:00.000Z', 4);
    const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, cost: { total: 8 } };
    compacted.entry('compaction', { summary: 's', tokensBefore: 1, usage, timestamp: '2026-01-02T23:30:00.000Z' });
    await put('compacted.jsonl', compacted, '2026-01-02T23:30:00.000Z');
    const found = await new LocalUsage('Europe/Berlin').convert(facts(), fileOf, read);
    const costs = found.map(({ day, cost }): [string, number] => [day, cost]).sort(([, a], [, b]) => a - b);
    assert.deepEqual(costs, [
      ['2026-01-02', 3],
      ['2026-01-02', 4],
      ['2026-01-03', 8],
    ]);
  });

  it('keep their days of UTC if they can’t be read any more', async () => {
    const night = answer(session({ timestamp: '2026-01-02T22:00:00.000Z' }), '2026-01-02T23:30:00.000Z', 4);
    rmSync(await put('night.jsonl', night, '2026-01-02T23:30:01.000Z'));
    const found = await new LocalUsage('Europe/Berlin').convert(facts(), fileOf, read);
    assert.deepEqual(
      found.map(({ day, cost }) => [day, cost]),
      [['2026-01-02', 4]],
    );
  });
});
