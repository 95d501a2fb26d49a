import assert from 'node:assert/strict';
import { compactText, costText, numberText } from '../../../src/core/format/text/numberText';

describe('Numbers as text', () => {
  it('are in the given language, also after another one', () => {
    assert.deepEqual([numberText(12_345, 'en'), numberText(12_345, 'de')], ['12,345', '12.345']);
    assert.deepEqual([compactText(21_345, 'en'), compactText(2_134_500, 'de')], ['21.3K', '2,1\u00a0Mio.']);
    assert.equal(costText(1.5, 'de'), '1,50\u00a0$');
  });

  it('have more decimals for small costs', () => {
    assert.deepEqual(
      [2, 1.239, 0.1, 0.0999, 0.00123, 0].map((cost) => costText(cost, 'en')),
      ['$2.00', '$1.24', '$0.10', '$0.0999', '$0.0012', '$0.00'],
    );
  });
});
