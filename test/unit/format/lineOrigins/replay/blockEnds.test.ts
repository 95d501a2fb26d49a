import assert from 'node:assert/strict';
import { openingLineOf, likelyOpeningLineOf } from '../../../../../src/core/format/lineOrigins/replay/blockEnds';
import { documentOf } from '../../../../../src/core/format/lineOrigins/replay/lineDocument';
import { withText } from '../../../../../src/core/format/lineOrigins/replay/withText';
import { LineTexts } from '../../../../../src/core/format/lineOrigins/lineTexts';
import { finishWork } from '../../../../../src/core/format/lineOrigins/work';

describe('The end of a block', () => {
  const leader = (at: number, ...lines: string[]): number | undefined => {
    const texts = new LineTexts();
    return openingLineOf(texts.numbersOf(lines), at, texts);
  };

  it('belongs to the line that opened it, and a blank line to the end before it', () => {
    assert.equal(leader(3, 'f() {', '  a {', '  }', '}'), 0);
    assert.equal(leader(2, 'f() {', '  a {', '  }', '}'), 1);
    assert.equal(leader(1, '});', ''), 0);
  });

  it('belongs to none if another line of its indentation, or a line outside, is nearer', () => {
    assert.equal(leader(2, 'f() {', 'a', '}'), undefined);
    assert.equal(leader(3, '  f() {', 'a', '    b', '  }'), undefined);
    assert.equal(leader(1, 'a', ''), undefined);
    assert.equal(leader(1, 'f() {', 'a'), undefined);
  });

  it('likely belongs to the nearest opening line of its indentation, unless a block ends in between', () => {
    const texts = new LineTexts();
    assert.equal(likelyOpeningLineOf(texts.numbersOf(['f() {', 'a', '}']), 2, texts), 0);
    assert.equal(likelyOpeningLineOf(texts.numbersOf(['f() {', 'a', '}', '}']), 3, texts), undefined);
  });

  it('is new with the block if there are several alike', () => {
    const texts = new LineTexts();
    const old = ['one() {', '  one', '}', '', 'two', '}'];
    const now = ['one() {', '  one', '}', '', 'three() {', '  three', '}', '', '}'];
    const { origins } = finishWork(withText(documentOf(texts.numbersOf(old)), texts.numbersOf(now), texts, 7));
    assert.deepEqual(origins.slice(0, 8), [-1, -1, -1, -1, 7, 7, 7, 7]);
  });
});
