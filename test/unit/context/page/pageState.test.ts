import assert from 'node:assert/strict';
import { PageState } from '../../../../src/context/page/shell/pageState';
import { until } from '../../../fixtures/until';

describe('The page’s state', () => {
  it('is saved after each series of changes, once for all of them', async () => {
    const saved: unknown[] = [];
    const state = new PageState({ getState: () => ({ folds: [1] }), setState: (value) => saved.push(value) });
    assert.deepEqual([state.restored('folds'), state.restored('other')], [[1], undefined]);
    let value = 0;
    state.register('folds', () => value);
    for (const expected of [[{ folds: 3 }], [{ folds: 3 }, { folds: 6 }]]) {
      for (let i = 0; i < 3; i++) {
        value++;
        state.scheduleSave();
      }
      await until(() => saved.length === expected.length);
      assert.deepEqual(saved, expected);
    }
  });
});
