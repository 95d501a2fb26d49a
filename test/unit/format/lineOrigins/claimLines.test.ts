import assert from 'node:assert/strict';
import { claimLines } from '../../../../src/core/format/lineOrigins/claimLines';
import { LineTexts } from '../../../../src/core/format/lineOrigins/lineTexts';
import type { Fragment } from '../../../../src/core/format/lineOrigins/replay/unplacedLines';

describe('Claims', () => {
  const texts = new LineTexts();

  /** @param document lines with their origins */
  function claims(document: Record<string, number>[], current: string[], fragments: Fragment[] = [], foreign: string[] = []): string[] {
    const lines = document.flatMap((line) => Object.entries(line));
    const replayed = {
      document: { lines: texts.numbersOf(lines.map(([text]) => text)), origins: lines.map(([, origin]) => origin), isWhole: true },
      fragments,
      foreignShapes: new Set(texts.numbersOf(foreign).map((line) => texts.shapeOf(line))),
      isComplete: true,
    };
    return Array.from(claimLines(replayed, texts.numbersOf(current), texts), (claim) =>
      claim ? `${claim.origin} ${claim.certainty}` : '-',
    );
  }

  it('are exact for lines in their place, and none for a person’s', () => {
    assert.deepEqual(claims([{ first: 1, person: -1, third: 2 }], ['first', 'person', 'third']), ['1 exact', '-', '2 exact']);
  });

  it('are at most likely for a bracket that may be another one', () => {
    const document = [
      { first: 1, gone: 1, '}': -1 },
      { '}': 1, third: 1 },
    ];
    assert.deepEqual(claims(document, ['first', '}', 'third']), ['1 exact', '1 likely', '1 exact']);
  });

  it('are likely for indented and for moved lines', () => {
    assert.deepEqual(claims([{ first: 1, second: 2 }], ['first', '  second']), ['1 exact', '2 likely']);
    assert.deepEqual(claims([{ first: 1, second: 2, third: 3 }], ['third', 'first', 'second']), ['3 likely', '1 exact', '2 exact']);
  });

  it('are likely for lines of edits without a place, unless others wrote the same', () => {
    const piece = { lines: texts.numbersOf(['lonely', 'shared']), origin: 4 };
    assert.deepEqual(claims([], ['lonely', 'shared'], [piece], ['shared']), ['4 likely', '-']);
  });

  it('are none for brackets alone', () => {
    assert.deepEqual(claims([{ '}': 1 }], ['other', '}']), ['-', '-']);
  });

  it('are exact for brackets and blank lines only after a line of the same edit, or in its block', () => {
    const block = { 'work() {': 1, '  second line': 2, '}': 1, '': 1, 'last line': 2 };
    assert.deepEqual(claims([block], Object.keys(block)), ['1 exact', '2 exact', '1 exact', '1 exact', '2 exact']);
    assert.deepEqual(claims([{ 'first line': 2, '': 1, third: 1 }], ['first line', '', 'third']), ['2 exact', '1 likely', '1 exact']);
    assert.deepEqual(claims([{ 'first line': 1, '': 1, third: -1 }], ['first line', '', 'third']), ['1 exact', '1 exact', '-']);
  });

  it('are none for a doubtful bracket or blank line among a person’s lines', () => {
    const doubtful = { 'first line': -1, gone: 1, '}': 1 };
    const rest = [{ '}': -1 }, { '}': 1, third: -1 }];
    assert.deepEqual(claims([doubtful, ...rest], ['first line', '}', 'third']), ['-', '-', '-']);
    assert.deepEqual(claims([{ ...doubtful, 'first line': 2 }, ...rest], ['first line', '}', 'third']), ['2 exact', '1 likely', '-']);
  });

  it('are likely for what is indented again, but none where the same lines stand elsewhere', () => {
    const document = [{ 'first line': 1, 'same line': 1, 'only line': 1, 'middle line': -1 }, { 'same line': 2 }];
    const now = ['first line', '  same line', '  only line', 'middle line', '  same line'];
    assert.deepEqual(claims(document, now), ['1 exact', '1 likely', '1 likely', '-', '-']);
  });
});
