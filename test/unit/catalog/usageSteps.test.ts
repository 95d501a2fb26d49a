import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { forkParents } from '../../../src/core/catalog/copies/forkParents';
import type { KnownFile } from '../../../src/core/catalog/rows/catalogRow';
import { packUsage, unpackUsage } from '../../../src/core/catalog/rows/packedUsage';
import { usageBy } from '../../../src/core/catalog/rows/usageBy';
import { STEP_LENGTH } from '../../../src/core/format/session/steps';
import { countPauses } from '../../fixtures/countPauses';

const COUNT = 10 * STEP_LENGTH;

describe('usage of thousands of sessions', () => {
  it('is added up in steps', () => {
    const totals = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, cost: 0.5 };
    const facts = Array.from({ length: COUNT }, (_, index) => ({ path: `/s/${index}`, day: '2026-01-01', model: 'm', ...totals }));
    const { pauses, result } = countPauses(usageBy('project', facts, (path) => ({ cwd: path.endsWith('7') ? '/a' : '/b', dialect: 'pi' })));
    assert.ok(pauses >= 10, `${pauses} pauses`);
    assert.deepEqual(
      result.map(({ key, input, cost }) => [key, input, cost]),
      [
        ['/b', (COUNT * 9) / 10, (COUNT * 9) / 20],
        ['/a', COUNT / 10, COUNT / 20],
      ],
    );
  });

  it('passes between threads in few values, and is unpacked in steps', () => {
    const paths = Array.from({ length: COUNT }, (_, index) => `/s/${index}\n😀`);
    const usage = paths.map((path, index) => {
      const totals = { input: index, output: 2 ** 40, cacheRead: 0, cacheWrite: 4, cost: index / 3 };
      return { path, day: index % 2 === 0 ? '2026-01-01' : '', model: `m${index % 3}`, ...totals };
    });
    const packed = structuredClone(packUsage(usage));
    assert.equal(packed.names.length, 5);
    const isKnown = (path: string): boolean => !path.startsWith('/s/7');
    const { pauses, result } = countPauses(unpackUsage(packed, (path) => (isKnown(path) ? { path } : undefined)));
    assert.ok(pauses >= 10, `${pauses} pauses`);
    // Their difference would take a minute to print.
    assert.ok(
      isDeepStrictEqual(
        result,
        usage.filter(({ path }) => isKnown(path)),
      ),
    );
  });

  it('finds the parents of forks in steps', () => {
    const file = (index: number): KnownFile => {
      const parent = index === COUNT - 1 ? { parentSession: 'id 0' } : {};
      const summary = { id: `id ${index}`, created: index, ...parent };
      return { path: `/s/${index}.jsonl`, row: { summary } } as unknown as KnownFile; // Nothing else is read of it.
    };
    const { pauses, result } = countPauses(forkParents(Array.from({ length: COUNT }, (_, index) => file(index))));
    assert.ok(pauses >= 10, `${pauses} pauses`);
    assert.deepEqual([...result], [[`/s/${COUNT - 1}.jsonl`, '/s/0.jsonl']]);
  });
});
