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
      ({ name, text }) => `Highest: ${text} · ${name}`,
    );
    const outside = chart.replace(/<svg[^]*<\/svg>/, '|');
    assert.equal(
      outside
        .replace(/<[^>]*>/g, ' ')
        .replace(/ +/g, ' ')
        .trim(),
      'Highest: $3 &#60; · Nov 3 | Nov 1 Nov 3',
    );
    assert.doesNotMatch(chart, /<text/);
    assert.equal(
      columnChart([], 'Cost by day', () => ''),
      '',
    );
  });

  it('has a bar that can be seen for each cost, and none for no cost', () => {
    const bars = [0, 0.001, 50, 1000].map((value) => ({ name: 'Day', value, text: '' }));
    const chart = columnChart(bars, 'Cost by day', () => '');
    const places = Array.from(chart.matchAll(/ y="([^"]*)".*? height="([^"]*)"/g), ([, y, height]) => [Number(y), Number(height)]);
    assert.deepEqual(places, [
      [90, 0],
      [88, 2],
      [85.5, 4.5],
      [0, 90],
    ]);
  });
});
