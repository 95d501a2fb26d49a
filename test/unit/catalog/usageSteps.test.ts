import assert from 'node:assert/strict';
import { forkParents } from '../../../src/core/catalog/copies/forkParents';
import type { KnownFile } from '../../../src/core/catalog/rows/catalogRow';
import { usageBy } from '../../../src/core/catalog/rows/usageBy';
import { STEP_LENGTH, type Steps } from '../../../src/core/format/session/steps';

const COUNT = 10 * STEP_LENGTH;

function stepsOf<T>(steps: Steps<T>): { readonly count: number; readonly result: T } {
  for (let count = 1; ; count++) {
    const { done, value } = steps.next();
    if (done === true) return { count, result: value };
  }
}

describe('usage of thousands of sessions', () => {
  it('is added up in steps', () => {
    const totals = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, cost: 0.5 };
    const facts = Array.from({ length: COUNT }, (_, index) => ({ path: `/s/${index}`, day: '2026-01-01', model: 'm', ...totals }));
    const { count, result } = stepsOf(usageBy('project', facts, (path) => ({ cwd: path.endsWith('7') ? '/a' : '/b', dialect: 'pi' })));
    assert.ok(count > 10, `${count} steps`);
    assert.deepEqual(
      result.map(({ key, input, cost }) => [key, input, cost]),
      [
        ['/b', (COUNT * 9) / 10, (COUNT * 9) / 20],
        ['/a', COUNT / 10, COUNT / 20],
      ],
    );
  });

  it('finds the parents of forks in steps', () => {
    const file = (index: number): KnownFile => {
      const parent = index === COUNT - 1 ? { parentSession: 'id 0' } : {};
      const summary = { id: `id ${index}`, created: index, ...parent };
      return { path: `/s/${index}.jsonl`, row: { summary } } as unknown as KnownFile; // Nothing else is read of it.
    };
    const { count, result } = stepsOf(forkParents(Array.from({ length: COUNT }, (_, index) => file(index))));
    assert.ok(count > 10, `${count} steps`);
    assert.deepEqual([...result], [[`/s/${COUNT - 1}.jsonl`, '/s/0.jsonl']]);
  });
});
