import assert from 'node:assert/strict';
import { claimLines } from '../../../../src/core/format/lineOrigins/claimLines';
import { LineTexts } from '../../../../src/core/format/lineOrigins/lineTexts';
import type { Fragment } from '../../../../src/core/format/lineOrigins/replay/goneLines';

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
});
