import assert from 'node:assert/strict';
import { LineTexts } from '../../../../../src/core/format/lineOrigins/lineTexts';
import { changedOrigins } from '../../../../../src/core/format/lineOrigins/replay/changedOrigins';
import { documentOf } from '../../../../../src/core/format/lineOrigins/replay/lineDocument';
import { withText } from '../../../../../src/core/format/lineOrigins/replay/withText';
import { editOf, guess, NO_EDIT } from '../../../../../src/core/format/lineOrigins/replay/origin';
import { finishWork } from '../../../../../src/core/format/lineOrigins/work';

describe('Origins of lines in a rewritten text', () => {
  const texts = new LineTexts();
  const origins = (old: string[], now: string[], meanwhile?: { lines: string[]; origin: number }): number[] =>
    finishWork(
      changedOrigins(
        documentOf(texts.numbersOf(old)),
        texts.numbersOf(now),
        texts,
        7,
        meanwhile && { lines: texts.numbersOf(meanwhile.lines), origin: () => meanwhile.origin },
      ),
    );

  it('are guesses where the old and the new text have equal lines in different numbers', () => {
    assert.deepEqual(origins(['first', '', 'last'], ['second', '', 'third', '', 'last']), [7, guess(7), 7, NO_EDIT, NO_EDIT]);
    assert.deepEqual([editOf(guess(7)), editOf(7), editOf(guess(NO_EDIT))], [7, 7, NO_EDIT]);
    assert.ok(guess(0) < NO_EDIT);
  });

  it('are guesses for an old bracket that ends a new block, while its own block stays', () => {
    const old = ['  first();', '}', 'last'];
    assert.deepEqual(origins(old, ['  first();', 'new() {', '  new();', '}', 'last']), [NO_EDIT, 7, 7, guess(7), NO_EDIT]);
    const block = ['old() {', '  first();', '}'];
    assert.deepEqual(origins(block, ['new() {', '  first();', '}']), [7, NO_EDIT, NO_EDIT]);
  });

  it('are unknown for the blank line between an old block and what was added behind it', () => {
    const added = ['}', '', 'second() {', '}', ''];
    const before = { lines: texts.numbersOf(['}', '']), origins: [3, 3], isWhole: true };
    const { origins: old } = finishWork(withText(before, texts.numbersOf(added), texts, 7));
    assert.deepEqual(old, [guess(3), NO_EDIT, 7, 7, 7]);
  });

  it('are those of a text in between for lines that it has', () => {
    assert.deepEqual(origins(['first'], ['first', 'second', 'third'], { lines: ['first', 'second'], origin: 3 }), [NO_EDIT, 3, 7]);
  });

  it('keep a distinctive line in its place rather than a bracket', () => {
    // Two pairs in opposite orders, in both orders.
    assert.deepEqual(origins(['}', 'telling();', 'third();'], ['telling();', '}', 'third();']), [NO_EDIT, 7, NO_EDIT]);
    assert.deepEqual(origins(['telling();', '}', ']', 'third();'], ['}', ']', 'telling();', 'third();']), [7, 7, NO_EDIT, NO_EDIT]);
  });
});
