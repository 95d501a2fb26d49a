import assert from 'node:assert/strict';
import { UNKNOWN } from '../../../../src/core/format/lineOrigins/alignLines';
import { LineTexts } from '../../../../src/core/format/lineOrigins/lineTexts';
import { traceLine } from '../../../../src/core/format/lineOrigins/traceLine';

describe('A line of an earlier text', () => {
  const texts = new LineTexts();
  const numbers = (lines: readonly (string | undefined)[]): number[] =>
    lines.map((line) => (line === undefined ? UNKNOWN : texts.numberOf(line)));
  const trace = (before: readonly (string | undefined)[], after: readonly string[], line: string) =>
    traceLine(numbers(before), numbers(after), after.indexOf(line), texts);

  it('is the same one before and after a change', () => {
    assert.deepEqual(trace(['first', 'second', 'third'], ['first', 'new', 'more', 'third'], 'first'), { place: 0, isChanged: false });
    assert.deepEqual(trace(['first', 'second', 'third'], ['first', 'new', 'more', 'third'], 'third'), { place: 2, isChanged: false });
  });

  it('is the same one between two changes', () => {
    assert.deepEqual(trace(['old', 'stays here', 'gone', 'end'], ['new', 'other', 'stays here', 'end'], 'stays here'), {
      place: 1,
      isChanged: false,
    });
  });

  it('is the most similar one between the same neighbors', () => {
    const before = ['top', 'let total = 1;', 'let total = sum(values);', 'end'];
    assert.deepEqual(trace(before, ['top', 'let total = sum(numbers);', 'end'], 'let total = sum(numbers);'), {
      place: 2,
      isChanged: true,
    });
  });

  it('is the one in the same place if several are as similar', () => {
    const before = ['top', 'call(1);', 'call(2);', 'call(3);', 'end'];
    const after = ['top', 'call(7);', 'call(8);', 'call(9);', 'end'];
    assert.deepEqual(trace(before, after, 'call(8);'), { place: 2, isChanged: true });
  });

  it('isn’t one that another line is', () => {
    const before = ['old', 'value = read(one);', 'end'];
    const [same, other] = ['value = read(one);', 'value = read(two);'];
    assert.deepEqual(trace(before, ['new', same, other, 'finish'], other), { place: undefined, isChanged: true });
    assert.deepEqual(trace(before, ['new', other, same, 'finish'], other), { place: undefined, isChanged: true });
  });

  it('isn’t there if nothing is similar, or not known', () => {
    assert.deepEqual(trace(['top', 'entirely different', 'end'], ['top', 'new = 1', 'end'], 'new = 1'), {
      place: undefined,
      isChanged: true,
    });
    assert.deepEqual(trace(['top', undefined, 'end'], ['top', 'new = 1', 'end'], 'new = 1'), { place: undefined, isChanged: true });
  });
});
