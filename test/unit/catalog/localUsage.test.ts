import assert from 'node:assert/strict';
import { dayName, localDayOf } from '../../../src/core/catalog/rows/localDays';
import type { UsageFilter } from '../../../src/core/index';
import { session, type SessionBuilder } from '../../fixtures/build';
import { testCatalog } from '../../fixtures/catalog';

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
      (await catalog.usage({ by: 'day', ...filter })).map(({ key, cost }) => [key, cost]);
    assert.deepEqual(await costs({ timeZone: 'Europe/Berlin' }), [['2026-01-02', 3]]);
    assert.deepEqual(await costs({}), [
      ['2026-01-01', 1],
      ['2026-01-02', 2],
    ]);
  });
});

describe('days of a time zone', () => {
  it('have names, also before 1970 and after 9999', () => {
    for (const day of ['1969-12-31', '2026-01-02', '+020000-01-05', '-000001-12-31', '+275760-09-13'])
      assert.equal(dayName(Date.parse(day) / 86_400_000), day);
    assert.equal(dayName(0), '');
  });

  it('are those of its calendar, and those of UTC where it has none', () => {
    const day = (timeZone: string, time: number): string => dayName(localDayOf(timeZone)(time));
    assert.equal(day('Asia/Kathmandu', Date.parse('2026-05-01T18:14:59Z')), '2026-05-01');
    assert.equal(day('Asia/Kathmandu', Date.parse('2026-05-01T18:15:00Z')), '2026-05-02');
    assert.equal(day('Pacific/Kiritimati', Date.parse('2026-12-31T10:00:00Z')), '2027-01-01');
    assert.equal(day('America/Los_Angeles', Date.parse('2026-01-01T07:59:00Z')), '2025-12-31');
    // Clocks change in the middle of these days of UTC.
    assert.equal(day('Europe/Berlin', Date.parse('2026-10-24T22:00:00Z')), '2026-10-25');
    assert.equal(day('Europe/Berlin', Date.parse('2026-10-25T22:59:00Z')), '2026-10-25');
    assert.equal(day('Europe/Berlin', Date.parse('2026-10-25T23:00:00Z')), '2026-10-26');
    assert.equal(day('Pacific/Apia', Date.parse('2011-12-30T09:59:00Z')), '2011-12-29');
    assert.equal(day('Pacific/Apia', Date.parse('2011-12-30T10:00:00Z')), '2011-12-31');
    assert.equal(day('America/Los_Angeles', 0), '');
    assert.equal(day('America/Los_Angeles', Date.UTC(20_000, 0)), '+020000-01-01');
    assert.ok(Number.isNaN(localDayOf('America/Los_Angeles')(Number.NaN)));
  });
});
