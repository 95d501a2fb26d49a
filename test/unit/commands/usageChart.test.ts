import assert from 'node:assert/strict';
import { columnChart } from '../../../src/commands/usage/usageChart';

describe('The chart of usage', () => {
  it('has its names outside of the picture, which shrinks with the page', () => {
    const chart = columnChart(
      [
        { name: 'Nov 1', value: 1, text: '$1' },
        { name: 'Nov 2', value: 0, text: '$0' },
        { name: 'Nov 3', value: 3, text: '$3 <' },
      ],
      'Cost by day',
    );
    const outside = chart.replace(/<svg[^]*<\/svg>/, '|');
    assert.equal(
      outside
        .replace(/<[^>]*>/g, ' ')
        .replace(/ +/g, ' ')
        .trim(),
      'Nov 3: $3 &#60; | Nov 1 Nov 3',
    );
    assert.doesNotMatch(chart, /<text/);
    assert.equal(columnChart([], 'Cost by day'), '');
  });
});
