import assert from 'node:assert/strict';
import { movePlace, placeOfLines, type LineEdit } from '../../../src/core/index';
import { dice } from '../../fixtures/random';

const lines = (...all: string[]): string => all.join('\n');

describe('Lines that move', () => {
  it('are found where they are, nearest to where they were', () => {
    const text = lines('a', 'x', 'b', 'x', 'y', 'c', 'x');
    assert.deepEqual(placeOfLines(text, 'x', { from: 2 }), { from: 2, to: 2 });
    assert.deepEqual(placeOfLines(text, 'x', { from: 5 }), { from: 4, to: 4 });
    assert.deepEqual(placeOfLines(text, 'x', { from: 1000 }), { from: 7, to: 7 });
    assert.deepEqual(placeOfLines(text, lines('x', 'y'), { from: 1 }), { from: 4, to: 5 });
    assert.deepEqual(placeOfLines(text.replaceAll('\n', '\r\n'), lines('x', 'y'), { from: 1 }), { from: 4, to: 5 });
    assert.equal(placeOfLines(text, 'z', { from: 1 }), undefined);
    assert.equal(placeOfLines('', lines('x', 'y'), { from: 3 }), undefined);
    assert.deepEqual(placeOfLines('ü\u2028ü\n👩‍👩‍👧', '👩‍👩‍👧', { from: 9 }), { from: 2, to: 2 });
  });

  it('are looked for among equal lines in bounded time', () => {
    const text = 'x\n'.repeat(100_000);
    assert.equal(placeOfLines(text, `${'x\n'.repeat(400)}y`, { from: 50_000 }), undefined);
  });

  it('follow edits above, below and within them, and are gone if all of them were replaced with others', () => {
    const place = { from: 3, to: 5 };
    const after = (first: number, removed: number, inserted: number): unknown => movePlace(place, { first, removed, inserted });
    assert.deepEqual(after(0, 0, 2), { from: 5, to: 7 });
    assert.deepEqual(after(0, 2, 0), { from: 1, to: 3 });
    assert.deepEqual(after(5, 1, 0), place);
    assert.deepEqual(after(3, 1, 3), { from: 3, to: 7 });
    assert.deepEqual(after(2, 3, 1), { from: 3, to: 3 });
    assert.equal(after(2, 3, 0), undefined);
    assert.equal(after(1, 5, 1), undefined);
    assert.deepEqual(after(1, 2, 1), { from: 3, to: 4 });
    assert.deepEqual(after(4, 5, 1), { from: 3, to: 4 });
  });

  it('have the same text after any edits that leave them alone', () => {
    const random = dice(7);
    const below = (end: number): number => random.below(end);
    for (let round = 0; round < 2000; round++) {
      const all = Array.from({ length: 12 }, (_, at) => `line ${String(at)}`);
      const from = 1 + below(10);
      let place: { from: number; to: number } | undefined = { from, to: from + below(12 - from + 1) };
      const wanted = all.slice(place.from - 1, place.to);
      for (let edits = 0; edits < 4; edits++) {
        const edit: LineEdit = { first: below(all.length), removed: 0, inserted: below(3) };
        const { from: now, to: end }: { from: number; to: number } = place;
        const first = edit.first >= now && edit.first < end ? end : edit.first;
        all.splice(first, 0, ...Array.from({ length: edit.inserted }, (_, at) => `new ${String(at)}`));
        place = movePlace(place, { ...edit, first });
        assert.ok(place);
      }
      assert.deepEqual(all.slice(place.from - 1, place.to), wanted);
    }
  });
});
