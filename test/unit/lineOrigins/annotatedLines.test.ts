import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { LineOrigin } from '../../../src/core/index';
import { annotatedLines, applyChanges, type TextChange } from '../../../src/lineOrigins/annotatedLines';
import { column, heatColor, letterOf, sessionColor, sessionHexColors, sessionOrder } from '../../../src/lineOrigins/annotationText';

const origin = (from: number, to: number, entryId: string, path = '/a', time = 1): LineOrigin => ({
  from,
  to,
  path,
  entryId,
  time,
  certainty: 'exact',
});

describe('Annotated lines', () => {
  const TEXT = ['zero', 'one', 'two', 'three', 'four'];
  const lines = annotatedLines([origin(2, 3, 'a'), origin(5, 5, 'b')], TEXT.length);
  const change = (from: [number, number], to: [number, number], text: string): TextChange => ({
    range: { start: { line: from[0], character: from[1] }, end: { line: to[0], character: to[1] } },
    text,
  });
  /** The names of the lines' origins after changes, and `-` for lines without one. */
  function after(...changes: TextChange[]): string {
    const offset = (text: readonly string[], { line, character }: { line: number; character: number }): number =>
      text.slice(0, line).join('').length + line + character;
    let text = TEXT.join('\n');
    for (const { range, text: inserted } of [...changes].reverse())
      text = text.slice(0, offset(TEXT, range.start)) + inserted + text.slice(offset(TEXT, range.end));
    const now = text.split('\n');
    const kept = applyChanges(lines, changes, (line) => now[line]?.length ?? -1);
    assert.equal(kept.length, now.length);
    return kept.map((one) => one?.entryId ?? '-').join('');
  }

  it('have the origin of each line', () => {
    assert.equal(after(), '-aa-b');
  });

  it('lose it where a person types, deletes or pastes', () => {
    assert.equal(after(change([1, 2], [1, 2], 'x')), '--a-b');
    assert.equal(after(change([1, 1], [1, 2], '')), '--a-b');
    assert.equal(after(change([1, 1], [2, 1], 'x')), '---b');
    assert.equal(after(change([1, 1], [1, 1], 'x\ny')), '---a-b');
    assert.equal(after(change([2, 1], [2, 1], '\n')), '-a---b');
    assert.equal(after(change([0, 1], [0, 1], 'x'), change([4, 1], [4, 1], 'x')), '-aa--');
  });

  it('keep it when lines come or go above, below and between them', () => {
    assert.equal(after(change([0, 0], [0, 0], 'x\n')), '--aa-b');
    assert.equal(after(change([1, 0], [1, 0], '\n')), '--aa-b');
    assert.equal(after(change([1, 3], [1, 3], '\n')), '-a-a-b');
    assert.equal(after(change([1, 3], [1, 3], '\n  ')), '-a-a-b');
    assert.equal(after(change([2, 0], [3, 0], '')), '-a-b');
    assert.equal(after(change([0, 0], [1, 0], '')), 'aa-b');
  });
});

describe('Annotations', () => {
  it('have a letter and a color for each session, which later sessions don’t change', () => {
    const [old, next] = [origin(5, 6, 'x', '/old', 10), origin(1, 1, 'y', '/next', 20)];
    assert.deepEqual(
      [...sessionOrder([next, old])],
      [
        ['/old', 0],
        ['/next', 1],
      ],
    );
    assert.deepEqual(
      [...sessionOrder([origin(2, 2, 'z', '/new', 30), next, old])],
      [
        ['/old', 0],
        ['/next', 1],
        ['/new', 2],
      ],
    );
    assert.deepEqual([0, 25, 26, 51, 52, 702].map(letterOf), ['A', 'Z', 'AA', 'AZ', 'BA', 'AAA']);
    assert.deepEqual([0, 5, 6].map(sessionColor), ['sessionTree.session1', 'sessionTree.session6', 'sessionTree.session1']);
  });

  it('have the colors in lists that themes have by default', () => {
    const { contributes } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      contributes: { colors: { id: string; defaults: { light: string; dark: string } }[] };
    };
    for (let place = 0; place < 6; place++) {
      const { light, dark } = contributes.colors.find(({ id }) => id === sessionColor(place))!.defaults;
      assert.deepEqual(sessionHexColors(place), { light, dark });
    }
    assert.deepEqual(sessionHexColors(6), sessionHexColors(0));
  });

  it('have a color for each age', () => {
    const day = 86_400_000;
    const now = 1000 * day;
    assert.deepEqual(
      [0, 0.9, 1, 6, 7, 29, 30, 179, 180, 900].map((days) => heatColor(now - days * day, now).at(-1)),
      ['1', '1', '2', '2', '3', '3', '4', '4', '5', '5'],
    );
    assert.equal(heatColor(now + day, now), 'sessionTree.heat1', 'another machine’s clock');
  });

  it('are columns of equal width', () => {
    assert.equal(column('A short', '3d', 12), 'A short   3d');
    assert.equal(column('A much too long', '3d', 12), 'A much t… 3d');
    assert.equal(column('扉を開ける', '3d', 12), '扉を開け… 3d');
    assert.equal(column('', '3d', 5), '   3d');
    assert.equal(column('cut', '', 2), 'c…');
    assert.equal(column('', 'Oct 2025', 8), 'Oct 2025');
    assert.equal(column('A', 'Oct 2025', 8), 'Oct 2025');
  });
});
