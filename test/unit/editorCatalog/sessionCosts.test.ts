import assert from 'node:assert/strict';
import { finishSteps, STEP_LENGTH, type Catalog } from '../../../src/core/index';
import { compareCosts, SessionCosts } from '../../../src/editorCatalog/sessionCosts';
import { countPauses } from '../../fixtures/countPauses';
import { until } from '../../fixtures/until';

describe('Costs of sessions', () => {
  it('are asked for only while they are shown, and report which changed', async () => {
    let sums = [
      { key: '/a', cost: 1 },
      { key: '/b', cost: 2 },
    ];
    let openCount = 0;
    const changed: (readonly string[])[] = [];
    const costs = new SessionCosts({
      open: () => {
        openCount++;
        return Promise.resolve({ usage: () => Promise.resolve(sums) } as unknown as Catalog);
      },
      onChange: (paths) => changed.push(paths),
      onError: (error) => assert.ifError(error),
    });
    costs.catalogChanged();
    assert.deepEqual([openCount, costs.get('/a')], [0, undefined]);
    costs.want(true);
    await until(() => changed.length === 1);
    assert.deepEqual([changed[0], costs.get('/b')], [['/a', '/b'], 2]);
    sums = [{ key: '/b', cost: 3 }];
    costs.catalogChanged();
    await until(() => changed.length === 2);
    assert.deepEqual([changed[1], costs.get('/a'), costs.get('/b')], [['/b', '/a'], undefined, 3]);
    costs.want(false);
    costs.catalogChanged();
    assert.equal(openCount, 2);
  });

  it('of thousands of sessions are compared in steps', () => {
    const sumsOf = (cost: number): { key: string; cost: number }[] =>
      Array.from({ length: 10 * STEP_LENGTH }, (_, index) => ({ key: `/${index}`, cost: index === 7 ? cost : 1 }));
    const before = finishSteps(compareCosts(new Map(), sumsOf(2))).costs;
    assert.deepEqual([before.size, before.get('/7'), before.get('/8')], [10 * STEP_LENGTH, 2, 1]);
    const { pauses, result } = countPauses(compareCosts(before, [...sumsOf(3).slice(1), { key: '/new', cost: 1 }]));
    assert.deepEqual(result.changed, ['/7', '/new', '/0']);
    assert.equal(pauses, 20);
  });

  it('report an error, and are asked for again later', async () => {
    const errors: unknown[] = [];
    let isBroken = true;
    const costs = new SessionCosts({
      open: () =>
        isBroken
          ? Promise.reject(new Error('broken'))
          : Promise.resolve({ usage: () => Promise.resolve([{ key: '/a', cost: 1 }]) } as unknown as Catalog),
      onChange: () => undefined,
      onError: (error) => errors.push(error),
    });
    costs.want(true);
    await until(() => errors.length === 1);
    isBroken = false;
    costs.catalogChanged();
    await until(() => costs.get('/a') === 1);
  });
});
