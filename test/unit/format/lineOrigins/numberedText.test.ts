import assert from 'node:assert/strict';
import { LineTexts, linesOf } from '../../../../src/core/format/lineOrigins/lineTexts';
import { numberedLike, numberedText, type NumberedText } from '../../../../src/core/format/lineOrigins/numberedText';
import { finishWork } from '../../../../src/core/format/lineOrigins/work';
import { numbers } from '../../../fixtures/random';

describe('Numbers of a text’s lines', () => {
  /** A text of more than the units that are compared at once, with many equal lines. */
  function anyText(next: () => number): string[] {
    const below = (limit: number): number => Math.floor(next() * limit);
    return Array.from({ length: below(400) }, () => (below(3) === 0 ? '}' : below(4) === 0 ? '' : `const name${below(300)} = call();`));
  }

  function changed(lines: readonly string[], next: () => number): string[] {
    const all = [...lines];
    for (let changes = Math.floor(next() * 6); changes > 0; changes--) {
      const at = Math.floor(next() * all.length);
      const removed = all.splice(at, Math.floor(next() * 8));
      const added = next() < 0.5 ? removed.map((line) => `${line}x`) : ['new();', '}', ''];
      if (next() < 0.7) all.splice(next() < 0.5 ? at : Math.floor(next() * all.length), 0, ...added);
    }
    return all;
  }

  it('are those of looking up each line, for texts that differ in any places', () => {
    const next = numbers(7);
    for (let round = 0; round < 300; round++) {
      const before = anyText(next);
      const after = next() < 0.1 ? anyText(next) : changed(before, next);
      const [known, text] = [before.join('\n'), after.join('\n')];
      const texts = new LineTexts();
      const numberOf = (line: string): number => texts.numberOf(line);
      const numbered = (of: string): NumberedText => finishWork(numberedText(of, of.split('\n'), numberOf));
      const found = finishWork(numberedLike(text, numbered(known), numberOf, Infinity));
      assert.deepEqual(found, numbered(text), JSON.stringify([known, text]));
    }
  });

  it('look up only the lines that differ', () => {
    const lines = Array.from({ length: 1000 }, (_, at) => `const line${at} = ${at};`);
    const looked: string[] = [];
    const texts = new LineTexts();
    const known = finishWork(numberedText(lines.join('\n'), lines, (line) => texts.numberOf(line)));
    const now = lines.toSpliced(500, 2, 'first();', 'second();', 'third();').toSpliced(10, 1);
    const numberOf = (line: string): number => {
      looked.push(line);
      return texts.numberOf(line);
    };
    finishWork(numberedLike(now.join('\n'), known, numberOf, Infinity));
    // The line after a difference tells where the texts are the same again.
    assert.deepEqual(looked, [lines[11], 'first();', 'second();', 'third();', lines[502]]);
  });

  it('are none for a text with more lines than are followed', () => {
    const texts = new LineTexts();
    const lines = Array.from({ length: 1000 }, (_, at) => `const line${at} = ${at};`);
    assert.equal(texts.numbersIn(lines.join('\n'), 999), undefined);
    assert.equal(texts.numbersIn(lines.join('\n'), 1000)?.length, 1000);
    assert.equal(texts.numbersIn(`${lines.join('\n')}\n`, 1000), undefined);
    assert.equal(texts.numbersIn(`new\n${lines.join('\n')}`, 1000), undefined);
  });

  it('are the same for all line breaks, with and without a byte order mark', () => {
    const lines = Array.from({ length: 500 }, (_, at) => `const line${at} = ${at};`);
    const texts = new LineTexts();
    const plain = texts.numbersIn(lines.join('\n'));
    for (const text of [`\uFEFF${lines.join('\n')}`, lines.join('\r\n'), lines.join('\r')]) {
      assert.deepEqual(linesOf(text), lines);
      assert.deepEqual(texts.numbersIn(text), plain);
    }
  });
});
