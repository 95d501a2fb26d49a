import assert from 'node:assert/strict';
import { LineTexts } from '../../../../../src/core/format/lineOrigins/lineTexts';
import type { FileEdit } from '../../../../../src/core/format/lineOrigins/record/fileEdit';
import { Replay, type FileEvent, type Replayed } from '../../../../../src/core/format/lineOrigins/replay/replay';
import { finishWork } from '../../../../../src/core/format/lineOrigins/work';

describe('The replay of edits', () => {
  const texts = new LineTexts();

  function replayed(...events: FileEvent[]): Replayed & { text: string } {
    const replay = new Replay(texts);
    for (const event of events) finishWork(replay.adding(event));
    const result = finishWork(replay.result());
    return { ...result, text: result.document.lines.map((line) => (line < 0 ? '?' : texts.text(line))).join('\n') };
  }
  const edit = (change: Partial<FileEdit>): FileEvent => ({
    kind: 'edit',
    edit: { file: 'a.ts', hunks: [], replacements: [], isCertain: true, ...change },
  });
  const replacement = (before: string, after: string): FileEvent => edit({ replacements: [{ before, after, all: false }] });
  const text = (shown: string, isWhole: boolean): FileEvent => ({ kind: 'text', text: shown, isWhole });

  it('is complete after a whole text and edits that fit it', () => {
    const { text: found, isComplete, document } = replayed(text('first\nsecond', true), replacement('second', 'other'));
    assert.equal(found, 'first\nother');
    assert.deepEqual(document.origins, [-1, 1]);
    assert.ok(isComplete);
  });

  it('has the lines of several hunks at their places in a text that isn’t known otherwise', () => {
    const hunk = (start: number, line: string) => ({
      start,
      lines: [
        { sign: '-' as const, text: 'old' },
        { sign: '+' as const, text: line },
      ],
    });
    const { text: found } = replayed(edit({ hunks: [hunk(2, 'const third = 3;'), hunk(5, 'const sixth = 6;')] }));
    assert.equal(found, '?\n?\nconst third = 3;\n?\n?\nconst sixth = 6;');
  });

  it('isn’t complete after an edit of a part that was read', () => {
    const { text: found, isComplete, document } = replayed(text('first\nsecond', false), replacement('second', 'other'));
    assert.equal(found, 'first\nother');
    assert.ok(!isComplete && !document.isWhole);
  });

  it('keeps a whole text although a part of a later one was read', () => {
    const whole = 'first line\nsecond line\nthird line';
    const { text: found, isComplete } = replayed(
      text(whole, true),
      text('other line\nthird line', false),
      replacement('other line', 'new line'),
    );
    assert.ok(found.startsWith('first line\nsecond line'), found);
    assert.ok(!isComplete);
  });

  it('finds the lines of an edit without a place in the text that the file had before the next one', () => {
    const { document } = replayed(
      text('first line', true),
      replacement('missing line', 'written line'),
      text('first line\nwritten line', true),
      edit({ text: 'first line\nwritten line\nlast line' }),
    );
    assert.deepEqual(document.origins, [-1, 1, 3]);
  });
});
