import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { UsageSum } from '../../../src/core/index';
import { session, type SessionBuilder } from '../../fixtures/build';
import { testCatalog } from '../../fixtures/catalog';
import { dice } from '../../fixtures/random';

interface Line {
  readonly type?: string;
  readonly timestamp: string;
  readonly message?: {
    readonly role: string;
    readonly usage?: { input: number; output: number; cacheRead?: number; cacheWrite?: number; cost?: { total: number } };
  };
}

/** Adds up by the rule of `@ccusage/pi`: the usage of all assistant messages, a message with the same time and tokens once in a file. */
function byTheirRule(folder: string): Record<string, number[]> {
  const days: Record<string, number[]> = {};
  for (const name of readdirSync(folder)) {
    const seen = new Set<string>();
    for (const text of readFileSync(join(folder, name), 'utf8').trim().split('\n')) {
      const { type, timestamp, message } = JSON.parse(text) as Line;
      if (type !== 'message' || message?.role !== 'assistant' || !message.usage) continue;
      const { input, output, cacheRead = 0, cacheWrite = 0, cost } = message.usage;
      const key = `${timestamp} ${input + output + cacheRead + cacheWrite}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const sums = (days[timestamp.slice(0, 10)] ??= [0, 0, 0, 0, 0]);
      for (const [place, number] of [input, output, cacheRead, cacheWrite, cost?.total ?? 0].entries()) sums[place]! += number;
    }
  }
  return days;
}

const ours = (sums: readonly UsageSum[]): Record<string, number[]> =>
  Object.fromEntries(
    sums.map(({ key, input, output, cacheRead, cacheWrite, cost }) => [
      key,
      [input, output, cacheRead, cacheWrite, Number(cost.toFixed(6))],
    ]),
  );
const rounded = (days: Record<string, number[]>): Record<string, number[]> =>
  Object.fromEntries(Object.entries(days).map(([day, [...sums]]) => [day, [...sums.slice(0, 4), Number(sums[4]!.toFixed(6))]]));

describe('The usage of sessions without forks', () => {
  const test = testCatalog();

  const generated = (seed: number): SessionBuilder => {
    const random = dice(seed);
    const roll = (end: number): number => random.below(end);
    const lines = session({ id: `session ${seed}` }).user('x');
    for (let at = 0; at < 40; at++) {
      const usage = {
        input: roll(5000),
        output: roll(900),
        cacheRead: roll(90_000),
        cacheWrite: roll(4000),
        cost: { total: roll(100_000) / 1e6 },
      };
      const timestamp = new Date(Date.UTC(2026, 0, 1 + roll(20), roll(24), roll(60), at, seed)).toISOString();
      // Both times are the same in files of pi.
      lines.assistant('y', { timestamp, message: { usage, timestamp: Date.parse(timestamp), model: `m${roll(3)}` } });
    }
    return lines;
  };

  it('is by day what ccusage adds up', async () => {
    const catalog = await test.open(Object.fromEntries(Array.from({ length: 12 }, (_, seed) => [`s${seed}`, generated(seed + 1)])));
    const expected = rounded(byTheirRule(join(test.root, 'p')));
    assert.ok(Object.keys(expected).length >= 15);
    assert.deepEqual(ours(await catalog.usage({ by: 'day' })), expected);
  });

  it('is less than that of ccusage by what forks repeat, and more by compactions and tools', async () => {
    const answer = (total: number) => ({ message: { usage: { input: 1, output: 1, cost: { total } } } });
    const begin = (id: string, timestamp: string): SessionBuilder => session({ id, timestamp }).user('x').assistant('a', answer(1));
    const fork = begin('b', '2026-01-02T00:00:00.000Z').assistant('b', answer(2));
    fork.compaction('Short.', fork.last, { usage: { input: 1, output: 1, cost: { total: 4 } } });
    const catalog = await test.open({ a: begin('a', '2026-01-01T00:00:00.000Z'), b: fork });
    const total = (sums: Record<string, number[]>): number => Object.values(sums).reduce((sum, [, , , , cost = 0]) => sum + cost, 0);
    assert.equal(total(byTheirRule(join(test.root, 'p'))), 1 + 1 + 2);
    assert.equal(total(ours(await catalog.usage({ by: 'day' }))), 1 + 2 + 4);
  });
});
