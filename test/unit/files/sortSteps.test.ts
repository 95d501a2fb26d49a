import assert from 'node:assert/strict';
import { sortSteps } from '../../../src/core/files/concurrency/sortSteps';
import { finishSteps } from '../../../src/core/format/session/steps';
import { numbers } from '../../fixtures/random';

describe('sorting in steps', () => {
  const byKey = (a: { readonly key: number }, b: { readonly key: number }): number => a.key - b.key;

  it('gives what sorting at once does, equal elements in their order included', () => {
    const next = numbers(1);
    for (const length of [0, 1, 2, 2047, 2048, 2049, 4096, 10_000, 20_481]) {
      const list = Array.from({ length }, (_, at) => ({ key: Math.floor(next() * 500), at }));
      const before = [...list];
      assert.deepEqual(finishSteps(sortSteps(list, byKey)), list.toSorted(byKey));
      assert.deepEqual(list, before);
    }
  });

  it('takes many steps for a long list', () => {
    const list = Array.from({ length: 50_000 }, (_, at) => ({ key: -at }));
    let compared = 0;
    let most = 0;
    const steps = sortSteps(list, (a, b) => (compared++, byKey(a, b)));
    for (let step = steps.next(); step.done !== true; step = steps.next()) [most, compared] = [Math.max(most, compared), 0];
    assert.ok(most > 0 && most < 2048 * 12, String(most));
  });
});
