import assert from 'node:assert/strict';
import { columnCostText, compactText, costText, numberText, percentText } from '../../../src/core/format/text/quantities/numberText';

describe('Numbers as text', () => {
  it('are in the given language, also after another one', () => {
    assert.deepEqual([numberText(12_345, 'en'), numberText(12_345, 'de')], ['12,345', '12.345']);
    assert.deepEqual([compactText(21_345, 'en'), compactText(2_134_500, 'de')], ['21.3K', '2,1\u00a0Mio.']);
    assert.equal(costText(1.5, 'de'), '1,50\u00a0$');
    assert.deepEqual([compactText(3748, 'de'), compactText(3748, 'ja'), compactText(3748, 'en')], ['3.748', '3,748', '3.7K']);
  });

  it('have two decimals for costs, and four below a cent', () => {
    assert.deepEqual(
      [2, 1.239, 0.1, 0.0999, 0.01, 0.00996, 0.0099, 0.00123, 0].map((cost) => costText(cost, 'en')),
      ['$2.00', '$1.24', '$0.10', '$0.10', '$0.01', '$0.01', '$0.0099', '$0.0012', '$0.00'],
    );
  });

  it('have as many decimals in all rows of a column of costs', () => {
    const column = (values: readonly number[]): string[] => values.map((value) => columnCostText(values, 'en')(value));
    assert.deepEqual(column([13.521, 0.17, 0.0209, 0.004, 0]), ['$13.52', '$0.17', '$0.02', '<$0.01', '$0.00']);
    assert.deepEqual(column([0.0042, 0.00001, 0]), ['$0.0042', '$0.0000', '$0.0000']);
    assert.deepEqual(
      [2, -0.5, 0.001, -0.001, 0, 0.1 + 0.2 - 0.3].map((change) => columnCostText([3], 'en')(change, true)),
      ['+$2.00', '-$0.50', '+<$0.01', '-<$0.01', '$0.00', '$0.00'],
    );
    assert.deepEqual([percentText(0.431, 'en'), percentText(0.431, 'en', true), percentText(-1, 'en', true)], ['43%', '+43%', '-100%']);
  });
});
