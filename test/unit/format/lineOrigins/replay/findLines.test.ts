import assert from 'node:assert/strict';
import { findLines } from '../../../../../src/core/format/lineOrigins/replay/findLines';
import { numbers } from '../../../../fixtures/random';

describe('Finding lines in a text', () => {
  it('yields all places, as comparing at each place does', () => {
    const next = numbers(3);
    for (let round = 0; round < 300; round++) {
      const lines = Array.from({ length: 40 }, () => Math.floor(next() * 2.2));
      const wanted = Array.from({ length: 1 + Math.floor(next() * 5) }, () => Math.floor(next() * 2.2));
      const from = Math.floor(next() * 10);
      const expected = lines.flatMap((_, at) => (at >= from && wanted.every((line, index) => lines[at + index] === line) ? [at] : []));
      assert.deepEqual([...findLines(lines, wanted, from)], expected, JSON.stringify({ lines, wanted, from }));
    }
  });

  it('yields none for no lines, and for more lines than there are', () => {
    assert.deepEqual([...findLines([1, 2], [])], []);
    assert.deepEqual([...findLines([1, 2], [1, 2, 3])], []);
  });
});
